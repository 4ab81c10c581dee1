// stores.cuh - kernels that only store or only load words of 4, 8 or 16 B:
// used by store.cu, pinned.cu, scatter.cu, remote.cu and um.cu.
#pragma once
#include "pattern.cuh"

const int PER_SM = 8;     // blocks of 256: all the threads an SM holds
const size_t SLOT = 512;  // of one scattered run

__device__ inline void put(uint32_t *p, size_t i, uint32_t seed)
{
  p[i] = pattern(i, seed);
}
__device__ inline void put(uint2 *p, size_t i, uint32_t seed)
{
  p[i] = make_uint2(pattern(2 * i, seed), pattern(2 * i + 1, seed));
}
__device__ inline void put(uint4 *p, size_t i, uint32_t seed)
{
  p[i] = make_uint4(pattern(4 * i, seed), pattern(4 * i + 1, seed),
                    pattern(4 * i + 2, seed), pattern(4 * i + 3, seed));
}

template <class Word>
__global__ void dense(Word *p, size_t words, uint32_t seed)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    put(p, i, seed);
}

// Run r goes to slot r A mod slots: with A odd and slots a power of two each
// slot is met once, and consecutive runs are far apart.
__device__ inline size_t slot_of(size_t run, size_t slots)
{
  return (run * 2654435761ull) & (slots - 1);
}

// 2^log2_lanes neighbouring threads store one run.
template <class Word>
__global__ void scatter(Word *p, size_t slots, unsigned log2_lanes,
                        uint32_t seed)
{
  const size_t per_slot = SLOT / sizeof(Word), words = slots << log2_lanes;
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    put(p,
        slot_of(i >> log2_lanes, slots) * per_slot +
            (i & ((1u << log2_lanes) - 1)),
        seed);
}

template <class Word> unsigned log2_words(size_t run)
{
  unsigned n = 0;
  while (sizeof(Word) << n < run) n++;
  return n;
}

// Reads 16 B words, U of them in flight per thread, past the L1; the sum of all
// 4 B words that thread i read goes to sum[i].
template <int U>
__global__ void load_sum(const uint4 *p, size_t words, uint32_t *sum)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t all = size_t(gridDim.x) * blockDim.x, i = me;
  uint32_t s = 0;
#pragma unroll 1  // U loads in flight, not more
  for (; i + (U - 1) * all < words; i += U * all) {
    uint4 v[U];
#pragma unroll
    for (int u = 0; u < U; u++) v[u] = __ldcg(p + i + u * all);
#pragma unroll
    for (int u = 0; u < U; u++) s += v[u].x + v[u].y + v[u].z + v[u].w;
  }
#pragma unroll 1
  for (; i < words; i += all) {
    uint4 v = __ldcg(p + i);
    s += v.x + v.y + v.z + v.w;
  }
  sum[me] = s;
}

// Whether the threads' sums are that of the pattern in so many bytes.
inline void verify_sum(const char *what, const uint32_t *sum, size_t threads,
                       size_t bytes, uint32_t seed)
{
  std::vector<uint32_t> host(threads);
  CHECK(cudaMemcpy(host.data(), sum, threads * sizeof *sum,
                   cudaMemcpyDeviceToHost));
  uint32_t got = 0, want = 0;
  for (uint32_t s : host) got += s;
  for (size_t i = 0; i < bytes / 4; i++) want += pattern(i, seed);
  if (got == want) return;
  fprintf(stderr, "%s: sum %u of what was read, not %u\n", what, got, want);
  quit(1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
