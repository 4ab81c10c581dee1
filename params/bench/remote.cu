// remote.cu - loads and atomics by a kernel on GPU 0 in GPU 1's memory, and the
// same in its own for comparison.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, values verified
//
// load_threads        contiguous loads of 16 B from GPU 1 (src 1, dst 0) by a
//                     growing number of threads, `inflight` = 1 or 4 of them
//                     outstanding per thread; count is of loads. Bytes in
//                     flight: 16 threads inflight
// load_scatter        all threads load words of size_B = 4 B, count in all, each
//                     from another line of 128 B, pseudo-random in 16 MiB of
//                     GPU 1, which its L2 holds, and past the L1
// load_latency        one thread follows a chain of count loads of size_B = 4,
//                     one per line of 128 B, pseudo-random in 1 MiB, which the
//                     owner's L2 holds
// load_latency_memory the same in 512 MiB, which it does not hold; a sample
//                     goes on where the last one ended
// atomic_latency      one thread, count atomics, each needs the one before
// atomic_local, atomic_remote      count atomicAdds of 4 B whose result is not
//                     used, neighbouring threads to neighbouring words
// atomic_..._scatter  each thread to its own line of 128 B
// atomic_..._one      all threads to one word
// Latencies and atomics run in GPU 0's own memory (dst 0; src 0 for loads) and
// in GPU 1's.
//
// Plausible on an H200: 150 to 450 GB/s of loads with all threads; 1 to 20 G
// scattered loads/s; 0.1 to
// 1.5 us a load or an atomic at home, 0.3 to 4 us at the peer; 0.005 to 2000 G
// atomics/s.
#include "stores.cuh"

static const size_t MAX = 256 * MiB;
static const size_t LINE = 32;  // words
static const int STEPS = 2048;

// ---- loads -----------------------------------------------------------------

static double load_run(Gate &gate, const std::vector<Lane> &lane,
                       const uint4 *src, uint32_t *sum, int t, int inflight)
{
  size_t bytes = std::min(size_t(t) * 16 * 2048, MAX), words = bytes / 16;
  int threads = std::min(t, THREADS), blocks = t / threads;
  poison(0, sum, t * sizeof *sum);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      if (inflight == 4)
        load_sum<4><<<blocks, threads, 0, l.stream>>>(src, words, sum);
      else
        load_sum<1><<<blocks, threads, 0, l.stream>>>(src, words, sum);
      LAUNCHED();
    });
  });
  verify_sum("load_threads", sum, t, bytes, 1);
  row("load_threads", "1", "0", 2, "load", 16, double(words), t, inflight, s);
  return bytes / s.time;
}

static void loads(Gate &gate, const std::vector<Lane> &lane)
{
  const int most = sm_count() * PER_SM * THREADS;
  uint4 *src = device_alloc<uint4>(1, MAX / 16);
  uint32_t *sum = device_alloc<uint32_t>(0, most);
  fill(1, src, MAX, 1);
  for (int inflight : {1, 4}) {
    double rate = 0;
    for (int t = 32; t <= most; t = t < most && 2 * t > most ? most : 2 * t)
      rate = load_run(gate, lane, src, sum, t, inflight);
    plausible("load_threads", rate / 1e9, 150, 450, "GB/s");
  }
  CHECK(cudaFree(src));
  CHECK(cudaFree(sum));
}

// ---- scattered loads -------------------------------------------------------

const size_t NEAR = 16 * MiB;
const int ROUNDS = 16;

// Load number `me` + r `all` of the sample, for r = 0, 1, ...
__global__ void load_lines(const uint32_t *p, size_t lines, int rounds,
                           uint32_t *sum)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t all = size_t(gridDim.x) * blockDim.x;
  uint32_t s = 0;
#pragma unroll 4
  for (int r = 0; r < rounds; r++)
    s += __ldcg(p + slot_of(me + r * all, lines) * LINE);
  sum[me] = s;
}

static uint32_t sum_of_lines(size_t loads, size_t lines, uint32_t seed)
{
  uint32_t s = 0;
  for (size_t i = 0; i < loads; i++)
    s += pattern(((i * 2654435761ull) & (lines - 1)) * LINE, seed);
  return s;
}

static void scattered_loads(Gate &gate, const std::vector<Lane> &lane)
{
  const int blocks = sm_count() * PER_SM, t = blocks * THREADS;
  const size_t lines = NEAR / 4 / LINE, count = size_t(t) * ROUNDS;
  uint32_t *p = device_alloc<uint32_t>(1, NEAR / 4);
  uint32_t *sum = device_alloc<uint32_t>(0, t), got = 0;
  std::vector<uint32_t> host(t);
  fill(1, p, NEAR, 1);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      load_lines<<<blocks, THREADS, 0, l.stream>>>(p, lines, ROUNDS, sum);
      LAUNCHED();
    });
  });
  CHECK(cudaMemcpy(host.data(), sum, t * sizeof *sum, cudaMemcpyDeviceToHost));
  for (uint32_t x : host) got += x;
  if (got != sum_of_lines(count, lines, 1)) {
    fprintf(stderr, "load_scatter: wrong sum of what was read\n");
    quit(1);
  }
  row("load_scatter", "1", "0", 2, "load", 4, double(count), t, 1, s);
  plausible("load_scatter", count / s.time / 1e9, 1, 20, "G loads/s");
  CHECK(cudaFree(p));
  CHECK(cudaFree(sum));
}

// ---- latency ---------------------------------------------------------------

// The line after `line` of a chain through all lines, a power of two of them.
__host__ __device__ inline uint32_t next_line(uint32_t line, uint32_t lines)
{
  return (line * 1664525u + 1013904223u) & (lines - 1);
}

__global__ void chain_kernel(uint32_t *p, uint32_t lines)
{
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines;
       i += gridDim.x * blockDim.x)
    p[i * LINE] = next_line(i, lines);
}

__global__ void chase(const uint32_t *p, uint32_t *place, int steps)
{
  uint32_t at = *place;
  for (int i = 0; i < steps; i++) at = __ldcg(p + at * LINE);
  *place = at;
}

static void latency(Gate &gate, const std::vector<Lane> &lane, int gpu,
                    const char *bench, size_t footprint)
{
  uint32_t lines = uint32_t(footprint / 4 / LINE), want = 0, got = 0;
  uint32_t *p = device_alloc<uint32_t>(gpu, footprint / 4);
  chain_kernel<<<1024, THREADS>>>(p, lines);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  uint32_t *place = device_alloc<uint32_t>(0, 1);
  CHECK(cudaMemset(place, 0, sizeof *place));
  CHECK(cudaDeviceSynchronize());
  Stat s = measure([&] {
    for (int i = 0; i < STEPS; i++) want = next_line(want, lines);
    return together(gate, lane, [&](size_t, const Lane &l) {
      chase<<<1, 1, 0, l.stream>>>(p, place, STEPS);
      LAUNCHED();
    });
  });
  CHECK(cudaMemcpy(&got, place, sizeof got, cudaMemcpyDeviceToHost));
  if (got != want) {
    fprintf(stderr, "%s: ended at line %u, not %u\n", bench, got, want);
    quit(1);
  }
  row(bench, std::to_string(gpu), "0", gpu + 1, "load", 4, STEPS, 1, 1, s);
  plausible(bench, s.time / STEPS * 1e6, gpu ? 0.3 : 0.1, gpu ? 4 : 1.5, "us");
  CHECK(cudaFree(place));
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaFree(p));
}

// ---- atomics ---------------------------------------------------------------

// The stride is not known here, so neighbours are not added up before.
__global__ void atomics(uint32_t *p, size_t stride, int rounds)
{
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; i++) atomicAdd(p + me * stride, 1u);
}

// What an atomic adds depends on what the one before returned.
__global__ void atomic_chain(uint32_t *p, int steps)
{
  uint32_t v = 0;
  for (int i = 0; i < steps; i++) v = atomicAdd(p, 1u + (v >> 31));
}

static void check_words(const char *bench, const uint32_t *p, size_t words,
                        size_t stride, uint32_t want)
{
  std::vector<uint32_t> host(words * std::max(stride, size_t(1)));
  CHECK(cudaMemcpy(host.data(), p, host.size() * sizeof *p,
                   cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < words; i++)
    if (host[i * stride] != want) {
      fprintf(stderr, "%s: word %zu holds %u, not %u\n", bench, i,
              host[i * stride], want);
      quit(1);
    }
}

// GPU 0's threads add in gpu's memory, `words` words a `stride` apart.
static void atomic_run(Gate &gate, const std::vector<Lane> &lane, int gpu,
                       uint32_t *p, const char *suffix, size_t stride,
                       int rounds)
{
  const int blocks = sm_count() * PER_SM, t = blocks * THREADS;
  std::string bench =
      std::string(gpu ? "atomic_remote" : "atomic_local") + suffix;
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaMemset(p, 0, t * std::max(stride, size_t(1)) * sizeof *p));
  CHECK(cudaDeviceSynchronize());
  uint32_t samples = 0;
  Stat s = measure([&] {
    samples++;
    return together(gate, lane, [&](size_t, const Lane &l) {
      atomics<<<blocks, THREADS, 0, l.stream>>>(p, stride, rounds);
      LAUNCHED();
    });
  });
  check_words(bench.c_str(), p, stride ? t : 1, stride,
              samples * uint32_t(rounds) * (stride ? 1 : t));
  double count = double(t) * rounds;
  row(bench, "0", std::to_string(gpu), gpu + 1, "atomic", 4, count, t, 1, s);
  plausible(bench.c_str(), count / s.time / 1e9, 0.005, 2000, "G atomics/s");
}

static void atomic_latency(Gate &gate, const std::vector<Lane> &lane, int gpu,
                           uint32_t *p)
{
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaMemset(p, 0, sizeof *p));
  CHECK(cudaDeviceSynchronize());
  uint32_t samples = 0;
  Stat s = measure([&] {
    samples++;
    return together(gate, lane, [&](size_t, const Lane &l) {
      atomic_chain<<<1, 1, 0, l.stream>>>(p, STEPS);
      LAUNCHED();
    });
  });
  check_words("atomic_latency", p, 1, 0, samples * STEPS);
  row("atomic_latency", "0", std::to_string(gpu), gpu + 1, "atomic", 4, STEPS,
      1, 1, s);
  plausible("atomic_latency", s.time / STEPS * 1e6, gpu ? 0.3 : 0.1,
            gpu ? 4 : 1.5, "us");
}

static void all_atomics(Gate &gate, const std::vector<Lane> &lane, int gpu)
{
  uint32_t *p = device_alloc<uint32_t>(
      gpu, size_t(sm_count()) * PER_SM * THREADS * LINE);
  atomic_run(gate, lane, gpu, p, "", 1, 16);
  atomic_run(gate, lane, gpu, p, "_scatter", LINE, 8);
  atomic_run(gate, lane, gpu, p, "_one", 0, 2);
  atomic_latency(gate, lane, gpu, p);
  CHECK(cudaFree(p));
}

int main()
{
  int gpus = std::min(open_gpus("remote", 1), 2), native = 0;
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  for (int gpu = 0; gpu < gpus; gpu++) {
    latency(gate, lane, gpu, "load_latency", MiB);
    latency(gate, lane, gpu, "load_latency_memory", 512 * MiB);
  }
  all_atomics(gate, lane, 0);
  if (gpus < 2) {
    fprintf(stderr, "remote: one GPU: peer loads and atomics skipped\n");
    return 0;
  }
  loads(gate, lane);
  scattered_loads(gate, lane);
  CHECK(cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported,
                                  0, 1));
  if (native)
    all_atomics(gate, lane, 1);
  else
    fprintf(stderr, "remote: no atomics between GPUs 0 and 1: skipped\n");
  return 0;
}
