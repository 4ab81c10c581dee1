// app.cuh - what the programs in apps/ share: the loop over steps, the options,
// a row of a file of runs.
//
// A row is: workload,paradigm,knobs,gpus,time_s,sigma_s. time_s is the median
// time of a step, sigma_s its standard error, knobs name=value;name=value.
//
// --plan prints what the options ask for, the rows without times, and runs
// nothing: what is declared before it is run. It needs no GPU.
//
// --shares 1,4,16 runs on GPU 0 what one GPU of as many would do, its kernels
// and its waits, and nothing for others: rows of one GPU with a last column
// `share`, 1, 0.25, 0.0625. It is the middle GPU's part.
// With BENCH_ENERGY set a row has a last column, energy_J: the mean power of
// its GPUs over all steps of a run, times time_s. Empty where these took less
// than a second, which the counter of joules cannot resolve (energy.cuh): ask
// for more --steps.
#pragma once
#include "bench.cuh"
#include "energy.cuh"
#include "threads.cuh"

#include <memory>

const int WARMUP_STEPS = 10;

// Mean power of all GPUs over the steps that ran last, W; 0: not known.
inline double last_watts = 0;

// What was drawn between two readings.
class Watts
{
public:
  explicit Watts(int gpus)
  {
    if (!getenv("BENCH_ENERGY")) return;
    meter.reset(new EnergyMeter(gpus));
    if (!meter->ready()) meter.reset();
  }
  void start()
  {
    if (meter) joules = meter->joules();
    begun = now();
  }
  void stop() const
  {
    const double seconds = now() - begun;
    last_watts =
        meter && seconds >= 1 ? (meter->joules() - joules) / seconds : 0;
  }

private:
  std::unique_ptr<EnergyMeter> meter;
  double joules = 0, begun = 0;
};

// Calls step(i, k) for k = 1 .. steps, on a thread for each GPU i, with a
// barrier after each; returns the wall time of each step on thread 0, from
// barrier to barrier.
template <class Step>
std::vector<double> time_steps(int gpus, int steps, Step step)
{
  std::vector<double> times;
  Barrier barrier(gpus);
  Watts watts(gpus);
  on_threads(gpus, [&](int i) {
    if (i == 0) times.reserve(steps), watts.start();
    barrier.wait();
    double last = now();
    for (int k = 1; k <= steps; k++) {
      step(i, k);
      barrier.wait();
      if (i) continue;
      double t = now();
      times.push_back(t - last);
      last = t;
    }
    if (i == 0) watts.stop();
  });
  return times;
}

// What run() returns, the times of settled steps, again and again until they
// are 30 ms together: a host is now and then disturbed for ten, which a median
// must not notice. At most eight times.
template <class Run>
std::vector<double> enough_of(Run run)
{
  std::vector<double> all;
  double sum = 0;
  const bool trial = getenv("BENCH_QUICK"); // and for a trace: once
  for (int k = 0; k < (trial ? 1 : 8) && (k == 0 || sum < 30e-3); k++) {
    const std::vector<double> more = run();
    for (double t : more) sum += t;
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

inline void plan_row(const char *workload, const char *paradigm,
                     const std::string &knobs, int gpus)
{
  printf("%s,%s,%s,%d\n", workload, paradigm, knobs.c_str(), gpus);
}

inline void run_row(const char *workload, const char *paradigm,
                    const std::string &knobs, int gpus, const Stat &s)
{
  printf("%s,%s,%s,%d,%.9g,%.9g", workload, paradigm, knobs.c_str(), gpus,
         s.time, s.sigma);
  if (getenv("BENCH_ENERGY"))
    last_watts > 0 ? printf(",%.6g", last_watts * s.time) : printf(",");
  last_watts = 0;
  printf("\n");
  fflush(stdout);
}

// The same of a share of the work, 1/parts, that ran alone on one GPU.
inline void share_row(const char *workload, const std::string &knobs, int parts,
                      const Stat &s)
{
  printf("%s,infinite,%s,1,%.9g,%.9g,%.9g\n", workload, knobs.c_str(), s.time,
         s.sigma, 1.0 / parts);
  fflush(stdout);
}

// Which of so many equal parts runs alone: one in the middle.
inline int middle(int parts)
{
  return (parts - 1) / 2;
}

// ---- counts: what --count prints, name,value -------------------------------

// What the host calls in a phase, for one GPU.
struct Calls {
  double launches, copies, events, syncs;
};

class Counts
{
public:
  Counts(const char *app, const std::string &label, int gpus, int gpu,
         int phase = 0)
      : at(std::string(app) + "." + label + ".gpus" + std::to_string(gpus) +
           ".gpu" + std::to_string(gpu) + ".phase" + std::to_string(phase))
  {
  }
  void print(const std::string &name, double value) const
  {
    printf("%s.%s,%.9g\n", at.c_str(), name.c_str(), value);
  }
  void print(const std::string &variant, const Calls &c) const
  {
    print(variant + ".launches", c.launches);
    print(variant + ".copies", c.copies);
    print(variant + ".events", c.events);
    print(variant + ".syncs", c.syncs);
  }

private:
  std::string at;
};

// ---- options ---------------------------------------------------------------

struct AppOptions {
  const char *app;
  std::vector<int> gpus = {1}, width = {2048}, chunk = {65536};
  std::vector<int> shares; // --shares: one GPU runs 1/k of the work, alone
  std::string variant = "all";
  int steps = 60;
  bool plan = false;
  bool peers = true; // false: --no-peer, copies are staged through the host
};

[[noreturn]] inline void usage(const char *app, const char *why,
                               const char *what)
{
  fprintf(stderr, "%s: %s: %s (see the head of %s.cu)\n", app, why, what, app);
  quit(2);
}

inline std::vector<int> parse_list(const char *app, const char *text)
{
  std::vector<int> v;
  for (const char *p = text;; p++) {
    char *end;
    long x = strtol(p, &end, 10);
    if (end == p || x < 1 || x > 1 << 30 || (*end && *end != ','))
      usage(app, "not a list of positive numbers", text);
    v.push_back(int(x));
    p = end;
    if (!*p) return v;
  }
}

// Reads the options of every program; own_flag(name) and own(name, value) take
// the others, and return whether they knew them.
template <class Flag, class Own>
void parse_options(AppOptions &o, int argc, char **argv, Flag own_flag, Own own)
{
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    if (own_flag(a)) continue;
    if (a == "--no-peer") {
      o.peers = false;
      continue;
    }
    if (a == "--plan") {
      o.plan = true;
      continue;
    }
    if (i + 1 == argc) usage(o.app, "unknown or without value", argv[i]);
    const char *value = argv[++i];
    if (a == "--gpus")
      o.gpus = parse_list(o.app, value);
    else if (a == "--chunk")
      o.chunk = parse_list(o.app, value);
    else if (a == "--width")
      o.width = parse_list(o.app, value);
    else if (a == "--shares")
      o.shares = parse_list(o.app, value);
    else if (a == "--steps")
      o.steps = parse_list(o.app, value)[0];
    else if (a == "--variant")
      o.variant = value;
    else if (!own(a, value))
      usage(o.app, "unknown option", argv[i - 1]);
  }
  for (int k : o.shares)
    if (k > 16) usage(o.app, "--shares", "more than 16 parts");
  if (getenv("BENCH_QUICK")) o.steps = std::min(o.steps, 20);
}

// Whether --variant, a list, has the name.
inline bool named(const AppOptions &o, const std::string &name)
{
  return ("," + o.variant + ",").find("," + name + ",") != std::string::npos;
}

// For a table of variants, with name and peers: whether it needs peer access.
template <class Variant>
bool wanted(const AppOptions &o, const Variant &v)
{
  return (o.variant == "all" && (o.peers || !v.peers)) || named(o, v.name);
}

template <class Variants>
void check_variant(const AppOptions &o, const Variants &variants)
{
  size_t known = 0;
  for (const auto &v : variants) {
    if (!named(o, v.name)) continue;
    known++;
    if (v.peers && !o.peers) usage(o.app, "needs peer access", v.name);
  }
  const std::string &list = o.variant;
  size_t names = 1 + size_t(std::count(list.begin(), list.end(), ','));
  if (o.variant != "all" && known != names)
    usage(o.app, "unknown variant", o.variant.c_str());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
