// agent.cuh - the polling agent: the one design used by agent.cu, overlap.cu
// and apps/jacobi.cu.
//
// An agent is one kernel of G blocks of 256 threads that stays on the GPU
// beside the producing kernel, launched first and in an urgent stream. It is
// given a list of chunks, in the order in which they are expected. Every block
// walks the whole list: thread 0 polls the chunk's counter until all blocks
// that write into the chunk have counted up, the block then copies its share
// of the chunk, interleaved with the other blocks in 16 B words, from local
// memory to a peer's, and goes on to the next. So all threads work on one
// chunk, and a late chunk holds up those behind it.
//
// Counters grow for ever: in step k the target is k times the number of
// contributors, so that nothing has to be reset between steps. Nobody waits
// for the agent inside a kernel, so it cannot deadlock with its producer.
#pragma once
#include "bench.cuh"

struct Chunk {
  const int4 *src;
  int4 *dst;
  unsigned words;         // of 16 B
  unsigned contributors;  // blocks that write into it, once per step
};

// Thread `me` of `all` copies its words, four loads in flight. __ldcg reads the
// L2: the data may be younger than a line in this SM's L1.
__device__ inline void move_words(const int4 *src, int4 *dst, size_t words,
                                  size_t me, size_t all)
{
  size_t i = me;
  for (; i + 3 * all < words; i += 4 * all) {
    int4 a = __ldcg(src + i), b = __ldcg(src + i + all);
    int4 c = __ldcg(src + i + 2 * all), d = __ldcg(src + i + 3 * all);
    dst[i] = a;
    dst[i + all] = b;
    dst[i + 2 * all] = c;
    dst[i + 3 * all] = d;
  }
  for (; i < words; i += all) dst[i] = __ldcg(src + i);
}

__device__ inline unsigned load_ready(const unsigned *p)
{
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p)
               : "memory");
  return v;
}

__global__ void agent_kernel(const Chunk *list, int count,
                             const unsigned *ready, unsigned step)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (int i = 0; i < count; i++) {
    Chunk c = list[i];
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
__device__ inline void count_up(unsigned *ready)
{
  __threadfence();
  atomicAdd(ready, 1u);
}
