// launch.cu - what the host pays: issuing, waiting, barriers; and what the
// device pays per kernel and per block.
//
// method: t threads on t GPUs, slowest thread, median of 7 to 51, in passes
//
// Host benches run with t = 1 .. N threads, each driving its own GPU; time_s is
// that of the slowest thread for all count calls; streams are drained between
// samples, and count calls fit the queue, so issuing does not block.
// issue_launch   null kernel with four int arguments
// issue_copy     peer copy of 4 KiB to GPU (i+1) mod N
// issue_event    cudaEventRecord, timing disabled
// issue_wait     cudaStreamWaitEvent on an event that has not happened yet
// launch_sync    null kernel and cudaStreamSynchronize
// launch_sync2   a null kernel in each of two streams, then both synchronised
// launch_copy_sync     null kernel, peer copy of 4 KiB behind it, synchronise
// wait_sync            a kernel of some 20 us, synchronise
// wait_copy_sync       the same with a peer copy of 4 KiB behind the kernel: its
//                      channel has been put aside by then, as in a program
// device_sync          null kernel and cudaDeviceSynchronize
// barrier              the spin barrier between the threads alone
// launch_sync_barrier  launch_sync and the barrier
// Device, behind the gate:
// kernel_gap     back-to-back null kernels in one stream
// kernel_size    back-to-back kernels of size_B empty blocks of 256 threads
//
// Plausible: 0.5 to 20 us per issue, 2 to 60 us per round trip, 0.001 to 20 us
// per barrier, 0.3 to 10 us per dependent kernel. Outside: a message.
#include "pattern.cuh"
#include "threads.cuh"

static const int CALLS = 200, BARRIERS = 1000;
static const size_t SMALL = 4 * KiB;

// What one host thread has: two streams of its GPU, an event, a target.
struct Host {
  cudaStream_t s, s2;
  cudaEvent_t event;
  void *src, *dst;
  int gpu, peer;
};

static Host make_host(int gpu, int gpus)
{
  Host h;
  h.gpu = gpu;
  h.peer = (gpu + 1) % gpus;
  h.src = device_alloc<char>(gpu, SMALL);
  h.dst = device_alloc<char>(h.peer, SMALL);
  fill(gpu, h.src, SMALL, gpu + 1);
  poison(h.peer, h.dst, SMALL);
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaStreamCreateWithFlags(&h.s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&h.s2, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&h.event, cudaEventDisableTiming));
  return h;
}

static void launch(cudaStream_t s)
{
  null_kernel<<<1, 32, 0, s>>>(1, 2, 3, 4);
  LAUNCHED();
}

__global__ void wait_kernel()
{
  const long long cycles = 40000, start = clock64();
  while (clock64() - start < cycles) {}
}

static void launch_wait(cudaStream_t s)
{
  wait_kernel<<<1, 1, 0, s>>>();
  LAUNCHED();
}

static void copy(const Host &h)
{
  CHECK(cudaMemcpyPeerAsync(h.dst, h.peer, h.src, h.gpu, SMALL, h.s));
}

static void wait_for(cudaStream_t s) { CHECK(cudaStreamSynchronize(s)); }

// The table of what is timed: calls per sample, plausible range of one in us.
struct Call {
  const char *name;
  void (*one)(const Host &, Barrier &);
  int count;
  bool pending;  // h.event is held pending by a gate while the calls are made
  bool copies;   // needs a peer, and moves data to be checked
  double low, high;
};

static const Call calls[] = {
  {"issue_launch", [](const Host &h, Barrier &) { launch(h.s); }, CALLS, false,
   false, 0.5, 20},
  {"issue_copy", [](const Host &h, Barrier &) { copy(h); }, CALLS, false, true,
   0.5, 20},
  {"issue_event",
   [](const Host &h, Barrier &) { CHECK(cudaEventRecord(h.event, h.s)); },
   CALLS, false, false, 0.1, 20},
  {"issue_wait",
   [](const Host &h, Barrier &) {
     CHECK(cudaStreamWaitEvent(h.s, h.event, 0));
   },
   CALLS, true, false, 0.1, 20},
  {"launch_sync",
   [](const Host &h, Barrier &) {
     launch(h.s);
     wait_for(h.s);
   },
   CALLS, false, false, 2, 60},
  {"launch_sync2",
   [](const Host &h, Barrier &) {
     launch(h.s);
     launch(h.s2);
     wait_for(h.s);
     wait_for(h.s2);
   },
   CALLS, false, false, 2, 60},
  {"launch_copy_sync",
   [](const Host &h, Barrier &) {
     launch(h.s);
     copy(h);
     wait_for(h.s);
   },
   CALLS, false, true, 2, 60},
  {"wait_sync",
   [](const Host &h, Barrier &) {
     launch_wait(h.s);
     wait_for(h.s);
   },
   CALLS, false, false, 20, 80},
  {"wait_copy_sync",
   [](const Host &h, Barrier &) {
     launch_wait(h.s);
     copy(h);
     wait_for(h.s);
   },
   CALLS, false, true, 20, 90},
  {"device_sync",
   [](const Host &h, Barrier &) {
     launch(h.s);
     CHECK(cudaDeviceSynchronize());
   },
   CALLS, false, false, 2, 60},
  {"barrier", [](const Host &, Barrier &b) { b.wait(); }, BARRIERS, false,
   false, 0.001, 20},
  {"launch_sync_barrier",
   [](const Host &h, Barrier &b) {
     launch(h.s);
     wait_for(h.s);
     b.wait();
   },
   CALLS, false, false, 2, 80},
};

// One sample of one thread, in seconds.
static double sample(const Call &c, const Host &h, Barrier &b, Gate &gate)
{
  if (c.pending) {
    gate.close(h.s2);
    CHECK(cudaEventRecord(h.event, h.s2));
  }
  b.wait();
  double start = now();
  for (int i = 0; i < c.count; i++) c.one(h, b);
  double seconds = now() - start;
  if (c.pending) gate.open();
  CHECK(cudaDeviceSynchronize());
  return seconds;
}

// Thread 0 keeps the slowest thread's time of each sample.
static void run(const Call &c, const std::vector<Host> &hosts, int threads,
                int count, std::vector<double> &kept)
{
  const int samples = WARMUPS + count;
  std::vector<double> last(threads);
  std::vector<Gate> gates(threads);
  Barrier b(threads);
  on_threads(threads, [&](int t) {
    for (int r = 0; r < samples; r++) {
      last[t] = sample(c, hosts[t], b, gates[t]);
      b.wait();
      if (t == 0 && r >= WARMUPS)
        kept.push_back(*std::max_element(last.begin(), last.end()));
      b.wait();
    }
  });
}

static void one_pass(const Call &c, const std::vector<Host> &hosts, int t,
                     int samples, std::vector<double> &kept)
{
  for (const Host &h : hosts)
    if (c.copies) poison(h.peer, h.dst, SMALL);
  run(c, hosts, t, samples, kept);
  for (int i = 0; c.copies && i < t; i++)
    verify(c.name, hosts[i].peer, hosts[i].dst, SMALL, i + 1);
}

static void report(const Call &c, int t, const Stat &s)
{
  row(c.name, "h", t == 1 ? "0" : "all", t, "host", c.copies ? SMALL : 0,
      c.count, t, t, s);
  plausible(c.name, s.time / c.count * 1e6, c.low, c.high, "us");
}

__global__ void empty_blocks() {}

static void device_benches()
{
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  Stat s = measure([&] {
    return together(gate, lane, [](size_t, const Lane &l) {
      for (int i = 0; i < CALLS; i++) launch(l.stream);
    });
  });
  row("kernel_gap", "0", "-", 1, "kernel", 0, CALLS, 32, 1, s);
  plausible("kernel_gap", s.time / CALLS * 1e6, 0.3, 10, "us");
  const int count = 20;
  for (int blocks : {1, 132, 1056, 8448, 67584, 540672}) {
    s = measure([&] {
      return together(gate, lane, [&](size_t, const Lane &l) {
        for (int i = 0; i < count; i++) {
          empty_blocks<<<blocks, THREADS, 0, l.stream>>>();
          LAUNCHED();
        }
      });
    });
    row("kernel_size", "0", "-", 1, "kernel", blocks, count,
        double(blocks) * THREADS, 1, s);
  }
}

int main()
{
  int gpus = open_gpus("launch", 1);
  std::vector<Host> hosts;
  for (int i = 0; i < gpus; i++) hosts.push_back(make_host(i, gpus));
  struct Bench {
    const Call *call;
    int threads;
    std::vector<double> kept;
  };
  std::vector<Bench> benches;
  for (int t = 1; t <= gpus; t++)
    for (const Call &c : calls)
      if (gpus > 1 || !c.copies) benches.push_back({&c, t, {}});
  for (Passes p; p.more();)
    for (Bench &b : benches)
      one_pass(*b.call, hosts, b.threads, p.samples, b.kept);
  for (const Bench &b : benches) report(*b.call, b.threads, robust(b.kept));
  device_benches();
  return 0;
}
