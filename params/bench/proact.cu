// proact.cu - what a kernel produces is moved to a peer chunk by chunk while it
// still produces.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// A kernel of 65536 blocks of 256 threads produces 256 MiB on GPU 0, each
// thread 16 B after so much arithmetic that the kernel alone takes as long as
// the copy of its result to GPU 1 alone. Perfect overlap takes one such time,
// none takes two. Of all, time_s is that of producing and moving everything:
// proact_alone       the kernel, nothing moved
// proact_copy        the copy of 256 MiB by the copy engine
// proact_poll        the agent (agent.cuh) of `threads` threads, polling when
//                    the kernel starts, moves count chunks of size_B; the
//                    kernel's blocks count up
// proact_dma         a kernel for each of count chunks of size_B, in one
//                    stream, its copy in another after it (memcpy-async in
//                    apps/allgather.cu)
// proact_dma_issued  the same for more than 64 chunks, which do not fit the
//                    queue: not gated, so the time of issuing is in it
//
// Each sample produces other values, and those of the last are checked.
// Plausible on an H200: 0.5 to 1.5 ms for proact_copy; proact_alone 0.95 to
// 1.05 times that; proact_poll and proact_dma 0.95 to 3 times for 1 to 64 MiB.
#include "agent.cuh"
#include "pattern.cuh"

static const size_t TOTAL = 256 * MiB, PER_BLOCK = THREADS * 16;
static const unsigned BLOCKS = unsigned(TOTAL / PER_BLOCK);
static const unsigned MOST_WORK = 1u << 20;
static const size_t GATED = 64;  // chunks

// x stays odd, which the compiler cannot know: odd is odd, even is even.
struct Work {
  unsigned rounds;
  uint32_t odd, even;
};

template <bool TRACK>
__global__ void produce(uint4 *out, unsigned first, Work w, uint32_t seed,
                        unsigned *ready, unsigned blocks_per_chunk)
{
  unsigned block = first + blockIdx.x;
  size_t i = size_t(block) * THREADS + threadIdx.x;
  uint32_t x = 2 * uint32_t(i) + 1;
  for (unsigned k = 0; k < w.rounds; k++) x = x * w.odd + w.even;
  uint32_t none = 1 - (x & 1);
  out[i] = make_uint4(pattern(4 * i, seed) + none, pattern(4 * i + 1, seed),
                      pattern(4 * i + 2, seed), pattern(4 * i + 3, seed));
  if (!TRACK) return;
  __syncthreads();
  if (threadIdx.x == 0) count_up(ready + block / blocks_per_chunk);
}

struct Bench {
  Gate gate;
  Lane main, other;  // the kernel's, and the urgent one of what moves
  cudaEvent_t made;
  uint4 *out, *dst;
  Work work = {0, 1664525u, 1013904222u};
  uint32_t seed = 0;
};

static void issue(const Bench &b, size_t first_B, size_t bytes)
{
  produce<false><<<unsigned(bytes / PER_BLOCK), THREADS, 0, b.main.stream>>>(
      b.out, unsigned(first_B / PER_BLOCK), b.work, b.seed, nullptr, 1);
  LAUNCHED();
}

static double alone(Bench &b)
{
  b.seed++;
  return together(b.gate, {b.main},
                  [&](size_t, const Lane &) { issue(b, 0, TOTAL); });
}

static void send(const Bench &b, size_t first_B, size_t bytes, cudaStream_t s)
{
  CHECK(cudaMemcpyPeerAsync(b.dst + first_B / 16, 1, b.out + first_B / 16, 0,
                            bytes, s));
}

// Sets the rounds such that the kernel alone takes so many seconds.
static void tune(Bench &b, double seconds)
{
  auto takes = [&](unsigned rounds) {
    std::vector<double> v;
    b.work.rounds = rounds;
    for (int i = 0; i < 5; i++) v.push_back(alone(b));
    return median(v);
  };
  unsigned low = 0, high = 1;
  while (high < MOST_WORK && takes(high) < seconds) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    unsigned mid = low + (high - low) / 2;
    (takes(mid) < seconds ? low : high) = mid;
  }
  b.work.rounds = high;
}

static double polled(Bench &b, const AllReady &a, int count, unsigned per_chunk,
                     int width)
{
  b.seed++;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMemset(a.ready, 0, count * sizeof *a.ready));
  CHECK(cudaDeviceSynchronize());
  b.gate.close(b.other.stream);
  agent_kernel<<<width / THREADS, THREADS, 0, b.other.stream>>>(a.list, count,
                                                                a.ready, 1);
  LAUNCHED();
  CHECK(cudaEventRecord(b.other.end, b.other.stream));
  b.gate.close(b.main.stream);
  pause_kernel<<<1, 1, 0, b.main.stream>>>(20000);
  LAUNCHED();
  CHECK(cudaEventRecord(b.main.start, b.main.stream));
  produce<true><<<BLOCKS, THREADS, 0, b.main.stream>>>(b.out, 0, b.work, b.seed,
                                                       a.ready, per_chunk);
  LAUNCHED();
  CHECK(cudaEventRecord(b.main.end, b.main.stream));
  b.gate.open();
  CHECK(cudaStreamSynchronize(b.main.stream));
  CHECK(cudaStreamSynchronize(b.other.stream));
  return std::max(b.main.seconds(), elapsed(b.main.start, b.other.end));
}

static double copied(Bench &b, size_t chunk)
{
  bool gated = TOTAL / chunk <= GATED;
  b.seed++;
  CHECK(cudaSetDevice(0));
  if (gated) b.gate.close(b.main.stream);
  CHECK(cudaEventRecord(b.main.start, b.main.stream));
  for (size_t at = 0; at < TOTAL; at += chunk) {
    issue(b, at, chunk);
    CHECK(cudaEventRecord(b.made, b.main.stream));
    CHECK(cudaStreamWaitEvent(b.other.stream, b.made, 0));
    send(b, at, chunk, b.other.stream);
  }
  CHECK(cudaEventRecord(b.other.end, b.other.stream));
  if (gated) b.gate.open();
  CHECK(cudaStreamSynchronize(b.other.stream));
  return elapsed(b.main.start, b.other.end);
}

static void report(const Bench &b, const char *bench, const char *access,
                   size_t chunk, int width, const Stat &s, double one)
{
  verify(bench, 1, b.dst, TOTAL, b.seed);
  row(bench, "0", "1", 2, access, chunk, double(TOTAL / chunk), width, 1, s);
  if (chunk >= MiB && chunk <= 64 * MiB)
    plausible(bench, s.time / one, 0.95, 3, "of the kernel or the copy alone");
}

int main()
{
  open_gpus("proact", 2);
  Bench b;
  b.main = make_lane(0);
  b.other = make_lane(0, true);
  CHECK(cudaEventCreateWithFlags(&b.made, cudaEventDisableTiming));
  b.out = device_alloc<uint4>(0, TOTAL / 16);
  b.dst = device_alloc<uint4>(1, TOTAL / 16);

  alone(b);
  poison(1, b.dst, TOTAL);
  Stat copy = measure([&] {
    return together(b.gate, {b.other}, [&](size_t, const Lane &l) {
      send(b, 0, TOTAL, l.stream);
    });
  });
  verify("proact_copy", 1, b.dst, TOTAL, b.seed);
  row("proact_copy", "0", "1", 2, "copy", TOTAL, 1, 0, 1, copy);
  plausible("proact_copy", copy.time * 1e3, 0.5, 1.5, "ms");

  tune(b, copy.time);
  Stat kernel = measure([&] { return alone(b); });
  verify("proact_alone", 0, b.out, TOTAL, b.seed);
  row("proact_alone", "0", "-", 1, "kernel", TOTAL, 1, double(TOTAL / 16), 1,
      kernel);
  plausible("proact_alone", kernel.time / copy.time, 0.95, 1.05, "of the copy");
  fprintf(stderr, "proact: %u rounds of arithmetic\n", b.work.rounds);

  for (size_t chunk = 4 * KiB; chunk <= TOTAL; chunk *= 4) {
    int count = int(TOTAL / chunk);
    unsigned per_chunk = unsigned(chunk / PER_BLOCK);
    AllReady a = all_ready(b.out, b.dst, chunk, count, per_chunk);
    for (int width : {1024, 4096, 16384}) {
      poison(1, b.dst, TOTAL);
      Stat s = measure([&] { return polled(b, a, count, per_chunk, width); });
      report(b, "proact_poll", "store", chunk, width, s, copy.time);
    }
    free_ready(a);
    poison(1, b.dst, TOTAL);
    Stat s = measure([&] { return copied(b, chunk); });
    report(b, size_t(count) <= GATED ? "proact_dma" : "proact_dma_issued",
           "copy", chunk, 0, s, copy.time);
  }
  return 0;
}
