// pagerank.cu - PageRank on a generated power-law graph, on 1 .. N GPUs: every
// GPU needs the new ranks of all. Prints program runs for validation:
// workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   pagerank --vertices 65536,4194304 [the options of program.cuh]
//
// A vertex has at least d incoming edges with probability about 2/d, from 2 to
// 2047; the vertex an edge comes from is the r-th most popular of all with
// probability about 1/r. Vertices are dealt in units of 32 with their incoming
// edges, in compressed rows. Eight threads sum up what comes into a vertex
//
//     rank = 0.15 + 0.85 * sum of share[u], share[v] = rank / edges out of v
//
// and store its share: a warp stores 4 of them, 16 B. All is fixed point, so
// the sum has no order, and the first term changes with each step, so that old
// data are seen to be old.
//
// The rows' knob `hub` is the number of edges into the vertex that has most.
//
// The rows' knob `skew` is the number of edges of the busiest GPU over the
// mean: it depends on the number of GPUs, so one GPU's row is printed for each.
//
// Plausible on an H200, N = 1, 4194304 vertices: 100 to 1000 us.
#include "../program.cuh"

static const int LANES = 8, PER_BLOCK = THREADS / LANES;  // vertices
static const int DEGREES = 10, POPULAR = 12;
static const unsigned ONE = 1 << 16;  // the mean rank

__host__ __device__ inline unsigned degree(unsigned v)
{
  unsigned chance = scramble(2 * v + 1), z = 0;
  while (z < DEGREES - 1 && !(chance >> (31 - z) & 1)) z++;
  return (2u << z) + (scramble(chance) & ((2u << z) - 1));
}

// Where edge number e into v comes from.
__host__ __device__ inline unsigned source_of(unsigned vertices, unsigned v,
                                              unsigned e)
{
  unsigned chance = scramble(scramble(v) + 0x9E3779B9u * (e + 1));
  unsigned among = vertices >> below(POPULAR, chance);
  unsigned popular = below(among, scramble(chance + 1));
  return unsigned(uint64_t(popular) * 2654435761u % vertices);
}

__host__ __device__ inline unsigned share_of(uint64_t sum, unsigned out,
                                             unsigned step)
{
  uint64_t rank = ONE * 15 / 100 + (step * 977 & 1023) + (sum * 217 >> 8);
  if (rank > 0xffffffffu) rank = 0xffffffffu;
  return out ? unsigned(rank) / out : 0;
}

// One GPU's part of the graph; degrees out, of all vertices.
struct Graph {
  unsigned vertices, first, mine;
  unsigned *row, *source, *out;
};

__global__ void fill_sources(Graph g)
{
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < g.mine;
       v += gridDim.x * blockDim.x)
    for (unsigned e = g.row[v]; e < g.row[v + 1]; e++)
      g.source[e] = source_of(g.vertices, g.first + v, e - g.row[v]);
}

__global__ void count_out(Graph g)
{
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < g.vertices;
       v += gridDim.x * blockDim.x)
    for (unsigned e = 0; e < degree(v); e++)
      atomicAdd(g.out + source_of(g.vertices, v, e), 1u);
}

__global__ void fill_shares(unsigned *p, const unsigned *out, unsigned vertices)
{
  for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices;
       v += gridDim.x * blockDim.x)
    p[v] = out[v] ? ONE / out[v] : 0;
}

__host__ __device__ inline Span block_span(unsigned first, unsigned block)
{
  return {first + block * PER_BLOCK, first + (block + 1) * PER_BLOCK};
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  pagerank_kernel(Args<unsigned> a, Graph g, unsigned first)
{
  const Span span = block_span(g.first, first + blockIdx.x);
  const Reach near = reach<M>(a.out, span);
  const unsigned v = span.first + threadIdx.x / LANES;
  const unsigned lane = threadIdx.x % LANES, end = g.row[v - g.first + 1];
  uint64_t sum = 0;
  for (unsigned e = g.row[v - g.first] + lane; e < end; e += LANES)
    sum += get<M>(a.in[0], __ldg(g.source + e));
#pragma unroll
  for (int m = LANES / 2; m > 0; m /= 2)
    sum += __shfl_xor_sync(~0u, sum, m, LANES);
  if (lane == 0) put<M>(a.out, near, v, share_of(sum, g.out[v], a.step));
  done<M>(a.out, near, span);
}

struct PageRank {
  typedef unsigned Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {8192}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = false, past = false;
  int gpus;
  unsigned vertices;
  std::vector<unsigned> row;  // of all vertices
  Graph graph[MOST] = {};
  int opened = 0;

  PageRank(const std::vector<int> &values, int gpus_)
      : gpus(gpus_), vertices(unsigned(values[0])), row(1, 0)
  {
    row.reserve(vertices + 1);
    for (unsigned v = 0; v < vertices; v++) row.push_back(row[v] + degree(v));
  }
  const char *name() const { return "pagerank"; }
  std::string label() const { return "vertices" + std::to_string(vertices); }
  unsigned first(int n, int i) const
  {
    return PER_BLOCK * deal(vertices / PER_BLOCK, n, i);
  }
  std::string text(int n) const
  {
    unsigned most = 0;
    char skew[32];
    for (int i = 0; i < n; i++)
      most = std::max(most, row[first(n, i + 1)] - row[first(n, i)]);
    snprintf(skew, sizeof skew, "%.3f", double(most) * n / row[vertices]);
    return "vertices=" + std::to_string(vertices) +
           ";edges=" + std::to_string(row[vertices]) +
           ";pull=1;store=16;hub=" + std::to_string(hub()) + ";skew=" + skew;
  }
  unsigned hub() const
  {
    unsigned most = 0;
    for (unsigned v = 0; v < vertices; v++)
      most = std::max(most, row[v + 1] - row[v]);
    return most;
  }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const { return first(gpus, gpu); }
  unsigned blocks(int, int gpu, bool) const
  {
    return (start(0, gpu + 1) - start(0, gpu)) / PER_BLOCK;
  }
  Span span(int, int gpu, unsigned block) const
  {
    return block_span(start(0, gpu), block);
  }
  std::vector<Region> regions(int, int gpu) const
  {
    return {region(start(0, gpu), start(0, gpu + 1), all_but(gpu, gpus))};
  }
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    for (Span s = span(0, gpu, block); s.first < s.end; s.first += 32 / LANES)
      f(Span{s.first, s.first + 32 / LANES});
  }
  void open(int gpu)
  {
    Graph &g = graph[opened = gpu];
    g.vertices = vertices;
    g.first = start(0, gpu);
    g.mine = start(0, gpu + 1) - g.first;
    std::vector<unsigned> mine;
    for (unsigned v = 0; v <= g.mine; v++)
      mine.push_back(row[g.first + v] - row[g.first]);
    g.row = device_alloc<unsigned>(gpu, mine.size());
    g.source = device_alloc<unsigned>(gpu, mine.back());
    g.out = device_alloc<unsigned>(gpu, vertices);
    CHECK(cudaMemcpy(g.row, mine.data(), mine.size() * sizeof(unsigned),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemset(g.out, 0, vertices * sizeof(unsigned)));
    fill_sources<<<1024, THREADS>>>(g);
    LAUNCHED();
    count_out<<<1024, THREADS>>>(g);
    LAUNCHED();
  }
  void close(int gpu)
  {
    CHECK(cudaFree(graph[gpu].row));
    CHECK(cudaFree(graph[gpu].source));
    CHECK(cudaFree(graph[gpu].out));
  }
  Same place(int) const { return {}; }
  // Degrees out are the same on all GPUs; it is the current one's that is near.
  void fill(int, int, unsigned *p) const
  {
    int here = opened;
    if (!share_alone) CHECK(cudaGetDevice(&here));
    fill_shares<<<1024, THREADS>>>(p, graph[here].out, vertices);
  }
  template <Mode M>
  void launch(int, int gpu, const Args<unsigned> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    pagerank_kernel<M><<<blocks, THREADS, 0, stream>>>(a, graph[gpu], first);
  }
  std::vector<std::vector<unsigned>> expected(int steps) const
  {
    std::vector<unsigned> out(vertices), now(vertices), next(vertices);
    for (unsigned v = 0; v < vertices; v++)
      for (unsigned e = 0; e < degree(v); e++) out[source_of(vertices, v, e)]++;
    for (unsigned v = 0; v < vertices; v++) now[v] = out[v] ? ONE / out[v] : 0;
    for (int k = 1; k <= steps; k++, std::swap(now, next))
      for (unsigned v = 0; v < vertices; v++) {
        uint64_t sum = 0;
        for (unsigned e = 0; e < degree(v); e++)
          sum += now[source_of(vertices, v, e)];
        next[v] = share_of(sum, out[v], unsigned(k));
      }
    return {now};
  }
};

const KnobOption PageRank::knobs[] = {
    {"--vertices", 4194304, PER_BLOCK * MOST, 1 << 27}, {}};

int main(int argc, char **argv)
{
  return program<PageRank>("pagerank", argc, argv);
}
