// transpose.cu - transpose of an n x n matrix of 4 B words on 1 .. N GPUs:
// everybody sends an equal part to everybody. Prints program runs for
// validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   transpose --n 2048,16384 [the options of program.cuh]
//
// Rows are dealt in units of 32, and so are the rows of the result. The matrix
// is kept in blocks: those of a GPU's rows, the block of columns of each GPU on
// its own and contiguous, so each GPU sends one stretch to each other. A thread
// block takes a tile of 32 x 32 through shared memory: warps load and store
// runs of 128 B. A step transposes the result of the last and adds 1 to each
// word, so that old data are seen to be old.
//
// With rdl, um and um-hints a GPU makes its own rows and reads the others'
// blocks; else it reads its own rows and makes what they become everywhere.
// Blocks for the GPUs i+1, i+2, ... come first, its own last. What a GPU sends
// it does not need: the kernel of `inline` does not store it at home.
//
// Plausible on an H200, N = 1, n = 16384: 1.5 to 4.8 TB/s at 8 B per word.
#include "../program.cuh"

static const int TILE = 32, ROWS = 8;  // threads: 32 x 8

// A thread block's tile in the result: row, column of its first word in the
// block of rows of GPU a and columns of GPU b.
struct Tile {
  int a, b;
  unsigned row, column;
};

struct Shape {
  unsigned n;
  int gpus, me;
  unsigned row0[2 * MOST + 1];  // first row of each GPU; more than MOST: shares

  __host__ __device__ unsigned rows(int i) const
  {
    return row0[i + 1] - row0[i];
  }

  // The first word of block (a, b).
  __host__ __device__ unsigned block(int a, int b) const
  {
    return row0[a] * n + rows(a) * row0[b];
  }
  __host__ __device__ Tile tile(unsigned k, bool pull) const
  {
    int other = me;
    for (int i = 1; i <= gpus; i++) {
      other = (me + i) % gpus;
      unsigned tiles = (rows(me) / TILE) * (rows(other) / TILE);
      if (k < tiles || i == gpus) break;
      k -= tiles;
    }
    int a = pull ? me : other, b = pull ? other : me;
    unsigned across = rows(b) / TILE;
    return {a, b, k / across * TILE, k % across * TILE};
  }
  __host__ __device__ unsigned place(Tile t, unsigned row,
                                     unsigned column) const
  {
    return block(t.a, t.b) + (t.row + row) * rows(t.b) + t.column + column;
  }
  __host__ __device__ Span span(Tile t) const
  {
    return {place(t, 0, 0), place(t, TILE - 1, TILE - 1) + 1};
  }
};

// A word's place in the matrix, row after row: the same for any number of GPUs.
struct RowMajor {
  Shape s;
  __host__ __device__ unsigned operator()(unsigned at) const
  {
    int a = 0, b = 0;
    while (at >= s.row0[a + 1] * s.n) a++;
    unsigned in_row = s.row0[a] * s.n;
    while (at >= in_row + s.rows(a) * s.row0[b + 1]) b++;
    unsigned in_block = at - s.block(a, b), width = s.rows(b);
    return (s.row0[a] + in_block / width) * s.n + s.row0[b] + in_block % width;
  }
};

__global__ void fill_matrix(uint32_t *p, unsigned words, RowMajor place)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = pattern(place(i), 3);
}

template <Mode M>
__global__ void __launch_bounds__(TILE *ROWS)
  transpose_kernel(Args<uint32_t> a, const __grid_constant__ Shape s,
                   unsigned first)
{
  __shared__ uint32_t tile[TILE][TILE + 1];
  const Tile t = s.tile(first + blockIdx.x, pulls(M));
  const Span span = s.span(t);
  const Reach near = reach<M>(a.out, span);
  const unsigned x = threadIdx.x, width = s.rows(t.a);
  const uint32_t *in = (owners(M) > 1 ? a.in[0].of[t.b] : a.in[0].own) +
                       s.block(t.b, t.a) + t.row + x;
#pragma unroll
  for (unsigned y = threadIdx.y; y < TILE; y += ROWS)
    tile[y][x] = __ldg(in + (t.column + y) * width);
  __syncthreads();
#pragma unroll
  for (unsigned y = threadIdx.y; y < TILE; y += ROWS)
    put<M>(a.out, near, s.place(t, y, x), tile[x][y] + 1);
  done<M>(a.out, near, span);
}

struct Transpose {
  typedef uint32_t Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {512}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = true, past = false;
  int gpus;
  Shape shape;

  Transpose(const std::vector<int> &values, int gpus_) : gpus(gpus_), shape()
  {
    shape.n = unsigned(values[0]);
    shape.gpus = gpus;
    for (int i = 0; i <= 2 * MOST; i++)
      shape.row0[i] = i < gpus ? TILE * deal(shape.n / TILE, gpus, i) : shape.n;
  }
  const char *name() const { return "transpose"; }
  std::string label() const { return "n" + std::to_string(shape.n); }
  std::string text(int) const
  {
    return "n=" + std::to_string(shape.n) + ";word=4;tiled=1";
  }
  Shape of(int gpu) const
  {
    Shape s = shape;
    s.me = gpu;
    return s;
  }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const { return shape.row0[gpu] * shape.n; }
  unsigned blocks(int, int gpu, bool) const
  {
    return shape.rows(gpu) / TILE * (shape.n / TILE);
  }
  Span span(int, int gpu, unsigned block) const
  {
    Shape s = of(gpu);
    return s.span(s.tile(block, false));
  }
  std::vector<Region> regions(int, int gpu) const
  {
    std::vector<Region> all;
    for (int k = 1; k < gpus; k++) {
      int j = (gpu + k) % gpus;
      unsigned at = shape.block(j, gpu);
      all.push_back(region(at, at + shape.rows(j) * shape.rows(gpu), 1u << j));
    }
    return all;
  }
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    Shape s = of(gpu);
    Tile t = s.tile(block, false);
    for (unsigned y = 0; y < TILE; y++)
      f(Span{s.place(t, y, 0), s.place(t, y, TILE - 1) + 1});
  }
  void open(int) {}
  void close(int) {}
  RowMajor place(int) const { return {shape}; }
  void fill(int, int, uint32_t *p) const
  {
    fill_matrix<<<1024, THREADS>>>(p, shape.n * shape.n, place(0));
  }
  template <Mode M>
  void launch(int, int gpu, const Args<uint32_t> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    transpose_kernel<M><<<blocks, dim3(TILE, ROWS), 0, stream>>>(a, of(gpu),
                                                                 first);
  }
  std::vector<std::vector<uint32_t>> expected(int steps) const
  {
    unsigned n = shape.n;
    std::vector<uint32_t> m(n * n);
    for (unsigned r = 0; r < n; r++)
      for (unsigned c = 0; c < n; c++)
        m[r * n + c] =
            pattern(steps % 2 ? c * n + r : r * n + c, 3) + unsigned(steps);
    return {m};
  }
};

const KnobOption Transpose::knobs[] = {{"--n", 16384, TILE * MOST, 32768},
                                       {}};

int main(int argc, char **argv)
{
  return program<Transpose>("transpose", argc, argv);
}
