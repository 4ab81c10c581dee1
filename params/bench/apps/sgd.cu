// sgd.cu - training of a network of two layers by gradient descent, the batch
// dealt to 1 .. N GPUs: one sum over all GPUs in a step, of all weights' worth.
// Prints program runs for validation: workload,paradigm,knobs,gpus,time_s,
// sigma_s.
//
// method: one host thread per GPU, wall time of a step, median of 60, checked
//
//   sgd --gpus 1,2,4 --batch 4096 --wide 1024 --variant all [--steps 60]
//       [--no-check]
//
// INPUTS numbers in and OUTPUTS out, `wide` between them, floats. With X the
// GPU's rows of the batch, of which there are batch / N, and T what they should
// become, a step is
//   H = max(X W1, 0);  D = (H W2 - T) 2 / batch
//   gradient:  H' D of W2;  X' (D W2' where H > 0) of W1
//   W -= RATE * the sum of all GPUs' gradients
// in five products, 2 wide (2 INPUTS + 3 OUTPUTS) operations for each row of
// the batch, and a kernel that moves the weights; the two phases of a step end
// behind the last product and there. Every GPU sends 4 wide (INPUTS + OUTPUTS)
// bytes to all.
//
// infinite  kernels only; either phase ends with a wait and a barrier of the
//           host threads. The gradients of others do not arrive
// memcpy    the same; peer copies of the gradient, in the stream, behind the
//           last product
// inline    the same; the products store the gradient to the others
// nccl      ncclAllReduce of the gradient behind the last product, in place, in
//           the stream; one wait and one barrier a step
//
// By default each variant trains a small network first, and how far its weights
// moved in 5 steps is compared with the host's; --no-check leaves that out.
//
// Plausible on an H200, N = 1, wide 1024 or more, batch 4096: 1 to 60 TFLOP/s.
#include "../app.cuh"
#include "../nccl.cuh"
#include "../pattern.cuh"

#include <memory>

static const int MOST = 8, INPUTS = 256, OUTPUTS = 256, CHECK_STEPS = 5;
static const int CHECK_BATCH = 96, CHECK_WIDE = 64, TILE = 64, DEEP = 16;
static const double CHECK_ERROR = 1e-3;  // of how far the weights moved
static const float RATE = 0.05f;

// ---- device ----------------------------------------------------------------

// A matrix, or its transpose: element (i, j) is at[i row + j column].
struct Matrix {
  const float *at;
  int row, column;
};

enum After { AS_IS, POSITIVE, ERROR, WHERE_POSITIVE };

// C = A B, m x n, over k. POSITIVE: max(c, 0). ERROR: (c - with) scale.
// WHERE_POSITIVE: c where `with` is, else 0. Also stored to the peers' C.
struct Product {
  Matrix a, b;
  int m, n, k;
  float *c, *peer[MOST - 1];
  int peers;
  const float *with;
  float scale;
};

template <After AFTER>
__device__ inline float finish(float c, const Product &p, size_t at)
{
  if (AFTER == POSITIVE) return fmaxf(c, 0);
  if (AFTER == ERROR) return (c - p.with[at]) * p.scale;
  if (AFTER == WHERE_POSITIVE) return p.with[at] > 0 ? c : 0;
  return c;
}

// A block makes a tile of TILE x TILE, a thread 4 x 4 of it.
template <After AFTER>
__global__ void __launch_bounds__(THREADS) product_kernel(Product p)
{
  __shared__ float a[DEEP][TILE + 1], b[DEEP][TILE + 1];
  const int i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;
  const int ti = threadIdx.x / 16, tj = threadIdx.x % 16;
  float c[4][4] = {};
  for (int k0 = 0; k0 < p.k; k0 += DEEP) {
    for (int t = threadIdx.x; t < DEEP * TILE; t += THREADS) {
      // Neighbouring threads read neighbouring words, whichever way they lie.
      const int ka = p.a.column == 1 ? t % DEEP : t / TILE;
      const int ia = p.a.column == 1 ? t / DEEP : t % TILE;
      const int kb = p.b.column == 1 ? t / TILE : t % DEEP;
      const int jb = p.b.column == 1 ? t % TILE : t / DEEP;
      const bool in_a = i0 + ia < p.m && k0 + ka < p.k;
      const bool in_b = j0 + jb < p.n && k0 + kb < p.k;
      a[ka][ia] = in_a ? p.a.at[size_t(i0 + ia) * p.a.row +
                                size_t(k0 + ka) * p.a.column]
                       : 0;
      b[kb][jb] = in_b ? p.b.at[size_t(k0 + kb) * p.b.row +
                                size_t(j0 + jb) * p.b.column]
                       : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEEP; k++)
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          c[i][j] = fmaf(a[k][ti + 16 * i], b[k][tj + 16 * j], c[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const int row = i0 + ti + 16 * i, column = j0 + tj + 16 * j;
      if (row >= p.m || column >= p.n) continue;
      const size_t at = size_t(row) * p.n + column;
      const float v = finish<AFTER>(c[i][j], p, at);
      p.c[at] = v;
      for (int k = 0; k < p.peers; k++) p.peer[k][at] = v;
    }
}

// `count` gradients of `words` each lie behind one another.
__global__ void move_kernel(float *w, const float *gradient, size_t words,
                            int count)
{
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < words;
       i += size_t(gridDim.x) * THREADS) {
    float g = 0;
    for (int k = 0; k < count; k++) g += gradient[k * words + i];
    w[i] -= RATE * g;
  }
}

// Between -1 and 1, the same for any number of GPUs.
__host__ __device__ inline float number(size_t i, uint32_t seed)
{
  return (scramble(pattern(i, seed)) >> 8) * (2.0f / (1 << 24)) - 1;
}

// So that sums of `over` such numbers stay near 1.
__host__ __device__ inline float weight(size_t i, uint32_t seed, int over)
{
  return number(i, seed) * sqrtf(3.0f / over);
}

enum Seed { OF_X = 1, OF_T, OF_W1, OF_W2 };

__global__ void numbers_kernel(float *p, size_t first, size_t words, Seed seed,
                               int over)
{
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < words;
       i += size_t(gridDim.x) * THREADS)
    p[i] = over ? weight(first + i, seed, over) : number(first + i, seed);
}

// ---- the job ---------------------------------------------------------------

enum Way { NOTHING, COPY, STORE, COLLECTIVE };

struct Variant {
  const char *name;
  Way way;
  bool peers;
};

static const Variant variants[] = {
    {"infinite", NOTHING, false},
    {"memcpy", COPY, false},
    {"inline", STORE, true},
    {"nccl", COLLECTIVE, true},
};

struct Size {
  int batch, wide;
  size_t first_words() const { return size_t(INPUTS) * wide; }
  size_t words() const { return first_words() + size_t(wide) * OUTPUTS; }
};

// gradient: room for all GPUs'; w: W1, behind it W2.
struct Gpu {
  float *x, *t, *h, *d, *dh, *w, *gradient;
  cudaStream_t stream;
};

struct Job {
  Size size;
  int gpus;
  std::vector<Gpu> gpu;

  Job(Size s, int gpus_) : size(s), gpus(gpus_), gpu(gpus_)
  {
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      const size_t n = rows(i);
      g.x = device_alloc<float>(i, n * INPUTS);
      g.t = device_alloc<float>(i, n * OUTPUTS);
      g.d = device_alloc<float>(i, n * OUTPUTS);
      g.h = device_alloc<float>(i, n * size.wide);
      g.dh = device_alloc<float>(i, n * size.wide);
      g.w = device_alloc<float>(i, size.words());
      g.gradient = device_alloc<float>(i, size.words() * gpus);
      CHECK(cudaStreamCreateWithFlags(&g.stream, cudaStreamNonBlocking));
    }
  }
  Job(const Job &) = delete;
  ~Job()
  {
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (float *p : {g.x, g.t, g.h, g.d, g.dh, g.w, g.gradient})
        CHECK(cudaFree(p));
      CHECK(cudaStreamDestroy(g.stream));
    }
  }
  int first(int i) const
  {
    return size.batch / gpus * i + std::min(i, size.batch % gpus);
  }
  int rows(int i) const { return first(i + 1) - first(i); }
  // Where the sums begin and how many there are for the kernel that moves.
  bool several(const Variant &v) const
  {
    return v.way == COPY || v.way == STORE;
  }
  float *slot(const Variant &v, int of, int on) const
  {
    return gpu[on].gradient + (several(v) ? of * size.words() : 0);
  }
};

// ---- a step -----------------------------------------------------------------

template <After AFTER> static void multiply(const Product &p, cudaStream_t s)
{
  const dim3 blocks((p.n + TILE - 1) / TILE, (p.m + TILE - 1) / TILE);
  product_kernel<AFTER><<<blocks, THREADS, 0, s>>>(p);
  LAUNCHED();
}

static Matrix plain(const float *at, int columns) { return {at, columns, 1}; }
static Matrix turned(const float *at, int columns) { return {at, 1, columns}; }

static Product product(Matrix a, Matrix b, int m, int n, int k, float *c)
{
  return {a, b, m, n, k, c, {}, 0, nullptr, 0};
}

// The gradient of one layer, stored to all if the variant does.
static void gradient(const Job &job, const Variant &v, int i, Product p,
                     size_t at)
{
  for (int k = 1; k < job.gpus && v.way == STORE; k++)
    p.peer[p.peers++] = job.slot(v, i, (i + k) % job.gpus) + at;
  multiply<AS_IS>(p, job.gpu[i].stream);
}

static void learn(const Job &job, const Variant &v, int i)
{
  const Gpu &g = job.gpu[i];
  const int n = job.rows(i), wide = job.size.wide;
  const size_t second = job.size.first_words();
  float *const w2 = g.w + second, *const mine = job.slot(v, i, i);
  multiply<POSITIVE>(product(plain(g.x, INPUTS), plain(g.w, wide), n, wide,
                             INPUTS, g.h),
                     g.stream);
  Product p = product(plain(g.h, wide), plain(w2, OUTPUTS), n, OUTPUTS, wide,
                      g.d);
  p.with = g.t;
  p.scale = 2.0f / float(job.size.batch);
  multiply<ERROR>(p, g.stream);
  gradient(job, v, i,
           product(turned(g.h, wide), plain(g.d, OUTPUTS), wide, OUTPUTS, n,
                   mine + second),
           second);
  p = product(plain(g.d, OUTPUTS), turned(w2, OUTPUTS), n, wide, OUTPUTS,
              g.dh);
  p.with = g.h;
  multiply<WHERE_POSITIVE>(p, g.stream);
  gradient(job, v, i,
           product(turned(g.x, INPUTS), plain(g.dh, wide), INPUTS, wide, n,
                   mine),
           0);
}

static void send(const Job &job, const Variant &v, const Comms *comms, int i)
{
  const Gpu &g = job.gpu[i];
  if (v.way == COLLECTIVE)
    comms->sum(g.gradient, job.size.words(), i, g.stream);
  for (int k = 1; k < job.gpus && v.way == COPY; k++) {
    const int j = (i + k) % job.gpus;
    CHECK(cudaMemcpyPeerAsync(job.slot(v, i, j), j, job.slot(v, i, i), i,
                              job.size.words() * sizeof(float), g.stream));
  }
}

static std::vector<double> run(const Job &job, const Variant &v,
                               const Comms *comms, int steps)
{
  Barrier gathered(job.gpus);
  return time_steps(job.gpus, steps, [&](int i, int) {
    const Gpu &g = job.gpu[i];
    learn(job, v, i);
    send(job, v, comms, i);
    if (v.way != COLLECTIVE) {
      CHECK(cudaStreamSynchronize(g.stream));
      gathered.wait();
    }
    move_kernel<<<528, THREADS, 0, g.stream>>>(
        g.w, g.gradient, job.size.words(), job.several(v) ? job.gpus : 1);
    LAUNCHED();
    CHECK(cudaStreamSynchronize(g.stream));
  });
}

static void numbers(float *p, size_t first, size_t words, Seed seed, int over)
{
  numbers_kernel<<<1024, THREADS>>>(p, first, words, seed, over);
  LAUNCHED();
}

static void reset(const Job &job)
{
  const Size &s = job.size;
  for (int i = 0; i < job.gpus; i++) {
    const Gpu &g = job.gpu[i];
    const size_t n = job.rows(i), at = job.first(i);
    CHECK(cudaSetDevice(i));
    numbers(g.x, at * INPUTS, n * INPUTS, OF_X, 0);
    numbers(g.t, at * OUTPUTS, n * OUTPUTS, OF_T, 0);
    numbers(g.w, 0, s.first_words(), OF_W1, INPUTS);
    numbers(g.w + s.first_words(), 0, size_t(s.wide) * OUTPUTS, OF_W2, s.wide);
    CHECK(cudaMemset(g.gradient, 0xA5, s.words() * job.gpus * sizeof(float)));
    CHECK(cudaDeviceSynchronize());
  }
}

// ---- checking --------------------------------------------------------------

typedef std::vector<double> Vector;

static float first_weight(Size s, size_t i)
{
  const size_t second = s.first_words();
  return i < second ? weight(i, OF_W1, INPUTS)
                    : weight(i - second, OF_W2, s.wide);
}

// The weights after so many steps, in doubles, W1 first.
static Vector on_host(Size s, int steps)
{
  const int wide = s.wide;
  const size_t second = s.first_words();
  Vector w(s.words()), x(size_t(s.batch) * INPUTS), h(wide), d(OUTPUTS);
  for (size_t i = 0; i < w.size(); i++) w[i] = first_weight(s, i);
  for (size_t i = 0; i < x.size(); i++) x[i] = number(i, OF_X);
  for (int step = 0; step < steps; step++) {
    Vector g(w.size());
    for (int n = 0; n < s.batch; n++) {
      const double *in = &x[size_t(n) * INPUTS];
      for (int j = 0; j < wide; j++) {
        h[j] = 0;
        for (int i = 0; i < INPUTS; i++) h[j] += in[i] * w[i * wide + j];
        h[j] = std::max(h[j], 0.0);
      }
      for (int o = 0; o < OUTPUTS; o++) {
        d[o] = -number(size_t(n) * OUTPUTS + o, OF_T);
        for (int j = 0; j < wide; j++)
          d[o] += h[j] * w[second + j * OUTPUTS + o];
        d[o] *= 2.0 / s.batch;
      }
      for (int j = 0; j < wide; j++) {
        double back = 0;
        for (int o = 0; o < OUTPUTS; o++) {
          g[second + j * OUTPUTS + o] += h[j] * d[o];
          back += d[o] * w[second + j * OUTPUTS + o];
        }
        if (h[j] > 0)
          for (int i = 0; i < INPUTS; i++) g[i * wide + j] += in[i] * back;
      }
    }
    for (size_t i = 0; i < w.size(); i++) w[i] -= RATE * g[i];
  }
  return w;
}

static void check_weights(const Job &job, const Variant &v, const Vector &want)
{
  const Size &s = job.size;
  for (int i = 0; i < job.gpus; i++) {
    std::vector<float> got(s.words());
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(got.data(), job.gpu[i].w, got.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    double off = 0, all = 0;
    for (size_t k = 0; k < got.size(); k++) {
      const double moved = want[k] - first_weight(s, k);
      off += (got[k] - want[k]) * (got[k] - want[k]);
      all += moved * moved;
    }
    if (std::sqrt(off / all) <= CHECK_ERROR) continue;
    fprintf(stderr, "sgd: %s on %d GPUs: GPU %d's weights are off by %.3g\n",
            v.name, job.gpus, i, std::sqrt(off / all));
    quit(1);
  }
}

// ---- the command line ------------------------------------------------------

struct Options : AppOptions {
  std::vector<int> batch = {4096}, wide = {1024};
  bool check = true;
};

static Options parse(int argc, char **argv)
{
  Options o;
  o.app = "sgd";
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a != "--check" && a != "--no-check") return false;
        o.check = a == "--check";
        return true;
      },
      [&](const std::string &a, const char *value) {
        if (a == "--batch") o.batch = parse_list(o.app, value);
        else if (a == "--wide") o.wide = parse_list(o.app, value);
        else return false;
        return true;
      });
  for (int n : o.batch)
    if (n > 1 << 20) usage(o.app, "--batch", "more than 2^20");
  for (int n : o.wide)
    if (n > 1 << 15) usage(o.app, "--wide", "more than 2^15");
  for (int g : o.gpus)
    if (g > MOST) usage(o.app, "--gpus", "more than 8");
  check_variant(o, variants);
  return o;
}

static bool runs_here(const Options &o, const Variant &v, int gpus)
{
  if (v.way == COLLECTIVE && !HAVE_NCCL) return false;
  return wanted(o, v) && (gpus > 1 || v.way == NOTHING);
}

static void time_run(const Job &job, const Variant &v, const Comms *comms,
                     const Options &o)
{
  std::vector<double> t = run(job, v, comms, WARMUP_STEPS + o.steps);
  t.erase(t.begin(), t.begin() + WARMUP_STEPS);
  const Stat s = robust(t);
  const Size &size = job.size;
  run_row("sgd", v.name,
          "batch=" + std::to_string(size.batch) +
              ";wide=" + std::to_string(size.wide) + ";word=4",
          job.gpus, s);
  if (job.gpus > 1 || size.wide < 1024 || size.batch < 4096) return;
  // Three products with W2, two with W1: 2 operations each.
  const double flop = 2.0 * size.batch * size.wide * (2 * INPUTS + 3 * OUTPUTS);
  plausible("sgd", flop / s.time / 1e12, 1, 60, "TFLOP/s");
}

static void one_size(Size size, int gpus, const Options &o, const Comms *comms,
                     const Vector *want)
{
  const Job job(size, gpus);
  for (const Variant &v : variants) {
    if (!runs_here(o, v, gpus)) continue;
    reset(job);
    if (!want) {
      time_run(job, v, comms, o);
    } else if (v.way != NOTHING || gpus == 1) {
      run(job, v, comms, CHECK_STEPS);
      check_weights(job, v, *want);
    }
  }
}

int main(int argc, char **argv)
{
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const Options o = parse(argc, argv);
  const int here = open_gpus(
      "sgd", *std::min_element(o.gpus.begin(), o.gpus.end()), o.peers);
  const Size small = {CHECK_BATCH, CHECK_WIDE};
  const Vector want = on_host(small, CHECK_STEPS);
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "sgd: %d GPUs, found %d: skipped\n", g, here);
      continue;
    }
    std::unique_ptr<Comms> comms;
    if (runs_here(o, variants[COLLECTIVE], g)) comms.reset(new Comms(g));
    if (o.check) one_size(small, g, o, comms.get(), &want);
    for (int batch : o.batch)
      for (int wide : o.wide)
        if (batch >= g) one_size({batch, wide}, g, o, comms.get(), nullptr);
  }
  return 0;
}
