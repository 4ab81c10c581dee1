// membw.cu - memory bandwidth of one GPU against the footprint.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// membw  out[i] = in[i] over two arrays of size_B together, the same arrays in
//        each of `count` launches back to back, so that a footprint inside the
//        L2 stays there. Bytes moved per launch: size_B, half read, half
//        written. Launch gaps are included and matter below some MiB.
// membw_sync  the same kernel launched, then its stream synchronised, `count`
//        times over by one host thread: what a kernel costs that starts on an
//        idle GPU, with the host's part. Only footprints up to 256 MiB.
//
// Plausible on an H200: 3 to 4.8 TB/s at 1 GiB or more (data sheet: 4.8).
#include "pattern.cuh"
#include "threads.cuh"

static const int LAUNCHES = 20;

// The in array is read, the out array written, U words of 16 B per thread.
template <int U>
__global__ void stream(const float4 *__restrict__ in, float4 *__restrict__ out)
{
  size_t first = size_t(blockIdx.x) * THREADS * U + threadIdx.x;
  float4 v[U];
#pragma unroll
  for (int i = 0; i < U; i++) v[i] = in[first + i * THREADS];
#pragma unroll
  for (int i = 0; i < U; i++) out[first + i * THREADS] = v[i];
}

// Small arrays need all threads they can get, large ones loads in flight.
static double launch(const float4 *in, float4 *out, size_t words,
                     cudaStream_t s)
{
  bool large = words >= 16 * MiB / 16;
  unsigned blocks = unsigned(words / THREADS / (large ? 4 : 1));
  if (large)
    stream<4><<<blocks, THREADS, 0, s>>>(in, out);
  else
    stream<1><<<blocks, THREADS, 0, s>>>(in, out);
  LAUNCHED();
  return double(blocks) * THREADS;
}

static Stat synchronised(const float4 *in, float4 *out, size_t words,
                         cudaStream_t s)
{
  return measure([&] {
    double start = now();
    for (int i = 0; i < LAUNCHES; i++) {
      launch(in, out, words, s);
      CHECK(cudaStreamSynchronize(s));
    }
    return now() - start;
  });
}

int main()
{
  open_gpus("membw", 1);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  std::vector<size_t> sizes = {24 * MiB, 40 * MiB, 48 * MiB, 56 * MiB,
                               96 * MiB};
  for (size_t b = MiB; b <= 8 * GiB; b *= 2) sizes.push_back(b);
  std::sort(sizes.begin(), sizes.end());
  float4 *in = device_alloc<float4>(0, sizes.back() / 2 / 16);
  float4 *out = device_alloc<float4>(0, sizes.back() / 2 / 16);
  fill(0, in, sizes.back() / 2, 1);
  for (size_t b : sizes) {
    double threads = 0;
    poison(0, out, b / 2);
    Stat s = measure([&] {
      return together(gate, lane, [&](size_t, const Lane &l) {
        for (int i = 0; i < LAUNCHES; i++)
          threads = launch(in, out, b / 2 / 16, l.stream);
      });
    });
    verify("membw", 0, out, b / 2, 1);
    row("membw", "0", "0", 1, "kernel", b, LAUNCHES, threads, 1, s);
    if (b <= 256 * MiB) {
      poison(0, out, b / 2);
      s = synchronised(in, out, b / 2 / 16, lane[0].stream);
      verify("membw_sync", 0, out, b / 2, 1);
      row("membw_sync", "h", "0", 1, "host", b, LAUNCHES, 1, 1, s);
    }
    if (b >= GiB)
      plausible("membw", b * LAUNCHES / s.time / 1e12, 3, 4.8, "TB/s");
  }
  return 0;
}
