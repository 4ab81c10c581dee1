// sums.cuh - the host's half of the programs whose GPUs add up: the variants,
// the steps, the checks, the rows. A program is one struct, App, the memory of
// a problem on some GPUs, with
//
//   static knobs                       as in program.cuh
//   static small()                     values of the knobs for the check
//   static const phases, check_steps
//   static host(values, steps)         the answer, a vector of doubles
//   static enough(values, gpus)        whether each GPU has something to do
//   App(values, gpus, managed)         managed: what others need is in managed
//                                      memory, one copy for all GPUs
//   name(), text(), shared_B()         of the rows; of what others need
//   regions(phase, gpu), blocks(phase, gpu, pull), span(phase, gpu, block)
//                                      what others need of a phase, in floats,
//                                      in the order in which it is made
//   place(phase, i, j, odd)            where on j float 0 of i's regions lies
//   launch<Mode>(phase, gpu, step, variant, out, first, blocks, stream)
//   collect(phase, gpu, step, comms, stream)    by NCCL, what others need
//   reset(variant)                     the initial state
//   error(gpu, answer), allowed        how far off the answer a GPU's part is
//   plausible_on_one(s)                looks at the time on one GPU
//
// A step is its phases, in order, each ended by a wait and a barrier of all
// host threads.
//
// infinite      kernels only; what others made does not arrive
// memcpy        peer copies behind each kernel, in its stream
// memcpy-async  the kernel in pieces; copies of the chunks that a piece
//               completes in another stream, issued after the next piece
// inline        the kernels store what others need to them as well
// proact-poll   an agent (agent.cuh), started before, copies each chunk when
//               its blocks have counted up
// proact-cdp    the block that completes a chunk launches a kernel of `width`
//               threads that copies it
// rdl           nothing is sent: kernels read what they need from its owner
// um            what others need is managed memory: pages move to who touches
//               them
// nccl          collectives of NCCL, sends and receives behind each kernel, in
//               its stream; one wait and one barrier a step
// On one GPU there is only infinite. um runs if named, not with `all`, and only
// if what others need takes at most 1 GiB and a step at most LONGEST / steps.
//
// Options: --gpus 1,2,4  --steps 60  --variant all|NAME,NAME  --chunk BYTES,...
// --width THREADS,...  --no-peer  --check (as without) or --no-check, and the
// program's knobs, each a list; all of them are run. Each setting solves a
// small problem first, of which the answer is compared with the host's.
#pragma once
#include "knobs.cuh"
#include "nccl.cuh"
#include "send.cuh"

#include <memory>

// Those of program.cuh, and one more.
inline std::vector<Variant> sum_variants()
{
  std::vector<Variant> all;
  for (const Variant &v : variants)
    if (v.way != ADVISED) all.push_back(v);
  all.push_back({"nccl", COLLECTIVE, true, false, false});
  return all;
}

typedef std::vector<double> Answer;
typedef std::vector<int> Values;

// ---- one problem on some GPUs -----------------------------------------------

template <class App> struct Sums : Sender<Sums<App>, float> {
  typedef Sender<Sums<App>, float> Base;
  using Base::gpu;
  using Base::gpus;

  App app;
  const Comms *comms;
  const Variant *variant = nullptr;

  Sums(const Values &values, int gpus_, bool managed, const Comms *comms_)
      : Base(gpus_, App::phases), app(values, gpus_, managed), comms(comms_)
  {
    for (int i = 0; i < gpus; i++) this->open_streams(i);
  }
  Sums(const Sums &) = delete;
  ~Sums()
  {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      this->close_streams(i);
    }
  }

  void prepare(const Variant &v, Setting s)
  {
    variant = &v;
    this->prepare_sending(s);
  }
  Plan plan_of(int p, int i, unsigned chunk) const
  {
    return make_plan(app, p, i, gpus, chunk);
  }
  bool exclusive() const { return false; }
  unsigned all_blocks(int p, int i, bool pull) const
  {
    return app.blocks(p, i, pull);
  }
  float *place(int p, int i, int j, int odd) const
  {
    return app.place(p, i, j, odd);
  }
  template <Mode M>
  void launch(int p, int i, int step, unsigned first, unsigned blocks)
  {
    Out<float> out = this->sending[p][i].out[step % 2];
    out.step = unsigned(step);
    app.template launch<M>(p, i, step, *variant, out, first, blocks,
                           gpu[i].main);
  }

  std::vector<double> run(int steps)
  {
    const Variant &v = *variant;
    const bool joined = v.way == COLLECTIVE;  // by NCCL, on the GPUs
    app.reset(v);
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      this->reset_counters(i);
      CHECK(cudaDeviceSynchronize());
    }
    Barrier phase_end(gpus);
    return time_steps(gpus, steps, [&](int i, int step) {
      for (int p = 0; p < App::phases; p++) {
        if (p && !joined) phase_end.wait();
        this->issue_sending(v, p, i, step);
        if (joined) app.collect(p, i, step, *comms, gpu[i].main);
        if (!joined || p == App::phases - 1) this->wait(v, p, i);
      }
    });
  }
};

// ---- runs ------------------------------------------------------------------

template <class App>
void check_answer(const Sums<App> &job, const Answer &want)
{
  for (int i = 0; i < job.gpus; i++) {
    const double off = job.app.error(i, want);
    if (off <= App::allowed) continue;
    fprintf(stderr,
            "%s: %s on %d GPUs, chunk %u, width %d: GPU %d is off by %.3g\n",
            job.app.name(), job.variant->name, job.gpus, job.set.chunk_B,
            job.set.width, i, off);
    quit(1);
  }
}

template <class App> void time_run(Sums<App> &job, const KnobOptions &o)
{
  const Variant &v = *job.variant;
  const int steps = WARMUP_STEPS + o.steps;
  if (v.managed()) {
    double one = median(job.run(3));
    if (one * steps > LONGEST) {
      fprintf(stderr, "%s: %s on %d GPUs, %s: %.3g s a step: not timed\n",
              job.app.name(), v.name, job.gpus, job.app.text().c_str(), one);
      return;
    }
  }
  const Stat s = robust(enough_of([&] {
    std::vector<double> t = job.run(steps);
    t.erase(t.begin(), t.begin() + WARMUP_STEPS);
    return t;
  }));
  run_row(job.app.name(), v.name, job.app.text() + setting_text(v, job.set),
          job.gpus, s);
  if (job.gpus == 1) job.app.plausible_on_one(s.time);
}

inline bool runs_here(const KnobOptions &o, const Variant &v, int gpus)
{
  if (v.way == COLLECTIVE && !HAVE_NCCL) return false;
  if (v.managed())
    return gpus > 1 && o.variant != "all" && wanted(o, v) &&
           managed_everywhere(gpus);
  return wanted(o, v) && (gpus > 1 || v.way == COMPUTE);
}

// Checked if there is something to compare with, else timed.
template <class App>
void one_problem(const Values &values, int gpus, const KnobOptions &o,
                 const Comms *comms, const Answer *want)
{
  const std::vector<Variant> all = sum_variants();
  for (bool managed : {false, true}) {
    std::unique_ptr<Sums<App>> job;
    for (const Variant &v : all) {
      if (!runs_here(o, v, gpus) || v.managed() != managed) continue;
      if (want && v.way == COMPUTE && gpus > 1) continue;
      if (!job) job.reset(new Sums<App>(values, gpus, managed, comms));
      if (managed && job->app.shared_B() > GiB) {
        fprintf(stderr, "%s: %s: more than 1 GiB: no managed memory\n",
                job->app.name(), job->app.text().c_str());
        continue;
      }
      for (Setting s : settings_of(v, gpus, o)) {
        job->prepare(v, s);
        if (v.way == LAUNCH && job->most_chunks() > PENDING) {
          fprintf(stderr, "%s: %s, chunk %u: too many launches: skipped\n",
                  job->app.name(), v.name, s.chunk_B);
        } else if (want) {
          job->run(App::check_steps);
          check_answer(*job, *want);
        } else {
          time_run(*job, o);
        }
      }
    }
  }
}

template <class App>
KnobOptions parse_sums(const char *app, int argc, char **argv)
{
  KnobOptions o;
  set_standard<App>(o, app);
  parse_options(
      o, argc, argv,
      [&](const std::string &a) { return take_check(o, a); },
      [&](const std::string &a, const char *value) {
        return take_knob<App>(o, a, value);
      });
  check_options(o, sum_variants());
  return o;
}

template <class App> int sums(const char *app, int argc, char **argv)
{
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const KnobOptions o = parse_sums<App>(app, argc, argv);
  const int here = open_gpus(
      app, *std::min_element(o.gpus.begin(), o.gpus.end()), o.peers);
  const Answer want = App::host(App::small(), App::check_steps);
  const Variant nccl = sum_variants().back();
  allow_launches(here);
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "%s: %d GPUs, found %d: skipped\n", app, g, here);
      continue;
    }
    std::unique_ptr<Comms> comms;
    if (runs_here(o, nccl, g)) comms.reset(new Comms(g));
    if (o.check) one_problem<App>(App::small(), g, o, comms.get(), &want);
    for (const Values &values : combine(o.knobs))
      if (App::enough(values, g))
        one_problem<App>(values, g, o, comms.get(), nullptr);
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
