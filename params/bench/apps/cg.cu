// cg.cu - conjugate gradients for the five-point Laplacian on n x n points, on
// 1 .. N GPUs: two sums over all GPUs and a row to either neighbour in a step.
// Prints program runs for validation: workload,paradigm,knobs,gpus,time_s,
// sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: a host thread per GPU, wall time of a step, median of 60 or more, checked
//
//   cg --gpus 1,2,4 --n 512,4096 --variant all [the options of sums.cuh]
//
// Rows are dealt to the GPUs; outside the grid is 0. n must be a multiple of 4.
// All words are floats, sums are of doubles. A step has three phases:
//   q = A p, sum of p q       8 B of memory per point    8 B to all others
//   x += a p, r -= a q, sum of r r   24 B                8 B to all others
//   p = r + b p               12 B                       rows to neighbours
// The sum of a GPU is made by the block that ends last, in one order; the next
// kernel adds up those of all GPUs.
//
// Of a sum each GPU needs all others', of p a neighbour's row: by rdl and um
// kernels read them where their owner made them. sums.cuh says what the
// variants are.
//
// Plausible on an H200, N = 1: 1.5 to 4.8 TB/s at 44 B per point for n >= 8192.
#include "../pattern.cuh"
#include "../sums.cuh"

static const int CHECK_N = 96;
static const int BLOCKS_PER_SM = 8;
static const unsigned TILE = 4 * THREADS;  // points, four a thread

// ---- device ----------------------------------------------------------------

// What an agent copies is whole words of 16 B.
struct alignas(16) Sum {
  double v, unused;
};

struct AllSums {
  Sum pq[MOST], rr[2][MOST];  // of each GPU; rr by the parity of the step
};

// One GPU's part of a step. below, above: the rows of p on either side. pq, now
// and before: the sums of all GPUs, or one that is already all; now is this
// step's r r. Tiles are [first, end).
struct Part {
  float *x, *r, *p, *q;
  const float *below, *above;
  unsigned n, rows;
  const Sum *pq[MOST], *now[MOST], *before[MOST];
  int count;
  double *partial;  // one a block
  unsigned *ended;
  unsigned first, end;
  Out<float> out;
};

__device__ inline float4 read4(const float *p)
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

__device__ inline double total(const Sum *const *sums, int count)
{
  double s = 0;
  for (int i = 0; i < count; i++) s += sums[i]->v;
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

__host__ __device__ inline Span whole_sum()
{
  return {0, sizeof(Sum) / sizeof(float)};
}

// The block that ends last adds up all blocks' and publishes the sum.
template <Mode M> __device__ inline void add_up(const Part &a, double v)
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
  const Reach near = reach<M>(a.out, whole_sum());
  if (threadIdx.x == 0) put<M>(a.out, near, 0, make_double2(s, 0));
  done<M>(a.out, near, whole_sum());
}

// Calls f(word) for each four points of this thread, first point of them, and
// after(tile) for all threads of the block.
template <class F, class After>
__device__ inline void each_tile(const Part &a, F f, After after)
{
  const unsigned words = a.rows * a.n;
  for (unsigned t = a.first + blockIdx.x; t < a.end; t += gridDim.x) {
    const unsigned i = t * TILE + 4 * threadIdx.x;
    if (i < words) f(t, i);
    after(t);
  }
}

template <class F> __device__ inline void each4(const Part &a, F f)
{
  each_tile(a, [&](unsigned, unsigned i) { f(i); }, [](unsigned) {});
}

template <Mode M>
__global__ void __launch_bounds__(THREADS) apply_kernel(Part a)
{
  const unsigned last = (a.rows - 1) * a.n;
  double pq = 0;
  each4(a, [&](unsigned i) {
    const unsigned column = i % a.n;
    const float *p = a.p + i;
    const float4 here = read4(p);
    const float4 south = read4(i < a.n ? a.below + i : p - a.n);
    const float4 north = read4(i >= last ? a.above + (i - last) : p + a.n);
    const float west = column ? p[-1] : 0, east = column + 4 < a.n ? p[4] : 0;
    float4 q;
    q.x = 4 * here.x - west - here.y - south.x - north.x;
    q.y = 4 * here.y - here.x - here.z - south.y - north.y;
    q.z = 4 * here.z - here.y - here.w - south.z - north.z;
    q.w = 4 * here.w - here.z - east - south.w - north.w;
    store4(a.q + i, q);
    pq += dot(here, q);
  });
  add_up<M>(a, pq);
}

template <Mode M>
__global__ void __launch_bounds__(THREADS) advance_kernel(Part a)
{
  const float step = float(total(a.before, a.count) / total(a.pq, a.count));
  double rr = 0;
  each4(a, [&](unsigned i) {
    store4(a.x + i, plus(read4(a.x + i), step, read4(a.p + i)));
    const float4 r = plus(read4(a.r + i), -step, read4(a.q + i));
    store4(a.r + i, r);
    rr += dot(r, r);
  });
  add_up<M>(a, rr);
}

__host__ __device__ inline Span tile(unsigned t)
{
  return {t * TILE, (t + 1) * TILE};
}

template <Mode M>
__global__ void __launch_bounds__(THREADS) turn_kernel(Part a)
{
  const float keep = float(total(a.now, a.count) / total(a.before, a.count));
  each_tile(
      a,
      [&](unsigned t, unsigned i) {
        put<M>(a.out, reach<M>(a.out, tile(t)), i,
               plus(read4(a.r + i), keep, read4(a.p + i)));
      },
      [&](unsigned t) { done<M>(a.out, reach<M>(a.out, tile(t)), tile(t)); });
}

__host__ __device__ inline float right_side(size_t i)
{
  return (pattern(i, 3) >> 8) * (1.0f / (1 << 24)) - 0.5f;
}

__global__ void begin_kernel(Part a, size_t first)
{
  each4(a, [&](unsigned i) {
    for (unsigned k = i; k < i + 4; k++) {
      a.x[k] = 0;
      a.r[k] = a.p[k] = right_side(first + k);
    }
  });
}

// ---- the host's answer -----------------------------------------------------
static Answer times_a(const Answer &p, int n)
{
  Answer q(p.size());
  auto at = [&](int y, int x) {
    return x < 0 || y < 0 || x >= n || y >= n ? 0.0 : p[y * n + x];
  };
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      q[y * n + x] = 4 * at(y, x) - at(y, x - 1) - at(y, x + 1) -
                     at(y - 1, x) - at(y + 1, x);
  return q;
}

static double dot(const Answer &a, const Answer &b)
{
  double s = 0;
  for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i];
  return s;
}

// x after so many steps.
static Answer solve(int n, int steps)
{
  Answer x(n * n), r(n * n), p;
  for (int i = 0; i < n * n; i++) r[i] = right_side(i);
  p = r;
  for (int k = 0; k < steps; k++) {
    const Answer q = times_a(p, n);
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

static double first_rr(unsigned n)
{
  double s = 0;
  for (size_t i = 0; i < size_t(n) * n; i++)
    s += double(right_side(i)) * right_side(i);
  return s;
}

// ---- the program -----------------------------------------------------------

enum Phase { APPLY, ADVANCE, TURN };

struct Cg {
  static const KnobOption knobs[];
  static const int phases = 3, check_steps = 10;
  static constexpr double allowed = 1e-4;  // of x, relative: floats, ten steps
  static Values small() { return {CHECK_N}; }
  static Answer host(const Values &v, int steps) { return solve(v[0], steps); }
  static bool enough(const Values &v, int gpus) { return v[0] >= gpus; }

  struct Gpu {
    float *x, *r, *p, *q;  // p: its first row; in its own memory behind a halo
    AllSums *sums;
    double *partial;
    unsigned *ended;
  };

  const unsigned n;
  const int gpus, grid;
  const bool managed;
  const double rr;  // of the initial state
  std::vector<Gpu> gpu;

  Cg(const Values &v, int gpus_, bool managed_)
      : n(unsigned(v[0])), gpus(gpus_), grid(sm_count() * BLOCKS_PER_SM),
        managed(managed_), rr(first_rr(n)), gpu(gpus_)
  {
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      for (float **a : {&g.x, &g.r, &g.q})
        *a = device_alloc<float>(i, words(i));
      g.partial = device_alloc<double>(i, grid);
      g.ended = device_alloc<unsigned>(i, 1);
      if (managed) continue;
      g.p = device_alloc<float>(i, words(i) + 2 * n) + n;
      g.sums = device_alloc<AllSums>(i, 1);
    }
    if (!managed) return;
    AllSums *sums;
    float *p;
    CHECK(cudaMallocManaged(&sums, sizeof *sums));
    CHECK(cudaMallocManaged(&p, (size_t(n) + 2) * n * sizeof *p));
    for (int i = 0; i < gpus; i++) {
      gpu[i].sums = sums;
      gpu[i].p = p + size_t(first(i) + 1) * n;
    }
  }
  Cg(const Cg &) = delete;
  ~Cg()
  {
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (float *v : {g.x, g.r, g.q}) CHECK(cudaFree(v));
      CHECK(cudaFree(g.partial));
      CHECK(cudaFree(g.ended));
      if (managed && i > 0) continue;
      CHECK(cudaFree(g.p - n));
      CHECK(cudaFree(g.sums));
    }
  }
  const char *name() const { return "cg"; }
  std::string text() const { return "n=" + std::to_string(n) + ";word=4"; }
  size_t shared_B() const { return (size_t(n) + 2) * n * sizeof(float); }
  void plausible_on_one(double s) const
  {
    if (n >= 8192) plausible("cg", 44.0 * n * n / s / 1e12, 1.5, 4.8, "TB/s");
  }

  // ---- shares ----

  unsigned first(int i) const { return deal(n, unsigned(gpus), unsigned(i)); }
  unsigned rows(int i) const { return first(i + 1) - first(i); }
  size_t words(int i) const { return size_t(rows(i)) * n; }
  float *last_row(int i) const { return gpu[i].p + words(i) - n; }
  bool has_lower(int i) const { return i > 0; }
  bool has_upper(int i) const { return i < gpus - 1; }

  // ---- what others need ----

  std::vector<Region> regions(int phase, int i) const
  {
    if (phase != TURN) return {{whole_sum(), all_but(i, gpus)}};
    std::vector<Region> all;
    const unsigned end = unsigned(words(i));
    if (has_lower(i)) all.push_back(region(0, n, 1u << (i - 1)));
    if (has_upper(i)) all.push_back(region(end - n, end, 1u << (i + 1)));
    return all;
  }
  unsigned blocks(int phase, int i, bool) const
  {
    return phase == TURN ? tiles(i) : 1;
  }
  unsigned tiles(int i) const { return unsigned((words(i) + TILE - 1) / TILE); }
  Span span(int phase, int, unsigned block) const
  {
    return phase == TURN ? tile(block) : whole_sum();
  }
  Sum *sum(int phase, int of, int on, int odd) const
  {
    AllSums *s = gpu[on].sums;
    return phase == APPLY ? s->pq + of : s->rr[odd] + of;
  }
  // Rows go behind a neighbour's last one, or before its first.
  float *place(int phase, int i, int j, int odd) const
  {
    if (phase != TURN) return reinterpret_cast<float *>(sum(phase, i, j, odd));
    if (j == i || managed) return gpu[i].p;
    return j < i ? last_row(j) + n : gpu[j].p - words(i);
  }

  // ---- a step ----

  // Sums that NCCL made, and those of infinite, are one's own.
  bool one_sum(const Variant &v) const
  {
    return v.way == COMPUTE || v.way == COLLECTIVE;
  }
  Part part(int i, int step, const Variant &v) const
  {
    const Gpu &g = gpu[i];
    const int odd = step % 2;
    Part a = {};
    a.x = g.x;
    a.r = g.r;
    a.p = g.p;
    a.q = g.q;
    a.below = v.way == LOAD && has_lower(i) ? last_row(i - 1) : g.p - n;
    a.above = v.way == LOAD && has_upper(i) ? gpu[i + 1].p : last_row(i) + n;
    a.n = n;
    a.rows = rows(i);
    a.count = one_sum(v) ? 1 : gpus;
    for (int k = 0; k < a.count; k++) {
      const int of = one_sum(v) ? i : k, on = v.way == LOAD ? k : i;
      a.pq[k] = sum(APPLY, of, on, odd);
      a.now[k] = sum(ADVANCE, of, on, odd);
      a.before[k] = sum(ADVANCE, of, on, 1 - odd);
    }
    a.partial = g.partial;
    a.ended = g.ended;
    a.end = tiles(i);
    return a;
  }
  template <Mode M>
  void launch(int phase, int i, int step, const Variant &v,
              const Out<float> &out, unsigned first, unsigned blocks,
              cudaStream_t stream) const
  {
    Part a = part(i, step, v);
    a.out = out;
    if (phase == APPLY) apply_kernel<M><<<grid, THREADS, 0, stream>>>(a);
    if (phase == ADVANCE) advance_kernel<M><<<grid, THREADS, 0, stream>>>(a);
    if (phase == TURN) {
      a.first = first;
      a.end = first + blocks;
      turn_kernel<M><<<std::min(unsigned(grid), blocks), THREADS, 0, stream>>>(
          a);
    }
    LAUNCHED();
  }
  void collect(int phase, int i, int step, const Comms &comms,
               cudaStream_t stream) const
  {
    if (phase != TURN)
      return comms.sum(&sum(phase, i, i, step % 2)->v, 1, i, stream);
    float *const p = gpu[i].p, *const end = p + words(i);
    comms.begin();
    if (has_lower(i)) comms.swap(p, p - n, n, i - 1, i, stream);
    if (has_upper(i)) comms.swap(end - n, end, n, i + 1, i, stream);
    comms.end();
  }

  // ---- the initial state ----

  void reset(const Variant &v) const
  {
    AllSums sums = {};
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      sums.rr[0][one_sum(v) ? i : 0].v = rr;  // of all, in one place
      CHECK(cudaMemcpy(g.sums, &sums, sizeof sums, cudaMemcpyHostToDevice));
      CHECK(cudaMemset(g.ended, 0, sizeof *g.ended));
      CHECK(cudaMemset(g.q, 0xA5, words(i) * sizeof(float)));
      if (!managed || i == 0)
        CHECK(cudaMemset(g.p - n, 0,
                         ((managed ? size_t(n) * n : words(i)) + 2 * n) *
                             sizeof(float)));
      begin_kernel<<<grid, THREADS>>>(part(i, 0, v), size_t(first(i)) * n);
      LAUNCHED();
      CHECK(cudaDeviceSynchronize());
    }
    if (!managed) swap_rows();
  }
  // The first rows of the neighbours, which no step has sent.
  void swap_rows() const
  {
    const size_t bytes = n * sizeof(float);
    for (int i = 0; i < gpus; i++) {
      if (has_lower(i))
        CHECK(cudaMemcpyPeer(last_row(i - 1) + n, i - 1, gpu[i].p, i, bytes));
      if (has_upper(i))
        CHECK(cudaMemcpyPeer(gpu[i + 1].p - n, i + 1, last_row(i), i, bytes));
    }
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      CHECK(cudaDeviceSynchronize());
    }
  }

  double error(int i, const Answer &want) const
  {
    std::vector<float> got(words(i));
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(got.data(), gpu[i].x, got.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    double off = 0;
    for (size_t k = 0; k < got.size(); k++) {
      const double d = got[k] - want[size_t(first(i)) * n + k];
      off += d * d;
    }
    return std::sqrt(off / dot(want, want));
  }
};

const KnobOption Cg::knobs[] = {{"--n", 512, 4, 32768}, {}};

int main(int argc, char **argv) { return sums<Cg>("cg", argc, argv); }
