// sssp.cu - Bellman-Ford shortest paths in a banded sparse matrix on 1 .. N
// GPUs: a row's new distance goes to the GPUs within a band of it. Prints
// program runs for validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   sssp --rows 65536,1048576 --degree 64 --parts 16 [options of program.cuh]
//
// Row i has `degree` edges into vertex i, from vertices at random at most
// rows/parts before or behind it, with lengths of 1 to 1024. A step is
//
//     distance[i] = 1 + min(distance[i], distance[j] + length[i][j])
//
// The 1 does not change which path is shortest, but old data are seen to be
// old. A warp takes a row and stores one word of 4 B. Rows are dealt in units
// of 8, a block of threads. Regions are the ranges of rows that the same GPUs
// need.
//
// The rows' knob `at` is the number of GPUs: one GPU's row is printed for each.
//
// Plausible on an H200, N = 1, 1048576 rows: 1 to 4.8 TB/s at 8 B an edge.
#include "../program.cuh"

static const unsigned PER_BLOCK = THREADS / 32, FAR = 1 << 30;

struct Edge {
  unsigned from, length;
};

struct Shape {
  unsigned rows, degree, half, first, mine;  // half: of the bandwidth
  const Edge *edge;

  __host__ __device__ Edge edge_of(unsigned row, unsigned e) const
  {
    unsigned chance = scramble(scramble(row) + 0x9E3779B9u * (e + 1));
    unsigned from = row + below(2 * half + 1, chance);
    from = from < half ? 0 : from - half;
    return {from < rows ? from : rows - 1, (scramble(chance) & 1023) + 1};
  }
  __host__ __device__ Span span(unsigned block) const
  {
    return {first + block * PER_BLOCK, first + (block + 1) * PER_BLOCK};
  }
};

__global__ void fill_edges(Shape s, Edge *edge)
{
  size_t all = size_t(s.mine) * s.degree;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < all;
       i += size_t(gridDim.x) * blockDim.x)
    edge[i] = s.edge_of(s.first + unsigned(i / s.degree), i % s.degree);
}

__host__ __device__ inline unsigned initial(unsigned rows, unsigned row)
{
  return row == rows / 2 ? 0 : FAR;
}

__global__ void fill_distances(unsigned *p, unsigned rows)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += gridDim.x * blockDim.x)
    p[i] = initial(rows, i);
}

// Of a warp's numbers; one instruction from compute capability 8.0 on.
__device__ inline unsigned least_of(unsigned v)
{
#if __CUDA_ARCH__ >= 800
  v = __reduce_min_sync(~0u, v);
#else
  for (int m = 16; m > 0; m /= 2) v = min(v, __shfl_xor_sync(~0u, v, m));
#endif
  return v;
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  sssp_kernel(Args<unsigned> a, Shape s, unsigned first)
{
  const Span span = s.span(first + blockIdx.x);
  const Reach near = reach<M>(a.out, span);
  const unsigned row = span.first + threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint2 *edge = reinterpret_cast<const uint2 *>(s.edge) +
                      size_t(row - s.first) * s.degree;
  unsigned best = get<M>(a.in[0], row);
#pragma unroll 4
  for (unsigned e = lane; e < s.degree; e += 32) {
    const uint2 from = __ldg(edge + e);
    best = min(best, get<M>(a.in[0], from.x) + from.y);
  }
  best = least_of(best);
  if (lane == 0) put<M>(a.out, near, row, best + 1);
  done<M>(a.out, near, span);
}

struct Sssp {
  typedef unsigned Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {4096, 32, 16}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = false, past = false;
  int gpus;
  unsigned parts;
  Shape shape = {};
  Edge *edge[MOST] = {};

  Sssp(const std::vector<int> &values, int gpus_) : gpus(gpus_)
  {
    shape.rows = unsigned(values[0]);
    shape.degree = unsigned(values[1]);
    parts = unsigned(values[2]);
    shape.half = shape.rows / parts / PER_BLOCK * PER_BLOCK;
  }
  const char *name() const { return "sssp"; }
  std::string label() const
  {
    return "rows" + std::to_string(shape.rows) + ".degree" +
           std::to_string(shape.degree) + ".parts" + std::to_string(parts);
  }
  std::string text(int n) const
  {
    char band[32];
    snprintf(band, sizeof band, "%.9g", double(shape.half) / shape.rows);
    return "rows=" + std::to_string(shape.rows) + ";nonzeros=" +
           std::to_string(size_t(shape.rows) * shape.degree) + ";band=" + band +
           ";changed=1;whole=1;at=" + std::to_string(std::max(n, 2));
  }
  Shape of(int gpu) const
  {
    Shape s = shape;
    s.first = start(0, gpu);
    s.mine = start(0, gpu + 1) - s.first;
    s.edge = edge[gpu];
    return s;
  }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const
  {
    return PER_BLOCK * deal(shape.rows / PER_BLOCK, gpus, gpu);
  }
  unsigned blocks(int, int gpu, bool) const
  {
    return (start(0, gpu + 1) - start(0, gpu)) / PER_BLOCK;
  }
  Span span(int, int gpu, unsigned block) const
  {
    unsigned first = start(0, gpu) + block * PER_BLOCK;
    return {first, first + PER_BLOCK};
  }
  // What GPU j reads.
  Span needs(int j) const
  {
    unsigned first = start(0, j), end = start(0, j + 1);
    return {first < shape.half ? 0 : first - shape.half,
            std::min(end + shape.half, shape.rows)};
  }
  std::vector<Region> regions(int, int gpu) const
  {
    const Span own = {start(0, gpu), start(0, gpu + 1)};
    std::set<unsigned> cuts = {own.first, own.end};
    std::vector<Region> all;
    for (int j = 0; j < gpus; j++) {
      Span s = overlap(own, needs(j));
      if (j != gpu && s.first < s.end) cuts.insert({s.first, s.end});
    }
    for (auto c = cuts.begin(), end = std::next(c); end != cuts.end();
         c = end++) {
      unsigned to = 0;
      for (int j = 0; j < gpus; j++)
        if (j != gpu && needs(j).first <= *c && *end <= needs(j).end)
          to |= 1u << j;
      if (to) all.push_back(region(*c, *end, to));
    }
    return all;
  }
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    Span s = span(0, gpu, block);
    for (unsigned i = s.first; i < s.end; i++) f(Span{i, i + 1});
  }
  void open(int gpu)
  {
    Shape s = of(gpu);
    edge[gpu] = device_alloc<Edge>(gpu, size_t(s.mine) * s.degree);
    fill_edges<<<4096, THREADS>>>(s, edge[gpu]);
    LAUNCHED();
  }
  void close(int gpu) { CHECK(cudaFree(edge[gpu])); }
  Same place(int) const { return {}; }
  void fill(int, int, unsigned *p) const
  {
    fill_distances<<<1024, THREADS>>>(p, shape.rows);
  }
  template <Mode M>
  void launch(int, int gpu, const Args<unsigned> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    sssp_kernel<M><<<blocks, THREADS, 0, stream>>>(a, of(gpu), first);
  }
  std::vector<std::vector<unsigned>> expected(int steps) const
  {
    std::vector<unsigned> now(shape.rows), next(shape.rows);
    for (unsigned i = 0; i < shape.rows; i++) now[i] = initial(shape.rows, i);
    for (int k = 0; k < steps; k++, std::swap(now, next))
      for (unsigned i = 0; i < shape.rows; i++) {
        unsigned best = now[i];
        for (unsigned e = 0; e < shape.degree; e++) {
          Edge d = shape.edge_of(i, e);
          best = std::min(best, now[d.from] + d.length);
        }
        next[i] = best + 1;
      }
    return {now};
  }
};

const KnobOption Sssp::knobs[] = {{"--rows", 1048576, 64, 1 << 26},
                                  {"--degree", 64, 32, 1024},
                                  {"--parts", 16, 1, 64},
                                  {}};

int main(int argc, char **argv) { return program<Sssp>("sssp", argc, argv); }
