// nccl.cu - NCCL's collectives on g = 2 .. N GPUs, one process, one thread.
//
// method: calls in a row, wall time or events, median of 21 samples, verified
//
// allreduce (sum of 4 B words), allgather, reducescatter, broadcast and reduce
// (from and to GPU 0), in place: size_B is the whole array, count 1
// allreduce_out ... reduce_out   the same from one array into another
// alltoall   ncclSend and ncclRecv of every ordered pair: size_B is a pair's,
//            count the pairs
// ring       each GPU sends to the next and receives from the one before:
//            size_B is what one sends, count the GPUs
// These are the names and sizes under which results of nccl-tests are read.
// time_s is of one call, of as many in a row as take some ms; gpus is g.
// ..._sync   the host waits for all GPUs after each call: what a step of a
//            program pays that does nothing else
// ..._gate   20 calls behind a gate, by events of the slowest GPU: the device's
//            part, without the host's, which decides the others when small
// nccl_issue the host's time for one call (a group of all GPUs) that does not
//            wait; size_B 8, a row each for allreduce, allgather, broadcast and
//            ring.  One process may need 12 us a call and 18 us a minute later:
//            with BENCH_HOST, nccl_issue alone, by new communicators each time
//
// In-switch reduction is off (NCCL_NVLS_ENABLE=0) unless the environment says
// otherwise. Needs NCCL's header to be built, libnccl.so.2 to run; else it is
// skipped.
//
// Plausible on an H200 in a node: 4 us to 20 ms a call.
#include "nccl.cuh"
#include "pattern.cuh"
#include "threads.cuh"

#include <cstring>

#if HAVE_NCCL

static const int MOST = 8, SAMPLES = 21;
static const size_t MAX = 256 * MiB;
static const double SAMPLE = 1e-3;  // s
static const int GATED = 20;        // calls behind the gate

// ---- the collectives --------------------------------------------------------

struct Rank {
  ncclComm_t comm;
  cudaStream_t stream;
  uint32_t *a, *b; // b: received, by those that are not in place
};

typedef std::vector<Rank> Ranks;

// All ranks' part of one call on `words` in all (of a rank: allgather's result,
// what reducescatter and alltoall begin with).
struct Collective {
  const char *name;
  void (*rank)(const Ranks &, int i, size_t words);
  bool parts; // words are dealt to the ranks
  bool apart; // from a to b
};

static void alltoall(const Ranks &r, int i, size_t words)
{
  size_t each = words / r.size();
  for (int j = 0; j < int(r.size()); j++) {
    if (j == i) continue;
    NCHECK(lib().send(r[i].a + j * each, each, ncclUint32, j, r[i].comm,
                      r[i].stream));
    NCHECK(lib().recv(r[i].b + j * each, each, ncclUint32, j, r[i].comm,
                      r[i].stream));
  }
}

static void ring(const Ranks &r, int i, size_t words)
{
  int g = int(r.size());
  NCHECK(lib().send(r[i].a, words, ncclUint32, (i + 1) % g, r[i].comm,
                    r[i].stream));
  NCHECK(lib().recv(r[i].b, words, ncclUint32, (i + g - 1) % g, r[i].comm,
                    r[i].stream));
}

// Where a rank receives: in place, or in its other array.
static uint32_t *into(const Rank &k, bool apart)
{
  return apart ? k.b : k.a;
}

template <bool APART> static void allreduce(const Ranks &r, int i, size_t n)
{
  NCHECK(lib().all_reduce(r[i].a, into(r[i], APART), n, ncclUint32, ncclSum,
                          r[i].comm, r[i].stream));
}

template <bool APART> static void allgather(const Ranks &r, int i, size_t n)
{
  const size_t each = n / r.size();
  NCHECK(lib().all_gather(r[i].a + i * each, into(r[i], APART), each,
                          ncclUint32, r[i].comm, r[i].stream));
}

template <bool APART> static void reducescatter(const Ranks &r, int i, size_t n)
{
  const size_t each = n / r.size();
  NCHECK(lib().reduce_scatter(r[i].a, into(r[i], APART) + i * each, each,
                              ncclUint32, ncclSum, r[i].comm, r[i].stream));
}

template <bool APART> static void broadcast(const Ranks &r, int i, size_t n)
{
  NCHECK(lib().broadcast(r[i].a, into(r[i], APART), n, ncclUint32, 0, r[i].comm,
                         r[i].stream));
}

template <bool APART> static void reduce(const Ranks &r, int i, size_t n)
{
  NCHECK(lib().reduce(r[i].a, into(r[i], APART), n, ncclUint32, ncclSum, 0,
                      r[i].comm, r[i].stream));
}

static const Collective collectives[] = {
    {"allreduce", allreduce<false>, false, false},
    {"allgather", allgather<false>, true, false},
    {"reducescatter", reducescatter<false>, true, false},
    {"broadcast", broadcast<false>, false, false},
    {"reduce", reduce<false>, false, false},
    {"alltoall", alltoall, true, true},
    {"ring", ring, false, true},
    {"allreduce_out", allreduce<true>, false, true},
    {"allgather_out", allgather<true>, true, true},
    {"reducescatter_out", reducescatter<true>, true, true},
    {"broadcast_out", broadcast<true>, false, true},
    {"reduce_out", reduce<true>, false, true},
};

static void call(const Collective &c, const Ranks &r, size_t words)
{
  NCHECK(lib().start());
  for (int i = 0; i < int(r.size()); i++) c.rank(r, i, words);
  NCHECK(lib().end());
}

static void wait(const Ranks &r)
{
  for (const Rank &k : r) CHECK(cudaStreamSynchronize(k.stream));
}

// ---- that they do what their names say --------------------------------------

static std::vector<uint32_t> read(int gpu, const uint32_t *p, size_t words)
{
  std::vector<uint32_t> host(words);
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaMemcpy(host.data(), p, words * 4, cudaMemcpyDeviceToHost));
  return host;
}

static uint32_t sum_of(size_t word, int g)
{
  uint32_t s = 0;
  for (int i = 0; i < g; i++) s += pattern(word, i + 1);
  return s;
}

// What word w of rank i's result is after a call, or that it may be anything;
// all ranks began with their pattern in a and poison in b.
static bool expected(const std::string &name, int i, int g, size_t w,
                     size_t words, uint32_t *want)
{
  size_t each = words / g;
  int part = int(std::min(w / each, size_t(g - 1)));
  auto is = [&](const char *kind) { return name.compare(0, strlen(kind), kind) == 0; };
  *want = sum_of(w, g);
  if (is("reducescatter")) return part == i;
  if (is("reduce")) return i == 0;
  if (is("broadcast")) *want = pattern(w, 1);
  if (is("allgather")) *want = pattern(w, part + 1);
  if (is("ring")) *want = pattern(w, (i + g - 1) % g + 1);
  if (is("alltoall")) *want = pattern(w - part * each + i * each, part + 1);
  return !is("alltoall") || part != i;
}

static void check_one(const Collective &c, const Ranks &r, size_t words)
{
  int g = int(r.size());
  for (int i = 0; i < g; i++) {
    fill(i, r[i].a, words * 4, i + 1);
    poison(i, r[i].b, words * 4);
  }
  call(c, r, words);
  wait(r);
  for (int i = 0; i < g; i++) {
    auto a = read(i, r[i].a, words), b = read(i, r[i].b, words);
    for (size_t w = 0; w < words; w++) {
      uint32_t want;
      if (!expected(c.name, i, g, w, words, &want)) continue;
      if ((c.apart ? b : a)[w] == want) continue;
      fprintf(stderr, "nccl: %s on %d GPUs: word %zu of GPU %d is wrong\n",
              c.name, g, w, i);
      quit(1);
    }
  }
}

// ---- timing -----------------------------------------------------------------

static int samples()
{
  return getenv("BENCH_QUICK") ? 7 : SAMPLES;
}

// Seconds of one of `count` calls; waits after each, or after all of them.
static double in_a_row(const Collective &c, const Ranks &r, size_t words,
                       int count, bool waits)
{
  double start = now();
  for (int k = 0; k < count; k++) {
    call(c, r, words);
    if (waits) wait(r);
  }
  wait(r);
  return (now() - start) / count;
}

// All ranks' streams are held until the calls are in the queue.
static double gated(Gate &gate, const std::vector<Lane> &lanes,
                    const Collective &c, const Ranks &r, size_t words)
{
  for (const Lane &l : lanes) {
    CHECK(cudaSetDevice(l.gpu));
    gate.close(l.stream);
    CHECK(cudaEventRecord(l.start, l.stream));
  }
  for (int k = 0; k < GATED; k++) call(c, r, words);
  for (const Lane &l : lanes) {
    CHECK(cudaSetDevice(l.gpu));
    CHECK(cudaEventRecord(l.end, l.stream));
  }
  gate.open();
  wait(r);
  double longest = 0;
  for (const Lane &l : lanes) longest = std::max(longest, l.seconds());
  return longest / GATED;
}

static void one_size(Gate &gate, const std::vector<Lane> &lanes,
                     const Collective &c, const Ranks &r, size_t words)
{
  int g = int(r.size());
  std::string name = c.name;
  double size = 4.0 * double(words), count = 1;
  if (name == "ring") count = g;
  if (name == "alltoall") {
    size /= g;
    count = g * (g - 1);
  }
  for (bool waits : {false, true}) {
    for (int k = 0; k < WARMUPS; k++) in_a_row(c, r, words, 1, true);
    double once = in_a_row(c, r, words, 5, waits);
    int calls = std::max(1, std::min(100, int(SAMPLE / once)));
    std::vector<double> v;
    for (int k = samples(); k > 0; k--)
      v.push_back(in_a_row(c, r, words, calls, waits));
    Stat s = robust(v);
    row(name + (waits ? "_sync" : ""), "all", "all", g, "kernel", size, count,
        1, 1, s);
    plausible(c.name, s.time * 1e6, 4, 20e3, "us");
  }
  std::vector<double> v;
  for (int k = samples(); k > 0; k--)
    v.push_back(gated(gate, lanes, c, r, words));
  row(name + "_gate", "all", "all", g, "kernel", size, count, 1, 1, robust(v));
}

// In a queue that has room: the call alone.
static void issue(const Collective &c, const Ranks &r)
{
  const int calls = 20;
  std::vector<double> v;
  for (int k = samples() + WARMUPS; k > 0; k--) {
    double start = now();
    for (int n = 0; n < calls; n++) call(c, r, 2 * r.size());
    double seconds = (now() - start) / calls;
    wait(r);
    if (k <= samples()) v.push_back(seconds);
  }
  Stat s = robust(v);
  row("nccl_issue", "h", "all", int(r.size()), "host", 8, 1, 1, 1, s);
  plausible("nccl_issue of a GPU", s.time * 1e6 / double(r.size()), 2, 30, "us");
}

static void issues(const Ranks &r)
{
  for (const Collective &c : collectives) {
    const std::string name = c.name;
    if (name == "allreduce" || name == "allgather" || name == "broadcast" ||
        name == "ring")
      issue(c, r);
  }
}

// Of g GPUs; their streams are the lanes'.
static Ranks make_ranks(int g, const std::vector<uint32_t *> &a,
                        const std::vector<uint32_t *> &b,
                        std::vector<Lane> &lanes)
{
  std::vector<int> list;
  std::vector<ncclComm_t> comms(g);
  for (int i = 0; i < g; i++) list.push_back(i);
  NCHECK(lib().init(comms.data(), g, list.data()));
  Ranks r;
  for (int i = 0; i < g; i++) {
    lanes.push_back(make_lane(i));
    r.push_back({comms[i], lanes[i].stream, a[i], b[i]});
  }
  return r;
}

static void leave(const Ranks &r)
{
  for (const Rank &k : r) NCHECK(lib().destroy(k.comm));
}

static void on_gpus(int g, const std::vector<uint32_t *> &a,
                    const std::vector<uint32_t *> &b)
{
  Gate gate;
  std::vector<Lane> lanes;
  const Ranks r = make_ranks(g, a, b, lanes);
  for (const Collective &c : collectives) {
    for (size_t words : {size_t(g) * 2, size_t(g) * 32768})
      check_one(c, r, words);
    for (size_t bytes = 8;; bytes = std::min(4 * bytes, MAX)) {
      size_t words = bytes / 4;
      if (c.parts) words = words / g * g;
      if (words > 0) one_size(gate, lanes, c, r, words);
      if (bytes == MAX) break;
    }
  }
  issues(r);
  leave(r);
}

// The host's part: on two GPUs, on all, and so on.
static void host_only(int gpus, const std::vector<uint32_t *> &a,
                      const std::vector<uint32_t *> &b)
{
  for (int g : {2, gpus, 2}) {
    std::vector<Lane> lanes;
    const Ranks r = make_ranks(g, a, b, lanes);
    issues(r);
    leave(r);
  }
}

int main()
{
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  const bool host = getenv("BENCH_HOST");
  const size_t most = host ? MiB : MAX;
  int gpus = std::min(open_gpus("nccl", 2), MOST), version;
  NCHECK(lib().version(&version));
  fprintf(stderr, "nccl: version %d\n", version);
  std::vector<uint32_t *> a, b;
  for (int i = 0; i < gpus; i++) {
    a.push_back(device_alloc<uint32_t>(i, most / 4));
    b.push_back(device_alloc<uint32_t>(i, most / 4));
    fill(i, a[i], most, i + 1);
    fill(i, b[i], most, i + 1);
  }
  if (host) {
    host_only(gpus, a, b);
    return 0;
  }
  for (int g = 2; g <= gpus; g++) on_gpus(g, a, b);
  return 0;
}

#else

int main()
{
  fprintf(stderr, "nccl: built without nccl.h: skipped\n");
  return SKIPPED;
}

#endif
