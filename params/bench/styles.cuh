// styles.cuh - what the host of a program does around the same kernels and
// copies: how many threads it has, when they meet, for what they wait. --host
// STYLE of jacobi.cu, and of the programs of program.cuh.
//
// per-gpu    a thread for each GPU: kernel, copies, a wait, a barrier
// one        one thread: it issues to GPU after GPU, then waits for each
// barriers3  per-gpu, and barriers when the kernel has been waited for and when
//            the copies are issued
// barriers7  per-gpu, and barriers when the kernel is issued, when it has been
//            waited for, and after the issue of and after the wait for either
//            half of the copies
// chained    one thread that never waits: a GPU's kernel follows, by events,
//            the last step of those that it exchanges data with
// norm       per-gpu; behind the kernel a memset of 4 B, a kernel that finds
//            the largest change (it reads both versions of the share) and a
//            copy of 4 B to the host, which reads it after the wait
// norm-late  chained, with such a norm; the host reads that of the last step
//            when it has issued this one, so it is at most a step ahead
// fetch      per-gpu; behind the kernel the first 64 KiB of the share are
//            copied to the host
// All variants have per-gpu, and, in program.cuh, one; the others are for
// infinite, memcpy and inline, in programs of one phase and of floats. In the
// knobs of a row they are threads=1, barriers=3 or 7, waits=0 (with threads=1),
// norm=1 (at once) or 2 (late), fetch=65536.
//
// The time of a step of chained is a fiftieth of that of 50 steps, with a wait
// at their end; that of the others is from step to step.
#pragma once
#include "app.cuh"

#include <cstring>

const int STRETCH = 50, STRETCHES = 22;  // the first one warms up
const size_t FETCHED = 65536;            // B

struct Style {
  const char *name, *knobs;
  bool one;
  int barriers;  // in a step
  bool chained;
  int norm;  // 0, 1 or 2: read a step late
  bool fetch;
  // Whether it only deals the work of any variant to threads.
  bool plain() const { return !chained && barriers == 1 && !norm && !fetch; }
  // chained has no moment at which a step ends.
  bool stretched() const { return chained && !norm; }
};

static const Style styles[] = {
    {"per-gpu", "", false, 1, false, 0, false},
    {"one", ";threads=1", true, 1, false, 0, false},
    {"barriers3", ";barriers=3", false, 3, false, 0, false},
    {"barriers7", ";barriers=7", false, 7, false, 0, false},
    {"chained", ";threads=1;waits=0", true, 0, true, 0, false},
    {"norm", ";norm=1", false, 1, false, 1, false},
    {"norm-late", ";threads=1;waits=0;norm=2", true, 0, true, 2, false},
    {"fetch", ";fetch=65536", false, 1, false, 0, true},
};

inline const Style &style_named(const char *app, const char *name)
{
  for (const Style &s : styles)
    if (std::string(name) == s.name) return s;
  usage(app, "--host: no such style", name);
}

inline int total_steps(const Style &s, int steps)
{
  if (!s.stretched()) return WARMUP_STEPS + steps;
  return STRETCH * (getenv("BENCH_QUICK") ? 7 : STRETCHES);
}

// Of what a run returned: what came before the clock is worth reading.
inline std::vector<double> settled(const Style &s, std::vector<double> t)
{
  t.erase(t.begin(), t.begin() + (s.stretched() ? 1 : WARMUP_STEPS));
  return t;
}

// ---- on the device ----------------------------------------------------------

// The bits of floats that are not negative are in the order of the floats.
__global__ void change_kernel(const float *now, const float *before,
                              size_t words, unsigned *largest)
{
  float most = 0;
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    most = fmaxf(most, fabsf(now[i] - before[i]));
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  if (threadIdx.x % 32 == 0) atomicMax(largest, __float_as_uint(most));
}

// What a GPU has for its style; by the parity of the step.
struct Beside {
  unsigned *largest;  // on the GPU, 2
  float *norm, *room;  // on the host: 2, and FETCHED bytes
  cudaEvent_t done[2], read[2];  // its step is; its norm can be
};

inline Beside make_beside(int gpu)
{
  Beside b;
  b.largest = device_alloc<unsigned>(gpu, 2);
  CHECK(cudaMallocHost(&b.norm, 2 * sizeof *b.norm));
  CHECK(cudaMallocHost(&b.room, FETCHED));
  for (auto &both : {b.done, b.read})
    for (int i = 0; i < 2; i++)
      CHECK(cudaEventCreateWithFlags(both + i, cudaEventDisableTiming));
  return b;
}

inline void free_beside(const Beside &b)
{
  CHECK(cudaFree(b.largest));
  CHECK(cudaFreeHost(b.norm));
  CHECK(cudaFreeHost(b.room));
  for (int i = 0; i < 2; i++) {
    CHECK(cudaEventDestroy(b.done[i]));
    CHECK(cudaEventDestroy(b.read[i]));
  }
}

// ---- a run ------------------------------------------------------------------

// Work is a program with one of its variants, and has, of GPU i in step k,
//   stream(i), settle(i)       what the work is issued to; waits for it
//   kernel(i, k)               issues it
//   copies(i, k, half)         the copies behind it, half 0 or 1 of them
//   meet(i, j)                 whether i and j exchange data
//   share(i, k), words(i)      its own floats, as step k wrote them
//   before(i, k)               and as they were
template <class Work> class Styled {
public:
  Styled(const Style &style_, int gpus_, Work &work_)
      : style(style_), gpus(gpus_), work(work_)
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      beside.push_back(make_beside(i));
    }
  }
  Styled(const Styled &) = delete;
  ~Styled()
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      free_beside(beside[i]);
    }
  }

  // The time of each step, or of each stretch per step.
  std::vector<double> run(int steps)
  {
    if (style.stretched()) return stretches(steps);
    if (style.chained) {
      auto times = time_steps(1, steps, [&](int, int k) {
        chain(k);
        if (k > 1) read_norms(k - 1);
      });
      for (int i = 0; i < gpus; i++) work.settle(i);
      return times;
    }
    if (style.one)
      return time_steps(1, steps, [&](int, int k) {
        for (int i = 0; i < gpus; i++) {
          CHECK(cudaSetDevice(i));
          issue(i, k);
        }
        for (int i = 0; i < gpus; i++) work.settle(i);
      });
    Barrier b(gpus);
    return time_steps(gpus, steps, [&](int i, int k) {
      if (style.barriers == 1) together(i, k);
      else
        apart(i, k, b);
    });
  }

  // Whether what came to the host is that of the last step, on each GPU.
  void verify_host(const char *app, int steps) const
  {
    for (int i = 0; i < gpus; i++) {
      if (!style.norm && !style.fetch) return;
      std::vector<float> now = read_back(i, work.share(i, steps)),
                         before = read_back(i, work.before(i, steps));
      float most = 0;
      for (size_t w = 0; w < now.size(); w++)
        most = std::max(most, std::fabs(now[w] - before[w]));
      size_t bytes = std::min(FETCHED, now.size() * sizeof(float));
      if (style.norm ? beside[i].norm[steps % 2] == most
                     : memcmp(beside[i].room, now.data(), bytes) == 0)
        continue;
      fprintf(stderr, "%s: --host %s: what GPU %d sent to the host is wrong\n",
              app, style.name, i);
      quit(1);
    }
  }

private:
  const Style &style;
  const int gpus;
  Work &work;
  std::vector<Beside> beside;

  std::vector<float> read_back(int i, const float *p) const
  {
    std::vector<float> v(work.words(i));
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(v.data(), p, v.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    return v;
  }

  void kernel(int i, int k)
  {
    work.kernel(i, k);
    const Beside &b = beside[i];
    const int odd = k % 2;
    if (style.norm) {
      CHECK(cudaMemsetAsync(b.largest + odd, 0, 4, work.stream(i)));
      change_kernel<<<1024, THREADS, 0, work.stream(i)>>>(
          work.share(i, k), work.before(i, k), work.words(i), b.largest + odd);
      LAUNCHED();
      CHECK(cudaMemcpyAsync(b.norm + odd, b.largest + odd, 4,
                            cudaMemcpyDeviceToHost, work.stream(i)));
    }
    if (style.fetch)
      CHECK(cudaMemcpyAsync(b.room, work.share(i, k),
                            std::min(FETCHED, work.words(i) * sizeof(float)),
                            cudaMemcpyDeviceToHost, work.stream(i)));
  }

  void issue(int i, int k)
  {
    kernel(i, k);
    for (int half : {0, 1}) work.copies(i, k, half);
  }

  void together(int i, int k)
  {
    issue(i, k);
    work.settle(i);
    if (style.norm) read(i, k);
  }

  // time_steps has the last barrier.
  void apart(int i, int k, Barrier &b)
  {
    const bool seven = style.barriers == 7;
    kernel(i, k);
    if (seven) b.wait();
    work.settle(i);
    b.wait();
    for (int half : {0, 1}) {
      work.copies(i, k, half);
      if (!seven) continue;
      b.wait();
      work.settle(i);
      b.wait();
    }
    if (seven) return;
    b.wait();
    work.settle(i);
  }

  // Whom GPU i meets has read what i overwrites now, and sent what i reads,
  // when its last step is done.
  void chain(int k)
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      for (int j = 0; j < gpus && k > 1; j++)
        if (j != i && work.meet(i, j))
          CHECK(cudaStreamWaitEvent(work.stream(i), beside[j].done[1 - k % 2],
                                    0));
      kernel(i, k);
      if (style.norm)
        CHECK(cudaEventRecord(beside[i].read[k % 2], work.stream(i)));
      for (int half : {0, 1}) work.copies(i, k, half);
      CHECK(cudaEventRecord(beside[i].done[k % 2], work.stream(i)));
    }
  }

  void read_norms(int k)
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaEventSynchronize(beside[i].read[k % 2]));
      read(i, k);
    }
  }

  // Where a program would see whether it is done.
  void read(int i, int k) const
  {
    if (!(beside[i].norm[k % 2] >= 0)) quit(1);
  }

  std::vector<double> stretches(int steps)
  {
    std::vector<double> times;
    for (int k = 1; k <= steps;) {
      const int end = std::min(k + STRETCH, steps + 1), count = end - k;
      const double start = now();
      for (; k < end; k++) chain(k);
      for (int i = 0; i < gpus; i++) work.settle(i);
      times.push_back((now() - start) / count);
    }
    return times;
  }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
