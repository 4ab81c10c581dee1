// allgather.cu - each of N GPUs computes its share of an array with a streaming
// kernel, and every GPU gets all shares, in several ways. Prints program runs
// for validation: workload,paradigm,knobs,gpus,time_s,sigma_s.
//
// method: one host thread per GPU, wall time of a step, median of 11 or more,
// checked
//
//   allgather --gpus 1,2,4 --bytes 50331648 --work 8 --variant all
//             --chunk 65536 --width 2048 [--steps 60] [--check] [--no-peer]
//             [--count] [--plan] [--shares 1,4,16: app.cuh]
//
// A step makes `bytes` in all, dealt to the GPUs in units of 4 KiB. A block of
// 256 threads makes 1 KiB, one word of 4 B per thread: the sum of work-1 words,
// which nobody else reads, mixed with the step's number. So `work` bytes move
// through memory for every byte made, its own store included.
//
// infinite      kernel only, shares stay where they are
// memcpy        kernel, then peer copies of the share to all others, in the
//               same stream, in the order i+1, i+2, ... mod N: no two GPUs send
//               to the same one at the same time
// memcpy-async  a kernel for each `chunk` bytes of the share in one stream, the
//               copies of what it made, in the same order, in another after it
// inline        the kernel stores each word to all GPUs
// proact-poll   an agent (agent.cuh) started before the kernel stores each
//               chunk to all others when the blocks that make it have counted
//               up; it polls once for a chunk and reads each word once
// On one GPU all are infinite. --no-peer: peer access stays off, the driver
// stages each peer copy through the host's memory; only infinite, memcpy and
// memcpy-async can run.
//
// Every GPU has two arrays of results. After its streams are synchronised each
// thread meets the others at a barrier. One per step is enough: step k writes
// array k mod 2 everywhere, and nobody comes to step k+2, which writes it
// again, before all have finished step k+1.
//
// What all GPUs hold after the last two timed steps is compared with what it
// must be, all words (with infinite, a GPU's own share). --check also compares
// each of 8 steps before, on each GPU while the others go on. The time ends
// early when the steps of one setting have taken half a second, after 11.
// --count prints what the program does as name,value and runs nothing.
//
// Plausible on an H200, N = 1: 1.5 to 4.8 TB/s for 256 MB of traffic or more.
#include "../agent.cuh"
#include "../app.cuh"
#include "../pattern.cuh"

static const int MOST = 8;               // GPUs
static const size_t UNIT = 4 * KiB;      // shares are whole units
static const size_t BLOCK = THREADS * 4; // B made by a block
static const int CHECK_STEPS = 8, LEAST_STEPS = 11;
static const double LONGEST = getenv("BENCH_ENERGY") ? 2 : 0.5; // s of steps
static const uint32_t INPUT_SEED = 5, STEP_SEED = 1000;

// ---- device ----------------------------------------------------------------

enum Mode {
  PLAIN,
  INLINE,
  TRACKED
};

// The places of a share on the other GPUs, in the order of sending.
struct Peers {
  uint32_t *dst[MOST - 1];
  int count;
};

// One GPU's part of a step; out and the peers' places begin with its share.
struct Part {
  const uint32_t *in; // its part of the input
  uint32_t *out;
  Peers peers;
  unsigned *ready;
  unsigned blocks_per_chunk;
  size_t first; // of the share, in words
  int reads;
  uint32_t step;
};

__host__ __device__ inline uint32_t mark(size_t word, uint32_t step)
{
  return pattern(word, STEP_SEED + step);
}

// Where in the whole input read number r of a word is: block after block, for
// each the words of its threads for read 0, then those for read 1, ...
__host__ __device__ inline size_t input_at(size_t word, int reads, int r)
{
  return word / THREADS * THREADS * reads + r * THREADS + word % THREADS;
}

// A word of this thread, eight loads in flight.
__device__ inline uint32_t produce_word(const Part &p, size_t i)
{
  const int FLIGHT = 8;
  const uint32_t *q = p.in + input_at(i, p.reads, 0);
  uint32_t sum = 0;
#pragma unroll 1
  for (int r = 0; r < p.reads; r += FLIGHT, q += FLIGHT * THREADS) {
    uint32_t v[FLIGHT];
#pragma unroll
    for (int k = 0; k < FLIGHT; k++)
      v[k] = r + k < p.reads ? __ldg(q + k * THREADS) : 0;
#pragma unroll
    for (int k = 0; k < FLIGHT; k++) sum += v[k];
  }
  return sum ^ mark(p.first + i, p.step);
}

// Block b of the grid makes block first + b of the share.
template <Mode MODE>
__global__ void __launch_bounds__(THREADS, 8) produce(Part p, unsigned first)
{
  const unsigned block = first + blockIdx.x;
  const size_t i = size_t(block) * THREADS + threadIdx.x;
  const uint32_t word = produce_word(p, i);
  p.out[i] = word;
  if (MODE == INLINE) {
#pragma unroll
    for (int k = 0; k < MOST - 1; k++)
      if (k < p.peers.count) p.peers.dst[k][i] = word;
  }
  if (MODE != TRACKED) return;
  __syncthreads();
  if (threadIdx.x == 0) count_up(p.ready + block / p.blocks_per_chunk);
}

// The `words` of the whole input from word `first`.
__global__ void make_input(uint32_t *in, size_t first, size_t words)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    in[i] = pattern(first + i, INPUT_SEED);
}

// Counts wrong words of `result`, which begins at word `first`.
__global__ void check_result(const uint32_t *result, size_t first, size_t words,
                             int reads, uint32_t step,
                             unsigned long long *wrong)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all) {
    uint32_t sum = 0;
    for (int r = 0; r < reads; r++)
      sum += pattern(input_at(first + i, reads, r), INPUT_SEED);
    if (result[i] != (sum ^ mark(first + i, step))) atomicAdd(wrong, 1ull);
  }
}

// ---- one GPU and the whole job ---------------------------------------------

struct Knobs {
  size_t chunk_B;
  int width; // threads of the agent
};

typedef ChunkTo<MOST - 1> Shared;

struct Gpu {
  size_t first, words; // its share
  uint32_t *in, *result[2];
  cudaStream_t main, urgent;
  cudaEvent_t made;
  unsigned *ready;
  Shared *list[2]; // by the array that is written
  int chunks;
  unsigned long long *wrong;
};

struct Job {
  size_t bytes, whole; // whole: in words
  int work, gpus;
  Knobs knobs = {0, 0};
  std::vector<Gpu> gpu;

  Job(size_t bytes_, int work_, int gpus_)
      : bytes(bytes_), whole(bytes_ / 4), work(work_), gpus(gpus_), gpu(gpus_)
  {
    size_t first = 0, units = bytes / UNIT;
    for (int i = 0; i < gpus; i++) {
      gpu[i] = Gpu();
      gpu[i].first = first;
      gpu[i].words = (units / gpus + (size_t(i) < units % gpus)) * (UNIT / 4);
      first += gpu[i].words;
    }
  }
  // Of the middle one of so many GPUs, alone.
  void keep_share(int parts)
  {
    const Job all(bytes, work, parts);
    gpu[0].first = all.gpu[middle(parts)].first;
    gpu[0].words = all.gpu[middle(parts)].words;
  }
  size_t share_B(int i) const { return gpu[i].words * 4; }
  unsigned blocks(int i) const { return unsigned(share_B(i) / BLOCK); }
  int peer(int i, int k) const { return (i + 1 + k) % gpus; } // k-th in order
  // Where GPU i's share lies on GPU `on`.
  uint32_t *share(int i, int on, int array) const
  {
    return gpu[on].result[array] + gpu[i].first;
  }
  Part part(int i, int step) const
  {
    const Gpu &g = gpu[i];
    Part p = {g.in,
              share(i, i, step % 2),
              {},
              g.ready,
              unsigned(knobs.chunk_B / BLOCK),
              g.first,
              work - 1,
              uint32_t(step)};
    p.peers.count = gpus - 1;
    for (int k = 0; k < gpus - 1; k++)
      p.peers.dst[k] = share(i, peer(i, k), step % 2);
    return p;
  }
};

static void open_job(Job &job)
{
  int low, high;
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    g.in = device_alloc<uint32_t>(i, g.words * (job.work - 1) + 1);
    for (uint32_t *&r : g.result) r = device_alloc<uint32_t>(i, job.whole);
    g.wrong = device_alloc<unsigned long long>(i, 1);
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&g.main, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&g.urgent, cudaStreamNonBlocking, high));
    CHECK(cudaEventCreateWithFlags(&g.made, cudaEventDisableTiming));
    make_input<<<2048, THREADS>>>(g.in, g.first * (job.work - 1),
                                  g.words * (job.work - 1));
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
  }
}

static void close_job(Job &job)
{
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    CHECK(cudaSetDevice(i));
    CHECK(cudaFree(g.in));
    for (uint32_t *r : g.result) CHECK(cudaFree(r));
    CHECK(cudaFree(g.wrong));
    CHECK(cudaStreamDestroy(g.main));
    CHECK(cudaStreamDestroy(g.urgent));
    CHECK(cudaEventDestroy(g.made));
  }
}

// ---- the agent's list ------------------------------------------------------

static std::vector<Shared> list_of(const Job &job, int i, int array)
{
  std::vector<Shared> list;
  size_t share_B = job.share_B(i), chunk_B = job.knobs.chunk_B;
  for (size_t at = 0; at < share_B; at += chunk_B) {
    size_t bytes = std::min(chunk_B, share_B - at);
    Shared c = {};
    c.src = reinterpret_cast<int4 *>(job.share(i, i, array) + at / 4);
    c.words = unsigned(bytes / 16);
    c.contributors = unsigned(bytes / BLOCK);
    for (int k = 0; k < job.gpus - 1; k++)
      c.dst[k] = reinterpret_cast<int4 *>(job.share(i, job.peer(i, k), array) +
                                          at / 4);
    list.push_back(c);
  }
  return list;
}

static void make_lists(Job &job, Knobs knobs)
{
  job.knobs = knobs;
  for (int i = 0; i < job.gpus; i++) {
    Gpu &g = job.gpu[i];
    for (int array = 0; array < 2; array++) {
      std::vector<Shared> list = list_of(job, i, array);
      g.chunks = int(list.size());
      g.list[array] = device_alloc<Shared>(i, list.size());
      CHECK(cudaMemcpy(g.list[array], list.data(), list.size() * sizeof(Shared),
                       cudaMemcpyHostToDevice));
    }
    g.ready = device_alloc<unsigned>(i, g.chunks);
  }
}

static void free_lists(Job &job)
{
  for (int i = 0; i < job.gpus; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaFree(job.gpu[i].list[0]));
    CHECK(cudaFree(job.gpu[i].list[1]));
    CHECK(cudaFree(job.gpu[i].ready));
  }
}

// ---- the variants: step number `step` (from 1) of GPU i --------------------

template <Mode MODE>
static void compute(const Part &p, unsigned first, unsigned blocks,
                    cudaStream_t stream)
{
  produce<MODE><<<blocks, THREADS, 0, stream>>>(p, first);
  LAUNCHED();
}

// `bytes` of the share, from byte `at`, to all others.
static void send(const Job &job, int i, const Part &p, size_t at, size_t bytes,
                 cudaStream_t stream)
{
  for (int k = 0; k < p.peers.count; k++)
    CHECK(cudaMemcpyPeerAsync(p.peers.dst[k] + at / 4, job.peer(i, k),
                              p.out + at / 4, i, bytes, stream));
}

static void step_infinite(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  compute<PLAIN>(job.part(i, step), 0, job.blocks(i), g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

static void step_memcpy(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  Part p = job.part(i, step);
  compute<PLAIN>(p, 0, job.blocks(i), g.main);
  send(job, i, p, 0, job.share_B(i), g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

// A wait is for the record before it, so one event serves all pieces.
static void step_async(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  Part p = job.part(i, step);
  size_t share_B = job.share_B(i), chunk_B = job.knobs.chunk_B;
  for (size_t at = 0; at < share_B; at += chunk_B) {
    size_t bytes = std::min(chunk_B, share_B - at);
    compute<PLAIN>(p, unsigned(at / BLOCK), unsigned(bytes / BLOCK), g.main);
    CHECK(cudaEventRecord(g.made, g.main));
    CHECK(cudaStreamWaitEvent(g.urgent, g.made, 0));
    send(job, i, p, at, bytes, g.urgent);
  }
  CHECK(cudaStreamSynchronize(g.urgent));
  CHECK(cudaStreamSynchronize(g.main));
}

static void step_inline(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  compute<INLINE>(job.part(i, step), 0, job.blocks(i), g.main);
  CHECK(cudaStreamSynchronize(g.main));
}

// The agent goes first and is urgent and small, so it is on the GPU beside the
// kernel; were it late, it would only find all chunks ready.
static void step_poll(const Job &job, int i, int step)
{
  const Gpu &g = job.gpu[i];
  agent_kernel<<<job.knobs.width / THREADS, THREADS, 0, g.urgent>>>(
      g.list[step % 2], g.chunks, g.ready, unsigned(step));
  LAUNCHED();
  compute<TRACKED>(job.part(i, step), 0, job.blocks(i), g.main);
  CHECK(cudaStreamSynchronize(g.main));
  CHECK(cudaStreamSynchronize(g.urgent));
}

struct Variant {
  const char *name;
  void (*step)(const Job &, int, int);
  bool moves, peers; // peers: it needs peer access
  bool chunk, width; // the knobs that matter
};

static const Variant variants[] = {
    {"infinite", step_infinite, false, false, false, false},
    {"memcpy", step_memcpy, true, false, false, false},
    {"memcpy-async", step_async, true, false, true, false},
    {"inline", step_inline, true, true, false, false},
    {"proact-poll", step_poll, true, true, true, true},
};

// ---- running and checking --------------------------------------------------

// Enqueues the check of what GPU i holds after `step`.
static void check_step(const Job &job, const Variant &v, int i, int step)
{
  const Gpu &g = job.gpu[i];
  const uint32_t *all = g.result[step % 2];
  size_t first = v.moves ? 0 : g.first, words = v.moves ? job.whole : g.words;
  check_result<<<1024, THREADS, 0, g.main>>>(
      all + first, first, words, job.work - 1, uint32_t(step), g.wrong);
  LAUNCHED();
}

// Runs `steps` steps on poisoned results; returns the time of each. Checks the
// last two, or, while the next is running, each.
static std::vector<double> run(const Job &job, const Variant &v, int steps,
                               bool check_each)
{
  for (int i = 0; i < job.gpus; i++) {
    const Gpu &g = job.gpu[i];
    for (uint32_t *r : g.result) poison(i, r, job.bytes);
    CHECK(cudaMemset(g.ready, 0, g.chunks * sizeof *g.ready));
    CHECK(cudaMemset(g.wrong, 0, sizeof *g.wrong));
    CHECK(cudaDeviceSynchronize());
  }
  auto act = job.gpus > 1 ? v.step : step_infinite;
  std::vector<double> times = time_steps(job.gpus, steps, [&](int i, int step) {
    if (check_each && step > 1) check_step(job, v, i, step - 1);
    act(job, i, step);
  });
  unsigned long long wrong = 0, n;
  for (int i = 0; i < job.gpus; i++) {
    CHECK(cudaSetDevice(i));
    check_step(job, v, i, steps - 1);
    check_step(job, v, i, steps);
    CHECK(cudaStreamSynchronize(job.gpu[i].main));
    CHECK(cudaMemcpy(&n, job.gpu[i].wrong, sizeof n, cudaMemcpyDeviceToHost));
    wrong += n;
  }
  if (wrong == 0) return times;
  fprintf(stderr,
          "allgather: %s on %d GPUs, bytes = %zu, work = %d, chunk %zu, width "
          "%d: %llu wrong words\n",
          v.name, job.gpus, job.bytes, job.work, job.knobs.chunk_B,
          job.knobs.width, wrong);
  quit(1);
}

static std::string knobs_text(const Job &job, const Variant &v)
{
  std::string name = v.name;
  std::string text = "bytes=" + std::to_string(job.bytes) +
                     "B;work=" + std::to_string(job.work);
  if (v.chunk)
    text += ";" + name + ".chunk=" + std::to_string(job.knobs.chunk_B);
  if (v.width) text += ";" + name + ".width=" + std::to_string(job.knobs.width);
  return text;
}

static Stat time_steps_of(const Job &job, const Variant &v, int most_steps)
{
  double one = median(run(job, v, WARMUP_STEPS, false));
  int steps = int(std::min(LONGEST / one, double(most_steps)));
  steps = std::max(steps, std::min(most_steps, LEAST_STEPS));
  return robust(enough_of([&] {
    std::vector<double> t = run(job, v, WARMUP_STEPS + steps, false);
    t.erase(t.begin(), t.begin() + WARMUP_STEPS);
    return t;
  }));
}

static void time_run(const Job &job, const Variant &v, int most_steps)
{
  Stat s = time_steps_of(job, v, most_steps);
  run_row("allgather", v.name, knobs_text(job, v), job.gpus, s);
  double traffic = double(job.bytes) * job.work;
  if (job.gpus == 1 && traffic >= 256e6)
    plausible("allgather", traffic / s.time / 1e12, 1.5, 4.8, "TB/s");
}

// ---- the command line ------------------------------------------------------

struct Options : AppOptions {
  std::vector<int> bytes = {50331648}, work = {8};
  bool check = false, count = false;
};

static Options parse(int argc, char **argv)
{
  Options o;
  o.app = "allgather";
  parse_options(
      o, argc, argv,
      [&](const std::string &a) {
        o.check |= a == "--check";
        o.count |= a == "--count";
        return a == "--check" || a == "--count";
      },
      [&](const std::string &a, const char *value) {
        if (a == "--bytes")
          o.bytes = parse_list(o.app, value);
        else if (a == "--work")
          o.work = parse_list(o.app, value);
        else
          return false;
        return true;
      });
  for (int b : o.bytes)
    if (b % UNIT) usage(o.app, "--bytes", "not a multiple of 4096");
  for (int c : o.chunk)
    if (c % UNIT) usage(o.app, "--chunk", "not a multiple of 4096");
  for (int w : o.width) // blocks of the kernel must find room beside the agent
    if (w % THREADS || w > 132 * 512)
      usage(o.app, "--width", "not a multiple of 256 up to 132*512");
  for (int g : o.gpus)
    if (g > MOST) usage(o.app, "--gpus", "more than 8");
  if (o.steps > 10000) usage(o.app, "--steps", "more than 10000");
  check_variant(o, variants);
  return o;
}

// The settings that matter to a variant; one GPU moves nothing, whatever they
// are.
static std::vector<Knobs> knobs_of(const Variant &v, int gpus, const Options &o)
{
  std::vector<Knobs> all;
  size_t chunks = v.chunk && gpus > 1 ? o.chunk.size() : 1;
  size_t widths = v.width && gpus > 1 ? o.width.size() : 1;
  for (size_t c = 0; c < chunks; c++)
    for (size_t w = 0; w < widths; w++)
      all.push_back({size_t(o.chunk[c]), o.width[w]});
  return all;
}

// ---- counting --------------------------------------------------------------

static Calls calls_of(const Job &job, const Variant &v, double chunks)
{
  double peers = job.gpus - 1;
  if (peers < 1) return {1, 0, 0, 1};
  if (v.step == step_memcpy) return {1, peers, 0, 1};
  if (v.step == step_async) return {chunks, chunks * peers, 2 * chunks, 2};
  if (v.step == step_poll) return {2, 0, 0, 2};
  return {1, 0, 0, 1};
}

static void count_gpu(const Job &job, int i, const Options &o)
{
  Counts at("allgather",
            "bytes" + std::to_string(job.bytes) + ".work" +
                std::to_string(job.work),
            job.gpus, i);
  double share_B = double(job.share_B(i)), peers = job.gpus - 1;
  at.print("share_B", share_B);
  at.print("blocks", job.blocks(i));
  at.print("publish_B", peers > 0 ? share_B : 0);
  at.print("sent_B", peers * share_B);
  at.print("destinations", peers);
  at.print("inline_stores_128B", peers * share_B / 128);
  if (peers > 0) at.print("rewrites", 1);
  for (int c : o.chunk) {
    std::string of = "chunk" + std::to_string(c) + ".";
    double chunks = std::ceil(share_B / c);
    at.print(of + "chunks", peers > 0 ? chunks : 0);
    at.print(of + "counter_updates", peers > 0 ? job.blocks(i) : 0);
    for (const Variant &v : variants)
      if (v.chunk) at.print(of + v.name, calls_of(job, v, chunks));
  }
  for (const Variant &v : variants)
    if (!v.chunk) at.print(v.name, calls_of(job, v, 0));
}

static void count_all(const Options &o)
{
  for (int w : o.work)
    for (int b : o.bytes)
      for (int g : o.gpus)
        for (int i = 0; i < g; i++) count_gpu(Job(b, w, g), i, o);
}

static void one_job(size_t bytes, int work, int gpus, const Options &o)
{
  Job job(bytes, work, gpus);
  open_job(job);
  for (const Variant &v : variants) {
    if (!wanted(o, v)) continue;
    for (Knobs k : knobs_of(v, gpus, o)) {
      make_lists(job, k);
      if (o.check) run(job, v, CHECK_STEPS, true);
      time_run(job, v, o.steps);
      free_lists(job);
    }
  }
  close_job(job);
}

static void print_plan(size_t bytes, int work, int gpus, const Options &o)
{
  Job job(bytes, work, gpus);
  for (const Variant &v : variants)
    if (wanted(o, v))
      for (const Knobs &k : knobs_of(v, gpus, o)) {
        job.knobs = k;
        plan_row("allgather", v.name, knobs_text(job, v), gpus);
      }
}

static void run_shares(size_t bytes, int work, const Options &o)
{
  for (int parts : o.shares) {
    Job job(bytes, work, 1);
    job.keep_share(parts);
    open_job(job);
    make_lists(job, {size_t(o.chunk[0]), o.width[0]});
    share_row("allgather", knobs_text(job, variants[0]), parts,
              time_steps_of(job, variants[0], o.steps));
    free_lists(job);
    close_job(job);
  }
}

int main(int argc, char **argv)
{
  Options o = parse(argc, argv);
  if (o.count) {
    count_all(o);
    return 0;
  }
  for (int w : o.work)
    for (int b : o.bytes)
      for (int g : o.gpus)
        if (o.plan) print_plan(b, w, g, o);
  if (o.plan) return 0;
  int least_gpus = *std::min_element(o.gpus.begin(), o.gpus.end());
  int here = open_gpus("allgather", least_gpus, o.peers);
  if (!o.shares.empty()) {
    for (int w : o.work)
      for (int b : o.bytes) run_shares(b, w, o);
    return 0;
  }
  for (int g : o.gpus) {
    if (g > here) {
      fprintf(stderr, "allgather: %d GPUs, found %d: skipped\n", g, here);
      continue;
    }
    for (int w : o.work)
      for (int b : o.bytes)
        if (b / UNIT >= size_t(g)) one_job(b, w, g, o);
  }
  return 0;
}
