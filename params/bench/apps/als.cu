// als.cu - matrix factorisation by alternating gradient steps on 1 .. N GPUs:
// every GPU needs both factors. Prints program runs for validation:
// workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   als --rows 16384,524288 --ratings 64 [the options of program.cuh]
//
// A sparse matrix R of `rows` rows and columns, `ratings` of each row and of
// each column known, at random places, is approximated by U'V, both with 16
// numbers a row. A step has two phases: U moves against the gradient while V is
// kept, then V while U is kept,
//
//     error = R[i][j] - U[i].V[j]
//     U[i] = U[i] + rate (sum over j of error V[j] - lambda U[i])
//
// Sixteen threads take a row and its ratings one after another; a warp stores
// two rows, 128 B. Rows, then columns, are dealt in units of 16. Sums are taken
// in a fixed order, the host's.
//
// Plausible on an H200, N = 1, 524288 rows: 0.3 to 20 ms a step.
#include "../program.cuh"

static const unsigned RANK = 16, PER_BLOCK = THREADS / RANK;
static const float GAIN = 1.0f / 1024, DECAY = 1.0f / 64;

struct Rating {
  unsigned of;
  float value;
};

// Side 0: rows and their columns; 1: columns and their rows.
struct Shape {
  unsigned rows, ratings, first, mine;
  const Rating *rating;

  __host__ __device__ Rating rating_of(int side, unsigned row, unsigned e) const
  {
    unsigned chance = scramble(scramble(2 * row + unsigned(side)) +
                               0x9E3779B9u * (e + 1));
    return {below(rows, chance), (scramble(chance) >> 8) * (1.0f / (1 << 24))};
  }
  __host__ __device__ Span span(unsigned block) const
  {
    return {(first + block * PER_BLOCK) * RANK,
            (first + (block + 1) * PER_BLOCK) * RANK};
  }
};

__global__ void fill_ratings(Shape s, int side, Rating *rating)
{
  size_t all = size_t(s.mine) * s.ratings;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += size_t(gridDim.x) * blockDim.x)
    rating[i] = s.rating_of(side, s.first + unsigned(i / s.ratings),
                            unsigned(i % s.ratings));
}

__host__ __device__ inline float initial(int side, unsigned at)
{
  return (scramble(2 * at + unsigned(side)) >> 8) * (0.5f / (1 << 24));
}

__global__ void fill_factor(int side, float *p, unsigned words)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = initial(side, i);
}

// A product of its own: not fused into the sum behind it.
__host__ __device__ inline float times(float a, float b)
{
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

__host__ __device__ inline float moved(float u, float gradient)
{
  return fmaf(GAIN, fmaf(-DECAY, u, gradient), u);
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  als_kernel(Args<float> a, Shape s, int side, unsigned first)
{
  const Span span = s.span(first + blockIdx.x);
  const Reach near = reach<M>(a.out, span);
  const unsigned at = span.first + threadIdx.x, lane = threadIdx.x % RANK;
  const uint2 *rating = reinterpret_cast<const uint2 *>(s.rating) +
                        size_t(at / RANK - s.first) * s.ratings;
  const float u = __ldg(a.in[side].own + at);
  float gradient = 0;
#pragma unroll 4
  for (unsigned e = 0; e < s.ratings; e++) {
    const uint2 r = __ldg(rating + e);
    const float v = get<M>(a.in[1 - side], r.x * RANK + lane);
    float dot = times(u, v);
#pragma unroll
    for (int m = RANK / 2; m > 0; m /= 2)
      dot += __shfl_xor_sync(~0u, dot, m, RANK);
    gradient = fmaf(__uint_as_float(r.y) - dot, v, gradient);
  }
  put<M>(a.out, near, at, moved(u, gradient));
  done<M>(a.out, near, span);
}

struct Als {
  typedef float Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {512, 16}; }
  static const int fields = 2, phases = 2;
  static const bool exclusive = false, past = false;
  int gpus;
  Shape shape = {};
  Rating *rating[2][MOST] = {};

  Als(const std::vector<int> &values, int gpus_) : gpus(gpus_)
  {
    shape.rows = unsigned(values[0]);
    shape.ratings = unsigned(values[1]);
  }
  const char *name() const { return "als"; }
  std::string label() const
  {
    return "rows" + std::to_string(shape.rows) + ".ratings" +
           std::to_string(shape.ratings);
  }
  std::string text(int) const
  {
    return "rows=" + std::to_string(shape.rows) + ";ratings=" +
           std::to_string(size_t(shape.rows) * shape.ratings) +
           ";rank=" + std::to_string(RANK) + ";whole=1";
  }
  Shape of(int side, int gpu) const
  {
    Shape s = shape;
    s.first = start(side, gpu) / RANK;
    s.mine = (start(side, gpu + 1) - start(side, gpu)) / RANK;
    s.rating = rating[side][gpu];
    return s;
  }
  int field(int phase) const { return phase; }
  unsigned start(int, int gpu) const
  {
    return THREADS * deal(shape.rows / PER_BLOCK, gpus, gpu);
  }
  unsigned blocks(int, int gpu, bool) const
  {
    return (start(0, gpu + 1) - start(0, gpu)) / THREADS;
  }
  Span span(int, int gpu, unsigned block) const
  {
    unsigned first = start(0, gpu) + block * THREADS;
    return {first, first + THREADS};
  }
  std::vector<Region> regions(int, int gpu) const
  {
    return {region(start(0, gpu), start(0, gpu + 1), all_but(gpu, gpus))};
  }
  template <class F> void runs(int phase, int gpu, unsigned block, F f) const
  {
    warp_runs(span(phase, gpu, block), f);
  }
  void open(int gpu)
  {
    for (int side = 0; side < 2; side++) {
      Shape s = of(side, gpu);
      rating[side][gpu] =
          device_alloc<Rating>(gpu, size_t(s.mine) * s.ratings);
      fill_ratings<<<4096, THREADS>>>(s, side, rating[side][gpu]);
      LAUNCHED();
    }
  }
  void close(int gpu)
  {
    for (int side = 0; side < 2; side++) CHECK(cudaFree(rating[side][gpu]));
  }
  Same place(int) const { return {}; }
  void fill(int field, int, float *p) const
  {
    fill_factor<<<1024, THREADS>>>(field, p, start(field, gpus));
  }
  template <Mode M>
  void launch(int phase, int gpu, const Args<float> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    als_kernel<M><<<blocks, THREADS, 0, stream>>>(a, of(phase, gpu), phase,
                                                  first);
  }
  // The new row of a factor, sums in the order of the GPU's sixteen threads.
  void row_on_host(int side, unsigned row, const std::vector<float> &kept,
                   std::vector<float> &moving) const
  {
    float gradient[RANK] = {}, dot[RANK], sum[RANK];
    for (unsigned e = 0; e < shape.ratings; e++) {
      Rating r = shape.rating_of(side, row, e);
      const float *v = &kept[r.of * RANK];
      for (unsigned k = 0; k < RANK; k++)
        dot[k] = times(moving[row * RANK + k], v[k]);
      for (unsigned m = RANK / 2; m > 0; m /= 2) {
        for (unsigned k = 0; k < RANK; k++) sum[k] = dot[k] + dot[k ^ m];
        std::copy(sum, sum + RANK, dot);
      }
      for (unsigned k = 0; k < RANK; k++)
        gradient[k] = fmaf(r.value - dot[k], v[k], gradient[k]);
    }
    for (unsigned k = 0; k < RANK; k++)
      moving[row * RANK + k] = moved(moving[row * RANK + k], gradient[k]);
  }
  std::vector<std::vector<float>> expected(int steps) const
  {
    std::vector<std::vector<float>> f(2);
    for (int side = 0; side < 2; side++)
      for (unsigned i = 0; i < shape.rows * RANK; i++)
        f[side].push_back(initial(side, i));
    for (int k = 0; k < steps; k++)
      for (int side = 0; side < 2; side++)
        for (unsigned row = 0; row < shape.rows; row++)
          row_on_host(side, row, f[1 - side], f[side]);
    return f;
  }
};

const KnobOption Als::knobs[] = {
    {"--rows", 524288, 128, 1 << 24}, {"--ratings", 64, 1, 4096}, {}};

int main(int argc, char **argv) { return program<Als>("als", argc, argv); }
