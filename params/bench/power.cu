// power.cu - what a GPU draws while it computes, moves data, waits, or has
// nothing to do.
//
// flags: -ldl
// method: all GPUs busy 0.7 s, then four times 1 s; NVML's joules, their median
//
// Joules are those of one GPU in the mean.
// The counter moves some ten times a second, so an interval's joules are known
// within some per cent; the four intervals say how well.
//
// power_idle    contexts open, nothing issued, after a load: clocks are up
// power_wait    one thread on each GPU spins on a flag in its memory
// power_launch  empty kernels, one after the other
// power_stream  copies of 1 GiB in its own memory by kernels, as membw.cu's
// power_cache   the same of 16 MiB, which the L2 holds
// power_stencil a five-point stencil on arrays of 512 MiB
// power_fp32, power_fp64  multiplications with additions out of registers
// power_copy    copies of 64 MiB to the next GPU by its copy engines
// power_store   a kernel's stores of 64 MiB to the next GPU's memory
// power_half    power_stream's copies, then nothing for as long, each 1 ms
//
// size_B: bytes written per item; count: items of the median interval; time_s:
// its length; energy_J, energy_err_J: J per GPU of it.
#include "energy.cuh"
#include "pattern.cuh"
#include "threads.cuh"

#include <functional>

static const double WARM = 0.7, INTERVAL = 1.0;
static const int INTERVALS = 4;
static const size_t LARGE = GiB / 2, SMALL = 8 * MiB, SENT = 64 * MiB;

__global__ void stream_kernel(const float4 *__restrict__ in,
                              float4 *__restrict__ out, size_t words)
{
  const size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    out[i] = in[i];
}

// Rotations of pairs: values keep their size and never settle.
template <class T>
__global__ void turn_kernel(T *out, int rounds)
{
  const uint32_t me = blockIdx.x * THREADS + threadIdx.x;
  const T c = T(0.8), d = T(0.6);
  T a[8];
  for (int i = 0; i < 8; i++) a[i] = T(scramble(8 * me + i)) * T(1e-9);
  for (int r = 0; r < rounds; r++)
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
      const T left = c * a[i] - d * a[i + 1];
      a[i + 1] = d * a[i] + c * a[i + 1];
      a[i] = left;
    }
  T sum = 0;
  for (int i = 0; i < 8; i++) sum += a[i];
  if (sum == T(-1)) *out = sum; // never: the rounds must not be removed
}

// Five points of a grid of rows of ROW words: loads that meet in the caches,
// and sums.
static const int ROW = 8192;
__global__ void stencil_kernel(const float *__restrict__ in,
                               float *__restrict__ out, size_t words)
{
  const size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x + ROW;
       i < words - ROW; i += all)
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - ROW] + in[i + ROW]);
}

// Numbers between 0.5 and 2 whose bits are like chance: equal words draw less
// than a program's do.
__global__ void chance_kernel(uint32_t *p, size_t words)
{
  const size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    p[i] = 0x3f000000u + (scramble(uint32_t(i)) & 0x00ffffffu);
}

__global__ void wait_kernel(const unsigned *flag)
{
  spin_until(flag, 1);
}

struct Gpu {
  float4 *in, *out;
  unsigned *flag;
  cudaStream_t stream;
  cudaEvent_t done;
};

struct Load {
  const char *name, *access;
  double size;                   // B written per item
  int need;                      // GPUs
  std::function<int(int)> issue; // some ms of work on GPU i: items
  double rest = 0;               // s without work after each
};

static std::vector<Gpu> gpu;

static Gpu make_gpu(int i)
{
  Gpu g;
  g.in = device_alloc<float4>(i, LARGE / 16);
  g.out = device_alloc<float4>(i, LARGE / 16);
  g.flag = device_alloc<unsigned>(i, 1);
  chance_kernel<<<1024, THREADS>>>(reinterpret_cast<uint32_t *>(g.in),
                                   LARGE / 4);
  LAUNCHED();
  CHECK(cudaMemset(g.flag, 0, sizeof *g.flag));
  CHECK(cudaStreamCreateWithFlags(&g.stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&g.done, cudaEventDisableTiming |
                                              cudaEventBlockingSync));
  return g;
}

static void copies(int i, float4 *out, size_t bytes, int count)
{
  for (int k = 0; k < count; k++)
    stream_kernel<<<unsigned(16 * sm_count()), THREADS, 0, gpu[i].stream>>>(
        gpu[i].in, out, bytes / 16);
  LAUNCHED();
}

// Batches one after the other on GPU i until the clock says `until`; one is
// always queued behind the one that runs, but where a rest is asked for.
static long keep_busy(const Load &l, int i, double until)
{
  CHECK(cudaSetDevice(i));
  long items = 0;
  while (now() < until) {
    if (!l.issue) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    if (l.rest == 0) CHECK(cudaEventSynchronize(gpu[i].done));
    CHECK(cudaEventRecord(gpu[i].done, gpu[i].stream));
    items += l.issue(i);
    if (l.rest == 0) continue;
    CHECK(cudaStreamSynchronize(gpu[i].stream));
    const double end = now() + l.rest;
    while (now() < end) {
    }
  }
  return items;
}

struct Sample {
  double seconds, joules, items;
};

static Sample sample(const Load &l, const EnergyMeter &meter, int n,
                     double seconds)
{
  std::vector<long> items(n);
  const double start = now(), before = meter.joules();
  on_threads(n, [&](int i) { items[i] = keep_busy(l, i, start + seconds); });
  const double joules = meter.joules() - before, lasted = now() - start;
  double sum = 0;
  for (long k : items) sum += double(k);
  return {lasted, joules / n, sum / n};
}

static void measure_load(const Load &l, const EnergyMeter &meter, int n)
{
  std::vector<double> watts, seconds;
  double items = 0;
  const bool quick = getenv("BENCH_QUICK") != nullptr;
  sample(l, meter, n, quick ? 0.2 : WARM);
  for (int k = 0; k < INTERVALS; k++) {
    const Sample s = sample(l, meter, n, quick ? 0.3 : INTERVAL);
    watts.push_back(s.joules / s.seconds);
    seconds.push_back(s.seconds);
    items = s.items;
  }
  for (int i = 0; i < n; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamSynchronize(gpu[i].stream));
  }
  const Stat w = robust(watts), t = robust(seconds);
  printf("%s,0,%s,%d,%s,%.9g,%.9g,%d,1,%.9g,%.9g,%d,%.6g,%.3g\n", l.name,
         l.need > 1 ? "1" : "0", n, l.access, l.size, std::max(items, 1.0),
         THREADS, t.time, t.sigma, INTERVALS, w.time * t.time,
         w.sigma * t.time);
  fflush(stdout);
}

// A thread that spins ends when its flag is raised: after some milliseconds.
static int wait_some(int i)
{
  CHECK(cudaMemsetAsync(gpu[i].flag, 0, sizeof(unsigned), gpu[i].stream));
  wait_kernel<<<1, 1, 0, gpu[i].stream>>>(gpu[i].flag);
  LAUNCHED();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  static cudaStream_t aside[16];
  if (!aside[i])
    CHECK(cudaStreamCreateWithFlags(&aside[i], cudaStreamNonBlocking));
  CHECK(cudaMemsetAsync(gpu[i].flag, 1, sizeof(unsigned), aside[i]));
  CHECK(cudaStreamSynchronize(gpu[i].stream));
  return 1;
}

static std::vector<Load> loads(int n)
{
  const auto next = [n](int i) { return (i + 1) % n; };
  return {
      {"power_stream", "kernel", double(LARGE), 1,
       [](int i) { return copies(i, gpu[i].out, LARGE, 8), 8; }},
      {"power_idle", "none", 0, 1, nullptr},
      {"power_cache", "kernel", double(SMALL), 1,
       [](int i) { return copies(i, gpu[i].out, SMALL, 200), 200; }},
      {"power_stencil", "kernel", double(LARGE), 1,
       [](int i) {
         for (int k = 0; k < 8; k++)
           stencil_kernel<<<unsigned(16 * sm_count()), THREADS, 0,
                            gpu[i].stream>>>(
               reinterpret_cast<float *>(gpu[i].in),
               reinterpret_cast<float *>(gpu[i].out), LARGE / 4);
         LAUNCHED();
         return 8;
       }},
      {"power_fp32", "kernel", 0, 1,
       [](int i) {
         turn_kernel<float>
             <<<unsigned(16 * sm_count()), THREADS, 0, gpu[i].stream>>>(
                 reinterpret_cast<float *>(gpu[i].out), 20000);
         LAUNCHED();
         return 1;
       }},
      {"power_fp64", "kernel", 0, 1,
       [](int i) {
         turn_kernel<double>
             <<<unsigned(16 * sm_count()), THREADS, 0, gpu[i].stream>>>(
                 reinterpret_cast<double *>(gpu[i].out), 10000);
         LAUNCHED();
         return 1;
       }},
      {"power_launch", "kernel", 0, 1,
       [](int i) {
         for (int k = 0; k < 500; k++)
           null_kernel<<<1, 1, 0, gpu[i].stream>>>(0, 0, 0, 0);
         LAUNCHED();
         return 500;
       }},
      {"power_wait", "kernel", 0, 1, wait_some},
      {"power_half", "kernel", double(LARGE), 1,
       [](int i) { return copies(i, gpu[i].out, LARGE, 3), 3; }, 1e-3},
      {"power_copy", "p2p", double(SENT), 2,
       [next](int i) {
         for (int k = 0; k < 20; k++)
           CHECK(cudaMemcpyPeerAsync(gpu[next(i)].out, next(i), gpu[i].in, i,
                                     SENT, gpu[i].stream));
         return 20;
       }},
      {"power_store", "p2p", double(SENT), 2,
       [next](int i) { return copies(i, gpu[next(i)].out, SENT, 20), 20; }},
  };
}

int main()
{
  const int n = open_gpus("power", 1);
  const EnergyMeter meter(n);
  if (!meter.ready()) {
    fprintf(stderr, "power: these GPUs count no energy: skipped\n");
    quit(SKIPPED);
  }
  for (int i = 0; i < n; i++) gpu.push_back(make_gpu(i));
  for (const Load &l : loads(n))
    if (n >= l.need) measure_load(l, meter, n);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
