// owner.cu - agents whose blocks own chunks, each sending its own side by side
// with the others', and when what the blocks of a kernel make is there to send.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, data verified
//
// owner_chunk   an agent of `inflight` blocks on GPU 0; block b sends chunks b,
//               b + inflight, ... of `count`, size_B each, all ready, to GPU 1:
//               poll, copy, fence, tell. One owner's gap is time over its count
// owner_grid    the same chunks, each sent by all blocks together (agent.cuh),
//               with the same fence and word
// owner_turn    as owner_chunk with chunks of 16 B, which one thread sends:
//               poll, fence and word, an owner's turn
// What is more than 64 MiB together is left out.
// wave_kernel   a kernel of count blocks of 256 threads, each writes 4 KiB of
//               GPU 0's memory after some 20 us; `inflight` blocks run at once
// wave_ready    the same; of `inflight` x 4 KiB chunks, how long after the
//               kernel's first block began the k-th has all its blocks, count
//               being k: the end of its wave, if blocks run in waves
// flop_beside   a kernel of count blocks of 256 threads, bound by arithmetic (8
//               chains of multiply and add a thread, no memory), beside an
//               agent of `inflight` resident blocks that poll, 0: alone. size_B
//               is 0
// size_B is a chunk's, threads those of all blocks (of the agent for
// flop_beside).
//
// Plausible on an H200: 0.5 to 450 GB/s; 0.5 to 20 us an owner's turn.
#include "agent.cuh"
#include "pattern.cuh"

static const size_t MOST = 64 * MiB;
static const unsigned WORK = 4 * KiB / sizeof(uint32_t); // words of a block
static const long long SPIN = 40000;                     // cycles: 20 us

__device__ inline long long clock_ns()
{
  long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

// ---- agents
// -------------------------------------------------------------------

// What was sent is told by a word on the other GPU, behind a fence.
__device__ inline void tell(unsigned *far, unsigned step)
{
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) store_release(far, step);
}

__device__ inline void await(const unsigned *ready, unsigned contributors)
{
  if (threadIdx.x == 0) {
    const long long start = clock64();
    while (load_ready(ready) < contributors)
      if (clock64() - start > SPIN_CYCLES) __trap();
  }
  __syncthreads();
}

// Block b owns each gridDim.x-th chunk.
__global__ void owners(const Chunk *list, int count, const unsigned *ready,
                       unsigned *told, unsigned step)
{
  for (int i = int(blockIdx.x); i < count; i += int(gridDim.x)) {
    const Chunk c = list[i];
    await(ready + i, c.contributors);
    move_words(c.src, c.dst, c.words, threadIdx.x, blockDim.x);
    tell(told + i, step);
  }
}

// All blocks send a part of each chunk; the last to do so tells.
__global__ void grid(const Chunk *list, int count, const unsigned *ready,
                     unsigned *sent, unsigned *told, unsigned step)
{
  const size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int i = 0; i < count; i++) {
    const Chunk c = list[i];
    await(ready + i, c.contributors);
    move_words(c.src, c.dst, c.words, me, size_t(gridDim.x) * blockDim.x);
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(sent + i, 1) + 1 == step * gridDim.x)
      store_release(told + i, step);
  }
}

struct Agent {
  AllReady chunks;
  unsigned *sent, *told; // on GPU 0 and on GPU 1
  int count, blocks;
  unsigned step;
};

static void check_told(const Agent &a)
{
  std::vector<unsigned> told(a.count);
  CHECK(cudaMemcpy(told.data(), a.told, told.size() * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
  for (unsigned t : told)
    if (t != a.step) {
      fprintf(stderr, "owner: told %u, not %u\n", t, a.step);
      quit(1);
    }
}

static void agents(Gate &gate, const std::vector<Lane> &lane, const int4 *src,
                   int4 *dst, size_t chunk, int blocks, bool owned)
{
  Agent a = {};
  a.blocks = blocks;
  a.count = int(std::min(MOST / std::max(chunk, 64 * KiB), size_t(512)));
  a.count = std::max(a.count / blocks, 4) * blocks;
  if (a.count * chunk > MOST) return;
  a.chunks = all_ready(src, dst, chunk, a.count);
  a.sent = device_alloc<unsigned>(0, a.count);
  CHECK(cudaMemset(a.sent, 0, a.count * sizeof(unsigned)));
  a.told = device_alloc<unsigned>(1, a.count);
  CHECK(cudaMemset(a.told, 0, a.count * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSynchronize());
  poison(1, dst, a.count * chunk);
  Stat s = measure([&] {
    a.step++;
    return together(gate, lane, [&](size_t, const Lane &l) {
      if (owned)
        owners<<<blocks, THREADS, 0, l.stream>>>(
            a.chunks.list, a.count, a.chunks.ready, a.told, a.step);
      else
        grid<<<blocks, THREADS, 0, l.stream>>>(
            a.chunks.list, a.count, a.chunks.ready, a.sent, a.told, a.step);
      LAUNCHED();
    });
  });
  const char *name = chunk == 16 ? "owner_turn"
                     : owned     ? "owner_chunk"
                                 : "owner_grid";
  verify(name, 1, dst, a.count * chunk, 1);
  check_told(a);
  row(name, "0", "1", 2, "store", double(chunk), a.count, blocks * THREADS,
      blocks, s);
  if (chunk > 16)
    plausible(name, a.count * chunk / s.time / 1e9, 0.5, 450, "GB/s");
  else
    plausible(name, s.time / a.count * blocks * 1e6, 0.5, 20, "us");
  free_ready(a.chunks);
  CHECK(cudaFree(a.sent));
  CHECK(cudaFree(a.told));
}

// ---- waves
// --------------------------------------------------------------------

// Each block works as long, then writes its words and counts up its chunk's
// counter; the one that completes a chunk keeps the time.
struct Wave {
  uint32_t *out;
  unsigned *ready, each; // blocks of a chunk
  long long *began, *when;
};

__global__ void wave_kernel(Wave w, uint32_t seed)
{
  if (threadIdx.x == 0)
    atomicMin(reinterpret_cast<unsigned long long *>(w.began),
              static_cast<unsigned long long>(clock_ns()));
  const long long start = clock64();
  while (clock64() - start < SPIN) {
  }
  for (unsigned i = threadIdx.x; i < WORK; i += blockDim.x) {
    const size_t at = size_t(blockIdx.x) * WORK + i;
    w.out[at] = pattern(at, seed);
  }
  __syncthreads();
  if (threadIdx.x) return;
  const unsigned chunk = blockIdx.x / w.each;
  if (count_up_and_see(w.ready + chunk) == w.each) w.when[chunk] = clock_ns();
}

static void waves(Gate &gate, const std::vector<Lane> &lane, int many)
{
  int resident = 0;
  CHECK(cudaSetDevice(0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, wave_kernel,
                                                      THREADS, 0));
  resident *= sm_count();
  const int blocks = many * resident;
  const size_t bytes = size_t(blocks) * WORK * sizeof(uint32_t);
  Wave w = {device_alloc<uint32_t>(0, bytes / 4),
            device_alloc<unsigned>(0, many), unsigned(resident),
            device_alloc<long long>(0, 1), device_alloc<long long>(0, many)};
  std::vector<std::vector<double>> ready(many);
  poison(0, w.out, bytes);
  Stat s = measure([&] {
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemset(w.ready, 0, many * sizeof(unsigned)));
    CHECK(cudaMemset(w.began, 0x7F, sizeof(long long)));
    CHECK(cudaDeviceSynchronize());
    double t = together(gate, lane, [&](size_t, const Lane &l) {
      wave_kernel<<<blocks, THREADS, 0, l.stream>>>(w, 1);
      LAUNCHED();
    });
    long long began;
    std::vector<long long> when(many);
    CHECK(cudaMemcpy(&began, w.began, sizeof began, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(when.data(), w.when, many * sizeof(long long),
                     cudaMemcpyDeviceToHost));
    for (int k = 0; k < many; k++) ready[k].push_back(1e-9 * (when[k] - began));
    return t;
  });
  verify("wave_kernel", 0, w.out, bytes, 1);
  const double threads = double(blocks) * THREADS;
  row("wave_kernel", "0", "0", 1, "kernel", 4 * KiB, blocks, threads, resident,
      s);
  for (int k = 0; k < many; k++) {
    std::vector<double> kept(ready[k].begin() + WARMUPS, ready[k].end());
    row("wave_ready", "0", "0", 1, "kernel", double(resident) * 4 * KiB, k + 1,
        threads, resident, robust(kept));
  }
  CHECK(cudaFree(w.out));
  CHECK(cudaFree(w.ready));
  CHECK(cudaFree(w.began));
  CHECK(cudaFree(w.when));
}

// ---- arithmetic beside an agent that polls
// ------------------------------------

__global__ void polls(const unsigned *ready, unsigned contributors)
{
  await(ready, contributors);
}

__global__ void flop_kernel(unsigned *ready, float *out, float by)
{
  const float sum = chains(by, 256);
  if (sum == -1.0f) *out = sum; // never: all are positive
  __syncthreads();
  if (threadIdx.x == 0) count_up(ready);
}

static void beside(const std::vector<Lane> &lane, int blocks)
{
  const int count = sm_count() * 8 * 16;
  unsigned *ready = device_alloc<unsigned>(0, 1);
  float *out = device_alloc<float>(0, 1);
  cudaEvent_t from, to;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  Stat s = measure([&] {
    float ms = 0;
    CHECK(cudaMemset(ready, 0, sizeof *ready));
    CHECK(cudaDeviceSynchronize());
    if (blocks > 0) polls<<<blocks, THREADS, 0, lane[1].stream>>>(ready, count);
    pause_kernel<<<1, 1, 0, lane[0].stream>>>(50000);
    CHECK(cudaEventRecord(from, lane[0].stream));
    flop_kernel<<<count, THREADS, 0, lane[0].stream>>>(ready, out, 0.5f);
    LAUNCHED();
    CHECK(cudaEventRecord(to, lane[0].stream));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&ms, from, to));
    return 1e-3 * ms;
  });
  row("flop_beside", "0", "0", 1, "kernel", 0, count, blocks * THREADS, blocks,
      s);
  plausible("flop_beside", 2e-12 * 8 * 256 * count * THREADS / s.time, 5, 120,
            "TFLOP/s");
  CHECK(cudaEventDestroy(from));
  CHECK(cudaEventDestroy(to));
  CHECK(cudaFree(ready));
  CHECK(cudaFree(out));
}

int main()
{
  const int gpus = open_gpus("owner", 1);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  for (int many : {1, 2, 5}) waves(gate, lane, many);
  const std::vector<Lane> both = {lane[0], make_lane(0, true)};
  for (int blocks : {0, 16, 64, 132, 264, 528}) beside(both, blocks);
  if (gpus < 2) return 0;
  int4 *src = device_alloc<int4>(0, MOST / 16);
  int4 *dst = device_alloc<int4>(1, MOST / 16);
  fill(0, src, MOST, 1);
  for (int blocks : {1, 2, 4, 8, 16, 32, 64})
    agents(gate, lane, src, dst, 16, blocks, true);
  for (size_t chunk = 4 * KiB; chunk <= MiB; chunk *= 4)
    for (int blocks : {1, 2, 4, 8, 16, 32, 64})
      for (bool owned : {true, false})
        agents(gate, lane, src, dst, chunk, blocks, owned);
  return 0;
}
