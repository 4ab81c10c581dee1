// tplayer.cu - a layer of a transformer whose weights are dealt to N GPUs: four
// products of matrices and two all-reduces. Prints program runs for validation:
// workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// method: a host thread per GPU, wall time of a step, median of 60 or more, checked
//
//   tplayer --tokens 1,16,256,2048 --hidden 4096,8192 [--gpus 1,2]
//           [--variant all|infinite|nccl] [--steps 60] [--no-check] [--no-peer]
//
// A step is, in half precision, with x the hidden states of all tokens,
//
//   y = A x, A of 3 hidden x hidden, z = B y0, B of hidden x hidden, y0 the
//   first third of y; the sum of z over the GPUs; u = C z, C of 4 hidden x
//   hidden, v = D u, D of hidden x 4 hidden; the sum of v over the GPUs
//
// Of A and C a GPU has some rows, of B and D the columns that go with them. There
// is no attention and no activation: what moves is that of a layer, and the
// products are the bulk of its time. infinite leaves the sums out; nccl makes
// them by NCCL in the stream of the products, in place, tokens x hidden x 2 B
// each. --no-peer: peer access stays off for NCCL too, which goes by the host.
//
// The sums that each GPU ends with are compared with one GPU's. Needs cuBLAS and
// NCCL, their headers to be built, their libraries to run; else it is skipped.
//
// Plausible on an H200, N = 1, 2048 tokens, hidden 8192: 300 to 900 Tflop/s.
#include "../app.cuh"
#include "../nccl.cuh"
#include "../pattern.cuh"

#if HAVE_NCCL && __has_include(<cublas_v2.h>)
#include <cublas_v2.h>

#include <cmath>
#include <memory>

static const char *const NAME = "tp-layer";

// ---- cuBLAS, found when the program runs ------------------------------------

static void *blas(const char *name)
{
  static void *library = nullptr;
  for (const char *file : {"libcublas.so.13", "libcublas.so.12"})
    if (!library) library = dlopen(file, RTLD_NOW);
  void *p = library ? dlsym(library, name) : nullptr;
  if (p) return p;
  fprintf(stderr, "tplayer: no %s in libcublas: skipped\n", name);
  quit(SKIPPED);
}
#define BLAS(name) (*reinterpret_cast<decltype(&name)>(blas(#name)))

// cublasGemmEx is overloaded in the header.
typedef cublasStatus_t (*Product)(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const void *, const void *, cudaDataType, int,
                                  const void *, cudaDataType, int, const void *,
                                  void *, cudaDataType, int,
                                  cublasComputeType_t, cublasGemmAlgo_t);

static void check_blas(cublasStatus_t s, const char *call)
{
  if (s == CUBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "tplayer: %s: status %d\n", call, int(s));
  quit(1);
}
#define BCHECK(call) check_blas((call), #call)

// ---- one GPU's part ---------------------------------------------------------

static const size_t WORKSPACE = 32 * MiB;

// From -1 to 1 over the root of `terms`, by the place in the whole matrix.
__global__ void fill_halves(__half *p, size_t rows, size_t columns,
                            size_t row_stretch, size_t row_jump, size_t row0,
                            size_t column0, size_t whole, float scale,
                            uint32_t seed)
{
  const size_t all = size_t(gridDim.x) * blockDim.x, n = rows * columns;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += all) {
    const size_t r = i % rows, c = i / rows + column0;
    const size_t row = row0 + r / row_stretch * row_jump + r % row_stretch;
    const uint32_t x = scramble(uint32_t(c * whole + row) ^ (seed * 0x9E3779B9u));
    p[i] = __float2half((float(x >> 8) / float(1 << 23) - 1) * scale);
  }
}

// Column-major, as cuBLAS has it.
struct Part {
  cudaStream_t stream;
  cublasHandle_t blas;
  __half *x, *a, *y, *b, *z, *c, *u, *d, *v;
  void *room;
};

struct Layer {
  const int tokens, hidden, gpus;
  std::vector<Part> part;

  Layer(int tokens_, int hidden_, int gpus_)
      : tokens(tokens_), hidden(hidden_), gpus(gpus_), part(gpus_)
  {
    for (int i = 0; i < gpus; i++) open(i);
  }
  ~Layer()
  {
    for (int i = 0; i < gpus; i++) {
      Part &p = part[i];
      CHECK(cudaSetDevice(i));
      BCHECK(BLAS(cublasDestroy_v2)(p.blas));
      CHECK(cudaStreamDestroy(p.stream));
      for (__half *m : {p.x, p.a, p.y, p.b, p.z, p.c, p.u, p.d, p.v})
        CHECK(cudaFree(m));
      CHECK(cudaFree(p.room));
    }
  }
  Layer(const Layer &) = delete;
  size_t slice() const { return size_t(hidden) / gpus; }
  size_t sum_words() const { return size_t(tokens) * hidden; }

  // A part of a matrix whose whole has `whole` rows.
  __half *matrix(int i, size_t rows, size_t columns, size_t stretch,
                 size_t jump, size_t row0, size_t column0, size_t whole,
                 float scale, uint32_t seed)
  {
    __half *p = device_alloc<__half>(i, rows * columns);
    fill_halves<<<1024, THREADS>>>(p, rows, columns, stretch, jump, row0,
                                   column0, whole, scale, seed);
    LAUNCHED();
    return p;
  }

  void open(int i)
  {
    Part &p = part[i];
    const size_t h = hidden, t = tokens, s = slice();
    const float near = 1.0f / std::sqrt(float(h)), far = near / 2;
    p.x = matrix(i, h, t, h, 0, 0, 0, h, 1, 1);
    p.a = matrix(i, 3 * s, h, s, h, i * s, 0, 3 * h, near, 2);
    p.b = matrix(i, h, s, h, 0, 0, i * s, h, near, 3);
    p.c = matrix(i, 4 * s, h, s, h, i * s, 0, 4 * h, near, 4);
    p.y = device_alloc<__half>(i, 3 * s * t);
    p.z = device_alloc<__half>(i, h * t);
    p.u = device_alloc<__half>(i, 4 * s * t);
    p.v = device_alloc<__half>(i, h * t);
    p.room = device_alloc<char>(i, WORKSPACE);
    p.d = device_alloc<__half>(i, h * 4 * s);
    for (size_t k = 0; k < 4; k++) // its columns are those of C's rows
      fill_halves<<<1024, THREADS>>>(p.d + k * s * h, h, s, h, 0, 0,
                                     k * h + i * s, h, far, 5);
    LAUNCHED();
    CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
    BCHECK(BLAS(cublasCreate_v2)(&p.blas));
    BCHECK(BLAS(cublasSetStream_v2)(p.blas, p.stream));
    BCHECK(BLAS(cublasSetWorkspace_v2)(p.blas, p.room, WORKSPACE));
    CHECK(cudaDeviceSynchronize());
  }

  // to (rows x tokens) = m (rows x inner) times from, whose columns are `lead`
  // apart.
  void product(const Part &p, const __half *m, size_t rows, size_t inner,
               const __half *from, size_t lead, __half *to) const
  {
    const float one = 1, none = 0;
    static const Product gemm = reinterpret_cast<Product>(blas("cublasGemmEx"));
    BCHECK(gemm(
        p.blas, CUBLAS_OP_N, CUBLAS_OP_N, int(rows), tokens, int(inner), &one,
        m, CUDA_R_16F, int(rows), from, CUDA_R_16F, int(lead), &none, to,
        CUDA_R_16F, int(rows), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }

  void step(int i, const Comms *comms) const
  {
    const Part &p = part[i];
    const size_t h = hidden, s = slice();
    product(p, p.a, 3 * s, h, p.x, h, p.y);
    product(p, p.b, h, s, p.y, 3 * s, p.z);
    if (comms) comms->sum(p.z, sum_words(), i, p.stream);
    product(p, p.c, 4 * s, h, p.z, h, p.u);
    product(p, p.d, h, 4 * s, p.u, 4 * s, p.v);
    if (comms) comms->sum(p.v, sum_words(), i, p.stream);
    CHECK(cudaStreamSynchronize(p.stream));
  }

  std::vector<float> result(int i) const
  {
    std::vector<__half> got(sum_words());
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemcpy(got.data(), part[i].v, got.size() * sizeof(__half),
                     cudaMemcpyDeviceToHost));
    std::vector<float> all;
    for (__half x : got) all.push_back(__half2float(x));
    return all;
  }
};

static std::vector<double> run(const Layer &l, const Comms *comms, int steps)
{
  return time_steps(l.gpus, steps, [&](int i, int) { l.step(i, comms); });
}

// By the norm of the difference: halves round in another order.
static void compare(const Layer &l, const std::vector<float> &want)
{
  for (int i = 0; i < l.gpus; i++) {
    const std::vector<float> got = l.result(i);
    double off = 0, all = 0;
    for (size_t k = 0; k < got.size(); k++) {
      off += std::pow(double(got[k]) - want[k], 2);
      all += std::pow(double(want[k]), 2);
    }
    if (off <= 1e-4 * all && all > 0) continue;
    fprintf(stderr, "tplayer: %d tokens, hidden %d: GPU %d of %d is %g off\n",
            l.tokens, l.hidden, i, l.gpus, std::sqrt(off / all));
    quit(1);
  }
}

// ---- the command line -------------------------------------------------------

struct Options : AppOptions {
  std::vector<int> tokens = {1, 16, 256, 2048}, hidden = {4096};
  bool check = true;
};

static Options parse(int argc, char **argv)
{
  Options o;
  o.app = "tplayer";
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        if (a != "--check" && a != "--no-check") return false;
        o.check = a == "--check";
        return true;
      },
      [&](const std::string &a, const char *value) {
        if (a == "--tokens") o.tokens = parse_list(o.app, value);
        else if (a == "--hidden") o.hidden = parse_list(o.app, value);
        else return false;
        return true;
      });
  for (int h : o.hidden)
    if (h % 512) usage(o.app, "--hidden", "not a multiple of 512");
  if (o.variant == "all") o.variant = "infinite,nccl";
  return o;
}

static void one_setting(int tokens, int hidden, int gpus, const Comms *comms,
                        const Options &o)
{
  Layer layer(tokens, hidden, gpus);
  const std::string knobs =
      "tokens=" + std::to_string(tokens) + ";hidden=" + std::to_string(hidden);
  for (const char *way : {"infinite", "nccl"}) {
    const bool sums = std::string(way) == "nccl";
    if (!named(o, way) || (sums && !comms)) continue;
    const Stat s = robust(enough_of([&] {
      std::vector<double> t =
          run(layer, sums ? comms : nullptr, WARMUP_STEPS + o.steps);
      t.erase(t.begin(), t.begin() + WARMUP_STEPS);
      return t;
    }));
    if (sums && o.check) {
      Layer one(tokens, hidden, 1);
      run(one, nullptr, 1);
      compare(layer, one.result(0));
    }
    run_row(NAME, way, knobs, gpus, s);
    const double flop = 24.0 * tokens * double(hidden) * hidden;
    if (gpus == 1 && tokens >= 2048 && hidden >= 8192)
      plausible(NAME, flop / s.time / 1e12, 300, 900, "Tflop/s");
  }
}

int main(int argc, char **argv)
{
  const Options o = parse(argc, argv);
  if (!o.peers) setenv("NCCL_P2P_DISABLE", "1", 1);
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const int least = *std::min_element(o.gpus.begin(), o.gpus.end());
  const int here = open_gpus("tplayer", least, o.peers);
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "tplayer: %d GPUs, found %d: skipped\n", g, here);
      continue;
    }
    std::unique_ptr<Comms> comms(g > 1 ? new Comms(g) : nullptr);
    for (int h : o.hidden)
      for (int t : o.tokens)
        if (h % g == 0) one_setting(t, h, g, comms.get(), o);
  }
  return 0;
}

#else

int main()
{
  fprintf(stderr, "tplayer: built without cuBLAS or NCCL: skipped\n");
  return SKIPPED;
}

#endif
