// flops.cu - arithmetic rates of one GPU, by precision.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, results checked
//
// flops_fp32, flops_fp64   each of `threads` threads does `inflight`
//              multiply-adds in registers, in 8 chains
// flops_fp64_tensor, flops_tf32, flops_fp16   a product of square matrices by
//              cuBLAS, in that precision, summed in at least fp32: `threads` is
//              the number of results, each of `inflight` multiply-adds
// A multiply-add is two operations: rate = 2 threads inflight / time. size_B is
// that of an operand.
//
// flags: -lcublas
//
// Plausible on an H200: 25 to 35 Tflop/s in fp64, 50 to 70 in fp32, 600 to 990
// in fp16.
#include "bench.cuh"

#include <cublas_v2.h>
#include <cuda_fp16.h>

static const int TURNS = 512, N = 8192;

template <class Real>
__global__ void multiply_add(Real *out, Real by)
{
  out[size_t(blockIdx.x) * blockDim.x + threadIdx.x] = chains(by, TURNS);
}

template <class Real>
static void check_chains(const char *name, const Real *out, size_t n)
{
  std::vector<Real> v(n);
  CHECK(cudaMemcpy(v.data(), out, n * sizeof(Real), cudaMemcpyDeviceToHost));
  for (Real x : v)
    if (std::fabs(double(x) - 2.0 * CHAINS) > 1e-3) {
      fprintf(stderr, "%s: %g, not %d\n", name, double(x), 2 * CHAINS);
      quit(1);
    }
}

template <class Real>
static void by_chains(const char *name, Gate &gate,
                      const std::vector<Lane> &lane)
{
  const int blocks = sm_count() * 64;
  const size_t n = size_t(blocks) * THREADS;
  Real *out = device_alloc<Real>(0, n);
  const Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      multiply_add<<<blocks, THREADS, 0, l.stream>>>(out, Real(0.5));
      LAUNCHED();
    });
  });
  check_chains(name, out, n);
  row(name, "0", "0", 1, "kernel", sizeof(Real), 1, double(n), CHAINS * TURNS,
      s);
  CHECK(cudaFree(out));
}

static void cublas(cublasStatus_t s)
{
  if (s == CUBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "flops: cuBLAS: status %d\n", int(s));
  quit(1);
}

// Eighths from -2 to 2 in no order: products and sums are exact in fp32. Ones
// would take less power, and so run faster.
__host__ __device__ inline float value(size_t i)
{
  const uint32_t h = uint32_t(i) * 2654435761u;
  return float(int(h >> 27) - 16) / 8.0f;
}

template <class Word>
__global__ void fill_values(Word *at, size_t n)
{
  const size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += all)
    at[i] = Word(value(i));
}

template <class Word, class Sum>
static void by_matrices(const char *name, Gate &gate,
                        const std::vector<Lane> &lane, cudaDataType word,
                        cudaDataType sum, cublasComputeType_t kind)
{
  const size_t n = size_t(N) * N;
  Word *a = device_alloc<Word>(0, n), *b = device_alloc<Word>(0, n);
  Sum *c = device_alloc<Sum>(0, n);
  const Sum one = 1, none = 0;
  cublasHandle_t blas;
  fill_values<<<1024, THREADS>>>(a, n);
  fill_values<<<1024, THREADS>>>(b, n);
  CHECK(cudaDeviceSynchronize());
  cublas(cublasCreate(&blas));
  cublas(cublasSetStream(blas, lane[0].stream));
  const auto multiply = [&](size_t, const Lane &) {
    cublas(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, word,
                        N, b, word, N, &none, c, sum, N, kind,
                        CUBLAS_GEMM_DEFAULT));
  };
  multiply(0,
           lane[0]); // the first call waits for the GPU, which no gate may hold
  CHECK(cudaDeviceSynchronize());
  const Stat s = measure([&] { return together(gate, lane, multiply); });
  double want = 0;
  for (size_t k = 0; k < N; k++)
    want += double(value(N - 1 + k * N)) * double(value(k + size_t(N - 1) * N));
  Sum last = 0;
  CHECK(cudaMemcpy(&last, c + n - 1, sizeof last, cudaMemcpyDeviceToHost));
  if (std::fabs(double(last) - want) > 1e-3) {
    fprintf(stderr, "%s: %g, not %g\n", name, double(last), want);
    quit(1);
  }
  row(name, "0", "0", 1, "kernel", sizeof(Word), 1, double(n), N, s);
  cublas(cublasDestroy(blas));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
}

int main()
{
  open_gpus("flops", 1);
  Gate gate;
  const std::vector<Lane> lane = {make_lane(0)};
  by_chains<float>("flops_fp32", gate, lane);
  by_chains<double>("flops_fp64", gate, lane);
  by_matrices<double, double>("flops_fp64_tensor", gate, lane, CUDA_R_64F,
                              CUDA_R_64F, CUBLAS_COMPUTE_64F);
  by_matrices<float, float>("flops_tf32", gate, lane, CUDA_R_32F, CUDA_R_32F,
                            CUBLAS_COMPUTE_32F_FAST_TF32);
  by_matrices<__half, float>("flops_fp16", gate, lane, CUDA_R_16F, CUDA_R_32F,
                             CUBLAS_COMPUTE_32F);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
