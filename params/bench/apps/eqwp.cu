// eqwp.cu - the wave equation on n^3 points, fourth order in space, second in
// time, on 1 .. N GPUs: two planes go to either neighbour. Prints program runs
// for validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   eqwp --n 128,512 [the options of program.cuh]
//
// The acoustic equation, one field:
//
//     new = 2 here - before + r (sum over axes of
//           -5/2 here + 4/3 (nearest two) - 1/12 (next two))
//
// with 0 outside. Planes along z are dealt to the GPUs. `new` takes the place
// of `before`, which only its owner reads. A block of 32 x 8 threads makes 128
// x 8 points of some planes; the blocks of the first and last planes come
// first, so that these can travel while the rest is computed.
//
// Plausible on an H200, N = 1, n = 512: 1 to 4.8 TB/s at 12 B per point.
#include "../program.cuh"

static const unsigned TILE_X = 32, TILE_Y = 8, WIDTH = 4 * TILE_X;
static const unsigned DEPTH = 16, FEW = 528;  // planes; blocks on 132 SMs
static const unsigned HALO = 2;               // planes
static const float NEAR = 4.0f / 3, NEXT = -1.0f / 12, HERE = -7.5f;
static const float RATE = 0.0625f;

// The order of the additions is the same on GPU and host. near, next: the sums
// of the six nearest points and of the six behind them.
__host__ __device__ inline float new_value(float here, float before, float near,
                                           float next)
{
  float curve = fmaf(NEXT, next, fmaf(NEAR, near, HERE * here));
  return fmaf(RATE, curve, (here + here) - before);
}

// One GPU's planes, in layers.
struct Shape {
  unsigned n, first, planes, layers;

  __host__ __device__ unsigned across() const
  {
    return (n + WIDTH - 1) / WIDTH;
  }
  __host__ __device__ unsigned tiles() const { return across() * (n / TILE_Y); }
  __host__ __device__ unsigned plane(unsigned layer) const
  {
    return first + deal(planes, layers, layer);
  }
  // The layer of a block: 0, the last, 1, 2, ...
  __host__ __device__ unsigned layer(unsigned block) const
  {
    unsigned k = block / tiles();
    return k == 0 ? 0 : k == 1 ? layers - 1 : k - 1;
  }
  __host__ __device__ unsigned x(unsigned block) const
  {
    return block % across() * WIDTH;
  }
  __host__ __device__ unsigned y(unsigned block) const
  {
    return block % tiles() / across() * TILE_Y;
  }
  __host__ __device__ Span span(unsigned block) const
  {
    unsigned l = layer(block), end = x(block) + WIDTH;
    if (end > n) end = n;
    return {(plane(l) * n + y(block)) * n + x(block),
            ((plane(l + 1) - 1) * n + y(block) + TILE_Y - 1) * n + end};
  }
};

__host__ __device__ inline float initial(unsigned at)
{
  return (pattern(at, 3) >> 8) * (1.0f / (1 << 24));
}

__global__ void fill_grid(float *p, unsigned words, float scale)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = initial(i) * scale;
}

__device__ inline float4 operator+(float4 a, float4 b)
{
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Four points in z, y, x: 0 outside the grid; -1 and -2 are large here.
template <Mode M>
__device__ inline float4 points(const In<float> &in, unsigned n, unsigned z,
                                unsigned y, unsigned x)
{
  if (z >= n || y >= n || x >= n) return make_float4(0, 0, 0, 0);
  return load4(where<M>(in, z * n * n) + y * n + x);
}

// The neighbours along x, from the four points before and behind.
__device__ inline float4 near_x(float4 w, float4 h, float4 e)
{
  return make_float4(w.w + h.y, h.x + h.z, h.y + h.w, h.z + e.x);
}

__device__ inline float4 next_x(float4 w, float4 h, float4 e)
{
  return make_float4(w.z + h.z, w.w + h.w, h.x + e.x, h.y + e.y);
}

template <Mode M>
__device__ inline void columns(const Args<float> &a, unsigned n, Reach near,
                               unsigned x, unsigned y, unsigned z, unsigned end)
{
  const In<float> &in = a.in[0];
  float4 b2 = points<M>(in, n, z - 2, y, x), b1 = points<M>(in, n, z - 1, y, x);
  float4 h = points<M>(in, n, z, y, x), f1 = points<M>(in, n, z + 1, y, x);
  for (; z < end; z++) {
    const unsigned at = (z * n + y) * n + x;
    const float4 f2 = points<M>(in, n, z + 2, y, x);
    const float4 w = points<PLAIN>(in, n, z, y, x - 4);
    const float4 e = points<PLAIN>(in, n, z, y, x + 4);
    const float4 s1 = near_x(w, h, e) + (points<PLAIN>(in, n, z, y - 1, x) +
                                         points<PLAIN>(in, n, z, y + 1, x)) +
                      (b1 + f1);
    const float4 s2 = next_x(w, h, e) + (points<PLAIN>(in, n, z, y - 2, x) +
                                         points<PLAIN>(in, n, z, y + 2, x)) +
                      (b2 + f2);
    const float4 o = *reinterpret_cast<const float4 *>(a.out.own + at);
    put<M>(a.out, near, at,
           make_float4(new_value(h.x, o.x, s1.x, s2.x),
                       new_value(h.y, o.y, s1.y, s2.y),
                       new_value(h.z, o.z, s1.z, s2.z),
                       new_value(h.w, o.w, s1.w, s2.w)));
    b2 = b1, b1 = h, h = f1, f1 = f2;
  }
}

template <Mode M>
__global__ void __launch_bounds__(TILE_X *TILE_Y)
  wave_kernel(Args<float> a, Shape s, unsigned first)
{
  const unsigned block = first + blockIdx.x, layer = s.layer(block);
  const Span span = s.span(block);
  const Reach near = reach<M>(a.out, span);
  const unsigned x = s.x(block) + 4 * threadIdx.x, y = s.y(block) + threadIdx.y;
  if (x < s.n)
    columns<M>(a, s.n, near, x, y, s.plane(layer), s.plane(layer + 1));
  done<M>(a.out, near, span);
}

struct Wave {
  typedef float Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {64}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = false, past = true;
  int gpus;
  Shape shape = {};

  Wave(const std::vector<int> &values, int gpus_) : gpus(gpus_)
  {
    shape.n = unsigned(values[0]);
  }
  const char *name() const { return "eqwp"; }
  std::string label() const { return "n" + std::to_string(shape.n); }
  std::string text(int) const
  {
    std::string n = std::to_string(shape.n);
    return "nx=" + n + ";ny=" + n + ";nz=" + n + ";word=4;acoustic=1";
  }
  unsigned first_plane(int gpu) const { return deal(shape.n, gpus, gpu); }
  Shape of(int gpu) const
  {
    Shape s = shape;
    s.first = first_plane(gpu);
    s.planes = first_plane(gpu + 1) - s.first;
    unsigned depth = DEPTH;
    while (depth > HALO && s.planes / depth * s.tiles() < FEW) depth /= 2;
    s.layers = std::max(s.planes / depth, 1u);
    return s;
  }
  unsigned plane() const { return shape.n * shape.n; }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const { return first_plane(gpu) * plane(); }
  unsigned blocks(int, int gpu, bool) const
  {
    return of(gpu).layers * shape.tiles();
  }
  Span span(int, int gpu, unsigned block) const { return of(gpu).span(block); }
  std::vector<Region> regions(int, int gpu) const
  {
    std::vector<Region> all;
    unsigned first = start(0, gpu), end = start(0, gpu + 1);
    unsigned halo = HALO * plane();
    if (gpu > 0) all.push_back(region(first, first + halo, 1u << (gpu - 1)));
    if (gpu < gpus - 1) all.push_back(region(end - halo, end, 1u << (gpu + 1)));
    return all;
  }
  // A warp stores 32 x 16 B at once: four lines of 128 B.
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    Shape s = of(gpu);
    unsigned l = s.layer(block), x = s.x(block), y = s.y(block);
    for (unsigned z = s.plane(l); z < s.plane(l + 1); z++)
      for (unsigned row = z * s.n + y; row < z * s.n + y + TILE_Y; row++)
        warp_runs({row * s.n + x, row * s.n + std::min(x + WIDTH, s.n)}, f);
  }
  void open(int) {}
  void close(int) {}
  Same place(int) const { return {}; }
  void fill(int, int version, float *p) const
  {
    fill_grid<<<1024, THREADS>>>(p, shape.n * plane(), version ? 0.5f : 1);
  }
  template <Mode M>
  void launch(int, int gpu, const Args<float> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    wave_kernel<M><<<blocks, dim3(TILE_X, TILE_Y), 0, stream>>>(a, of(gpu),
                                                                first);
  }
  std::vector<std::vector<float>> expected(int steps) const
  {
    int n = int(shape.n);
    std::vector<float> now(n * n * n), then(n * n * n), next(n * n * n);
    for (int i = 0; i < n * n * n; i++) {
      now[i] = initial(i);
      then[i] = now[i] * 0.5f;
    }
    auto at = [&](int z, int y, int x) {
      bool in = x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n;
      return in ? now[(z * n + y) * n + x] : 0;
    };
    auto around = [&](int z, int y, int x, int d) {
      return ((at(z, y, x - d) + at(z, y, x + d)) +
              (at(z, y - d, x) + at(z, y + d, x))) +
             (at(z - d, y, x) + at(z + d, y, x));
    };
    for (int k = 0; k < steps; k++) {
      for (int i = 0; i < n * n * n; i++) {
        int x = i % n, y = i / n % n, z = i / n / n;
        next[i] = new_value(now[i], then[i], around(z, y, x, 1),
                            around(z, y, x, 2));
      }
      then = now;
      now = next;
    }
    return {now};
  }
};

const KnobOption Wave::knobs[] = {{"--n", 512, 32, 1024}, {}};

int main(int argc, char **argv) { return program<Wave>("eqwp", argc, argv); }
