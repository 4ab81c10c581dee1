// job.cuh - one problem on some GPUs: its memory, and how each variant issues a
// phase of a step. program.cuh says what the variants are.
#pragma once
#include "app.cuh"
#include "plan.cuh"
#include "styles.cuh"

#include <type_traits>

// ---- managed memory --------------------------------------------------------

inline cudaMemLocation on_gpu(int gpu)
{
  cudaMemLocation l = {};
  l.type = cudaMemLocationTypeDevice;
  l.id = gpu;
  return l;
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

// ---- the job ---------------------------------------------------------------

template <class App> struct Job {
  typedef typename App::Word Word;

  struct Gpu {
    cudaStream_t main, urgent;
    cudaEvent_t made[2];
    unsigned long long *sum;  // of a check
  };
  struct Sending {
    Plan plan;
    unsigned *ready;
    Parcel *list[2];  // by the parity of the step
    Args<Word> args[2];
  };

  App app;
  int gpus;
  bool managed;
  Setting set = {0, 0};
  std::vector<Gpu> gpu;
  std::vector<Arena> arena;
  std::vector<std::vector<Sending>> sending;  // of a phase and a GPU
  Word *array[FIELDS][2][MOST];

  Job(const std::vector<int> &values, int gpus_, bool managed_)
      : app(values, gpus_), gpus(gpus_), managed(managed_), gpu(gpus_),
        arena(gpus_),
        sending(app.phases, std::vector<Sending>(gpus_))
  {
  }
  size_t words(int field) const { return app.start(field, gpus); }
  size_t fields_B() const
  {
    size_t n = 0;
    for (int f = 0; f < app.fields; f++) n += 2 * words(f) * sizeof(Word);
    return n;
  }
  int peer(int i, int k) const { return (i + 1 + k) % gpus; }

  // The version of a field that is current before a phase of a step (from 1).
  int version(int field, int step, int phase) const
  {
    int writes = 0, per_step = 0;
    for (int p = 0; p < app.phases; p++) {
      per_step += app.field(p) == field;
      writes += p < phase && app.field(p) == field;
    }
    return (writes + (step - 1) * per_step) % 2;
  }

  // ---- memory ----

  void open()
  {
    int low, high;
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
      CHECK(cudaStreamCreateWithPriority(&g.main, cudaStreamNonBlocking, low));
      CHECK(cudaStreamCreateWithPriority(&g.urgent, cudaStreamNonBlocking,
                                         high));
      for (cudaEvent_t &e : g.made)
        CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
      g.sum = device_alloc<unsigned long long>(i, 1);
      app.open(i);
      CHECK(cudaDeviceSynchronize());
    }
    for (int f = 0; f < app.fields; f++)
      for (int v = 0; v < 2; v++)
        for (int i = 0; i < gpus; i++) array[f][v][i] = new_array(f, v, i);
  }

  Word *new_array(int f, int v, int i)
  {
    if (!managed) return device_alloc<Word>(i, words(f));
    if (i > 0) return array[f][v][0];
    Word *p;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMallocManaged(&p, words(f) * sizeof(Word)));
    return p;
  }

  void close()
  {
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (int f = 0; f < app.fields; f++)
        for (int v = 0; v < 2 && (i == 0 || !managed); v++)
          CHECK(cudaFree(array[f][v][i]));
      app.close(i);
      CHECK(cudaFree(g.sum));
      arena[i].close(i);
      CHECK(cudaStreamDestroy(g.main));
      CHECK(cudaStreamDestroy(g.urgent));
      for (cudaEvent_t e : g.made) CHECK(cudaEventDestroy(e));
    }
  }

  // ---- lists and arguments, for one setting ----

  void prepare(Setting s)
  {
    set = s;
    for (int i = 0; i < gpus; i++) {
      size_t bytes = 0;
      for (int p = 0; p < app.phases; p++) {
        sending[p][i].plan = make_plan(app, p, i, gpus, s.chunk_B / 4);
        size_t n = sending[p][i].plan.chunks.size() + 1;
        bytes += Arena::room<unsigned>(n) + 2 * Arena::room<Parcel>(n);
      }
      arena[i].begin(i, bytes);
      for (int p = 0; p < app.phases; p++) set_out(p, i);
    }
  }

  void set_out(int p, int i)
  {
    Sending &to = sending[p][i];
    CHECK(cudaSetDevice(i));
    to.ready = arena[i].template take<unsigned>(to.plan.chunks.size() + 1);
    for (int odd = 0; odd < 2; odd++) {
      to.list[odd] = upload_list(p, i, odd);
      to.args[odd] = arguments(p, i, odd);
    }
  }

  // Where a phase writes, on GPU i, in odd or even steps.
  Word *target(int p, int i, int odd) const
  {
    int f = app.field(p);
    return array[f][1 - version(f, 2 - odd, p)][i];
  }

  Parcel *upload_list(int p, int i, int odd)
  {
    std::vector<Parcel> list;
    for (const Piece &c : sending[p][i].plan.chunks) {
      Parcel q = {};
      int n = 0;
      q.src = reinterpret_cast<int4 *>(target(p, i, odd) + c.words.first);
      for (int k = 0; k < gpus - 1; k++)
        if (c.to >> k & 1)
          q.dst[n++] = reinterpret_cast<int4 *>(target(p, peer(i, k), odd) +
                                                c.words.first);
      q.words = (c.words.end - c.words.first) / 4;
      q.contributors = c.contributors;
      list.push_back(q);
    }
    Parcel *on_gpu = arena[i].template take<Parcel>(list.size() + 1);
    CHECK(cudaMemcpy(on_gpu, list.data(), list.size() * sizeof(Parcel),
                     cudaMemcpyHostToDevice));
    return on_gpu;
  }

  Args<Word> arguments(int p, int i, int odd) const
  {
    Args<Word> a = {};
    const Sending &s = sending[p][i];
    a.out.own = target(p, i, odd);
    for (int k = 0; k < gpus - 1; k++)
      a.out.peer[k] = target(p, peer(i, k), odd);
    a.out.regions = int(s.plan.regions.size());
    for (int r = 0; r < a.out.regions; r++) {
      a.out.region[r] = s.plan.regions[r];
      a.out.base[r] = s.plan.base[r];
    }
    a.out.exclusive = app.exclusive;
    a.out.chunk = set.chunk_B / 4;
    a.out.ready = s.ready;
    a.out.list = s.list[odd];
    a.out.children = unsigned(set.width / THREADS);
    for (int f = 0; f < app.fields; f++) a.in[f] = source(f, p, i, odd);
    return a;
  }

  In<Word> source(int f, int p, int i, int odd) const
  {
    In<Word> in = {};
    int v = version(f, 2 - odd, p);
    in.own = array[f][v][i];
    for (int k = 0; k < MOST; k++) {
      in.of[k] = k < gpus ? array[f][v][k] : nullptr;
      in.first[k] = k < gpus ? app.start(f, k) : ~0u;
    }
    return in;
  }

  size_t most_chunks() const
  {
    size_t n = 0;
    for (const auto &phase : sending)
      for (const Sending &s : phase) n = std::max(n, s.plan.chunks.size());
    return n;
  }

  // ---- a phase of a step, on GPU i ----

  template <Mode M>
  void launch(int p, int i, int step, unsigned first, unsigned blocks)
  {
    Args<Word> a = sending[p][i].args[step % 2];
    a.step = a.out.step = unsigned(step);
    app.template launch<M>(p, i, a, first, blocks, gpu[i].main);
    LAUNCHED();
  }

  template <Mode M> void launch_all(int p, int i, int step)
  {
    launch<M>(p, i, step, 0, app.blocks(p, i, pulls(M)));
  }

  // One stretch of words to one of GPU i's peers.
  void copy(int p, int i, int step, Span words, int k, cudaStream_t stream)
  {
    Word *to = target(p, peer(i, k), step % 2);
    const Word *from = target(p, i, step % 2);
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
    const Gpu &g = gpu[i];
    for (size_t n = 0; n <= cuts.size(); n++) {
      if (n < cuts.size()) {
        unsigned first = n ? cuts[n - 1].end : 0;
        launch<PLAIN>(p, i, step, first, cuts[n].end - first);
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

  void issue(const Variant &v, int p, int i, int step)
  {
    switch (gpus == 1 && !managed ? COMPUTE : v.way) {
    case COMPUTE: return launch_all<PLAIN>(p, i, step);
    case COPY:
      launch_all<PLAIN>(p, i, step);
      return copy_regions(p, i, step, 0, gpus - 1);
    case PIECES: return issue_pieces(p, i, step);
    case STORE: return launch_all<INLINE>(p, i, step);
    case POLL:
      issue_agent(p, i, step);
      return launch_all<TRACKED>(p, i, step);
    case LAUNCH: return launch_all<LAUNCHING>(p, i, step);
    case LOAD:
      if (gpus <= owners(REMOTE2)) return launch_all<REMOTE2>(p, i, step);
      if (gpus <= owners(REMOTE4)) return launch_all<REMOTE4>(p, i, step);
      return launch_all<REMOTE>(p, i, step);
    case MANAGED:
    case ADVISED: return launch_all<SHARED>(p, i, step);
    }
  }

  void wait(const Variant &v, int p, int i)
  {
    if (v.two_streams() && !sending[p][i].plan.chunks.empty())
      CHECK(cudaStreamSynchronize(gpu[i].urgent));
    CHECK(cudaStreamSynchronize(gpu[i].main));
  }

  // ---- steps ----

  // From the initial state; returns the time of each. verified: what the style
  // brought to the host is looked at.
  std::vector<double> run(const Variant &v, int steps, const Style &style,
                          bool verified = false)
  {
    reset(v);
    if constexpr (std::is_same<Word, float>::value)
      if (!style.plain()) return run_styled(v, steps, style, verified);
    if (style.one)
      return time_steps(1, steps, [&](int, int step) {
        for (int p = 0; p < app.phases; p++) {
          for (int i = 0; i < gpus; i++) {
            CHECK(cudaSetDevice(i));
            issue(v, p, i, step);
          }
          for (int i = 0; i < gpus; i++) wait(v, p, i);
        }
      });
    Barrier phase_end(gpus);
    return time_steps(gpus, steps, [&](int i, int step) {
      for (int p = 0; p < app.phases; p++) {
        if (p) phase_end.wait();
        issue(v, p, i, step);
        wait(v, p, i);
      }
    });
  }

  // What styles.cuh asks for, of a program of one phase.
  struct Work {
    Job &job;
    const Variant &v;

    cudaStream_t stream(int i) const { return job.gpu[i].main; }
    void settle(int i) const { job.wait(v, 0, i); }
    void kernel(int i, int step) const
    {
      if (v.way == STORE && job.gpus > 1)
        job.template launch_all<INLINE>(0, i, step);
      else
        job.template launch_all<PLAIN>(0, i, step);
    }
    void copies(int i, int step, int half) const
    {
      const int peers = v.way == COPY ? job.gpus - 1 : 0, cut = (peers + 1) / 2;
      job.copy_regions(0, i, step, half ? cut : 0, half ? peers : cut);
    }
    bool sends(int from, int to) const
    {
      for (const Region &r : job.app.regions(0, from))
        if (r.to >> to & 1) return true;
      return false;
    }
    bool meet(int i, int j) const
    {
      return v.way != COMPUTE && (sends(i, j) || sends(j, i));
    }
    size_t words(int i) const
    {
      return job.app.start(0, i + 1) - job.app.start(0, i);
    }
    const float *share(int i, int step) const
    {
      return job.target(0, i, step % 2) + job.app.start(0, i);
    }
    const float *before(int i, int step) const { return share(i, step + 1); }
  };

  std::vector<double> run_styled(const Variant &v, int steps,
                                 const Style &style, bool verified)
  {
    Work work = {*this, v};
    Styled<Work> styled(style, gpus, work);
    std::vector<double> times = styled.run(steps);
    if (verified) styled.verify_host(app.name(), steps);
    return times;
  }

  void reset(const Variant &v)
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      for (int f = 0; f < app.fields && (i == 0 || !managed); f++) {
        app.fill(f, 0, array[f][0][i]);
        if (app.past || v.way == COMPUTE)
          app.fill(f, 1, array[f][1][i]);
        else
          CHECK(cudaMemset(array[f][1][i], 0xA5, words(f) * sizeof(Word)));
        LAUNCHED();
      }
      for (auto &phase : sending)
        CHECK(cudaMemset(phase[i].ready, 0,
                         phase[i].plan.chunks.size() * sizeof(unsigned)));
      CHECK(cudaDeviceSynchronize());
    }
    if (v.way == ADVISED) advise();
  }

  void advise()
  {
    for (int f = 0; f < app.fields; f++)
      for (int n = 0; n < 2; n++)
        for (int i = 0; i < gpus; i++) {
          Word *share = array[f][n][0] + app.start(f, i);
          size_t bytes =
              (app.start(f, i + 1) - app.start(f, i)) * sizeof(Word);
          CHECK(cudaMemAdvise(share, bytes, cudaMemAdviseSetPreferredLocation,
                              on_gpu(i)));
          for (int k = 0; k < gpus - 1; k++)
            CHECK(cudaMemAdvise(share, bytes, cudaMemAdviseSetAccessedBy,
                                on_gpu(peer(i, k))));
          CHECK(cudaSetDevice(i));
          CHECK(cudaMemPrefetchAsync(share, bytes, on_gpu(i), 0, gpu[i].main));
          CHECK(cudaStreamSynchronize(gpu[i].main));
        }
  }
};
