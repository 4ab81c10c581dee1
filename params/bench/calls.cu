// calls.cu - what each call of the host costs, how long one piece of device
// work takes to start behind another, how soon the host knows that it ended.
//
// method: t threads, slowest one, median in passes; device work by events
//
// Host benches. `threads` is of the host, `gpus` the GPUs that they drive:
// thread i drives GPU i mod gpus, so that with threads = gpus each has a GPU of
// its own, with more several share one. Each thread has streams, events and
// memory of its own. time_s is the slowest thread's for all count calls;
// streams are drained between samples, and count calls fit the queue.
// call_launch   null kernel with four int arguments
// call_memset, call_copy, call_d2h, call_h2d   4 B; 4 KiB to the next GPU; 8 B
//               to and from pinned memory
// call_record   cudaEventRecord, timing disabled
// call_near     cudaStreamWaitEvent on an event that has not happened yet, of
//               another stream of this GPU; call_far: of the next GPU
// call_done     cudaEventSynchronize, call_query cudaEventQuery, on an event
//               that has happened
// call_idle     cudaStreamSynchronize on a stream that has nothing to do
// call_device   cudaSetDevice to the next GPU, and back: count is of both
// call_graph, call_graph8   cudaGraphLaunch of 1 and of 8 null kernels in a row
// mix_chunk     what a program calls for each piece that it sends beside its
//               kernels: a null kernel, a record, another stream's wait for it
//               and a copy there; count is of all four
// turn_launch, turn_copy, turn_record   one thread goes from GPU to GPU with
//               cudaSetDevice and calls on each: count is of all GPUs' calls
// turn_sync     the same with a null kernel, then a wait for each stream
// turn_far      records on each GPU in turn, then each GPU's stream waits for
//               the next one's, which has not happened: count is of both
// Waking up: a kernel waits for the host's word, then works some 10 us. The
// time is from the word until the host
// wake_flag     sees, polling its memory, what that kernel wrote last
// wake_stream, wake_event   returns from cudaStreamSynchronize,
//               cudaEventSynchronize
// wake_query    is told so by cudaEventQuery, which it calls again and again
// wake_spread   straggling alone: one word is for all threads; from the first
//               return from cudaStreamSynchronize to the last
// barrier_bare  the spin barrier between threads that use no GPU
//
// Device benches, behind the gate, on GPU 0 (and 1); size_B is 0, count the
// rounds in a row. k is a kernel of one thread that spins some 5 us, c a peer
// copy of 4 KiB, d and h copies of 8 B to and from the host, m a memset of 4 B.
// hand_none     one kernel that spins as long as all k of hand_k: no hand-over
// hand_k, hand_c, hand_d, hand_h, hand_m   rounds of one thing
// hand_kc, hand_kd, hand_kh, hand_km       rounds of a kernel and that
// hand_near     k in two streams of the GPU in turn, each behind an event of
//               the other; hand_far: in streams of two GPUs; count is of k
// hand_near_kc  the same with k in one stream and c in the other; hand_far_kc:
//               c from GPU 0 to 1, then k there; count is of k and c
// hand_meet     k in a stream of each of two GPUs, each behind an event of the
//               other's last k: both wait, shortly; count is of a GPU's k
// hand_meet_kc  the same with k and c in both streams; count is of a GPU's k
//
// Plausible: 0.02 to 20 us a call, 10 to 60 us to wake up, 0.2 to 60 us a
// round. Outside: a message.
#include "pattern.cuh"
#include "threads.cuh"

#include <functional>

static const int CALLS = 100, ROUNDS = 20, BARRIERS = 1000, MOST = 8;
static const size_t SMALL = 4 * KiB;
static const long long SPIN = 10000, WORK = 20000; // cycles: 5 and 10 us

__global__ void spin_kernel(long long cycles)
{
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// What a host thread and a kernel tell each other, each in a line of its own.
struct Talk {
  alignas(128) unsigned word;
  alignas(128) unsigned here;
  alignas(128) unsigned answer;
  alignas(128) double room[2]; // for copies
};

// Says that it runs, waits for the host's word, works, then answers.
__global__ void answer_kernel(const unsigned *word, unsigned ticket, Talk *to)
{
  store_release(&to->here, ticket);
  spin_until(word, ticket);
  const long long start = clock64();
  while (clock64() - start < WORK) {
  }
  store_release(&to->answer, ticket);
}

static void launch(cudaStream_t s)
{
  null_kernel<<<1, 32, 0, s>>>(1, 2, 3, 4);
  LAUNCHED();
}

static void spin(cudaStream_t s, long long cycles = SPIN)
{
  spin_kernel<<<1, 1, 0, s>>>(cycles);
  LAUNCHED();
}

// ---- what a host thread has -------------------------------------------------

struct Host {
  cudaStream_t s, s2, far;   // far: of the next GPU
  cudaEvent_t event, of_far; // of_far: recorded in `far`
  cudaGraphExec_t graph, graph8;
  char *src, *dst, *spare; // dst: on the next GPU; spare: nobody reads it
  Talk *talk;              // in the host's memory
  int gpu, next;
};

static cudaGraphExec_t graph_of(cudaStream_t s, int kernels)
{
  cudaGraph_t g;
  cudaGraphExec_t e;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kernels; i++) launch(s);
  CHECK(cudaStreamEndCapture(s, &g));
  CHECK(cudaGraphInstantiate(&e, g, 0));
  CHECK(cudaGraphDestroy(g));
  return e;
}

static cudaEvent_t new_event()
{
  cudaEvent_t e;
  CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return e;
}

static cudaStream_t new_stream(int gpu)
{
  cudaStream_t s;
  CHECK(cudaSetDevice(gpu));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return s;
}

static Host make_host(int gpu, int next)
{
  Host h = {};
  h.gpu = gpu;
  h.next = next;
  h.src = device_alloc<char>(gpu, SMALL);
  h.dst = device_alloc<char>(next, SMALL);
  fill(gpu, h.src, SMALL, gpu + 1);
  poison(next, h.dst, SMALL);
  h.spare = device_alloc<char>(gpu, SMALL);
  CHECK(cudaHostAlloc(reinterpret_cast<void **>(&h.talk), sizeof *h.talk,
                      cudaHostAllocPortable | cudaHostAllocMapped));
  h.far = new_stream(next);
  h.of_far = new_event();
  h.s = new_stream(gpu);
  h.s2 = new_stream(gpu);
  h.event = new_event();
  h.graph = graph_of(h.s, 1);
  h.graph8 = graph_of(h.s, 8);
  return h;
}

static void close_host(const Host &h)
{
  CHECK(cudaSetDevice(h.gpu));
  CHECK(cudaGraphExecDestroy(h.graph));
  CHECK(cudaGraphExecDestroy(h.graph8));
  for (cudaStream_t s : {h.s, h.s2, h.far}) CHECK(cudaStreamDestroy(s));
  for (cudaEvent_t e : {h.event, h.of_far}) CHECK(cudaEventDestroy(e));
  for (char *p : {h.src, h.dst, h.spare}) CHECK(cudaFree(p));
  CHECK(cudaFreeHost(h.talk));
}

// ---- samples by several threads ---------------------------------------------

struct Setting {
  int gpus, threads;
};

// sample(t) is one sample of thread t, in seconds; of each sample the slowest
// thread's time is kept.
template <class Sample>
static std::vector<double> run(Setting at, Sample sample)
{
  const int samples = WARMUPS + Passes().samples;
  std::vector<double> last(at.threads), kept;
  Barrier b(at.threads);
  std::vector<std::thread> pool;
  for (int t = 0; t < at.threads; t++)
    pool.emplace_back([&, t] {
      CHECK(cudaSetDevice(t % at.gpus));
      for (int r = 0; r < samples; r++) {
        last[t] = sample(t, b);
        b.wait();
        if (t == 0 && r >= WARMUPS)
          kept.push_back(*std::max_element(last.begin(), last.end()));
        b.wait();
      }
    });
  for (std::thread &t : pool) t.join();
  return kept;
}

// A host bench and what all passes have measured of it.
struct Kept {
  std::string name;
  Setting at;
  double bytes, count, low, high;
  std::vector<double> seconds;
};
static std::vector<Kept> all_kept;

static void keep(const char *name, Setting at, double bytes, double count,
                 double low, double high, const std::vector<double> &seconds)
{
  for (Kept &k : all_kept)
    if (k.name == name && k.at.gpus == at.gpus && k.at.threads == at.threads) {
      k.seconds.insert(k.seconds.end(), seconds.begin(), seconds.end());
      return;
    }
  all_kept.push_back({name, at, bytes, count, low, high, seconds});
}

static void host_rows()
{
  for (const Kept &k : all_kept) {
    const Stat s = robust(k.seconds);
    const char *const on = k.name == "barrier_bare" ? "-"
                           : k.at.gpus == 1         ? "0"
                                                    : "all";
    row(k.name, "h", on, k.at.gpus, "host", k.bytes, k.count, k.at.threads, 1,
        s);
    plausible(k.name.c_str(), s.time / k.count * 1e6, k.low, k.high, "us");
  }
}

// ---- calls ------------------------------------------------------------------

static void copy(const Host &h)
{
  CHECK(cudaMemcpyPeerAsync(h.dst, h.next, h.src, h.gpu, SMALL, h.s));
}

static void to_host(const Host &h)
{
  CHECK(cudaMemcpyAsync(&h.talk->room[0], h.spare, sizeof(double),
                        cudaMemcpyDeviceToHost, h.s));
}

static void to_device(const Host &h)
{
  CHECK(cudaMemcpyAsync(h.spare, &h.talk->room[1], sizeof(double),
                        cudaMemcpyHostToDevice, h.s));
}

static void set_word(const Host &h)
{
  CHECK(cudaMemsetAsync(h.spare, 0, 4, h.s));
}

static void record(const Host &h)
{
  CHECK(cudaEventRecord(h.event, h.s));
}

static void chunk(const Host &h)
{
  launch(h.s);
  record(h);
  CHECK(cudaStreamWaitEvent(h.s2, h.event, 0));
  CHECK(cudaMemcpyPeerAsync(h.dst, h.next, h.src, h.gpu, SMALL, h.s2));
}

// The table of what is timed.
struct Call {
  const char *name;
  void (*one)(const Host &);
  double bytes;
  bool peer;    // needs another GPU
  bool pending; // both events are held by a gate while the calls are made
  int each;     // calls that one() makes
};

static const Call calls[] = {
    {"call_launch", [](const Host &h) { launch(h.s); }, 0, false, false, 1},
    {"call_memset", set_word, 4, false, false, 1},
    {"call_copy", copy, SMALL, true, false, 1},
    {"call_d2h", to_host, 8, false, false, 1},
    {"call_h2d", to_device, 8, false, false, 1},
    {"call_record", record, 0, false, false, 1},
    {"call_near",
     [](const Host &h) { CHECK(cudaStreamWaitEvent(h.s, h.event, 0)); }, 0,
     false, true, 1},
    {"call_far",
     [](const Host &h) { CHECK(cudaStreamWaitEvent(h.s, h.of_far, 0)); }, 0,
     true, true, 1},
    {"call_done", [](const Host &h) { CHECK(cudaEventSynchronize(h.event)); },
     0, false, false, 1},
    {"call_idle", [](const Host &h) { CHECK(cudaStreamSynchronize(h.s)); }, 0,
     false, false, 1},
    {"call_query", [](const Host &h) { CHECK(cudaEventQuery(h.event)); }, 0,
     false, false, 1},
    {"call_device",
     [](const Host &h) {
       CHECK(cudaSetDevice(h.next));
       CHECK(cudaSetDevice(h.gpu));
     },
     0, true, false, 2},
    {"call_graph", [](const Host &h) { CHECK(cudaGraphLaunch(h.graph, h.s)); },
     0, false, false, 1},
    {"call_graph8",
     [](const Host &h) { CHECK(cudaGraphLaunch(h.graph8, h.s)); }, 0, false,
     false, 1},
    {"mix_chunk", chunk, SMALL, true, false, 4},
};

static void drain(const Host &h)
{
  for (cudaStream_t s : {h.far, h.s2, h.s}) CHECK(cudaStreamSynchronize(s));
}

static void hold_events(const Host &h, const Gate &gate)
{
  CHECK(cudaSetDevice(h.next));
  gate.close(h.far);
  CHECK(cudaEventRecord(h.of_far, h.far));
  CHECK(cudaSetDevice(h.gpu));
  gate.close(h.s2);
  CHECK(cudaEventRecord(h.event, h.s2));
}

static void time_call(const Call &c, const std::vector<Host> &hosts, Setting at)
{
  std::vector<Gate> gates(at.threads);
  auto sample = [&](int t, Barrier &b) {
    const Host &h = hosts[t];
    if (c.pending) hold_events(h, gates[t]);
    b.wait();
    double start = now();
    for (int i = 0; i < CALLS; i++) c.one(h);
    double seconds = now() - start;
    if (c.pending) gates[t].open();
    drain(h);
    return seconds;
  };
  keep(c.name, at, c.bytes, CALLS * c.each, 0.02, 20, run(at, sample));
}

// ---- one thread, several GPUs -----------------------------------------------

static void turns(const std::vector<Host> &hosts, int gpus)
{
  struct Turn {
    const char *name;
    void (*one)(const Host &);
    bool waits;
  };
  const Turn all[] = {
      {"turn_launch", [](const Host &h) { launch(h.s); }, false},
      {"turn_copy", copy, false},
      {"turn_record", record, false},
      {"turn_sync", [](const Host &h) { launch(h.s); }, true},
  };
  const Setting one = {1, 1};
  for (const Turn &turn : all) {
    const std::vector<double> s = run(one, [&](int, Barrier &) {
      double start = now();
      for (int r = 0; r < CALLS; r++) {
        for (int i = 0; i < gpus; i++) {
          CHECK(cudaSetDevice(i));
          turn.one(hosts[i]);
        }
        for (int i = 0; i < gpus && turn.waits; i++)
          CHECK(cudaStreamSynchronize(hosts[i].s));
      }
      double seconds = now() - start;
      for (int i = 0; i < gpus; i++) drain(hosts[i]);
      return seconds;
    });
    keep(turn.name, {gpus, 1}, 0, CALLS * gpus, 0.05, 60, s);
  }
}

// Each GPU behind an event of the next, all of them held.
static void turn_far(const std::vector<Host> &hosts, int gpus)
{
  std::vector<Gate> gates(gpus);
  auto sample = [&](int, Barrier &) {
    for (int i = 0; i < gpus; i++) {
      CHECK(cudaSetDevice(i));
      gates[i].close(hosts[i].s);
    }
    double start = now();
    for (int r = 0; r < CALLS; r++) {
      for (int i = 0; i < gpus; i++) {
        CHECK(cudaSetDevice(i));
        record(hosts[i]);
      }
      for (int i = 0; i < gpus; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamWaitEvent(hosts[i].s, hosts[(i + 1) % gpus].event, 0));
      }
    }
    double seconds = now() - start;
    for (int i = 0; i < gpus; i++) gates[i].open();
    for (int i = 0; i < gpus; i++) drain(hosts[i]);
    return seconds;
  };
  keep("turn_far", {gpus, 1}, 0, 2 * CALLS * gpus, 0.05, 60, run({1, 1}, sample));
}

// ---- waking up --------------------------------------------------------------

enum Waiting {
  FLAG,
  STREAM,
  EVENT,
  QUERY
};

static void see(const unsigned *from, unsigned ticket)
{
  while (__atomic_load_n(from, __ATOMIC_ACQUIRE) < ticket) {
  }
}

static void await(const Host &h, Waiting how, unsigned ticket)
{
  if (how == FLAG) see(&h.talk->answer, ticket);
  if (how == STREAM) CHECK(cudaStreamSynchronize(h.s));
  if (how == EVENT) CHECK(cudaEventSynchronize(h.event));
  while (how == QUERY && cudaEventQuery(h.event) == cudaErrorNotReady) {
  }
}

// From the word to the thread's return. The kernel waits for `word`.
static double woken(const Host &h, unsigned *word, bool says, Waiting how,
                    unsigned ticket, Barrier &b, double *end)
{
  answer_kernel<<<1, 1, 0, h.s>>>(word, ticket, h.talk);
  LAUNCHED();
  CHECK(cudaEventRecord(h.event, h.s));
  see(&h.talk->here, ticket);
  b.wait();
  double start = now();
  if (says) __atomic_store_n(word, ticket, __ATOMIC_SEQ_CST);
  await(h, how, ticket);
  *end = now();
  CHECK(cudaStreamSynchronize(h.s));
  b.wait();
  return *end - start;
}

static void hush(const std::vector<Host> &hosts)
{
  for (const Host &h : hosts) *h.talk = Talk();
}

static std::vector<double> wake(const std::vector<Host> &hosts, Setting at,
                                Waiting how)
{
  hush(hosts);
  std::vector<unsigned> ticket(at.threads);
  return run(at, [&](int t, Barrier &b) {
    double seconds = 0, end;
    for (int r = 0; r < ROUNDS; r++)
      seconds += woken(hosts[t], &hosts[t].talk->word, true, how, ++ticket[t],
                       b, &end);
    return seconds;
  });
}

// One word for all; thread 0 adds up how far apart they return.
static std::vector<double> spread(const std::vector<Host> &hosts, Setting at)
{
  hush(hosts);
  std::vector<unsigned> ticket(at.threads);
  std::vector<double> end(at.threads);
  return run(at, [&](int t, Barrier &b) {
    double seconds = 0;
    for (int r = 0; r < ROUNDS; r++) {
      woken(hosts[t], &hosts[0].talk->word, t == 0, STREAM, ++ticket[t], b,
            &end[t]);
      auto ends = std::minmax_element(end.begin(), end.end());
      if (t == 0) seconds += *ends.second - *ends.first;
      b.wait();
    }
    return seconds;
  });
}

static void wakes(const std::vector<Host> &hosts, Setting at)
{
  const struct {
    const char *name;
    Waiting how;
  } all[] = {{"wake_flag", FLAG},
             {"wake_stream", STREAM},
             {"wake_event", EVENT},
             {"wake_query", QUERY}};
  for (const auto &w : all)
    keep(w.name, at, 0, ROUNDS, 10, 60, wake(hosts, at, w.how));
  if (at.threads > 1)
    keep("wake_spread", at, 0, ROUNDS, 0, 20, spread(hosts, at));
}

static void bare_barrier(int threads)
{
  const Setting at = {1, threads};
  keep("barrier_bare", at, 0, BARRIERS, 0, 20, run(at, [&](int, Barrier &b) {
         b.wait();
         double start = now();
         for (int i = 0; i < BARRIERS; i++) b.wait();
         return now() - start;
       }));
}

// A thread for each GPU, then several that share some.
static std::vector<Setting> settings_of(int gpus)
{
  std::vector<Setting> all;
  for (int g = 1; g <= gpus; g++) all.push_back({g, g});
  for (int g = 1; g <= gpus; g *= 2)
    for (int t = 2 * g; t <= MOST; t *= 2) all.push_back({g, t});
  return all;
}

static void one_pass(int gpus)
{
  for (Setting at : settings_of(gpus)) {
    std::vector<Host> hosts;
    for (int t = 0; t < at.threads; t++)
      hosts.push_back(make_host(t % at.gpus, (t % at.gpus + 1) % gpus));
    for (const Call &c : calls)
      if (gpus > 1 || !c.peer) time_call(c, hosts, at);
    for (const Host &h : hosts)
      if (gpus > 1) verify("call_copy", h.next, h.dst, SMALL, h.gpu + 1);
    wakes(hosts, at);
    if (at.threads == at.gpus && gpus > 1) turns(hosts, at.gpus);
    if (at.threads == at.gpus && at.gpus > 1) turn_far(hosts, at.gpus);
    for (const Host &h : hosts) close_host(h);
  }
  for (int t = 1; t <= MOST; t++) bare_barrier(t);
}

static void host_benches(int gpus)
{
  for (Passes p; p.more();) one_pass(gpus);
  host_rows();
}

// ---- hand-over on the device ------------------------------------------------

typedef std::function<void(const Host &, int)> Issue;

static Stat behind_gate(Gate &gate, const std::vector<Lane> &lane,
                        const Host &h, int count, const Issue &one)
{
  return measure([&] {
    Host in = h;
    in.s = lane[0].stream;
    return together(gate, lane, [&](size_t, const Lane &) {
      for (int i = 0; i < count; i++) one(in, i);
    });
  });
}

static void k(const Host &h)
{
  spin(h.s);
}

static void report(const std::string &name, int count, bool peer, int lanes,
                   const Stat &s)
{
  row(name, "0", peer ? "1" : "-", peer ? 2 : 1, "kernel", 0, count, 1, lanes,
      s);
  plausible(name.c_str(), s.time / count * 1e6, 0.2, 60, "us");
}

static void hand_over(Gate &gate, const std::vector<Lane> &lane, const Host &h,
                      bool peers)
{
  const struct {
    const char *name;
    void (*thing)(const Host &);
  } things[] = {{"c", copy}, {"d", to_host}, {"h", to_device}, {"m", set_word}};
  report("hand_none", ROUNDS, false, 1,
         behind_gate(gate, lane, h, 1,
                     [](const Host &in, int) { spin(in.s, SPIN * ROUNDS); }));
  for (int count : {1, ROUNDS}) {
    auto time = [&](const Issue &one) {
      return behind_gate(gate, lane, h, count, one);
    };
    report("hand_k", count, false, 1, time([](const Host &in, int) { k(in); }));
    for (const auto &x : things) {
      bool peer = x.thing == copy;
      if (peer && !peers) continue;
      report(std::string("hand_") + x.name, count, peer, 1,
             time([&](const Host &in, int) { x.thing(in); }));
      report(std::string("hand_k") + x.name, count, peer, 1,
             time([&](const Host &in, int) {
               k(in);
               x.thing(in);
             }));
    }
  }
}

// Rounds in two streams in turn, each behind an event of the other. The second
// stream is `other`, on `gpu`; even rounds are in the timed lane of GPU 0.
static void chain(Gate &gate, const std::vector<Lane> &lane, const char *name,
                  int gpu, cudaStream_t other, const Host &h,
                  void (*even)(const Host &), void (*odd)(const Host &))
{
  std::vector<cudaEvent_t> of0, of1;
  for (int i = 0; i < ROUNDS / 2; i++) {
    CHECK(cudaSetDevice(0));
    of0.push_back(new_event());
    CHECK(cudaSetDevice(gpu));
    of1.push_back(new_event());
  }
  Host second = h;
  second.s = other;
  Stat s = behind_gate(gate, lane, h, ROUNDS / 2, [&](const Host &in, int i) {
    even(in);
    CHECK(cudaEventRecord(of0[i], in.s));
    CHECK(cudaStreamWaitEvent(other, of0[i], 0));
    CHECK(cudaSetDevice(gpu));
    odd(second);
    CHECK(cudaEventRecord(of1[i], other));
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamWaitEvent(in.s, of1[i], 0));
  });
  report(name, ROUNDS, gpu || odd == copy, 2, s);
  for (cudaEvent_t e : of0) CHECK(cudaEventDestroy(e));
  for (cudaEvent_t e : of1) CHECK(cudaEventDestroy(e));
}

// Rounds in streams of two GPUs at once, each behind an event of the other's
// last round. Both streams are held, and fed in turn.
static double both_chains(Gate &gate, const std::vector<Lane> &both,
                          const Host *host, void (*round)(const Host &),
                          const std::vector<cudaEvent_t> *made)
{
  for (const Lane &l : both) {
    CHECK(cudaSetDevice(l.gpu));
    gate.close(l.stream);
    CHECK(cudaEventRecord(l.start, l.stream));
  }
  for (int r = 0; r < ROUNDS; r++)
    for (int i = 0; i < 2; i++) {
      Host in = host[i];
      in.s = both[i].stream;
      CHECK(cudaSetDevice(i));
      if (r > 0) CHECK(cudaStreamWaitEvent(in.s, made[1 - i][r - 1], 0));
      round(in);
      CHECK(cudaEventRecord(made[i][r], in.s));
    }
  for (const Lane &l : both) {
    CHECK(cudaSetDevice(l.gpu));
    CHECK(cudaEventRecord(l.end, l.stream));
  }
  gate.open();
  for (const Lane &l : both) CHECK(cudaStreamSynchronize(l.stream));
  return std::max(both[0].seconds(), both[1].seconds());
}

static void chain_both(Gate &gate, const std::vector<Lane> &both,
                       const char *name, const Host *host,
                       void (*round)(const Host &))
{
  std::vector<cudaEvent_t> made[2];
  for (int i = 0; i < 2; i++) {
    CHECK(cudaSetDevice(i));
    for (int r = 0; r < ROUNDS; r++) made[i].push_back(new_event());
  }
  report(name, ROUNDS, true, 2, measure([&] {
           return both_chains(gate, both, host, round, made);
         }));
  for (const auto &of : made)
    for (cudaEvent_t e : of) CHECK(cudaEventDestroy(e));
}

static void k_and_copy(const Host &h)
{
  k(h);
  copy(h);
}

static void device_benches(int gpus)
{
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  Host h = make_host(0, 1 % gpus);
  hand_over(gate, lane, h, gpus > 1);
  chain(gate, lane, "hand_near", 0, h.s2, h, k, k);
  if (gpus > 1) {
    chain(gate, lane, "hand_near_kc", 0, h.s2, h, k, copy);
    chain(gate, lane, "hand_far", 1, h.far, h, k, k);
    chain(gate, lane, "hand_far_kc", 1, h.far, h, copy, k);
    const Host both[] = {h, make_host(1, 0)};
    const std::vector<Lane> lanes = {lane[0], make_lane(1)};
    chain_both(gate, lanes, "hand_meet", both, k);
    chain_both(gate, lanes, "hand_meet_kc", both, k_and_copy);
    close_host(both[1]);
  }
  close_host(h);
}

int main()
{
  int gpus = std::min(open_gpus("calls", 1), MOST);
  device_benches(gpus);
  host_benches(gpus);
  return 0;
}
