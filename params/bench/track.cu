// track.cu - what it costs a kernel to tell an agent which data are ready.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// A streaming kernel reads and writes 256 MiB on GPU 0 in blocks of 256 threads
// that produce size_B each; count is of blocks, inflight of blocks per chunk.
// track_off  plain
// track_on   a block ends with a barrier and a releasing decrement of its
//            chunk's counter by one thread; counters are set before the gate
//
// track_wait_off, track_wait_on   the same with blocks that follow a chain of 8
//             loads, then store 128 B: no memory is busy, blocks only wait, so
//             the end of a block has nothing to hide behind
//
// Plausible on an H200: 1.5 to 4.8 TB/s (read and write) in both; tracking
// never more than doubles the time.
#include "pattern.cuh"

static const size_t TOTAL = 256 * MiB;

// As agent.cuh counts: a release, which leaves the L1 alone.
__device__ inline void count_down(unsigned *left)
{
  asm volatile("red.release.gpu.global.add.u32 [%0], -1;" : : "l"(left)
               : "memory");
}

template <int WORDS, bool TRACK>
__global__ void stream(const float4 *in, float4 *out, unsigned *left,
                       unsigned blocks_per_chunk)
{
  size_t first = size_t(blockIdx.x) * THREADS * WORDS + threadIdx.x;
  float4 v[WORDS];
#pragma unroll
  for (int i = 0; i < WORDS; i++) v[i] = in[first + i * THREADS];
#pragma unroll
  for (int i = 0; i < WORDS; i++) out[first + i * THREADS] = v[i];
  if (!TRACK) return;
  __syncthreads();
  if (threadIdx.x == 0) {
    count_down(left + blockIdx.x / blocks_per_chunk);
  }
}

const uint32_t NEAR = 4 * MiB / 4;  // words, which the L2 holds

__device__ inline uint32_t follow(const uint32_t *p, uint32_t at)
{
  for (int i = 0; i < 8; i++)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at)
                 : "l"(p + at % NEAR));
  return at;
}

// Block b stores words 32 b to 32 b + 31; 0 is never the end of a chain.
template <bool TRACK>
__global__ void wait(const uint32_t *in, uint32_t *out, unsigned *left,
                     unsigned blocks_per_chunk)
{
  size_t i = size_t(blockIdx.x) * 32 + threadIdx.x % 32;
  uint32_t at = follow(in, pattern(i, 3));
  if (threadIdx.x < 32) out[i] = at ? pattern(i, 1) : 0;
  if (!TRACK) return;
  __syncthreads();
  if (threadIdx.x == 0) {
    count_down(left + blockIdx.x / blocks_per_chunk);
  }
}

static void check_counters(const unsigned *left, size_t chunks)
{
  std::vector<unsigned> host(chunks);
  CHECK(cudaMemcpy(host.data(), left, chunks * sizeof host[0],
                   cudaMemcpyDeviceToHost));
  for (unsigned u : host)
    if (u) {
      fprintf(stderr, "track_on: a counter ended at %u\n", u);
      quit(1);
    }
}

template <int WORDS, bool TRACK>
static double variant(Gate &gate, const std::vector<Lane> &lane,
                      const float4 *in, float4 *out, size_t chunk)
{
  size_t per_block = size_t(THREADS) * WORDS * sizeof(float4);
  unsigned blocks = unsigned(TOTAL / per_block);
  unsigned per_chunk = unsigned(chunk / per_block);
  size_t chunks = TOTAL / chunk;
  std::vector<unsigned> full(chunks, per_chunk);
  unsigned *left = device_alloc<unsigned>(0, chunks);
  poison(0, out, TOTAL);
  Stat s = measure([&] {
    CHECK(cudaMemcpy(left, full.data(), chunks * sizeof full[0],
                     cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    return together(gate, lane, [&](size_t, const Lane &l) {
      stream<WORDS, TRACK>
          <<<blocks, THREADS, 0, l.stream>>>(in, out, left, per_chunk);
      LAUNCHED();
    });
  });
  verify("track", 0, out, TOTAL, 1);
  if (TRACK) check_counters(left, chunks);
  CHECK(cudaFree(left));
  row(TRACK ? "track_on" : "track_off", "0", "0", 1, "kernel", per_block,
      blocks, double(blocks) * THREADS, TRACK ? per_chunk : 0, s);
  plausible("track", 2 * TOTAL / s.time / 1e12, 1.5, 4.8, "TB/s");
  return s.time;
}

template <bool TRACK>
static void wait_variant(Gate &gate, const std::vector<Lane> &lane,
                         const uint32_t *in, uint32_t *out, size_t chunk)
{
  const size_t per_block = 128;
  const unsigned blocks = 1u << 18, per_chunk = unsigned(chunk / per_block);
  std::vector<unsigned> full(blocks / per_chunk, per_chunk);
  unsigned *left = device_alloc<unsigned>(0, full.size());
  poison(0, out, blocks * per_block);
  Stat s = measure([&] {
    CHECK(cudaMemcpy(left, full.data(), full.size() * sizeof(unsigned),
                     cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    return together(gate, lane, [&](size_t, const Lane &l) {
      wait<TRACK><<<blocks, THREADS, 0, l.stream>>>(in, out, left, per_chunk);
      LAUNCHED();
    });
  });
  verify("track_wait", 0, out, blocks * per_block, 1);
  if (TRACK) check_counters(left, full.size());
  CHECK(cudaFree(left));
  row(TRACK ? "track_wait_on" : "track_wait_off", "0", "0", 1, "kernel",
      per_block, blocks, double(blocks) * THREADS, TRACK ? per_chunk : 0, s);
  plausible("track_wait", s.time / blocks * 1e9, 0.1, 100, "ns a block");
}

template <int WORDS>
static void variants(Gate &gate, const std::vector<Lane> &lane,
                     const float4 *in, float4 *out)
{
  double off = variant<WORDS, false>(gate, lane, in, out, 64 * KiB);
  for (size_t chunk : {64 * KiB, 1 * MiB}) {
    double on = variant<WORDS, true>(gate, lane, in, out, chunk);
    plausible("track_on", on / off, 0.9, 2, "of the plain time");
  }
}

int main()
{
  open_gpus("track", 1);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  float4 *in = device_alloc<float4>(0, TOTAL / 16);
  float4 *out = device_alloc<float4>(0, TOTAL / 16);
  fill(0, in, TOTAL, 1);
  variants<1>(gate, lane, in, out);
  variants<4>(gate, lane, in, out);
  const uint32_t *from = reinterpret_cast<const uint32_t *>(in);
  uint32_t *to = reinterpret_cast<uint32_t *>(out);
  wait_variant<false>(gate, lane, from, to, 64 * KiB);
  for (size_t chunk : {64 * KiB, 1 * MiB})
    wait_variant<true>(gate, lane, from, to, chunk);
  return 0;
}
