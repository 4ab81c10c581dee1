// check.cuh - whether every GPU holds what it must: a sum over all words of a
// 64-bit hash of a word's name and its bits, compared with the reference's.
#pragma once
#include "job.cuh"

struct Same {
  __host__ __device__ unsigned operator()(unsigned at) const { return at; }
};

template <class Word, class Place>
__global__ void digest_kernel(const Word *p, Span s, Place place,
                              unsigned long long *sum)
{
  unsigned long long mine = 0;
  for (unsigned i = s.first + blockIdx.x * blockDim.x + threadIdx.x; i < s.end;
       i += gridDim.x * blockDim.x) {
    unsigned bits;
    memcpy(&bits, p + i, sizeof bits);
    unsigned long long x = (static_cast<unsigned long long>(place(i)) << 32) |
                           bits;
    x = (x ^ (x >> 29)) * 0x9E3779B97F4A7C15ull;
    mine += (x ^ (x >> 32)) * 0xBF58476D1CE4E5B9ull;
  }
  atomicAdd(sum, mine);
}

// The fields after `steps` steps, on GPU 0, as one GPU would hold them.
template <class App> struct Reference {
  typedef typename App::Word Word;
  App app;
  int steps;
  Word *field[FIELDS] = {};

  Reference(const std::vector<int> &values, int steps_)
      : app(values, 1), steps(steps_)
  {
    for (int f = 0; f < app.fields; f++)
      field[f] = device_alloc<Word>(0, app.start(f, 1));
  }
  Reference(const Reference &) = delete;
  ~Reference()
  {
    CHECK(cudaSetDevice(0));
    for (Word *p : field) CHECK(cudaFree(p));
  }
  size_t bytes(int f) const { return app.start(f, 1) * sizeof(Word); }
  void from_host()
  {
    auto e = app.expected(steps);
    for (int f = 0; f < app.fields; f++)
      CHECK(cudaMemcpy(field[f], e[f].data(), bytes(f),
                       cudaMemcpyHostToDevice));
  }
  void from_one_gpu(const std::vector<int> &values)
  {
    Job<App> one(values, 1, false);
    one.open();
    one.prepare({65536, THREADS});
    one.run(variants[0], steps, styles[0]);
    for (int f = 0; f < app.fields; f++)
      CHECK(cudaMemcpy(field[f], one.array[f][one.version(f, steps + 1, 0)][0],
                       bytes(f), cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
    one.close();
  }
};

// What GPU i must hold of a field in the end.
template <class App>
std::vector<Span> held(const Job<App> &job, const Variant &v, int f, int i)
{
  const App &app = job.app;
  std::vector<Span> s;
  if (job.managed) {
    if (i == 0) s.push_back({0, app.start(f, job.gpus)});
    return s;
  }
  s.push_back({app.start(f, i), app.start(f, i + 1)});
  if (app.exclusive || v.way == LOAD) return s;
  int last = app.phases - 1;
  while (last >= 0 && app.field(last) != f) last--;
  for (int j = 0; j < job.gpus && last >= 0; j++)
    if (j != i)
      for (const Region &r : app.regions(last, j))
        if (r.to >> i & 1) s.push_back(r.words);
  return s;
}

template <class Word, class Place>
unsigned long long digest(int gpu, const Word *p,
                          const std::vector<Span> &spans, Place place,
                          unsigned long long *sum)
{
  unsigned long long n;
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  for (Span s : spans) {
    digest_kernel<<<512, THREADS>>>(p, s, place, sum);
    LAUNCHED();
  }
  CHECK(cudaMemcpy(&n, sum, sizeof n, cudaMemcpyDeviceToHost));
  return n;
}

template <class App>
void check_result(Job<App> &job, const Variant &v, const Reference<App> &ref)
{
  typedef typename App::Word Word;
  if (v.way == COMPUTE && job.gpus > 1) return;
  for (int i = 0; i < job.gpus; i++)
    for (int f = 0; f < job.app.fields; f++) {
      std::vector<Span> spans = held(job, v, f, i);
      const Word *got = job.array[f][job.version(f, ref.steps + 1, 0)][i];
      if (digest(i, got, spans, job.app.place(f), job.sum[i]) ==
          digest(0, ref.field[f], spans, ref.app.place(f), job.sum[0]))
        continue;
      fprintf(stderr,
              "%s: %s on %d GPUs, %s, chunk %u, width %d: after %d steps GPU "
              "%d holds wrong words in field %d\n",
              job.app.name(), v.name, job.gpus, job.app.label().c_str(),
              job.set.chunk_B, job.set.width, ref.steps, i, f);
      quit(1);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
