// staged.cu - copies between GPUs without peer access: the driver stages them
// through the host's memory.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// staged_copy          GPU 0 to 1, count copies back to back in one stream
// staged_single        one copy between two events, raw
// staged_after_kernel  null kernel, then one copy in the same stream, raw
// staged_ring          g = 2 .. N GPUs at once, i sends to i+1 mod g; size_B is
//                      per GPU, count = g; the slowest GPU
// NAME_issued          the same, not gated: a copy call did not return while
//                      the gate was closed (for 0.2 s), so the time of issuing
//                      is in it
//
// Plausible on PCIe 5 x16: 5 to 60 GB/s for 64 MiB or more; more would mean
// that peer access is on.
#include "pattern.cuh"
#include "threads.cuh"

static const size_t MAX = 256 * MiB, RING_MAX = 64 * MiB;

static void report(const char *name, const char *src, const char *dst, int gpus,
                   size_t bytes, double count, double threads, const Timed &t)
{
  row(std::string(name) + t.suffix, src, dst, gpus, "copy", bytes, count,
      threads, 1, t.s);
}

static void copy(int from, int to, char *const *src, char *const *dst,
                 size_t bytes, cudaStream_t s)
{
  CHECK(cudaMemcpyPeerAsync(dst[to], to, src[from], from, bytes, s));
}

// A row of `count` copies back to back, after a null kernel if `threads` of one
// are given.
static void sample(const char *name, Gate &gate, const std::vector<Lane> &lane,
                   char *const *src, char *const *dst, size_t bytes, int count,
                   int threads)
{
  poison(1, dst[1], bytes);
  const Timed t = timed(gate, lane, [&](size_t, const Lane &l) {
    if (threads) null_kernel<<<1, threads, 0, l.stream>>>(0, 0, 0, 0);
    LAUNCHED();
    for (int i = 0; i < count; i++) copy(0, 1, src, dst, bytes, l.stream);
  });
  verify(name, 1, dst[1], bytes, 1);
  report(name, "0", "1", 2, bytes, count, threads, t);
  if (bytes >= 64 * MiB)
    plausible(name, bytes * count / t.s.time / 1e9, 5, 60, "GB/s");
}

static void ring(Gate &gate, const std::vector<Lane> &lanes, char *const *src,
                 char *const *dst, size_t bytes)
{
  int g = int(lanes.size());
  for (int i = 0; i < g; i++) poison(i, dst[i], bytes);
  Timed t = timed(gate, lanes, [&](size_t i, const Lane &l) {
    copy(int(i), int(i + 1) % g, src, dst, bytes, l.stream);
  });
  for (int i = 0; i < g; i++)
    verify("staged_ring", (i + 1) % g, dst[(i + 1) % g], bytes, 1 + i);
  report("staged_ring", "all", "all", g, bytes, g, 0, t);
  if (bytes == RING_MAX)
    plausible("staged_ring", bytes / t.s.time / 1e9, 5, 60, "GB/s");
}

int main()
{
  int gpus = open_gpus("staged", 2, false);
  Gate gate;
  std::vector<Lane> lanes;
  std::vector<char *> src, dst;
  for (int i = 0; i < gpus; i++) {
    size_t bytes = i < 2 ? MAX : RING_MAX;
    src.push_back(device_alloc<char>(i, bytes));
    dst.push_back(device_alloc<char>(i, bytes));
    fill(i, src[i], bytes, 1 + i);
    lanes.push_back(make_lane(i));
  }
  // What the driver allocates at the first copy between two GPUs is not timed.
  for (int g = 2; g <= gpus; g++)
    for (int i = 0; i < g; i++) {
      CHECK(cudaSetDevice(i));
      copy(i, (i + 1) % g, src.data(), dst.data(), RING_MAX, lanes[i].stream);
      CHECK(cudaStreamSynchronize(lanes[i].stream));
    }
  for (size_t b = 4; b <= MAX; b *= 4) {
    const int count = b >= 16 * MiB ? 4 : 32;
    sample("staged_copy", gate, {lanes[0]}, src.data(), dst.data(), b, count,
           0);
    sample("staged_single", gate, {lanes[0]}, src.data(), dst.data(), b, 1, 0);
    sample("staged_after_kernel", gate, {lanes[0]}, src.data(), dst.data(), b,
           1, 32);
  }
  for (int g = 2; g <= gpus; g++)
    for (size_t b : {64 * KiB, 1 * MiB, 16 * MiB, 64 * MiB})
      ring(gate, {lanes.begin(), lanes.begin() + g}, src.data(), dst.data(), b);
  return 0;
}
