// carry.cu - what threads that stay on GPU 0 carry, by how many they are, how
// they are spread over blocks, and how many loads each keeps in flight: the
// machine's half of an agent. agent.cu has the hand-off, track.cu the counters.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, data verified
//
// carry_copy  loads of GPU 0's memory, stores to GPU 1
// carry_fill  stores to GPU 1 from registers
// carry_pull  loads of GPU 1's memory, stores to GPU 0's
// carry_load  loads of GPU 1's memory, added up
// Words of 16 B, a thread's next one behind all threads'; inflight words are
// loaded, past the L1, before the first of them is used: 1, 2, 4 or 8; of
// carry_load at most 4, for the compiler keeps no more; of carry_fill 1. size_B
// is what a block carries, count the blocks, threads those of all blocks.
//
// Plausible on an H200: 0.5 to 450 GB/s.
#include "stores.cuh"

static const size_t MOST = 128 * MiB;
static const size_t EACH = 4 * KiB; // of a thread, as far as there is room
static const uint32_t SEED = 1;

enum Kind {
  COPY,
  FILL,
  PULL,
  ADD
};
static const char *const names[] = {"carry_copy", "carry_fill", "carry_pull",
                                    "carry_load"};

template <int U>
__global__ void copy_words(const uint4 *src, uint4 *dst, size_t words)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t all = size_t(gridDim.x) * blockDim.x, i = me;
#pragma unroll 1 // U loads in flight, not more
  for (; i + (U - 1) * all < words; i += U * all) {
    uint4 v[U];
#pragma unroll
    for (int u = 0; u < U; u++) v[u] = __ldcg(src + i + u * all);
#pragma unroll
    for (int u = 0; u < U; u++) dst[i + u * all] = v[u];
  }
#pragma unroll 1
  for (; i < words; i += all) dst[i] = __ldcg(src + i);
}

struct Memory {
  uint4 *near, *far; // of GPU 0 and 1
  uint32_t *sum;
};

template <int U>
static void launch(Kind kind, const Memory &m, size_t words, int blocks,
                   int threads, cudaStream_t s)
{
  switch (kind) {
  case COPY:
    copy_words<U><<<blocks, threads, 0, s>>>(m.near, m.far, words);
    break;
  case FILL:
    dense<<<blocks, threads, 0, s>>>(m.far, words, SEED);
    break;
  case PULL:
    copy_words<U><<<blocks, threads, 0, s>>>(m.far, m.near, words);
    break;
  case ADD:
    load_sum<U><<<blocks, threads, 0, s>>>(m.far, words, m.sum);
    break;
  }
  LAUNCHED();
}

typedef void (*Launch)(Kind, const Memory &, size_t, int, int, cudaStream_t);

static void one(Gate &gate, const std::vector<Lane> &lane, const Memory &m,
                Kind kind, int blocks, int threads, int inflight)
{
  const Launch act = inflight == 1   ? launch<1>
                     : inflight == 2 ? launch<2>
                     : inflight == 4 ? launch<4>
                                     : launch<8>;
  const int all = blocks * threads;
  const size_t bytes = std::min(size_t(all) * EACH, MOST), words = bytes / 16;
  const bool far = kind == COPY || kind == FILL;
  if (kind == COPY) fill(0, m.near, bytes, SEED);
  if (far)
    poison(1, m.far, bytes);
  else
    fill(1, m.far, bytes, SEED);
  if (kind == PULL) poison(0, m.near, bytes);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      act(kind, m, words, blocks, threads, l.stream);
    });
  });
  CHECK(cudaSetDevice(0));
  if (kind == ADD)
    verify_sum(names[kind], m.sum, all, bytes, SEED);
  else
    verify(names[kind], far, far ? m.far : m.near, bytes, SEED);
  row(names[kind], far ? "0" : "1", far ? "1" : "0", 2, far ? "store" : "load",
      double(bytes) / blocks, blocks, all, inflight, s);
  plausible(names[kind], bytes / s.time / 1e9, 0.5, 450, "GB/s");
}

int main()
{
  open_gpus("carry", 2);
  const int sms = sm_count(), most = sms * PER_SM * THREADS;
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  Memory m = {device_alloc<uint4>(0, MOST / 16),
              device_alloc<uint4>(1, MOST / 16),
              device_alloc<uint32_t>(0, most)};
  for (Kind kind : {COPY, FILL, PULL, ADD})
    for (int inflight : {1, 2, 4, 8})
      for (int blocks : {1, 2, 4, 8, 16, 32, 64, sms, 2 * sms})
        for (int threads : {32, 128, 512, 1024})
          if (inflight <= (kind == FILL ? 1 : kind == ADD ? 4 : 8))
            one(gate, lane, m, kind, blocks, threads, inflight);
  return 0;
}
