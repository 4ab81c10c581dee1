// dma.cu - copies by the copy engine, GPU 0 to GPU 1; pinned.cu has the host.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// dma               count copies back to back in one stream: the gap g and the
//                   bandwidth
// dma_single        one copy between two events, raw: the latency L
// event_pair        two events with nothing between: the offset in the others
// null_kernel       one null kernel between two events
// dma_after_kernel  null kernel, then one copy in the same stream, raw
// dma_streams       16 copies on each of `inflight` streams; count is of all
//
// Plausible on an H200 (NVLink 4, 18 links x 25 GB/s = 450 GB/s raw): 250 to
// 450 GB/s for 64 MiB or more, 1 to 20 us for one small copy.
#include "pattern.cuh"

static const size_t MAX = 256 * MiB;

static void copy01(void *dst, const void *src, size_t bytes, cudaStream_t s)
{
  CHECK(cudaMemcpyPeerAsync(dst, 1, src, 0, bytes, s));
}

static void check_link(const char *bench, double bytes, double seconds)
{
  if (bytes >= 64 * MiB)
    plausible(bench, bytes / seconds / 1e9, 250, 450, "GB/s");
}

// A row of `count` copies back to back, after a null kernel if `threads` of one
// are given. Returns the time.
static double sample(const char *name, Gate &gate,
                     const std::vector<Lane> &lane, char *src, char *dst,
                     size_t bytes, int count, int threads)
{
  poison(1, dst, bytes);
  const Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      if (threads) null_kernel<<<1, threads, 0, l.stream>>>(0, 0, 0, 0);
      LAUNCHED();
      for (int i = 0; i < count; i++) copy01(dst, src, bytes, l.stream);
    });
  });
  verify(name, 1, dst, bytes, 1);
  row(name, "0", "1", 2, "copy", bytes, count, threads, 1, s);
  return s.time;
}

static void one_size(Gate &gate, const std::vector<Lane> &lane, char *src,
                     char *dst, size_t bytes)
{
  const int count = bytes >= 16 * MiB ? 4 : 32;
  const double row_s = sample("dma", gate, lane, src, dst, bytes, count, 0);
  check_link("dma", double(bytes) * count, row_s);
  const double one = sample("dma_single", gate, lane, src, dst, bytes, 1, 0);
  if (bytes <= KiB) plausible("dma_single", one * 1e6, 1, 20, "us");
  sample("dma_after_kernel", gate, lane, src, dst, bytes, 1, 32);
}

static void offsets(Gate &gate, const std::vector<Lane> &lane)
{
  Stat s = measure(
      [&] { return together(gate, lane, [](size_t, const Lane &) {}); });
  row("event_pair", "0", "-", 1, "host", 0, 1, 0, 1, s);
  s = measure([&] {
    return together(gate, lane, [](size_t, const Lane &l) {
      null_kernel<<<1, 32, 0, l.stream>>>(0, 0, 0, 0);
      LAUNCHED();
    });
  });
  row("null_kernel", "0", "-", 1, "kernel", 0, 1, 32, 1, s);
}

static void streams(Gate &gate, char *src, char *dst, size_t bytes, int k)
{
  const int each = 16;
  std::vector<Lane> lanes;
  for (int i = 0; i < k; i++) lanes.push_back(make_lane(0));
  poison(1, dst, k * bytes);
  Stat s = measure([&] {
    return together(gate, lanes, [&](size_t i, const Lane &l) {
      for (int j = 0; j < each; j++)
        copy01(dst + i * bytes, src + i * bytes, bytes, l.stream);
    });
  });
  verify("dma_streams", 1, dst, k * bytes, 1);
  row("dma_streams", "0", "1", 2, "copy", bytes, each * k, 0, k, s);
}

int main()
{
  int gpus = open_gpus("dma", 1);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  char *src = device_alloc<char>(0, MAX);
  fill(0, src, MAX, 1);
  offsets(gate, lane);
  if (gpus < 2) {
    fprintf(stderr, "dma: one GPU: peer copies skipped\n");
    return 0;
  }
  char *dst = device_alloc<char>(1, MAX);
  for (size_t b = 4; b <= MAX; b *= b < 16 * KiB ? 4 : 2)
    one_size(gate, lane, src, dst, b);
  for (size_t b : {64 * KiB, 1 * MiB, 16 * MiB})
    for (int k : {1, 2, 4}) streams(gate, src, dst, b, k);
  return 0;
}
