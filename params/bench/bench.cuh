// bench.cuh - what all benchmarks here share: error checks, the gate, lanes,
// robust statistics, the CSV row. pattern.cuh checks what is moved; threads.cuh
// is for several host threads.
//
// A row is: bench,src,dst,gpus,access,size_B,count,threads,inflight,time_s,
// sigma_s,repeats. time_s is the median, over the repeats, of the time of a
// whole sample of `count` items of size_B bytes; sigma_s is the standard error
// of that median, from the median absolute deviation.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

const size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
const int THREADS = 256;  // of a block, in every kernel here
const int SKIPPED = 77;   // exit status of what cannot run on this machine
const int WARMUPS = 3;

// ---- errors -----------------------------------------------------------------

// _Exit, not exit: another host thread may be spinning on us or on a GPU.
[[noreturn]] inline void quit(int status)
{
  fflush(nullptr);
  _Exit(status);
}

inline void check(cudaError_t e, const char *call, const char *file, int line)
{
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(e));
  quit(1);
}
#define CHECK(call) check((call), #call, __FILE__, __LINE__)
#define LAUNCHED() CHECK(cudaGetLastError())

inline void plausible(const char *bench, double value, double low, double high,
                      const char *unit)
{
  if (value >= low && value <= high) return;
  fprintf(stderr, "%s: %.4g %s outside plausible range %.4g to %.4g\n", bench,
          value, unit, low, high);
}

// ---- the machine ------------------------------------------------------------

// Number of GPUs, with peer access enabled between all unless `peers` is false;
// ends the program with SKIPPED when there are fewer than `need`. Modules load
// at once, for a load behind a closed gate would wait for the gate.
inline int open_gpus(const char *name, int need, bool peers = true)
{
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  int n = 0;
  if (cudaGetDeviceCount(&n) != cudaSuccess) n = 0;
  if (n < need) {
    fprintf(stderr, "%s: needs %d GPUs, found %d: skipped\n", name, need, n);
    quit(SKIPPED);
  }
  for (int i = 0; i < n; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    for (int j = 0; j < n && peers; j++) {
      if (i == j) continue;
      int can = 0;
      CHECK(cudaDeviceCanAccessPeer(&can, i, j));
      if (!can) {
        fprintf(stderr, "%s: no peer access %d-%d: skipped\n", name, i, j);
        quit(SKIPPED);
      }
      CHECK(cudaDeviceEnablePeerAccess(j, 0));
    }
  }
  CHECK(cudaSetDevice(0));
  return n;
}

inline int sm_count()
{
  int n = 0;
  CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
  return n;
}

// A program that runs alone what would be one GPU's share has GPU 0 only,
// whichever GPU that would be.
inline bool share_alone = false;

template <class T> T *device_alloc(int gpu, size_t count)
{
  void *p = nullptr;
  CHECK(cudaSetDevice(share_alone ? 0 : gpu));
  CHECK(cudaMalloc(&p, count * sizeof(T)));
  return static_cast<T *>(p);
}

// ---- managed memory: CUDA 13 places it by a location, before by a number ---

const int HOST = -1;

#if CUDART_VERSION >= 13000
inline cudaMemLocation location(int gpu)
{
  cudaMemLocation l = {};
  l.type = gpu == HOST ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  l.id = gpu == HOST ? 0 : gpu;
  return l;
}

inline void prefetch(const void *p, size_t bytes, int to, cudaStream_t s)
{
  CHECK(cudaMemPrefetchAsync(p, bytes, location(to), 0, s));
}
#else
inline int location(int gpu) { return gpu == HOST ? cudaCpuDeviceId : gpu; }

inline void prefetch(const void *p, size_t bytes, int to, cudaStream_t s)
{
  CHECK(cudaMemPrefetchAsync(p, bytes, location(to), s));
}
#endif

// ---- waiting on a device, bounded so that nothing hangs --------------------

const long long SPIN_CYCLES = 20000000000LL;  // 10 s at 2 GHz

__device__ inline unsigned load_acquire(const unsigned *p)
{
  unsigned v;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p)
               : "memory");
  return v;
}

__device__ inline void store_release(unsigned *p, unsigned v)
{
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(p), "r"(v)
               : "memory");
}

__device__ inline void spin_until(const unsigned *p, unsigned target)
{
  long long start = clock64();
  while (load_acquire(p) < target)
    if (clock64() - start > SPIN_CYCLES) __trap();
}

__global__ void null_kernel(int, int, int, int) {}
__global__ void gate_kernel(const unsigned *flag, unsigned ticket)
{
  spin_until(flag, ticket);
}

// Holds streams until all work, end events too, is enqueued, so that the time
// of enqueueing is not measured. The flag lies in host memory, seen by all.
struct Gate {
  unsigned *flag = nullptr, ticket = 1;
  Gate()
  {
    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&flag), sizeof *flag,
                        cudaHostAllocPortable | cudaHostAllocMapped));
    *flag = 0;
  }
  void close(cudaStream_t s) const
  {
    gate_kernel<<<1, 1, 0, s>>>(flag, ticket);
    LAUNCHED();
  }
  void open() { __atomic_store_n(flag, ticket++, __ATOMIC_SEQ_CST); }
};

// ---- lanes: a stream with the events that time it --------------------------

inline double elapsed(cudaEvent_t a, cudaEvent_t b)
{
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, a, b));
  return 1e-3 * ms;
}

struct Lane {
  int gpu = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  double seconds() const { return elapsed(start, end); }
};

inline Lane make_lane(int gpu, bool urgent = false)
{
  int low, high;
  Lane l;
  l.gpu = gpu;
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
  CHECK(cudaStreamCreateWithPriority(&l.stream, cudaStreamNonBlocking,
                                     urgent ? high : low));
  CHECK(cudaEventCreate(&l.start));
  CHECK(cudaEventCreate(&l.end));
  return l;
}

// Issues issue(i, lane i) on every lane behind one gate, opens it and waits.
// Returns the longest time, over GPUs, from a GPU's first start to its last
// end; events of different GPUs cannot be compared.
template <class Issue>
double together(Gate &gate, const std::vector<Lane> &lanes, Issue issue)
{
  for (size_t i = 0; i < lanes.size(); i++) {
    CHECK(cudaSetDevice(lanes[i].gpu));
    gate.close(lanes[i].stream);
    CHECK(cudaEventRecord(lanes[i].start, lanes[i].stream));
    issue(i, lanes[i]);
    CHECK(cudaEventRecord(lanes[i].end, lanes[i].stream));
  }
  gate.open();
  for (const Lane &l : lanes) CHECK(cudaStreamSynchronize(l.stream));
  double longest = 0;
  for (const Lane &a : lanes)
    for (const Lane &b : lanes)
      if (a.gpu == b.gpu) longest = std::max(longest, elapsed(a.start, b.end));
  return longest;
}

// ---- statistics and output -------------------------------------------------

struct Stat {
  double time, sigma;
  size_t repeats;
};

inline double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  size_t n = v.size();
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

// 1.4826 MAD estimates a normal sigma; the median of n has 1.2533 sigma/sqrt n.
inline Stat robust(const std::vector<double> &v)
{
  double m = median(v);
  std::vector<double> d;
  for (double x : v) d.push_back(std::fabs(x - m));
  return {m, 1.4826 * 1.2533 * median(d) / std::sqrt(double(v.size())),
          v.size()};
}

// How often to repeat a sample of so many seconds. BENCH_QUICK: a trial run.
inline int repeats(double seconds)
{
  if (getenv("BENCH_QUICK") || seconds > 20e-3) return 7;
  return seconds > 1e-3 ? 21 : 51;
}

// once() returns the seconds of one sample.
template <class Once> Stat measure(Once once)
{
  double seconds = 0;
  for (int i = 0; i < WARMUPS; i++) seconds = once();
  std::vector<double> v;
  for (int i = repeats(seconds); i > 0; i--) v.push_back(once());
  return robust(v);
}

// Arithmetic of a thread: `turns` multiply-adds in each of CHAINS chains, which
// tend to 2 for by = 1/2.  Returns their sum.
const int CHAINS = 8;
template <class Real>
__device__ inline Real chains(Real by, int turns)
{
  Real v[CHAINS], sum = 0;
#pragma unroll
  for (int k = 0; k < CHAINS; k++) v[k] = Real(threadIdx.x + k);
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int k = 0; k < CHAINS; k++) v[k] = v[k] * by + Real(1);
#pragma unroll
  for (int k = 0; k < CHAINS; k++) sum += v[k];
  return sum;
}

inline void row(const std::string &bench, const std::string &src,
                const std::string &dst, int gpus, const char *access,
                double size_B, double count, double threads, double inflight,
                const Stat &s)
{
  printf("%s,%s,%s,%d,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%zu\n", bench.c_str(),
         src.c_str(), dst.c_str(), gpus, access, size_B, count, threads,
         inflight, s.time, s.sigma, s.repeats);
  fflush(stdout);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
