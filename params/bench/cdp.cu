// cdp.cu - kernels launched by kernels (dynamic parallelism), alone and as the
// agent that copies a chunk to a peer.
//
// flags: -rdc=true -lcudadevrt
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, children counted
//
// cdp_launch       one kernel on GPU 0 launches count children of `threads`
//                  threads that count up once, fire and forget, from thread 0
//                  of each of `inflight` blocks; until the last child ended
// cdp_launch_tail  the same into the tail stream: the children run one after
//                  another when the parent has ended
// cdp_none         the parent of 1, 8 or 128 blocks without a child
// cdp_sync         host: the parent without a child, and cudaStreamSynchronize
// cdp_sync_plain   host: the same with a kernel that cannot launch any
// cdp_copy         children (`threads` threads each) copy count chunks of
//                  size_B from GPU 0 to GPU 1, launched by `inflight` blocks
//
// Without those flags there is no dynamic parallelism: skipped.
// Plausible on an H200: 0.1 to 20 us per child; 0.5 to 450 GB/s of copies.
#include "agent.cuh"
#include "pattern.cuh"
#include "threads.cuh"

#ifndef __CUDACC_RDC__

int main()
{
  fprintf(stderr, "cdp: built without -rdc=true: skipped\n");
  return SKIPPED;
}

#else

static const size_t TOTAL = 64 * MiB;
static const int MOST = 1024, CHILD = 32, WIDE = 4096;  // threads of a child

__global__ void child_count(unsigned *done)
{
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(done, 1u);
}

__global__ void child_copy(const int4 *src, int4 *dst, unsigned words,
                           unsigned *done)
{
  move_words(src, dst, words, size_t(blockIdx.x) * blockDim.x + threadIdx.x,
             size_t(gridDim.x) * blockDim.x);
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(done, 1u);
}

__global__ void parent_count(int count, int threads, bool tail, unsigned *done)
{
  if (threadIdx.x) return;
  const int block = threads < THREADS ? threads : THREADS;
  for (int i = blockIdx.x; i < count; i += gridDim.x)
    if (tail)
      child_count<<<threads / block, block, 0, cudaStreamTailLaunch>>>(done);
    else
      child_count<<<threads / block, block, 0, cudaStreamFireAndForget>>>(done);
}

__global__ void parent_copy(const int4 *src, int4 *dst, unsigned words,
                            int count, int blocks, unsigned *done)
{
  if (threadIdx.x) return;
  for (int i = blockIdx.x; i < count; i += gridDim.x)
    child_copy<<<blocks, THREADS, 0, cudaStreamFireAndForget>>>(
        src + size_t(i) * words, dst + size_t(i) * words, words, done);
}

// Measures what parent(stream) launches: each sample must have all children.
template <class Parent>
static Stat children(Gate &gate, const std::vector<Lane> &lane,
                     const char *bench, int count, unsigned *done,
                     Parent parent)
{
  return measure([&] {
    unsigned n = 0;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemset(done, 0, sizeof *done));
    CHECK(cudaDeviceSynchronize());
    double t = together(gate, lane, [&](size_t, const Lane &l) {
      parent(l.stream);
      LAUNCHED();
    });
    CHECK(cudaMemcpy(&n, done, sizeof n, cudaMemcpyDeviceToHost));
    if (n != unsigned(count)) {
      fprintf(stderr, "%s: %u children ran of %d\n", bench, n, count);
      quit(1);
    }
    return t;
  });
}

__global__ void plain_count(int count, unsigned *done)
{
  if (threadIdx.x == 0 && count) atomicAdd(done, 1u);
}

// What the host waits for a kernel, launched with the arguments of the parents.
template <class Launch>
static void waits(const char *bench, const Lane &lane, Launch launch)
{
  const int calls = 200;
  Stat s = measure([&] {
    double start = now();
    for (int i = 0; i < calls; i++) {
      launch(lane.stream);
      LAUNCHED();
      CHECK(cudaStreamSynchronize(lane.stream));
    }
    return now() - start;
  });
  row(bench, "h", "0", 1, "host", 0, calls, sm_count() * THREADS, 1, s);
  plausible(bench, s.time / calls * 1e6, 2, 60, "us");
}

static void launches(Gate &gate, const std::vector<Lane> &lane, int count,
                     int threads, int launchers, bool tail, unsigned *done)
{
  const char *bench = count == 0 ? "cdp_none"
                      : tail     ? "cdp_launch_tail"
                                 : "cdp_launch";
  Stat s = children(gate, lane, bench, count, done, [&](cudaStream_t stream) {
    parent_count<<<launchers, CHILD, 0, stream>>>(count, threads, tail, done);
  });
  row(bench, "0", "-", 1, "kernel", 0, std::max(count, 1), threads, launchers,
      s);
  if (count >= 256) plausible(bench, s.time / count * 1e6, 0.1, 20, "us");
}

static void copies(Gate &gate, const std::vector<Lane> &lane, const int4 *src,
                   int4 *dst, size_t chunk, int launchers, unsigned *done)
{
  int count = int(std::min(TOTAL / chunk, size_t(MOST)));
  launchers = std::min(launchers, count);
  // Four loads of 16 B in flight per thread, at most 64 blocks.
  int blocks = int(std::min(std::max(chunk / (THREADS * 64), size_t(1)),
                            size_t(64)));
  poison(1, dst, count * chunk);
  Stat s =
      children(gate, lane, "cdp_copy", count, done, [&](cudaStream_t stream) {
        parent_copy<<<launchers, CHILD, 0, stream>>>(
            src, dst, unsigned(chunk / 16), count, blocks, done);
      });
  verify("cdp_copy", 1, dst, count * chunk, 1);
  row("cdp_copy", "0", "1", 2, "store", chunk, count, blocks * THREADS,
      launchers, s);
  plausible("cdp_copy", count * chunk / s.time / 1e9, 0.5, 450, "GB/s");
}

int main()
{
  int gpus = open_gpus("cdp", 1);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2 * MOST));
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  unsigned *done = device_alloc<unsigned>(0, 1);
  const int blocks = sm_count();
  waits("cdp_sync_plain", lane[0], [&](cudaStream_t s) {
    plain_count<<<blocks, THREADS, 0, s>>>(0, done);
  });
  waits("cdp_sync", lane[0], [&](cudaStream_t s) {
    parent_count<<<blocks, THREADS, 0, s>>>(0, CHILD, false, done);
  });
  for (int few : {1, 2, 4, 6, 8, 12, 16, 32, 64})
    launches(gate, lane, few, WIDE, few, false, done);
  for (int launchers : {1, 8, 128}) {
    launches(gate, lane, 0, CHILD, launchers, false, done);
    for (bool tail : {false, true})
      for (int count : {1, 16, 128, 256, 512, MOST})
        if (count >= launchers)
          launches(gate, lane, count, CHILD, launchers, tail, done);
  }
  if (gpus < 2) {
    fprintf(stderr, "cdp: one GPU: peer copies skipped\n");
    return 0;
  }
  int4 *src = device_alloc<int4>(0, TOTAL / 16);
  int4 *dst = device_alloc<int4>(1, TOTAL / 16);
  fill(0, src, TOTAL, 1);
  for (size_t c = 4 * KiB; c <= 4 * MiB; c *= 2)
    for (int launchers : {1, 128})
      copies(gate, lane, src, dst, c, launchers, done);
  return 0;
}

#endif
