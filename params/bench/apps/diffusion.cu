// diffusion.cu - explicit heat diffusion, or Jacobi's method, on n x n points,
// five points, on 1 .. N GPUs: a row goes to either neighbour. Prints program
// runs for validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   diffusion --n 1024,16384 --scheme 1 [the options of program.cuh]
//
// The two methods touch the same data: --scheme 1 is diffusion, new = old +
// c * (sum of the neighbours - 4 old); 2 is Jacobi's, the mean of five points,
// whose rows are those of the workload jacobi with dims=2. (jacobi.cu is the
// 3-D program.)
//
// Rows are dealt to the GPUs. The boundary is EDGE. A thread makes four columns
// of a strip of rows; the strips of the first and the last row come first, so
// that these rows can travel while the rest is computed.
//
// Plausible on an H200, N = 1, n = 16384: 1.5 to 4.8 TB/s at 8 B per point.
#include "../program.cuh"

static const float EDGE = 1.0f, RATE = 0.125f;
static const unsigned WIDTH = 4 * THREADS;   // columns of a block
static const unsigned DEPTH = 8, FEW = 528;  // rows of it; blocks on 132 SMs

__host__ __device__ inline float new_value(int scheme, float here, float west,
                                           float east, float south, float north)
{
  if (scheme == 2) return ((((here + west) + east) + south) + north) * 0.2f;
  float sum = ((west + east) + south) + north;
  return fmaf(RATE, fmaf(-4, here, sum), here);
}

// One GPU's rows, in strips.
struct Shape {
  unsigned n, first, rows, strips;
  int scheme;

  __host__ __device__ unsigned across() const
  {
    return (n + WIDTH - 1) / WIDTH;
  }
  __host__ __device__ unsigned strip_row(unsigned strip) const
  {
    return first + deal(rows, strips, strip);
  }
  // The strip of a block: 0, the last, 1, 2, ...
  __host__ __device__ unsigned strip(unsigned block) const
  {
    unsigned k = block / across();
    return k == 0 ? 0 : k == 1 ? strips - 1 : k - 1;
  }
  __host__ __device__ Span span(unsigned block) const
  {
    unsigned x = block % across() * WIDTH, s = strip(block);
    unsigned end = x + WIDTH < n ? x + WIDTH : n;
    return {strip_row(s) * n + x, (strip_row(s + 1) - 1) * n + end};
  }
};

// The initial state, the same for every number of GPUs.
__host__ __device__ inline float initial(unsigned at)
{
  return (pattern(at, 3) >> 8) * (1.0f / (1 << 24));
}

__global__ void fill_grid(float *p, unsigned words)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = initial(i);
}

template <Mode M>
__device__ inline float4 row4(const In<float> &in, const Shape &s, unsigned row,
                              unsigned x)
{
  if (row >= s.n) return make_float4(EDGE, EDGE, EDGE, EDGE);  // -1 too
  return load4(where<M>(in, row * s.n) + x);
}

template <Mode M>
__device__ inline void columns(const Args<float> &a, const Shape &s, Reach near,
                               unsigned x, unsigned row, unsigned end)
{
  float4 south = row4<M>(a.in[0], s, row - 1, x);
  float4 here = row4<M>(a.in[0], s, row, x);
  for (; row < end; row++) {
    const float4 north = row4<M>(a.in[0], s, row + 1, x);
    const float *p = a.in[0].own + row * s.n + x;  // its own row
    const float west = x > 0 ? __ldg(p - 1) : EDGE;
    const float east = x + 4 < s.n ? __ldg(p + 4) : EDGE;
    float4 r;
    r.x = new_value(s.scheme, here.x, west, here.y, south.x, north.x);
    r.y = new_value(s.scheme, here.y, here.x, here.z, south.y, north.y);
    r.z = new_value(s.scheme, here.z, here.y, here.w, south.z, north.z);
    r.w = new_value(s.scheme, here.w, here.z, east, south.w, north.w);
    put<M>(a.out, near, row * s.n + x, r);
    south = here;
    here = north;
  }
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  diffusion_kernel(Args<float> a, Shape s, unsigned first)
{
  const unsigned block = first + blockIdx.x, strip = s.strip(block);
  const Span span = s.span(block);
  const Reach near = reach<M>(a.out, span);
  const unsigned x = block % s.across() * WIDTH + 4 * threadIdx.x;
  if (x < s.n)
    columns<M>(a, s, near, x, s.strip_row(strip), s.strip_row(strip + 1));
  done<M>(a.out, near, span);
}

struct Diffusion {
  typedef float Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {288, 1}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = false, past = false;
  int gpus;
  Shape shape = {};

  Diffusion(const std::vector<int> &values, int gpus_) : gpus(gpus_)
  {
    shape.n = unsigned(values[0]);
    shape.scheme = values[1];
  }
  const char *name() const
  {
    return shape.scheme == 2 ? "jacobi" : "diffusion";
  }
  std::string label() const { return "n" + std::to_string(shape.n); }
  std::string text(int) const
  {
    std::string n = std::to_string(shape.n);
    if (shape.scheme == 2) return "dims=2;n=" + n + ";word=4";
    return "nx=" + n + ";ny=" + n + ";nz=1;word=4;kernels=1";
  }
  unsigned row(int gpu) const { return deal(shape.n, gpus, gpu); }
  Shape of(int gpu) const
  {
    Shape s = shape;
    s.first = row(gpu);
    s.rows = row(gpu + 1) - s.first;
    unsigned depth = DEPTH;
    while (depth > 1 && s.rows / depth * s.across() < FEW) depth /= 2;
    s.strips = std::max(s.rows / depth, 1u);
    return s;
  }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const { return row(gpu) * shape.n; }
  unsigned blocks(int, int gpu, bool) const
  {
    return of(gpu).strips * shape.across();
  }
  Span span(int, int gpu, unsigned block) const { return of(gpu).span(block); }
  std::vector<Region> regions(int, int gpu) const
  {
    std::vector<Region> all;
    unsigned n = shape.n, first = row(gpu), end = row(gpu + 1);
    if (gpu > 0)
      all.push_back(region(first * n, first * n + n, 1u << (gpu - 1)));
    if (gpu < gpus - 1)
      all.push_back(region(end * n - n, end * n, 1u << (gpu + 1)));
    return all;
  }
  // A warp stores 32 x 16 B at once: four lines of 128 B.
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    Shape s = of(gpu);
    unsigned x = block % s.across() * WIDTH, strip = s.strip(block);
    for (unsigned r = s.strip_row(strip); r < s.strip_row(strip + 1); r++)
      warp_runs({r * s.n + x, r * s.n + std::min(x + WIDTH, s.n)}, f);
  }
  void open(int) {}
  void close(int) {}
  Same place(int) const { return {}; }
  void fill(int, int, float *p) const
  {
    fill_grid<<<1024, THREADS>>>(p, shape.n * shape.n);
  }
  template <Mode M>
  void launch(int, int gpu, const Args<float> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    diffusion_kernel<M><<<blocks, THREADS, 0, stream>>>(a, of(gpu), first);
  }
  std::vector<std::vector<float>> expected(int steps) const
  {
    int n = int(shape.n);
    std::vector<float> now(n * n), next(n * n);
    for (int i = 0; i < n * n; i++) now[i] = initial(i);
    auto at = [&](int y, int x) {
      return x < 0 || y < 0 || x >= n || y >= n ? EDGE : now[y * n + x];
    };
    for (int k = 0; k < steps; k++, std::swap(now, next))
      for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
          next[y * n + x] =
              new_value(shape.scheme, at(y, x), at(y, x - 1), at(y, x + 1),
                        at(y - 1, x), at(y + 1, x));
    return {now};
  }
};

const KnobOption Diffusion::knobs[] = {
    {"--n", 16384, 32, 32768}, {"--scheme", 1, 1, 2}, {}};

int main(int argc, char **argv)
{
  return program<Diffusion>("diffusion", argc, argv);
}
