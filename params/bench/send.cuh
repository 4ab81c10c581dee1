// send.cuh - how a GPU sends what a phase of a step makes, in each variant: its
// streams, the lists of its chunks, its counters, copies, agents. program.cuh
// says what the variants are. job.cuh and sums.cuh use it.
#pragma once
#include "plan.cuh"

const int PENDING = 4096;
const double LONGEST = 1;  // s of steps in managed memory: beyond, not timed

// So many kernels launched by kernels may wait on each GPU.
inline void allow_launches(int gpus)
{
  for (int i = 0; i < gpus; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, PENDING));
  }
}

inline bool managed_everywhere(int gpus)
{
  for (int i = 0; i < gpus; i++) {
    int can = 0;
    CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, i));
    if (!can) return false;
  }
  return true;
}

// ---- small memory, given anew for each setting ------------------------------

// With peer access each allocation is mapped on all GPUs, which takes long.
class Arena {
public:
  void begin(int gpu, size_t bytes)
  {
    used = 0;
    if (bytes <= size) return;
    close(gpu);
    at = device_alloc<char>(gpu, size = 2 * bytes);
  }
  void close(int gpu)
  {
    CHECK(cudaSetDevice(gpu));
    CHECK(cudaFree(at));
    at = nullptr;
    size = 0;
  }
  template <class T> static size_t room(size_t n)
  {
    return (n * sizeof(T) + 255) / 256 * 256;
  }
  template <class T> T *take(size_t n)
  {
    T *p = reinterpret_cast<T *>(at + used);
    used += room<T>(n);
    return p;
  }

private:
  char *at = nullptr;
  size_t size = 0, used = 0;
};

// ---- sending ---------------------------------------------------------------

// Job, which is derived of it, has
//   plan_of(phase, gpu, chunk)    what the GPU sends, chunks in words
//   place(phase, i, j, odd)       where on GPU j the words lie that GPU i makes
//                                 in odd or even steps: word 0 of its regions
//   exclusive()                   see Out
//   all_blocks(phase, gpu, pull)
//   launch<Mode>(phase, gpu, step, first, blocks)
template <class Job, class Word> struct Sender {
  struct Streams {
    cudaStream_t main, urgent;
    cudaEvent_t made[2];
  };
  struct Sending {
    Plan plan;
    unsigned *ready;
    Parcel *list[2];  // by the parity of the step
    Out<Word> out[2];
  };

  const int gpus, phases;
  Setting set = {0, 0};
  std::vector<Streams> gpu;
  std::vector<std::vector<Sending>> sending;  // of a phase and a GPU

  Sender(int gpus_, int phases_)
      : gpus(gpus_), phases(phases_), gpu(gpus_),
        sending(phases_, std::vector<Sending>(gpus_)), arena(gpus_)
  {
  }
  int peer(int i, int k) const { return (i + 1 + k) % gpus; }

  void open_streams(int i)
  {
    int low, high;
    Streams &g = gpu[i];
    CHECK(cudaSetDevice(i));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&g.main, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&g.urgent, cudaStreamNonBlocking, high));
    for (cudaEvent_t &e : g.made)
      CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  }
  void close_streams(int i)
  {
    const Streams &g = gpu[i];
    arena[i].close(i);
    CHECK(cudaStreamDestroy(g.main));
    CHECK(cudaStreamDestroy(g.urgent));
    for (cudaEvent_t e : g.made) CHECK(cudaEventDestroy(e));
  }

  // ---- lists and arguments, for one setting ----

  void prepare_sending(Setting s)
  {
    set = s;
    for (int i = 0; i < gpus; i++) {
      size_t bytes = 0;
      for (int p = 0; p < phases; p++) {
        sending[p][i].plan = job().plan_of(p, i, s.chunk_B / 4);
        size_t n = sending[p][i].plan.chunks.size() + 1;
        bytes += Arena::room<unsigned>(n) + 2 * Arena::room<Parcel>(n);
      }
      arena[i].begin(i, bytes);
      for (int p = 0; p < phases; p++) set_out(p, i);
    }
  }

  void set_out(int p, int i)
  {
    Sending &to = sending[p][i];
    CHECK(cudaSetDevice(i));
    to.ready = arena[i].template take<unsigned>(to.plan.chunks.size() + 1);
    for (int odd = 0; odd < 2; odd++) {
      to.list[odd] = upload_list(p, i, odd);
      to.out[odd] = out(p, i, odd);
    }
  }

  Parcel *upload_list(int p, int i, int odd)
  {
    std::vector<Parcel> list;
    for (const Piece &c : sending[p][i].plan.chunks) {
      Parcel q = {};
      int n = 0;
      q.src =
          reinterpret_cast<int4 *>(job().place(p, i, i, odd) + c.words.first);
      for (int k = 0; k < gpus - 1; k++)
        if (c.to >> k & 1)
          q.dst[n++] = reinterpret_cast<int4 *>(
              job().place(p, i, peer(i, k), odd) + c.words.first);
      q.words = (c.words.end - c.words.first) / 4;
      q.contributors = c.contributors;
      list.push_back(q);
    }
    Parcel *on_gpu = arena[i].template take<Parcel>(list.size() + 1);
    CHECK(cudaMemcpy(on_gpu, list.data(), list.size() * sizeof(Parcel),
                     cudaMemcpyHostToDevice));
    return on_gpu;
  }

  Out<Word> out(int p, int i, int odd) const
  {
    Out<Word> o = {};
    const Sending &s = sending[p][i];
    o.own = job().place(p, i, i, odd);
    for (int k = 0; k < gpus - 1; k++)
      o.peer[k] = job().place(p, i, peer(i, k), odd);
    o.regions = int(s.plan.regions.size());
    for (int r = 0; r < o.regions; r++) {
      o.region[r] = s.plan.regions[r];
      o.base[r] = s.plan.base[r];
    }
    o.exclusive = job().exclusive();
    o.chunk = set.chunk_B / 4;
    o.ready = s.ready;
    o.list = s.list[odd];
    o.children = unsigned(set.width / THREADS);
    return o;
  }

  size_t most_chunks() const
  {
    size_t n = 0;
    for (const auto &phase : sending)
      for (const Sending &s : phase) n = std::max(n, s.plan.chunks.size());
    return n;
  }

  void reset_counters(int i)
  {
    for (auto &phase : sending)
      CHECK(cudaMemset(phase[i].ready, 0,
                       phase[i].plan.chunks.size() * sizeof(unsigned)));
  }

  // ---- a phase of a step, on GPU i ----

  template <Mode M> void launch_all(int p, int i, int step)
  {
    job().template launch<M>(p, i, step, 0, job().all_blocks(p, i, pulls(M)));
  }

  // One stretch of words to one of GPU i's peers.
  void copy(int p, int i, int step, Span words, int k, cudaStream_t stream)
  {
    Word *to = job().place(p, i, peer(i, k), step % 2);
    const Word *from = job().place(p, i, i, step % 2);
    CHECK(cudaMemcpyPeerAsync(to + words.first, peer(i, k),
                              from + words.first, i,
                              (words.end - words.first) * sizeof(Word),
                              stream));
  }

  // The copies to some of GPU i's peers, [first, end).
  void copy_regions(int p, int i, int step, int first, int end)
  {
    for (int k = first; k < end; k++)
      for (const Region &r : sending[p][i].plan.regions)
        if (r.to >> k & 1) copy(p, i, step, r.words, k, gpu[i].main);
  }

  void copy_cut(int p, int i, int step, const Cut &cut, cudaEvent_t made)
  {
    if (cut.chunks.empty()) return;
    CHECK(cudaStreamWaitEvent(gpu[i].urgent, made, 0));
    for (int c : cut.chunks) {
      const Piece &of = sending[p][i].plan.chunks[c];
      for (int k = 0; k < gpus - 1; k++)
        if (of.to >> k & 1) copy(p, i, step, of.words, k, gpu[i].urgent);
    }
  }

  // A wait is for the last record before it, so two events serve all cuts.
  void issue_pieces(int p, int i, int step)
  {
    const std::vector<Cut> &cuts = sending[p][i].plan.cuts;
    const Streams &g = gpu[i];
    for (size_t n = 0; n <= cuts.size(); n++) {
      if (n < cuts.size()) {
        unsigned first = n ? cuts[n - 1].end : 0;
        job().template launch<PLAIN>(p, i, step, first, cuts[n].end - first);
        if (!cuts[n].chunks.empty())
          CHECK(cudaEventRecord(g.made[n % 2], g.main));
      }
      if (n) copy_cut(p, i, step, cuts[n - 1], g.made[(n - 1) % 2]);
    }
  }

  // The agent goes first and is urgent and small, so it is on the GPU beside
  // the kernel; were it late, it would only find all chunks ready.
  void issue_agent(int p, int i, int step)
  {
    const Sending &s = sending[p][i];
    if (s.plan.chunks.empty()) return;
    agent_kernel<<<set.width / THREADS, THREADS, 0, gpu[i].urgent>>>(
        s.list[step % 2], int(s.plan.chunks.size()), s.ready, unsigned(step));
    LAUNCHED();
  }

  // Of those variants in which the GPU that makes words sends them; of others
  // the kernels.
  void issue_sending(const Variant &v, int p, int i, int step)
  {
    switch (v.way) {
    case COPY:
      launch_all<PLAIN>(p, i, step);
      return copy_regions(p, i, step, 0, gpus - 1);
    case PIECES: return issue_pieces(p, i, step);
    case STORE: return launch_all<INLINE>(p, i, step);
    case POLL:
      issue_agent(p, i, step);
      return launch_all<TRACKED>(p, i, step);
    case LAUNCH: return launch_all<LAUNCHING>(p, i, step);
    default: return launch_all<PLAIN>(p, i, step);
    }
  }

  void wait(const Variant &v, int p, int i)
  {
    if (v.two_streams() && !sending[p][i].plan.chunks.empty())
      CHECK(cudaStreamSynchronize(gpu[i].urgent));
    CHECK(cudaStreamSynchronize(gpu[i].main));
  }

private:
  std::vector<Arena> arena;

  Job &job() { return static_cast<Job &>(*this); }
  const Job &job() const { return static_cast<const Job &>(*this); }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
