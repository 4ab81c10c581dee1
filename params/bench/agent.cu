// agent.cu - the polling agent that copies chunks to a peer (agent.cuh).
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// agent_width      64 MiB copied by a growing number of threads, no polling
// agent_chunk      the agent works through `count` chunks of size_B that are
//                  all ready: its own cost per chunk
// agent_latency    count hand-offs on GPU 0: a producer block counts up, the
//                  agent block sees it, copies size_B to GPU 1, fences, and
//                  answers with a flag that the producer waits for; size_B = 0
//                  is the hand-shake with the fence alone
// flag_pingpong    count round trips of a flag between GPU 0 and GPU 1
//
// Plausible on an H200: 150 to 450 GB/s at the best width; 1 to 20 us a
// hand-off; 1 to 10 us a round trip.
#include "agent.cuh"
#include "pattern.cuh"

static const size_t TOTAL = 64 * MiB;
static const int ROUNDS = 200;

__global__ void copy_kernel(const int4 *src, int4 *dst, size_t words)
{
  move_words(src, dst, words, size_t(blockIdx.x) * blockDim.x + threadIdx.x,
             size_t(gridDim.x) * blockDim.x);
}

static void width(Gate &gate, const std::vector<Lane> &lane, const int4 *src,
                  int4 *dst, int most)
{
  double best = 0;
  for (int t = 32; t <= most; t = t < most && 2 * t > most ? most : 2 * t) {
    int threads = std::min(t, THREADS);
    poison(1, dst, TOTAL);
    Stat s = measure([&] {
      return together(gate, lane, [&](size_t, const Lane &l) {
        copy_kernel<<<t / threads, threads, 0, l.stream>>>(src, dst,
                                                           TOTAL / 16);
        LAUNCHED();
      });
    });
    verify("agent_width", 1, dst, TOTAL, 1);
    row("agent_width", "0", "1", 2, "store", TOTAL, 1, t, 1, s);
    best = std::max(best, TOTAL / s.time);
  }
  plausible("agent_width", best / 1e9, 150, 450, "GB/s");
}

static void chunks(Gate &gate, const std::vector<Lane> &lane, const int4 *src,
                   int4 *dst, size_t chunk, int blocks)
{
  int count = int(std::min(TOTAL / chunk, size_t(1024)));
  AllReady a = all_ready(src, dst, chunk, count);
  poison(1, dst, count * chunk);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      agent_kernel<<<blocks, THREADS, 0, l.stream>>>(a.list, count, a.ready, 1);
      LAUNCHED();
    });
  });
  verify("agent_chunk", 1, dst, count * chunk, 1);
  row("agent_chunk", "0", "1", 2, "store", chunk, count, blocks * THREADS, 1,
      s);
  free_ready(a);
}

// Block 0 produces, block 1 is the agent; two blocks are always co-resident.
// flags[0] is the ready counter, flags[32] the answer, in another line.
__global__ void handoff(unsigned *flags, const int4 *src, int4 *dst, int words,
                        int rounds)
{
  for (unsigned i = 1; i <= unsigned(rounds); i++) {
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0) {
        count_up(flags);
        spin_until(flags + 32, i);
      }
      continue;
    }
    if (threadIdx.x == 0) spin_until(flags, i);
    __syncthreads();
    move_words(src, dst, words, threadIdx.x, blockDim.x);
    __threadfence_system();  // every thread: its stores have reached the peer
    __syncthreads();
    if (threadIdx.x == 0) store_release(flags + 32, i);
  }
}

static void latency(Gate &gate, const std::vector<Lane> &lane, const int4 *src,
                    int4 *dst, unsigned *flags, size_t bytes)
{
  poison(1, dst, 4 * KiB);
  Stat s = measure([&] {
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemset(flags, 0, 64 * sizeof *flags));
    CHECK(cudaDeviceSynchronize());
    return together(gate, lane, [&](size_t, const Lane &l) {
      handoff<<<2, THREADS, 0, l.stream>>>(flags, src, dst, int(bytes / 16),
                                           ROUNDS);
      LAUNCHED();
    });
  });
  verify("agent_latency", 1, dst, bytes, 1);
  row("agent_latency", "0", "1", 2, "store", bytes, ROUNDS, THREADS, 1, s);
  plausible("agent_latency", s.time / ROUNDS * 1e6, bytes ? 1 : 0.5, 20, "us");
}

__global__ void pingpong(unsigned *mine, unsigned *theirs, bool serves,
                         int rounds)
{
  for (unsigned i = 1; i <= unsigned(rounds); i++) {
    if (serves) store_release(theirs, i);
    spin_until(mine, i);
    if (!serves) store_release(theirs, i);
  }
}

static void flags_pingpong(Gate &gate)
{
  std::vector<Lane> both = {make_lane(0), make_lane(1)};
  unsigned *flag[2] = {device_alloc<unsigned>(0, 64),
                       device_alloc<unsigned>(1, 64)};
  Stat s = measure([&] {
    for (int i = 0; i < 2; i++) {
      CHECK(cudaSetDevice(i));
      CHECK(cudaMemset(flag[i], 0, 64 * sizeof(unsigned)));
      CHECK(cudaDeviceSynchronize());
    }
    return together(gate, both, [&](size_t i, const Lane &l) {
      pingpong<<<1, 1, 0, l.stream>>>(flag[i], flag[1 - i], i == 0, ROUNDS);
      LAUNCHED();
    });
  });
  for (int i = 0; i < 2; i++) {
    unsigned last = 0;
    CHECK(cudaMemcpy(&last, flag[i], sizeof last, cudaMemcpyDeviceToHost));
    if (last == unsigned(ROUNDS)) continue;
    fprintf(stderr, "flag_pingpong: flag %u of %d\n", last, ROUNDS);
    quit(1);
  }
  row("flag_pingpong", "0", "1", 2, "store", 4, ROUNDS, 2, 1, s);
  plausible("flag_pingpong", s.time / ROUNDS * 1e6, 1, 10, "us");
}

int main()
{
  open_gpus("agent", 2);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  int4 *src = device_alloc<int4>(0, TOTAL / 16);
  int4 *dst = device_alloc<int4>(1, TOTAL / 16);
  unsigned *flags = device_alloc<unsigned>(0, 64);
  fill(0, src, TOTAL, 1);
  width(gate, lane, src, dst, sm_count() * 1024);
  for (size_t c = 4 * KiB; c <= 4 * MiB; c *= 2)
    for (int blocks : {1, 4, 16, 64}) chunks(gate, lane, src, dst, c, blocks);
  for (size_t b : {size_t(0), size_t(128), 4 * KiB})
    latency(gate, lane, src, dst, flags, b);
  flags_pingpong(gate);
  return 0;
}
