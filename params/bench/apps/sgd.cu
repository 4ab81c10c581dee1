// sgd.cu - training of a network of two layers by gradient descent, the batch
// dealt to 1 .. N GPUs: one sum over all GPUs in a step, of all weights' worth.
// Prints program runs for validation: workload,paradigm,knobs,gpus,time_s,
// sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: a host thread per GPU, wall time of a step, median of 60 or more, checked
//
//   sgd --gpus 1,2,4 --batch 4096 --wide 1024 --variant all
//       [the options of sums.cuh]
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
// Of the gradient each GPU needs all others': the kernel that moves the weights
// adds them up in the order of the GPUs, by rdl and um where their owners made
// them, by nccl it finds the sum. sums.cuh says what the variants are.
//
// Plausible on an H200, N = 1, wide 1024 or more, batch 4096: 1 to 60 TFLOP/s.
#include "../pattern.cuh"
#include "../sums.cuh"

static const int INPUTS = 256, OUTPUTS = 256, CHECK_BATCH = 96, CHECK_WIDE = 64;
static const int TILE = 64, DEEP = 16;
static const float RATE = 0.05f;

// ---- device ----------------------------------------------------------------

// A matrix, or its transpose: element (i, j) is at[i row + j column].
struct Matrix {
  const float *at;
  int row, column;
};

enum After { AS_IS, POSITIVE, ERROR, WHERE_POSITIVE };

// C = A B, m x n, over k. POSITIVE: max(c, 0). ERROR: (c - with) scale.
// WHERE_POSITIVE: c where `with` is, else 0. C's first word is `at` of what the
// GPU publishes, if it does. The kernel begins with tile row `first`.
struct Product {
  Matrix a, b;
  int m, n, k;
  float *c;
  const float *with;
  float scale;
  unsigned at, first;
};

// What the tiles of a row make, words of what is published.
__host__ __device__ inline Span
tile_row(unsigned at, int m, int n, unsigned row)
{
  const unsigned end = (row + 1) * TILE;
  return {at + row * TILE * n, at + (end < unsigned(m) ? end : m) * n};
}

template <After AFTER>
__device__ inline float finish(float c, const Product &p, size_t at)
{
  if (AFTER == POSITIVE) return fmaxf(c, 0);
  if (AFTER == ERROR) return (c - p.with[at]) * p.scale;
  if (AFTER == WHERE_POSITIVE) return p.with[at] > 0 ? c : 0;
  return c;
}

// A block makes a tile of TILE x TILE, a thread 4 x 4 of it.
template <After AFTER, Mode M>
__global__ void __launch_bounds__(THREADS)
  product_kernel(Product p, Out<float> out)
{
  __shared__ float a[DEEP][TILE + 1], b[DEEP][TILE + 1];
  const unsigned tile = p.first + blockIdx.y;
  const int i0 = int(tile) * TILE, j0 = int(blockIdx.x) * TILE;
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
  const Span made = tile_row(p.at, p.m, p.n, tile);
  const Reach near = reach<M>(out, made);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      const int row = i0 + ti + 16 * i, column = j0 + tj + 16 * j;
      if (row >= p.m || column >= p.n) continue;
      const size_t at = size_t(row) * p.n + column;
      const float v = finish<AFTER>(c[i][j], p, at);
      if (sends(M)) put<M>(out, near, p.at + unsigned(at), v);
      else
        p.c[at] = v;
    }
  done<M>(out, near, made);
}

// The gradients to be added up.
struct Gradients {
  const float *of[MOST];
  int count;
};

__global__ void move_kernel(float *w, Gradients gradients, size_t words)
{
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < words;
       i += size_t(gridDim.x) * THREADS) {
    float g = 0;
    for (int k = 0; k < gradients.count; k++) g += gradients.of[k][i];
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

struct Size {
  int batch, wide;
  explicit Size(const Values &v) : batch(v[0]), wide(v[1]) {}
  size_t first_words() const { return size_t(INPUTS) * wide; }
  size_t words() const { return first_words() + size_t(wide) * OUTPUTS; }
};

// ---- the host's answer -----------------------------------------------------

static float first_weight(Size s, size_t i)
{
  const size_t second = s.first_words();
  return i < second ? weight(i, OF_W1, INPUTS)
                    : weight(i - second, OF_W2, s.wide);
}

// The weights after so many steps, in doubles, W1 first.
static Answer train(Size s, int steps)
{
  const int wide = s.wide;
  const size_t second = s.first_words();
  Answer w(s.words()), x(size_t(s.batch) * INPUTS), h(wide), d(OUTPUTS);
  for (size_t i = 0; i < w.size(); i++) w[i] = first_weight(s, i);
  for (size_t i = 0; i < x.size(); i++) x[i] = number(i, OF_X);
  for (int step = 0; step < steps; step++) {
    Answer g(w.size());
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

// ---- products --------------------------------------------------------------

static int tiles(int n) { return (n + TILE - 1) / TILE; }

// Tile rows [p.first, p.first + rows).
template <After AFTER, Mode M = PLAIN>
static void multiply(const Product &p, int rows, cudaStream_t s,
                     const Out<float> &out = {})
{
  const dim3 blocks(tiles(p.n), rows);
  product_kernel<AFTER, M><<<blocks, THREADS, 0, s>>>(p, out);
  LAUNCHED();
}

template <After AFTER> static void multiply(const Product &p, cudaStream_t s)
{
  multiply<AFTER>(p, tiles(p.m), s);
}

static Matrix plain(const float *at, int columns) { return {at, columns, 1}; }
static Matrix turned(const float *at, int columns) { return {at, 1, columns}; }

static Product product(Matrix a, Matrix b, int m, int n, int k, float *c,
                       const float *with = nullptr, float scale = 0)
{
  return {a, b, m, n, k, c, with, scale, 0, 0};
}

static void numbers(float *p, size_t first, size_t words, Seed seed, int over)
{
  numbers_kernel<<<1024, THREADS>>>(p, first, words, seed, over);
  LAUNCHED();
}

// ---- the program -----------------------------------------------------------

enum Phase { LEARN, MOVE };

struct Sgd {
  static const KnobOption knobs[];
  static const int phases = 2, check_steps = 5;
  static constexpr double allowed = 1e-3;  // of how far the weights moved
  static Values small() { return {CHECK_BATCH, CHECK_WIDE}; }
  static Answer host(const Values &v, int steps)
  {
    return train(Size(v), steps);
  }
  static bool enough(const Values &v, int gpus) { return v[0] >= gpus; }

  // w: W1, behind it W2. gradient: of all GPUs, each as w.
  struct Gpu {
    float *x, *t, *h, *d, *dh, *w, *gradient;
  };

  const Size size;
  const int gpus;
  const bool managed;
  std::vector<Gpu> gpu;

  Sgd(const Values &v, int gpus_, bool managed_)
      : size(v), gpus(gpus_), managed(managed_), gpu(gpus_)
  {
    float *shared = nullptr;
    CHECK(cudaSetDevice(0));
    if (managed) CHECK(cudaMallocManaged(&shared, shared_B()));
    for (int i = 0; i < gpus; i++) {
      Gpu &g = gpu[i];
      const size_t n = rows(i);
      g.x = device_alloc<float>(i, n * INPUTS);
      g.t = device_alloc<float>(i, n * OUTPUTS);
      g.d = device_alloc<float>(i, n * OUTPUTS);
      g.h = device_alloc<float>(i, n * size.wide);
      g.dh = device_alloc<float>(i, n * size.wide);
      g.w = device_alloc<float>(i, size.words());
      g.gradient =
          managed ? shared : device_alloc<float>(i, size.words() * gpus);
    }
  }
  Sgd(const Sgd &) = delete;
  ~Sgd()
  {
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      CHECK(cudaSetDevice(i));
      for (float *p : {g.x, g.t, g.h, g.d, g.dh, g.w}) CHECK(cudaFree(p));
      if (!managed || i == 0) CHECK(cudaFree(g.gradient));
    }
  }
  const char *name() const { return "sgd"; }
  std::string text() const
  {
    return "batch=" + std::to_string(size.batch) +
           ";wide=" + std::to_string(size.wide) + ";word=4";
  }
  size_t shared_B() const { return size.words() * gpus * sizeof(float); }
  void plausible_on_one(double s) const
  {
    if (size.wide < 1024 || size.batch < 4096) return;
    // Three products with W2, two with W1: 2 operations each.
    const double flop =
        2.0 * size.batch * size.wide * (2 * INPUTS + 3 * OUTPUTS);
    plausible("sgd", flop / s / 1e12, 1, 60, "TFLOP/s");
  }
  int first(int i) const { return int(deal(size.batch, gpus, i)); }
  int rows(int i) const { return first(i + 1) - first(i); }

  // ---- what others need: W2's gradient is made first ----

  std::vector<Region> regions(int phase, int i) const
  {
    if (phase != LEARN) return {};
    const unsigned second = unsigned(size.first_words()),
                   end = unsigned(size.words()), to = all_but(i, gpus);
    return {region(second, end, to), region(0, second, to)};
  }
  unsigned second_blocks() const { return tiles(size.wide) * tiles(OUTPUTS); }
  unsigned blocks(int phase, int, bool) const
  {
    if (phase != LEARN) return 1;
    return second_blocks() + tiles(INPUTS) * tiles(size.wide);
  }
  Span span(int, int, unsigned block) const
  {
    const unsigned made = second_blocks();
    if (block < made)
      return tile_row(unsigned(size.first_words()), size.wide, OUTPUTS,
                      block / tiles(OUTPUTS));
    return tile_row(0, INPUTS, size.wide, (block - made) / tiles(size.wide));
  }
  float *place(int, int i, int j, int) const
  {
    return gpu[j].gradient + i * size.words();
  }

  // ---- a step ----

  // Blocks [first, end) of the gradient of one layer, in tile rows.
  template <Mode M>
  void gradient(Product p, unsigned at, unsigned first, unsigned end,
                const Out<float> &out, cudaStream_t s) const
  {
    const unsigned in_row = tiles(p.n);
    p.at = at;
    p.first = first / in_row;
    multiply<AS_IS, M>(p, int((end - first) / in_row), s, out);
  }
  // Blocks are those of the two products that make gradients; the others go
  // before the first block of either.
  template <Mode M>
  void learn(int i, const Out<float> &out, unsigned first, unsigned end,
             cudaStream_t s) const
  {
    const Gpu &g = gpu[i];
    const int n = rows(i), wide = size.wide;
    const unsigned second = unsigned(size.first_words()),
                   middle = second_blocks();
    float *const w2 = g.w + second, *const mine = place(LEARN, i, i, 0);
    if (first == 0) {
      multiply<POSITIVE>(product(plain(g.x, INPUTS), plain(g.w, wide), n, wide,
                                 INPUTS, g.h),
                         s);
      multiply<ERROR>(product(plain(g.h, wide), plain(w2, OUTPUTS), n, OUTPUTS,
                              wide, g.d, g.t, 2.0f / float(size.batch)),
                      s);
    }
    if (first < middle)
      gradient<M>(product(turned(g.h, wide), plain(g.d, OUTPUTS), wide, OUTPUTS,
                          n, mine + second),
                  second, first, std::min(end, middle), out, s);
    if (end <= middle) return;
    if (first <= middle)
      multiply<WHERE_POSITIVE>(product(plain(g.d, OUTPUTS), turned(w2, OUTPUTS),
                                       n, wide, OUTPUTS, g.dh, g.h),
                               s);
    gradient<M>(product(turned(g.x, INPUTS), plain(g.dh, wide), INPUTS, wide, n,
                        mine),
                0, std::max(first, middle) - middle, end - middle, out, s);
  }
  // By NCCL, and in infinite, the one gradient is one's own.
  Gradients gradients(int i, const Variant &v) const
  {
    if (v.way == COMPUTE || v.way == COLLECTIVE)
      return {{place(LEARN, i, i, 0)}, 1};
    Gradients all = {{}, gpus};
    for (int k = 0; k < gpus; k++)
      all.of[k] = place(LEARN, k, v.way == LOAD ? k : i, 0);
    return all;
  }
  template <Mode M>
  void launch(int phase, int i, int, const Variant &v, const Out<float> &out,
              unsigned first, unsigned blocks, cudaStream_t stream) const
  {
    if (phase == LEARN) return learn<M>(i, out, first, first + blocks, stream);
    move_kernel<<<528, THREADS, 0, stream>>>(gpu[i].w, gradients(i, v),
                                             size.words());
    LAUNCHED();
  }
  void collect(int phase, int i, int, const Comms &comms,
               cudaStream_t stream) const
  {
    if (phase == LEARN)
      comms.sum(place(LEARN, i, i, 0), size.words(), i, stream);
  }

  // ---- the initial state ----

  void reset(const Variant &) const
  {
    for (int i = 0; i < gpus; i++) {
      const Gpu &g = gpu[i];
      const size_t n = rows(i), at = first(i), w1 = size.first_words();
      CHECK(cudaSetDevice(i));
      numbers(g.x, at * INPUTS, n * INPUTS, OF_X, 0);
      numbers(g.t, at * OUTPUTS, n * OUTPUTS, OF_T, 0);
      numbers(g.w, 0, w1, OF_W1, INPUTS);
      numbers(g.w + w1, 0, size.words() - w1, OF_W2, size.wide);
      CHECK(cudaMemset(g.gradient, 0xA5, shared_B()));
      CHECK(cudaDeviceSynchronize());
    }
  }

  double error(int i, const Answer &want) const
  {
    std::vector<float> got(size.words());
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(got.data(), gpu[i].w, got.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));
    double off = 0, all = 0;
    for (size_t k = 0; k < got.size(); k++) {
      const double moved = want[k] - first_weight(size, k);
      off += (got[k] - want[k]) * (got[k] - want[k]);
      all += moved * moved;
    }
    return std::sqrt(off / all);
  }
};

const KnobOption Sgd::knobs[] = {
    {"--batch", 4096, 1, 1 << 20}, {"--wide", 1024, 4, 1 << 15}, {}};

int main(int argc, char **argv) { return sums<Sgd>("sgd", argc, argv); }
