// um.cu - managed memory: pages that come when they are touched, or before.
//
// method: gate, events, or wall clock; median of 7 to 51, values verified
//
// um_fault     a kernel on GPU 0 reads size_B that lie in the host's memory:
//              every page faults and moves; gated, between two events
// um_migrate   a kernel on GPU 1 reads size_B that lie on GPU 0, the same way
// um_prefetch  cudaMemPrefetchAsync of size_B from h to 0, 0 to h and 0 to 1,
//              from the call until the stream is empty, by the host's clock
//              (not gated: the call may wait for its stream)
// Before each sample a prefetch brings the pages back and a pause of 1 ms keeps
// the driver from taking the movements for thrashing. At most 256 MiB of
// managed memory.
//
// Plausible on an H200 at 256 MiB: 1 to 60 GB/s to and from the host, by faults
// or by prefetch; 1 to 450 GB/s between GPUs; and what a kernel reads again,
// once it has moved, comes at 0.8 to 4.8 TB/s.
#include "stores.cuh"
#include "threads.cuh"

static const size_t MAX = 256 * MiB;
static const uint32_t SEED = 5;

struct Bench {
  Gate gate;
  std::vector<Lane> lane;  // of GPU 0 and, if there is one, 1
  std::vector<uint32_t *> sum;
  uint4 *data;
  int blocks;
};

static std::string name_of(int place)
{
  return place == HOST ? "h" : std::to_string(place);
}

// All of the pages in use to `place`.
static void settle(const Bench &b, size_t bytes, int place)
{
  CHECK(cudaSetDevice(0));
  prefetch(b.data, bytes, place, b.lane[0].stream);
  CHECK(cudaStreamSynchronize(b.lane[0].stream));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

static double touch(Bench &b, size_t bytes, int gpu)
{
  return together(b.gate, {b.lane[gpu]}, [&](size_t, const Lane &l) {
    load_sum<1><<<b.blocks, THREADS, 0, l.stream>>>(b.data, bytes / 16,
                                                    b.sum[gpu]);
    LAUNCHED();
  });
}

static void plausible_move(const char *bench, size_t bytes, double seconds,
                           bool host)
{
  if (bytes == MAX)
    plausible(bench, bytes / seconds / 1e9, 1, host ? 60 : 450, "GB/s");
}

static void fault(Bench &b, const char *bench, size_t bytes, int from, int to)
{
  size_t threads = size_t(b.blocks) * THREADS;
  poison(to, b.sum[to], threads * sizeof *b.sum[to]);
  Stat s = measure([&] {
    settle(b, bytes, from);
    return touch(b, bytes, to);
  });
  verify_sum(bench, b.sum[to], threads, bytes, SEED);
  row(bench, name_of(from), name_of(to), to + 1, "fault", bytes, 1,
      double(threads), 1, s);
  plausible_move(bench, bytes, s.time, from == HOST);
  double again = touch(b, bytes, to);
  if (bytes == MAX)
    plausible((std::string(bench) + ", again").c_str(), bytes / again / 1e12,
              0.8, 4.8, "TB/s");
}

static void moved(Bench &b, size_t bytes, int from, int to)
{
  const Lane &l = b.lane[std::max(from, to)];
  Stat s = measure([&] {
    settle(b, bytes, from);
    CHECK(cudaSetDevice(l.gpu));
    double start = now();
    prefetch(b.data, bytes, to, l.stream);
    CHECK(cudaStreamSynchronize(l.stream));
    return now() - start;
  });
  int reader = std::max(to, 0);
  touch(b, bytes, reader);
  verify_sum("um_prefetch", b.sum[reader], size_t(b.blocks) * THREADS, bytes,
             SEED);
  row("um_prefetch", name_of(from), name_of(to), l.gpu + 1, "copy", bytes, 1, 0,
      1, s);
  plausible_move("um_prefetch", bytes, s.time, from == HOST || to == HOST);
}

int main()
{
  int gpus = std::min(open_gpus("um", 1), 2);
  for (int i = 0; i < gpus; i++) {
    int can = 0;
    CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, i));
    if (can) continue;
    fprintf(stderr, "um: GPU %d has no concurrent managed access: skipped\n",
            i);
    return SKIPPED;
  }
  Bench b;
  b.blocks = sm_count() * PER_SM;
  for (int i = 0; i < gpus; i++) {
    b.lane.push_back(make_lane(i));
    b.sum.push_back(device_alloc<uint32_t>(i, size_t(b.blocks) * THREADS));
  }
  CHECK(cudaMallocManaged(&b.data, MAX));
  fill(0, b.data, MAX, SEED);
  for (size_t bytes = 2 * MiB; bytes <= MAX; bytes *= 2) {
    fault(b, "um_fault", bytes, HOST, 0);
    moved(b, bytes, HOST, 0);
    moved(b, bytes, 0, HOST);
    if (gpus < 2) continue;
    fault(b, "um_migrate", bytes, 0, 1);
    moved(b, bytes, 0, 1);
  }
  if (gpus < 2) fprintf(stderr, "um: one GPU: GPU to GPU skipped\n");
  return 0;
}
