// cg.cu - conjugate gradients for the five-point Laplacian on n x n points, on
// 1 .. N GPUs: two sums over all GPUs and a row to either neighbour in a step.
// Prints program runs for validation: workload,paradigm,knobs,gpus,time_s,
// sigma_s.
//
// method: one host thread per GPU, wall time of a step, median of 60, checked
//
//   cg --gpus 1,2,4 --n 512,4096 --variant all [--steps 60] [--no-check]
//
// Rows are dealt to the GPUs; outside the grid is 0. n must be a multiple of 4.
// All words are floats, sums are of doubles. A step has three phases:
//   q = A p, sum of p q       8 B of memory per point    8 B to all others
//   x += a p, r -= a q, sum of r r   24 B                8 B to all others
//   p = r + b p               12 B                       rows to neighbours
// The sum of a GPU is made by the block that ends last, in one order; the next
// kernel adds up those of all GPUs.
//
// infinite  kernels only; each phase ends with a wait and a barrier of the host
//           threads. Sums and rows of others do not arrive
// memcpy    the same; peer copies behind each kernel, in its stream
// inline    the same; kernels store sums and rows to the others
// nccl      ncclAllReduce behind the first two kernels, ncclSend and ncclRecv
//           behind the third, in one stream; one wait and one barrier a step
//
// By default each variant solves a small problem first, of which x is compared
// with the host's after 10 steps; --no-check leaves that out.
//
// Plausible on an H200, N = 1: 1.5 to 4.8 TB/s at 44 B per point for n >= 8192.
#include "../app.cuh"
#include "../nccl.cuh"
#include "../pattern.cuh"

#include <memory>

static const int MOST = 8, CHECK_STEPS = 10, CHECK_N = 96;
static const double CHECK_ERROR = 1e-4;  // of x, relative: floats, ten steps
static const int BLOCKS_PER_SM = 8;

// ---- device ----------------------------------------------------------------

// The sums of all GPUs, or one that NCCL made of them; rr by the step's parity.
struct Sums {
  double pq[MOST], rr[2][MOST];
};

// One GPU's part of a step. p has a row of halo on either side; the neighbours'
// halos and the others' sums are null where nothing is to be stored.
struct Part {
  float *x, *r, *p, *q, *lower, *upper;
  unsigned n, rows;
  Sums *sums, *other[MOST];
  int slot, count, odd;  // of the sums: its own, how many there are
  double *partial;       // one a block
  unsigned *ended;
};

__device__ inline float4 load4(const float *p)
{
  return *reinterpret_cast<const float4 *>(p);
}

__device__ inline void store4(float *p, float4 v)
{
  *reinterpret_cast<float4 *>(p) = v;
}

__device__ inline double dot(float4 a, float4 b)
{
  return double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z +
         double(a.w) * b.w;
}

__device__ inline float4 plus(float4 a, float s, float4 b)
{
  return make_float4(fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z),
                     fmaf(s, b.w, a.w));
}

__device__ inline double total(const double *sums, int count)
{
  double s = 0;
  for (int i = 0; i < count; i++) s += sums[i];
  return s;
}

// Of a block, in one order; thread 0 has it.
__device__ inline double block_sum(double v)
{
  __shared__ double of[THREADS / 32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) of[threadIdx.x / 32] = v;
  __syncthreads();
  double s = 0;
  for (int i = 0; i < THREADS / 32; i++) s += of[i];
  __syncthreads();
  return s;
}

// The block that ends last adds up all blocks' and stores the sum at `at`,
// which is in its own sums, and at the same place in the others'.
__device__ inline void add_up(const Part &a, double v, double *at)
{
  __shared__ bool last;
  double s = block_sum(v);
  if (threadIdx.x == 0) {
    a.partial[blockIdx.x] = s;
    __threadfence();
    last = atomicInc(a.ended, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  v = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
    v += __ldcg(a.partial + i);
  s = block_sum(v);
  if (threadIdx.x) return;
  const ptrdiff_t place = at - reinterpret_cast<double *>(a.sums);
  *at = s;
  for (Sums *o : a.other)
    if (o) reinterpret_cast<double *>(o)[place] = s;
}

// Calls f(word) for each four points of this thread, first point of them.
template <class F> __device__ inline void each4(const Part &a, F f)
{
  const size_t all = size_t(gridDim.x) * THREADS * 4,
               end = size_t(a.rows) * a.n;
  for (size_t i = 4 * (size_t(blockIdx.x) * THREADS + threadIdx.x); i < end;
       i += all)
    f(i);
}

__global__ void __launch_bounds__(THREADS) apply_kernel(Part a)
{
  double pq = 0;
  each4(a, [&](size_t i) {
    const unsigned column = unsigned(i % a.n);
    const float *p = a.p + i;
    const float4 here = load4(p);
    const float4 south = load4(p - a.n), north = load4(p + a.n);
    const float west = column ? p[-1] : 0, east = column + 4 < a.n ? p[4] : 0;
    float4 q;
    q.x = 4 * here.x - west - here.y - south.x - north.x;
    q.y = 4 * here.y - here.x - here.z - south.y - north.y;
    q.z = 4 * here.z - here.y - here.w - south.z - north.z;
    q.w = 4 * here.w - here.z - east - south.w - north.w;
    store4(a.q + i, q);
    pq += dot(here, q);
  });
  add_up(a, pq, a.sums->pq + a.slot);
}

__global__ void __launch_bounds__(THREADS) advance_kernel(Part a)
{
  const float step = float(total(a.sums->rr[1 - a.odd], a.count) /
                           total(a.sums->pq, a.count));
  double rr = 0;
  each4(a, [&](size_t i) {
    store4(a.x + i, plus(load4(a.x + i), step, load4(a.p + i)));
    const float4 r = plus(load4(a.r + i), -step, load4(a.q + i));
    store4(a.r + i, r);
    rr += dot(r, r);
  });
  add_up(a, rr, a.sums->rr[a.odd] + a.slot);
}

__global__ void __launch_bounds__(THREADS) turn_kernel(Part a)
{
  const float keep = float(total(a.sums->rr[a.odd], a.count) /
                           total(a.sums->rr[1 - a.odd], a.count));
  const size_t last = size_t(a.rows - 1) * a.n;
  each4(a, [&](size_t i) {
    const float4 p = plus(load4(a.r + i), keep, load4(a.p + i));
    store4(a.p + i, p);
    if (a.lower && i < a.n) store4(a.lower + i, p);
    if (a.upper && i >= last) store4(a.upper + (i - last), p);
  });
}

__host__ __device__ inline float right_side(size_t i)
{
  return (pattern(i, 3) >> 8) * (1.0f / (1 << 24)) - 0.5f;
}

__global__ void begin_kernel(Part a, size_t first)
{
  each4(a, [&](size_t i) {
    for (size_t k = i; k < i + 4; k++) {
      a.x[k] = 0;
      a.r[k] = a.p[k] = right_side(first + k);
    }
  });
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

struct Gpu {
  float *x, *r, *p, *q;  // p: its first row, behind a halo
  Sums *sums;
  double *partial;
  unsigned *ended;
  cudaStream_t stream;
};

struct Job {
  unsigned n;
  int gpus, blocks;
  std::vector<Gpu> gpu;

  Job(unsigned n_, int gpus_)
      : n(n_), gpus(gpus_), blocks(sm_count() * BLOCKS_PER_SM), gpu(gpus_)
  {
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      const size_t words = size_t(rows(i)) * n;
      for (float **v : {&g.x, &g.r, &g.q}) *v = device_alloc<float>(i, words);
      g.p = device_alloc<float>(i, words + 2 * n) + n;
      g.sums = device_alloc<Sums>(i, 1);
      g.partial = device_alloc<double>(i, blocks);
      g.ended = device_alloc<unsigned>(i, 1);
      CHECK(cudaStreamCreateWithFlags(&g.stream, cudaStreamNonBlocking));
    }
  }
  Job(const Job &) = delete;
  ~Job()
  {
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (float *v : {g.x, g.r, g.q, g.p - n}) CHECK(cudaFree(v));
      CHECK(cudaFree(g.sums));
      CHECK(cudaFree(g.partial));
      CHECK(cudaFree(g.ended));
      CHECK(cudaStreamDestroy(g.stream));
    }
  }
  unsigned first(int i) const
  {
    return n / gpus * i + std::min(unsigned(i), n % gpus);
  }
  unsigned rows(int i) const { return first(i + 1) - first(i); }
  float *lower_halo(int i) const  // where GPU i's first row goes
  {
    return i > 0 ? gpu[i - 1].p + size_t(rows(i - 1)) * n : nullptr;
  }
  float *upper_halo(int i) const
  {
    return i < gpus - 1 ? gpu[i + 1].p - n : nullptr;
  }
  Part part(const Variant &v, int i, int step) const
  {
    const Gpu &g = gpu[i];
    const bool all = v.way == COPY || v.way == STORE;
    Part a = {g.x,  g.r,         g.p,            g.q,      nullptr,   nullptr,
              n,    rows(i),     g.sums,         {},       all ? i : 0,
              all ? gpus : 1,    step % 2,       g.partial, g.ended};
    if (v.way != STORE) return a;
    a.lower = lower_halo(i);
    a.upper = upper_halo(i);
    for (int j = 0; j < gpus; j++) a.other[j] = j == i ? nullptr : gpu[j].sums;
    return a;
  }
};

// ---- what follows a kernel --------------------------------------------------

// `at` is a place in GPU i's sums.
static void send_sum(const Job &job, const Variant &v, const Comms *comms,
                     int i, double *at)
{
  const Gpu &g = job.gpu[i];
  const ptrdiff_t place = at - reinterpret_cast<double *>(g.sums);
  if (v.way == COLLECTIVE) comms->sum(at, 1, i, g.stream);
  for (int k = 1; k < job.gpus && v.way == COPY; k++) {
    const int j = (i + k) % job.gpus;
    CHECK(cudaMemcpyPeerAsync(
        reinterpret_cast<double *>(job.gpu[j].sums) + place, j, at, i,
        sizeof *at, g.stream));
  }
}

static void send_rows(const Job &job, const Variant &v, const Comms *comms,
                      int i)
{
  const Gpu &g = job.gpu[i];
  const size_t n = job.n, bytes = n * sizeof(float);
  float *const end = g.p + size_t(job.rows(i)) * n;  // the upper halo
  if (v.way == COPY && i > 0)
    CHECK(cudaMemcpyPeerAsync(job.lower_halo(i), i - 1, g.p, i, bytes,
                              g.stream));
  if (v.way == COPY && i < job.gpus - 1)
    CHECK(cudaMemcpyPeerAsync(job.upper_halo(i), i + 1, end - n, i, bytes,
                              g.stream));
  if (v.way != COLLECTIVE) return;
  comms->begin();
  if (i > 0) comms->swap(g.p, g.p - n, n, i - 1, i, g.stream);
  if (i < job.gpus - 1) comms->swap(end - n, end, n, i + 1, i, g.stream);
  comms->end();
}

// ---- a step -----------------------------------------------------------------

static std::vector<double> run(const Job &job, const Variant &v,
                               const Comms *comms, int steps)
{
  Barrier phase_end(job.gpus);
  return time_steps(job.gpus, steps, [&](int i, int step) {
    const Part a = job.part(v, i, step);
    const Gpu &g = job.gpu[i];
    auto end = [&](bool last) {
      if (last || v.way != COLLECTIVE) CHECK(cudaStreamSynchronize(g.stream));
      if (!last && v.way != COLLECTIVE) phase_end.wait();
    };
    apply_kernel<<<job.blocks, THREADS, 0, g.stream>>>(a);
    LAUNCHED();
    send_sum(job, v, comms, i, g.sums->pq + a.slot);
    end(false);
    advance_kernel<<<job.blocks, THREADS, 0, g.stream>>>(a);
    LAUNCHED();
    send_sum(job, v, comms, i, g.sums->rr[a.odd] + a.slot);
    end(false);
    turn_kernel<<<job.blocks, THREADS, 0, g.stream>>>(a);
    LAUNCHED();
    send_rows(job, v, comms, i);
    end(true);
  });
}

static double first_rr(unsigned n)
{
  double s = 0;
  for (size_t i = 0; i < size_t(n) * n; i++)
    s += double(right_side(i)) * right_side(i);
  return s;
}

static void reset(const Job &job, const Variant &v, double rr)
{
  Sums sums = {};
  sums.rr[0][0] = rr;  // of all GPUs, in one of the places
  for (int i = 0; i < job.gpus; i++) {
    const Gpu &g = job.gpu[i];
    const size_t n = job.n, words = size_t(job.rows(i)) * n;
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(g.sums, &sums, sizeof sums, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(g.ended, 0, sizeof *g.ended));
    CHECK(cudaMemset(g.q, 0xA5, words * sizeof(float)));
    CHECK(cudaMemset(g.p - n, 0, (words + 2 * n) * sizeof(float)));
    begin_kernel<<<job.blocks, THREADS>>>(job.part(v, i, 0),
                                          job.first(i) * n);
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
  }
  // The first rows of the neighbours, which no step has sent.
  for (int i = 0; i < job.gpus; i++) {
    const size_t n = job.n, bytes = n * sizeof(float);
    const Gpu &g = job.gpu[i];
    if (i > 0)
      CHECK(cudaMemcpyPeer(job.lower_halo(i), i - 1, g.p, i, bytes));
    if (i < job.gpus - 1)
      CHECK(cudaMemcpyPeer(job.upper_halo(i), i + 1,
                           g.p + (job.rows(i) - 1) * n, i, bytes));
    CHECK(cudaDeviceSynchronize());
  }
}

// ---- checking --------------------------------------------------------------

typedef std::vector<double> Vector;

static Vector times_a(const Vector &p, int n)
{
  Vector q(p.size());
  auto at = [&](int y, int x) {
    return x < 0 || y < 0 || x >= n || y >= n ? 0.0 : p[y * n + x];
  };
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      q[y * n + x] = 4 * at(y, x) - at(y, x - 1) - at(y, x + 1) -
                     at(y - 1, x) - at(y + 1, x);
  return q;
}

static double dot(const Vector &a, const Vector &b)
{
  double s = 0;
  for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i];
  return s;
}

// x after so many steps.
static Vector on_host(int n, int steps)
{
  Vector x(n * n), r(n * n), p;
  for (int i = 0; i < n * n; i++) r[i] = right_side(i);
  p = r;
  for (int k = 0; k < steps; k++) {
    const Vector q = times_a(p, n);
    const double rr = dot(r, r), a = rr / dot(p, q);
    for (int i = 0; i < n * n; i++) {
      x[i] += a * p[i];
      r[i] -= a * q[i];
    }
    const double b = dot(r, r) / rr;
    for (int i = 0; i < n * n; i++) p[i] = r[i] + b * p[i];
  }
  return x;
}

static void check_x(const Job &job, const Variant &v, const Vector &want)
{
  double off = 0, all = dot(want, want);
  for (int i = 0; i < job.gpus; i++) {
    std::vector<float> got(size_t(job.rows(i)) * job.n);
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(got.data(), job.gpu[i].x, got.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < got.size(); k++) {
      const double d = got[k] - want[size_t(job.first(i)) * job.n + k];
      off += d * d;
    }
  }
  if (std::sqrt(off / all) <= CHECK_ERROR) return;
  fprintf(stderr, "cg: %s on %d GPUs: x is off by %.3g\n", v.name, job.gpus,
          std::sqrt(off / all));
  quit(1);
}

// ---- the command line ------------------------------------------------------

struct Options : AppOptions {
  std::vector<int> n = {512};
  bool check = true;
};

static Options parse(int argc, char **argv)
{
  Options o;
  o.app = "cg";
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a != "--check" && a != "--no-check") return false;
        o.check = a == "--check";
        return true;
      },
      [&](const std::string &a, const char *value) {
        if (a != "--n") return false;
        o.n = parse_list(o.app, value);
        return true;
      });
  for (int n : o.n)
    if (n % 4 || n > 32768) usage(o.app, "--n", "not a multiple of 4 to 32768");
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
  run_row("cg", v.name, "n=" + std::to_string(job.n) + ";word=4", job.gpus, s);
  if (job.gpus == 1 && job.n >= 8192)
    plausible("cg", 44.0 * job.n * job.n / s.time / 1e12, 1.5, 4.8, "TB/s");
}

static void one_size(unsigned n, int gpus, const Options &o, const Comms *comms,
                     const Vector *want)
{
  const Job job(n, gpus);
  const double rr = first_rr(n);
  for (const Variant &v : variants) {
    if (!runs_here(o, v, gpus)) continue;
    reset(job, v, rr);
    if (!want) {
      time_run(job, v, comms, o);
    } else if (v.way != NOTHING || gpus == 1) {
      run(job, v, comms, CHECK_STEPS);
      check_x(job, v, *want);
    }
  }
}

int main(int argc, char **argv)
{
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const Options o = parse(argc, argv);
  const int here = open_gpus(
      "cg", *std::min_element(o.gpus.begin(), o.gpus.end()), o.peers);
  const Vector want = on_host(CHECK_N, CHECK_STEPS);
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "cg: %d GPUs, found %d: skipped\n", g, here);
      continue;
    }
    std::unique_ptr<Comms> comms;
    if (runs_here(o, variants[COLLECTIVE], g)) comms.reset(new Comms(g));
    if (o.check) one_size(CHECK_N, g, o, comms.get(), &want);
    for (int n : o.n)
      if (n >= g) one_size(unsigned(n), g, o, comms.get(), nullptr);
  }
  return 0;
}
