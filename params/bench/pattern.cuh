// pattern.cuh - what is moved is checked: a destination is poisoned, the source
// holds a pattern in which each word depends on its place and on a seed, and
// the destination must hold it afterwards.
#pragma once
#include "bench.cuh"

#include <cstdint>

__host__ __device__ inline uint32_t pattern(uint64_t i, uint32_t seed)
{
  return (uint32_t(i) * 2654435761u) ^ uint32_t(i >> 32) ^ (seed * 40503u);
}

// Like chance: all bits of the result depend on all bits of x.
__host__ __device__ inline uint32_t scramble(uint32_t x)
{
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// From 0 to below n, as evenly as 32 bits allow.
__host__ __device__ inline uint32_t below(uint32_t n, uint32_t chance)
{
  return uint32_t((uint64_t(chance) * n) >> 32);
}

__global__ void fill_kernel(uint32_t *p, size_t words, uint32_t seed)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    p[i] = pattern(i, seed);
}

// Counts wrong words among the first `run` of every `slot` words.
__global__ void verify_kernel(const uint32_t *p, size_t words, size_t slot,
                              size_t run, uint32_t seed,
                              unsigned long long *wrong)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    if (i % slot < run && p[i] != pattern(i, seed)) atomicAdd(wrong, 1ull);
}

inline void fill(int gpu, void *p, size_t bytes, uint32_t seed)
{
  CHECK(cudaSetDevice(gpu));
  fill_kernel<<<1024, THREADS>>>(static_cast<uint32_t *>(p), bytes / 4, seed);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
}

inline void poison(int gpu, void *p, size_t bytes)
{
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaMemset(p, 0xA5, bytes));
  CHECK(cudaDeviceSynchronize());
}

inline void verify(const char *what, int gpu, const void *p, size_t bytes,
                   uint32_t seed, size_t slot_B = 4, size_t run_B = 4)
{
  unsigned long long *wrong = device_alloc<unsigned long long>(gpu, 1), n = 0;
  CHECK(cudaMemset(wrong, 0, sizeof n));
  verify_kernel<<<1024, THREADS>>>(static_cast<const uint32_t *>(p), bytes / 4,
                                   slot_B / 4, run_B / 4, seed, wrong);
  LAUNCHED();
  CHECK(cudaMemcpy(&n, wrong, sizeof n, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(wrong));
  if (n == 0) return;
  fprintf(stderr, "%s: %llu wrong words of %zu\n", what, n, bytes / 4);
  quit(1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
