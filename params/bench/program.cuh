// program.cuh - the host's half of the programs whose kernels use publish.cuh:
// the variants, the steps, the checks, the counts, the rows. A program is one
// struct, App, with
//
//   typedef Word;                      of 4 B
//   static knobs                       {option, default, multiple of, most}, {}
//   static small()                     values of the knobs for the host's check
//   App(values, gpus)                  no CUDA in here
//   name(), text(gpus), label()        of the rows: workload, knobs; of counts
//   fields, phases, exclusive, past    exclusive: see Out. past: the steps read
//                                      what their own array held before
//   field(phase)                       which it makes
//   start(field, gpu)                  first word of its share; gpus: the end
//   blocks(phase, gpu, pull), span(phase, gpu, block)
//   regions(phase, gpu)                what others need, in the order in which
//                                      it is made: the agent's
//   runs(phase, gpu, block, f)         f(span) for each run that a warp stores
//   open(gpu), close(gpu)              its own arrays, on the current GPU
//   fill(field, version, p)            the initial state, all of it
//   launch<Mode>(phase, gpu, args, first, blocks, stream)
//   expected(steps)                    the host's answer, a vector a field
//   place(field)                       functor: a word's name, the same for any
//                                      number of GPUs (most: Same)
//
// A step is its phases, in order, each ended by a barrier of all GPUs. A field
// has two versions: a phase reads the version that was written last and writes
// the other. So nobody reads what another writes, and one barrier is enough.
//
// infinite      kernels only; the results of others do not arrive
// memcpy        kernel, then peer copies of its regions, in the same stream
// memcpy-async  a kernel for the blocks that complete a chunk, then the next;
//               copies of what is complete beside it, in another stream. They
//               are issued after the next kernel, which so is not delayed
// inline        the kernel stores what others need to them as well
// proact-poll   an agent (agent.cuh), started before, copies each chunk when
//               its blocks have counted up
// proact-cdp    the block that completes a chunk launches a kernel of `width`
//               threads that copies it
// rdl           nothing is sent: the kernel reads what it needs from its owner
// um            the fields are managed memory, one copy for all GPUs: pages
//               move to who touches them
// um-hints      the same; each share prefers its owner, who was given it by a
//               prefetch, and is mapped to the others (accessed by)
// On one GPU there are only infinite, um and um-hints: the others would be
// infinite. um and um-hints run if named, not with `all`, and only if the
// fields take at most 1 GiB.
//
// Options: --gpus 1,2,4  --steps 30  --variant all|NAME,NAME  --chunk BYTES,...
// --width THREADS,...  --host STYLE  --no-peer  --check (as without) or
// --no-check  --count  --plan  --shares PARTS,... (app.cuh), and the program's knobs, each a list. All sizes are run,
// and all settings of chunk and width that matter to a variant. styles.cuh says
// what styles of the host there are; programs of several phases, or of words
// that are not floats, have per-gpu and one alone.
//
// Checks: each setting runs 6 steps of a small problem, of which the result is
// compared with the host's; then the timed steps, of which it is with that of
// one GPU after as many. What must be received is poisoned before.
//
// --count prints name,value, per phase and GPU, and needs no GPU; stores are
// those of `inline` over the links, in lines of 128 B.
#pragma once
#include "check.cuh"
#include "counts.cuh"
#include "knobs.cuh"
#include "pattern.cuh"
#include "share.cuh"

#include <memory>
#include <set>

const int CHECK_STEPS = 6;

// ---- options ---------------------------------------------------------------

struct Options : KnobOptions {
  bool count = false;
  const Style *style = &styles[0];
};

template <class App> bool takes_styles(const App &app)
{
  return app.phases == 1 && std::is_same<typename App::Word, float>::value;
}

template <class App> Options parse(const char *app, int argc, char **argv)
{
  Options o;
  set_standard<App>(o, app);
  o.steps = 30;
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a != "--count") return take_check(o, a);
        return o.count = true;
      },
      [&](const std::string &a, const char *value) {
        if (a != "--host") return take_knob<App>(o, a, value);
        o.style = &style_named(o.app, value);
        return true;
      });
  check_options(o, variants);
  for (const std::vector<int> &values : combine(o.knobs))
    if (!o.style->plain() && !takes_styles<App>(App(values, 1)))
      usage(o.app, "--host: not in this program", o.style->name);
  return o;
}

inline bool runs_here(const Options &o, const Variant &v, int gpus)
{
  if (!o.style->plain() && v.way != COMPUTE && v.way != COPY && v.way != STORE)
    return false;
  if (v.managed()) return o.variant != "all" && wanted(o, v);
  return wanted(o, v) && (gpus > 1 || v.way == COMPUTE);
}

// ---- timing ----------------------------------------------------------------

// On one GPU the row serves all numbers of GPUs whose knobs differ.
template <class App>
void print_rows(const Job<App> &job, const Variant &v, const Options &o,
                const Stat &s)
{
  std::set<std::string> texts;
  for (int g : o.gpus)
    if (g > 1 && job.gpus == 1) texts.insert(job.app.text(g));
  if (texts.empty()) texts.insert(job.app.text(job.gpus));
  for (std::string text : texts) {
    text += o.style->knobs + setting_text(v, job.set);
    run_row(job.app.name(), v.name, text, job.gpus, s);
  }
}

template <class App>
void time_run(Job<App> &job, const Variant &v, const Options &o,
              const Reference<App> &ref)
{
  if (v.managed()) {
    double one = median(job.run(v, 3, *o.style));
    if (one * ref.steps > LONGEST) {
      fprintf(stderr, "%s: %s on %d GPUs, %s: %.3g s a step: not timed\n",
              job.app.name(), v.name, job.gpus, job.app.label().c_str(), one);
      return;
    }
  }
  std::vector<double> t = enough_of([&] {
    return settled(*o.style, job.run(v, ref.steps, *o.style));
  });
  check_result(job, v, ref);
  print_rows(job, v, o, robust(t));
}

// Calls act(job, variant) for all settings of this problem on so many GPUs.
template <class App, class Act>
void each_setting(const std::vector<int> &values, int gpus, const Options &o,
                  bool managed, Act act)
{
  std::unique_ptr<Job<App>> job;
  for (const Variant &v : variants) {
    if (!runs_here(o, v, gpus) || v.managed() != managed) continue;
    if (!job) {
      job.reset(new Job<App>(values, gpus, managed));
      if (managed && job->fields_B() > GiB) {
        fprintf(stderr, "%s: %s: more than 1 GiB: no managed memory\n",
                job->app.name(), job->app.label().c_str());
        return;
      }
      job->open();
    }
    for (Setting s : settings_of(v, gpus, o)) {
      job->prepare(s);
      if (v.way != LAUNCH || job->most_chunks() <= PENDING) act(*job, v);
      else
        fprintf(stderr, "%s: %s, chunk %u: too many launches: skipped\n",
                job->app.name(), v.name, s.chunk_B);
    }
  }
  if (job) job->close();
}

template <class App>
void all_runs(const std::vector<int> &values, const Options &o, int here,
              bool timed, const Reference<App> &ref)
{
  for (bool managed : {false, true})
    for (int g : o.gpus) {
      if (g > here || (managed && !managed_everywhere(g))) continue;
      each_setting<App>(values, g, o, managed,
                        [&](Job<App> &job, const Variant &v) {
                          if (timed) return time_run(job, v, o, ref);
                          job.run(v, ref.steps, *o.style, true);
                          check_result(job, v, ref);
                        });
    }
}

template <class App> void run_all(const Options &o, int here)
{
  if (o.check) {
    Reference<App> ref(App::small(), CHECK_STEPS);
    ref.from_host();
    all_runs<App>(App::small(), o, here, false, ref);
  }
  for (const std::vector<int> &values : combine(o.knobs)) {
    Reference<App> ref(values, total_steps(*o.style, o.steps));
    ref.from_one_gpu(values);
    all_runs<App>(values, o, here, true, ref);
  }
}

template <class App>
void print_plan(const std::vector<int> &values, int gpus, const Options &o)
{
  const App app(values, gpus);
  for (const Variant &v : variants)
    if (runs_here(o, v, gpus))
      for (const Setting &s : settings_of(v, gpus, o))
        plan_row(app.name(), v.name,
                 app.text(gpus) + o.style->knobs + setting_text(v, s), gpus);
}

template <class App> int program(const char *app, int argc, char **argv)
{
  Options o = parse<App>(app, argc, argv);
  if (o.plan) {
    for (const std::vector<int> &values : combine(o.knobs))
      for (int g : o.gpus) print_plan<App>(values, g, o);
    return 0;
  }
  if (o.count) {
    for (const std::vector<int> &values : combine(o.knobs))
      for (int g : o.gpus) count_job<App>(values, g, o.chunk);
    return 0;
  }
  int least = *std::min_element(o.gpus.begin(), o.gpus.end());
  int here = open_gpus(app, least, o.peers);
  if (!o.shares.empty()) {
    for (const std::vector<int> &values : combine(o.knobs))
      run_shares<App>(values, o);
    return 0;
  }
  allow_launches(here);
  for (int g : o.gpus)
    if (g > here)
      fprintf(stderr, "%s: %d GPUs, found %d: skipped\n", app, g, here);
  run_all<App>(o, here);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
