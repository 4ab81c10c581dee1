// ct.cu - X-ray CT reconstruction with ordered subsets on 1 .. N GPUs: one
// slice of n x n points from parallel beams of n channels. Prints program runs
// for validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// flags: -rdc=true -lcudadevrt
// method: wall time of a step, median of 30 or more, fields checked
//
//   ct --image 256,1024 --views 768 --subsets 4 [the options of program.cuh]
//
// A step is an iteration: for each subset of the views two phases, each of
// whose results every GPU needs:
//
//   forward  residual = measured - the sums of the image along the rays of the
//            subset; bins of the detector are dealt, in units of 32. Eight
//            threads take a ray; a warp stores 4 bins, 16 B
//   back     image += mean of the residuals of the rays through a point; rows
//            of the image are dealt. A thread takes a point
//
// All is fixed point: sums have no order. What is measured drifts with the
// step, so that old data are seen to be old.
//
// Plausible on an H200, N = 1, n = 1024: 0.2 to 20 ms a step.
#include "../program.cuh"

static const int LANES = 8, BINS = THREADS / LANES;  // of a block
static const int FINE = 14;                          // bits of a cosine

struct Beam {
  int c, s;  // cosine and sine, 1 << FINE
};

// Coordinates are in 1/16 of a point, from the middle.
struct Scan {
  int n, views, subsets;
  const Beam *beam;

  __host__ __device__ int per_subset() const { return views / subsets; }
  __host__ __device__ unsigned bins() const
  {
    return unsigned(per_subset()) * unsigned(n);
  }
  // Number q of a subset.
  __host__ __device__ int view(int subset, int q) const
  {
    return q * subsets + subset;
  }
  // The point k along the ray of a channel, or -1 outside of the image.
  __host__ __device__ int point(Beam b, int channel, int k) const
  {
    int u = (2 * channel + 1 - n) * 8, d = (2 * k + 1 - n) * 8;
    int x = (((u * b.c - d * b.s) >> FINE) + 8 * n) >> 4;
    int y = (((u * b.s + d * b.c) >> FINE) + 8 * n) >> 4;
    return x >= 0 && y >= 0 && x < n && y < n ? y * n + x : -1;
  }
  // The channel whose ray passes a point, or -1.
  __host__ __device__ int channel(Beam b, int x, int y) const
  {
    int u = ((2 * x + 1 - n) * 8 * b.c + (2 * y + 1 - n) * 8 * b.s) >> FINE;
    int t = (u + 8 * n) >> 4;
    return t >= 0 && t < n ? t : -1;
  }
  // A disc with a hole: what was measured.
  __host__ __device__ unsigned phantom(int at) const
  {
    int x = 2 * (at % n) + 1 - n, y = 2 * (at / n) + 1 - n;
    int r = 16 * (x * x + y * y), whole = n * n;
    return r < 9 * whole && (r > whole || x < 0) ? 4096 : 0;
  }
  __host__ __device__ unsigned residual(unsigned measured, unsigned sum,
                                        unsigned step) const
  {
    return measured + 4 * unsigned(n) * step - sum;
  }
  __host__ __device__ unsigned improved(unsigned image, unsigned sum) const
  {
    return image + unsigned(int(sum) / (n * per_subset()));
  }
};

__global__ void fill_words(unsigned *p, unsigned words)
{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
       i += gridDim.x * blockDim.x)
    p[i] = 0;
}

__global__ void measure_phantom(Scan s, unsigned *measured)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < s.views * s.n;
       i += gridDim.x * blockDim.x) {
    unsigned sum = 0;
    for (int k = 0; k < s.n; k++) {
      int at = s.point(s.beam[i / s.n], i % s.n, k);
      if (at >= 0) sum += s.phantom(at);
    }
    measured[i] = sum;
  }
}

// One GPU's part of a phase; first: of its words.
struct Part {
  Scan scan;
  int subset;
  unsigned first;
  const unsigned *measured;
};

__host__ __device__ inline Span forward_span(unsigned first, unsigned block)
{
  return {first + block * BINS, first + (block + 1) * BINS};
}

__host__ __device__ inline Span back_span(unsigned first, unsigned block)
{
  return {first + block * THREADS, first + (block + 1) * THREADS};
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  forward_kernel(Args<unsigned> a, Part p, unsigned first)
{
  const Scan &s = p.scan;
  const Span span = forward_span(p.first, first + blockIdx.x);
  const Reach near = reach<M>(a.out, span);
  const unsigned bin = span.first + threadIdx.x / LANES;
  const int view = s.view(p.subset, int(bin) / s.n), channel = int(bin) % s.n;
  const Beam b = s.beam[view];
  unsigned sum = 0;
#pragma unroll 4
  for (int k = threadIdx.x % LANES; k < s.n; k += LANES) {
    const int at = s.point(b, channel, k);
    if (at >= 0) sum += get<M>(a.in[1], unsigned(at));
  }
#pragma unroll
  for (int m = LANES / 2; m > 0; m /= 2)
    sum += __shfl_xor_sync(~0u, sum, m, LANES);
  if (threadIdx.x % LANES == 0)
    put<M>(a.out, near, bin,
           s.residual(p.measured[view * s.n + channel], sum, a.step));
  done<M>(a.out, near, span);
}

template <Mode M>
__global__ void __launch_bounds__(THREADS)
  back_kernel(Args<unsigned> a, Part p, unsigned first)
{
  const Scan &s = p.scan;
  const Span span = back_span(p.first, first + blockIdx.x);
  const Reach near = reach<M>(a.out, span);
  const unsigned at = span.first + threadIdx.x;
  const int x = int(at) % s.n, y = int(at) / s.n;
  unsigned sum = 0;
#pragma unroll 4
  for (int q = 0; q < s.per_subset(); q++) {
    const int t = s.channel(s.beam[s.view(p.subset, q)], x, y);
    if (t >= 0) sum += get<M>(a.in[0], unsigned(q * s.n + t));
  }
  put<M>(a.out, near, at, s.improved(__ldg(a.in[1].own + at), sum));
  done<M>(a.out, near, span);
}

struct Ct {
  typedef unsigned Word;
  static const KnobOption knobs[];
  static std::vector<int> small() { return {256, 64, 2}; }
  static const int fields = 2;  // residual, image
  static const bool exclusive = false, past = false;
  int gpus, phases;
  Scan scan = {};
  std::vector<Beam> beams;
  Beam *beam[MOST] = {};
  unsigned *measured[MOST] = {};

  Ct(const std::vector<int> &values, int gpus_)
      : gpus(gpus_), phases(2 * std::min(values[1], values[2]))
  {
    scan.n = values[0];
    scan.subsets = phases / 2;
    scan.views = values[1] / scan.subsets * scan.subsets;
    for (int v = 0; v < scan.views; v++) {
      double angle = std::acos(-1.0) * v / scan.views;
      beams.push_back({int(std::lround(std::cos(angle) * (1 << FINE))),
                       int(std::lround(std::sin(angle) * (1 << FINE)))});
    }
  }
  const char *name() const { return "ct"; }
  std::string label() const
  {
    return "image" + std::to_string(scan.n) + ".views" +
           std::to_string(scan.views) + ".subsets" +
           std::to_string(scan.subsets);
  }
  std::string text(int) const
  {
    std::string n = std::to_string(scan.n);
    return "subsets=" + std::to_string(scan.subsets) +
           ";views=" + std::to_string(scan.views) + ";rows=1;channels=" + n +
           ";image=" + n + ";word=4;flat=1";
  }
  int field(int phase) const { return phase % 2; }
  unsigned start(int field, int gpu) const
  {
    return field == 0 ? BINS * deal(scan.bins() / BINS, gpus, gpu)
                      : unsigned(scan.n) * deal(scan.n, gpus, gpu);
  }
  unsigned blocks(int phase, int gpu, bool) const
  {
    int f = field(phase);
    return (start(f, gpu + 1) - start(f, gpu)) / (f == 0 ? BINS : THREADS);
  }
  Span span(int phase, int gpu, unsigned block) const
  {
    unsigned first = start(field(phase), gpu);
    return field(phase) == 0 ? forward_span(first, block)
                             : back_span(first, block);
  }
  std::vector<Region> regions(int phase, int gpu) const
  {
    int f = field(phase);
    return {region(start(f, gpu), start(f, gpu + 1), all_but(gpu, gpus))};
  }
  template <class F> void runs(int phase, int gpu, unsigned block, F f) const
  {
    Span s = span(phase, gpu, block);
    if (field(phase) == 1) return warp_runs(s, f);
    for (; s.first < s.end; s.first += 32 / LANES)
      f(Span{s.first, s.first + 32 / LANES});
  }
  Scan on_gpu(int gpu) const
  {
    Scan s = scan;
    s.beam = beam[gpu];
    return s;
  }
  void open(int gpu)
  {
    beam[gpu] = device_alloc<Beam>(gpu, beams.size());
    measured[gpu] = device_alloc<unsigned>(gpu, beams.size() * scan.n);
    CHECK(cudaMemcpy(beam[gpu], beams.data(), beams.size() * sizeof(Beam),
                     cudaMemcpyHostToDevice));
    measure_phantom<<<4096, THREADS>>>(on_gpu(gpu), measured[gpu]);
    LAUNCHED();
  }
  void close(int gpu)
  {
    CHECK(cudaFree(beam[gpu]));
    CHECK(cudaFree(measured[gpu]));
  }
  Same place(int) const { return {}; }
  void fill(int field, int, unsigned *p) const
  {
    fill_words<<<1024, THREADS>>>(p, start(field, gpus));
  }
  template <Mode M>
  void launch(int phase, int gpu, const Args<unsigned> &a, unsigned first,
              unsigned blocks, cudaStream_t stream) const
  {
    Part p = {on_gpu(gpu), phase / 2, start(field(phase), gpu), measured[gpu]};
    if (field(phase) == 0)
      forward_kernel<M><<<blocks, THREADS, 0, stream>>>(a, p, first);
    else
      back_kernel<M><<<blocks, THREADS, 0, stream>>>(a, p, first);
  }
  unsigned ray(const std::vector<unsigned> &image, int view, int channel) const
  {
    unsigned sum = 0;
    for (int k = 0; k < scan.n; k++) {
      int at = scan.point(beams[view], channel, k);
      if (at >= 0) sum += image[at];
    }
    return sum;
  }
  void subset_on_host(int subset, unsigned step,
                      const std::vector<unsigned> &data,
                      std::vector<unsigned> &residual,
                      std::vector<unsigned> &image) const
  {
    int n = scan.n, q, t;
    for (int i = 0; i < int(scan.bins()); i++) {
      int view = scan.view(subset, i / n);
      residual[i] = scan.residual(data[view * n + i % n],
                                  ray(image, view, i % n), step);
    }
    for (int i = 0; i < n * n; i++) {
      unsigned sum = 0;
      for (q = 0; q < scan.per_subset(); q++) {
        t = scan.channel(beams[scan.view(subset, q)], i % n, i / n);
        if (t >= 0) sum += residual[q * n + t];
      }
      image[i] = scan.improved(image[i], sum);
    }
  }
  std::vector<std::vector<unsigned>> expected(int steps) const
  {
    int n = scan.n;
    std::vector<unsigned> image(n * n), residual(scan.bins()), data;
    for (int i = 0; i < n * n; i++) image[i] = scan.phantom(i);
    for (int i = 0; i < scan.views * n; i++)
      data.push_back(ray(image, i / n, i % n));
    std::fill(image.begin(), image.end(), 0);
    for (int k = 1; k <= steps; k++)
      for (int s = 0; s < scan.subsets; s++)
        subset_on_host(s, unsigned(k), data, residual, image);
    return {residual, image};
  }
};

const KnobOption Ct::knobs[] = {{"--image", 1024, 256, 4096},
                                {"--views", 768, 1, 8192},
                                {"--subsets", 4, 1, 32},
                                {}};

int main(int argc, char **argv) { return program<Ct>("ct", argc, argv); }
