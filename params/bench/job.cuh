// job.cuh - one problem on some GPUs: its memory, and how each variant issues a
// phase of a step. program.cuh says what the variants are.
#pragma once
#include "send.cuh"
#include "styles.cuh"

#include <type_traits>

// ---- the job ---------------------------------------------------------------

// The version of a field that is current before a phase of a step (from 1).
template <class App>
int version_of(const App &app, int field, int step, int phase)
{
  int writes = 0, per_step = 0;
  for (int p = 0; p < app.phases; p++) {
    per_step += app.field(p) == field;
    writes += p < phase && app.field(p) == field;
  }
  return (writes + (step - 1) * per_step) % 2;
}

template <class App>
struct Job : Sender<Job<App>, typename App::Word> {
  typedef typename App::Word Word;
  typedef Sender<Job<App>, Word> Base;
  using Base::gpu;
  using Base::gpus;
  using Base::peer;

  struct Both {
    Args<Word> of[2];  // by the parity of the step
  };

  App app;
  bool managed;
  std::vector<unsigned long long *> sum;  // of a check, one a GPU
  std::vector<std::vector<Both>> args;    // of a phase and a GPU
  Word *array[FIELDS][2][MOST];

  Job(const std::vector<int> &values, int gpus_, bool managed_)
      : Base(gpus_, App(values, gpus_).phases), app(values, gpus_),
        managed(managed_), sum(gpus_),
        args(app.phases, std::vector<Both>(gpus_))
  {
  }
  size_t words(int field) const { return app.start(field, gpus); }
  size_t fields_B() const
  {
    size_t n = 0;
    for (int f = 0; f < app.fields; f++) n += 2 * words(f) * sizeof(Word);
    return n;
  }

  int version(int field, int step, int phase) const
  {
    return version_of(app, field, step, phase);
  }

  // ---- memory ----

  void open()
  {
    for (int i = 0; i < gpus; i++) {
      this->open_streams(i);
      sum[i] = device_alloc<unsigned long long>(i, 1);
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
      CHECK(cudaSetDevice(i));
      for (int f = 0; f < app.fields; f++)
        for (int v = 0; v < 2 && (i == 0 || !managed); v++)
          CHECK(cudaFree(array[f][v][i]));
      app.close(i);
      CHECK(cudaFree(sum[i]));
      this->close_streams(i);
    }
  }

  // ---- lists and arguments, for one setting ----

  void prepare(Setting s)
  {
    this->prepare_sending(s);
    for (int p = 0; p < app.phases; p++)
      for (int i = 0; i < gpus; i++)
        for (int odd = 0; odd < 2; odd++) {
          Args<Word> &a = args[p][i].of[odd] = {};
          a.out = this->sending[p][i].out[odd];
          for (int f = 0; f < app.fields; f++) a.in[f] = source(f, p, i, odd);
        }
  }
  Plan plan_of(int p, int i, unsigned chunk) const
  {
    return make_plan(app, p, i, gpus, chunk);
  }
  bool exclusive() const { return app.exclusive; }
  unsigned all_blocks(int p, int i, bool pull) const
  {
    return app.blocks(p, i, pull);
  }

  // Where a phase writes, on GPU i, in odd or even steps.
  Word *target(int p, int i, int odd) const
  {
    int f = app.field(p);
    return array[f][1 - version(f, 2 - odd, p)][i];
  }
  Word *place(int p, int, int j, int odd) const { return target(p, j, odd); }

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

  // ---- a phase of a step, on GPU i ----

  template <Mode M>
  void launch(int p, int i, int step, unsigned first, unsigned blocks)
  {
    Args<Word> a = args[p][i].of[step % 2];
    a.step = a.out.step = unsigned(step);
    app.template launch<M>(p, i, a, first, blocks, gpu[i].main);
    LAUNCHED();
  }

  void issue(const Variant &v, int p, int i, int step)
  {
    if (gpus == 1 && !managed)
      return this->template launch_all<PLAIN>(p, i, step);
    if (v.managed()) return this->template launch_all<SHARED>(p, i, step);
    if (v.way != LOAD) return this->issue_sending(v, p, i, step);
    if (gpus <= owners(REMOTE2))
      return this->template launch_all<REMOTE2>(p, i, step);
    if (gpus <= owners(REMOTE4))
      return this->template launch_all<REMOTE4>(p, i, step);
    this->template launch_all<REMOTE>(p, i, step);
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
          for (int i = 0; i < gpus; i++) this->wait(v, p, i);
        }
      });
    Barrier phase_end(gpus);
    return time_steps(gpus, steps, [&](int i, int step) {
      for (int p = 0; p < app.phases; p++) {
        if (p) phase_end.wait();
        issue(v, p, i, step);
        this->wait(v, p, i);
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
      this->reset_counters(i);
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
                              location(i)));
          for (int k = 0; k < gpus - 1; k++)
            CHECK(cudaMemAdvise(share, bytes, cudaMemAdviseSetAccessedBy,
                                location(peer(i, k))));
          CHECK(cudaSetDevice(i));
          prefetch(share, bytes, i, gpu[i].main);
          CHECK(cudaStreamSynchronize(gpu[i].main));
        }
  }
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
