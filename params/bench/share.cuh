// share.cuh - a share of a program's work alone on GPU 0: the kernels and waits
// of one GPU of several, that of `infinite`, with nobody else there. program.cuh
// uses it for --shares.
#pragma once
#include "check.cuh"

#include <set>

template <class App> struct Alone {
  typedef typename App::Word Word;
  App app;
  const int parts, mine;
  Word *array[FIELDS][2] = {};
  cudaStream_t stream = nullptr;

  Alone(const std::vector<int> &values, int parts_)
      : app(values, parts_), parts(parts_), mine(middle(parts_))
  {
  }

  void open()
  {
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    app.open(mine);
    for (int f = 0; f < app.fields; f++)
      for (Word *&a : array[f]) a = device_alloc<Word>(0, app.start(f, parts));
    CHECK(cudaDeviceSynchronize());
  }

  void close()
  {
    app.close(mine);
    for (int f = 0; f < app.fields; f++)
      for (Word *a : array[f]) CHECK(cudaFree(a));
    CHECK(cudaStreamDestroy(stream));
  }

  Args<Word> args(int phase, int step) const
  {
    Args<Word> a = {};
    const int written = app.field(phase);
    a.step = a.out.step = unsigned(step);
    a.out.exclusive = app.exclusive;
    a.out.own = array[written][1 - version_of(app, written, step, phase)];
    for (int f = 0; f < app.fields; f++) {
      In<Word> &in = a.in[f];
      in.own = array[f][version_of(app, f, step, phase)];
      for (int k = 0; k < MOST; k++) in.of[k] = in.own;
    }
    return a;
  }

  std::vector<double> run(int steps)
  {
    for (int f = 0; f < app.fields; f++)
      for (int v = 0; v < 2; v++) {
        app.fill(f, v, array[f][v]);
        LAUNCHED();
      }
    CHECK(cudaDeviceSynchronize());
    return time_steps(1, steps, [&](int, int step) {
      for (int p = 0; p < app.phases; p++) {
        app.template launch<PLAIN>(p, mine, args(p, step), 0,
                                   app.blocks(p, mine, false), stream);
        LAUNCHED();
        CHECK(cudaStreamSynchronize(stream));
      }
    });
  }

  // After one step from the same state one GPU holds the same in this share,
  // if no phase reads what another one has made.
  void compare(const Reference<App> &ref, unsigned long long *sum)
  {
    if (app.phases > 1 || app.exclusive) return;
    run(1);
    const std::vector<Span> span = {{app.start(0, mine),
                                     app.start(0, mine + 1)}};
    const Word *got = array[0][version_of(app, 0, 2, 0)];
    if (digest(0, got, span, app.place(0), sum) ==
        digest(0, ref.field[0], span, ref.app.place(0), sum))
      return;
    fprintf(stderr, "%s: %s, share 1/%d: wrong words after a step\n",
            app.name(), app.label().c_str(), parts);
    quit(1);
  }
};

// All shares of one problem, one row for each text that the knobs of so many
// GPUs have.
template <class App, class O>
void run_shares(const std::vector<int> &values, const O &o)
{
  std::set<std::string> texts;
  for (int g : o.gpus) texts.insert(App(values, g).text(g));
  Reference<App> ref(values, 1);
  ref.from_one_gpu(values);
  share_alone = true;
  unsigned long long *sum = device_alloc<unsigned long long>(0, 1);
  for (int parts : o.shares) {
    Alone<App> job(values, parts);
    job.open();
    if (o.check) job.compare(ref, sum);
    const Stat s = robust(enough_of([&] {
      return settled(styles[0], job.run(total_steps(styles[0], o.steps)));
    }));
    for (const std::string &text : texts)
      share_row(job.app.name(), text, parts, s);
    job.close();
  }
  CHECK(cudaFree(sum));
  share_alone = false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
