// scatter.cu - single words stored at scattered places of a table that every
// GPU needs, on 1 .. N GPUs. Prints program runs for validation:
// workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   scatter --kib 4096,65536 --word 4 [the options of program.cuh]
//
// The table, of --kib KiB, is dealt to the GPUs in windows of 64 KiB, each made
// by 16 blocks. A thread reads words of 4 or 8 B in order and stores each at
// its place in the window, in a line of 128 B of its own, as a program does
// that fills buckets. Every word is stored once. A copy moves what at home the
// cache has put together; a store over a link moves a word.
//
// Plausible on an H200, N = 1, 64 MiB or more: 0.5 to 4.8 TB/s at 2 B per B.
#include "../program.cuh"

static const unsigned WINDOW = 16384, BLOCKS = 16;  // words; of a window
static const unsigned BLOCK = WINDOW / BLOCKS;      // words
static const uint32_t SEED = 7;

// Where word number k of a window goes, `of` a power of two of them: first one
// permutation, then another.
__host__ __device__ inline unsigned scattered(unsigned k, unsigned of)
{
  return ((k ^ (k >> 5)) * 10125 + 77) & (of - 1);
}

// Place of item i of the table, in words; an item has `size` words.
__host__ __device__ inline unsigned place_of(unsigned i, unsigned size)
{
  unsigned of = WINDOW / size;
  return (i / of * of + scattered(i % of, of)) * size;
}

__global__ void fill_input(uint32_t *p, unsigned first, unsigned words,
                           unsigned size)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = pattern(place_of((first + i) / size, size) + i % size, SEED);
}

__global__ void fill_table(uint32_t *p, unsigned words)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = pattern(i, SEED);
}

__device__ inline uint32_t add(uint32_t v, unsigned step) { return v + step; }
__device__ inline uint2 add(uint2 v, unsigned step)
{
  return make_uint2(v.x + step, v.y + step);
}

__host__ __device__ inline Span window_of(unsigned first, unsigned block)
{
  unsigned at = first + block / BLOCKS * WINDOW;
  return {at, at + WINDOW};
}

template <Mode M, class Item>
__global__ void __launch_bounds__(THREADS)
  scatter_kernel(Args<uint32_t> a, const uint32_t *in, unsigned start,
                 unsigned first)
{
  const unsigned size = sizeof(Item) / 4, block = first + blockIdx.x;
  const Span span = window_of(start, block);
  const Reach near = reach<M>(a.out, span);
#pragma unroll
  for (unsigned k = 0; k < BLOCK / size; k += THREADS) {
    const unsigned i = block * (BLOCK / size) + k + threadIdx.x;  // of its own
    const Item v = __ldg(reinterpret_cast<const Item *>(in) + i);
    put<M>(a.out, near, place_of(start / size + i, size), add(v, a.step));
  }
  done<M>(a.out, near, span);
}

struct Scatter {
  typedef uint32_t Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {2048, 4}; }
  static const int fields = 1, phases = 1;
  static const bool exclusive = false, past = false;
  int gpus;
  unsigned words, size;  // size: words of an item
  uint32_t *input[MOST] = {};

  Scatter(const std::vector<int> &values, int gpus_)
      : gpus(gpus_), words(unsigned(values[0]) * 256),
        size(unsigned(values[1]) / 4)
  {
  }
  const char *name() const { return "scatter"; }
  std::string label() const
  {
    return "kib" + std::to_string(words / 256) + ".word" +
           std::to_string(4 * size);
  }
  std::string text(int) const
  {
    std::string items = std::to_string(words / size);
    return "updates=" + items + ";slots=" + items +
           ";word=" + std::to_string(4 * size) + ";all=1";
  }
  int field(int) const { return 0; }
  unsigned start(int, int gpu) const
  {
    return WINDOW * deal(words / WINDOW, gpus, gpu);
  }
  unsigned blocks(int, int gpu, bool) const
  {
    return (start(0, gpu + 1) - start(0, gpu)) / BLOCK;
  }
  Span span(int, int gpu, unsigned block) const
  {
    return window_of(start(0, gpu), block);
  }
  std::vector<Region> regions(int, int gpu) const
  {
    return {region(start(0, gpu), start(0, gpu + 1), all_but(gpu, gpus))};
  }
  template <class F> void runs(int, int gpu, unsigned block, F f) const
  {
    unsigned first = start(0, gpu) / size + block * (BLOCK / size);
    for (unsigned i = first; i < first + BLOCK / size; i++) {
      unsigned at = place_of(i, size);
      f(Span{at, at + size});
    }
  }
  void open(int gpu)
  {
    unsigned first = start(0, gpu), mine = start(0, gpu + 1) - first;
    input[gpu] = device_alloc<uint32_t>(gpu, mine);
    fill_input<<<1024, THREADS>>>(input[gpu], first, mine, size);
    LAUNCHED();
  }
  void close(int gpu) { CHECK(cudaFree(input[gpu])); }
  Same place(int) const { return {}; }
  void fill(int, int, uint32_t *p) const
  {
    fill_table<<<1024, THREADS>>>(p, words);
  }
  template <Mode M>
  void launch(int, int gpu, const Args<uint32_t> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    unsigned at = start(0, gpu);
    if (size == 1)
      scatter_kernel<M, uint32_t>
          <<<blocks, THREADS, 0, stream>>>(a, input[gpu], at, first);
    else
      scatter_kernel<M, uint2>
          <<<blocks, THREADS, 0, stream>>>(a, input[gpu], at, first);
  }
  std::vector<std::vector<uint32_t>> expected(int steps) const
  {
    std::vector<uint32_t> t(words);
    for (unsigned i = 0; i < words; i++)
      t[i] = pattern(i, SEED) + unsigned(steps);
    return {t};
  }
};

const KnobOption Scatter::knobs[] = {
    {"--kib", 65536, 512, 1 << 22}, {"--word", 4, 4, 8}, {}};

int main(int argc, char **argv)
{
  return program<Scatter>("scatter", argc, argv);
}
