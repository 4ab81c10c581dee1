// agent.cuh - the polling agent: the one design used by agent.cu, overlap.cu
// and apps/jacobi.cu.
//
// An agent is one kernel of G blocks of 256 threads that stays on the GPU
// beside the producing kernel, launched first and in an urgent stream. It is
// given a list of chunks, in the order in which they are expected. Every block
// walks the whole list: thread 0 polls the chunk's counter until all blocks
// that write into the chunk have counted up, the block then copies its share
// of the chunk, interleaved with the other blocks in 16 B words, from local
// memory to its peer's or peers', each word read once, and goes on to the next.
// So all threads work on one chunk, and a late chunk holds up those behind it.
//
// Counters grow for ever: in step k the target is k times the number of
// contributors, so that nothing has to be reset between steps. Nobody waits
// for the agent inside a kernel, so it cannot deadlock with its producer.
#pragma once
#include "bench.cuh"

// A chunk and its places on up to K peers. If K > 1 the last may be null.
template <int K> struct ChunkTo {
  const int4 *src;
  int4 *dst[K];
  unsigned words;         // of 16 B
  unsigned contributors;  // blocks that write into it, once per step
};
typedef ChunkTo<1> Chunk;

// Thread `me` of `all` copies its words, four loads in flight. __ldcg reads the
// L2: the data may be younger than a line in this SM's L1.
template <int K>
__device__ inline void move_words(const int4 *src, int4 *const (&dst)[K],
                                  size_t words, size_t me, size_t all)
{
  size_t i = me;
  for (; i + 3 * all < words; i += 4 * all) {
    int4 a = __ldcg(src + i), b = __ldcg(src + i + all);
    int4 c = __ldcg(src + i + 2 * all), d = __ldcg(src + i + 3 * all);
#pragma unroll
    for (int k = 0; k < K; k++) {
      if (K > 1 && !dst[k]) continue;
      dst[k][i] = a;
      dst[k][i + all] = b;
      dst[k][i + 2 * all] = c;
      dst[k][i + 3 * all] = d;
    }
  }
  for (; i < words; i += all) {
    int4 a = __ldcg(src + i);
#pragma unroll
    for (int k = 0; k < K; k++)
      if (K == 1 || dst[k]) dst[k][i] = a;
  }
}

__device__ inline void move_words(const int4 *src, int4 *dst, size_t words,
                                  size_t me, size_t all)
{
  int4 *const to[1] = {dst};
  move_words<1>(src, to, words, me, all);
}

__device__ inline unsigned load_ready(const unsigned *p)
{
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p)
               : "memory");
  return v;
}

template <int K>
__global__ void agent_kernel(const ChunkTo<K> *list, int count,
                             const unsigned *ready, unsigned step)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (int i = 0; i < count; i++) {
    ChunkTo<K> c = list[i];
    if (threadIdx.x == 0) {
      long long start = clock64();
      while (load_ready(ready + i) < step * c.contributors)
        if (clock64() - start > SPIN_CYCLES) __trap();
    }
    __syncthreads();
    move_words(c.src, c.dst, c.words, me, all);
  }
}

// The producer's half, called by one thread after the block's barrier: the
// fence orders the stores of the whole block before the count.
// After a barrier of the block: what its threads have stored is seen by whoever
// sees the count. A release, not a fence: a fence also empties the SM's L1.
__device__ inline void count_up(unsigned *ready)
{
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(ready)
               : "memory");
}

// The same, and how many there are now.
__device__ inline unsigned count_up_and_see(unsigned *ready)
{
  unsigned before;
  asm volatile("atom.release.gpu.global.add.u32 %0, [%1], 1;"
               : "=r"(before) : "l"(ready) : "memory");
  return before + 1;
}

// Before a producer: time for the agent to settle on the SMs.
__global__ void pause_kernel(long long ns)
{
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < ns);
}

// `count` chunks of `bytes` each on GPU 0, with their counters up: to time the
// agent without a producer. The polls of step 1 succeed at once.
struct AllReady {
  Chunk *list;
  unsigned *ready;
};

inline AllReady all_ready(const void *src, void *dst, size_t bytes, int count,
                          unsigned contributors = 1)
{
  std::vector<Chunk> list;
  AllReady a = {device_alloc<Chunk>(0, count),
                device_alloc<unsigned>(0, count)};
  for (size_t at = 0; at < count * bytes; at += bytes)
    list.push_back({static_cast<const int4 *>(src) + at / 16,
                    static_cast<int4 *>(dst) + at / 16, unsigned(bytes / 16),
                    contributors});
  CHECK(cudaMemcpy(a.list, list.data(), count * sizeof(Chunk),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemset(a.ready, 1, count * sizeof(unsigned)));  // 0x01010101 >= 1
  CHECK(cudaDeviceSynchronize());
  return a;
}

inline void free_ready(const AllReady &a)
{
  CHECK(cudaFree(a.list));
  CHECK(cudaFree(a.ready));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
