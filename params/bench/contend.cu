// contend.cu - g = 2 .. N GPUs that use each other's memory at once, by the
// order in which they turn to one another: what grows with N.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, values verified
//
// Copies by the engines (access copy), of size_B per ordered pair:
// contend_streams  all to all, a stream for each destination
// contend_rotated  all to all, one stream a GPU: GPU i sends to i+1, i+2, ...
// contend_same     the same, but everybody begins with GPU 0, then 1, ...
// contend_in       all others send to GPU 0
// contend_out      GPU 0 sends to all others, a stream for each
// Kernels (access store, load, atomic): runs of size_B contiguous bytes, each
// aligned in its own slot of 512 B, the slots in a pseudo-random order, 2^20
// per ordered pair. A thread stores or loads a word of size_B, at most 16 B; as
// many neighbouring threads as it takes share a run. Loads go past the L1, up
// to four in flight a thread; atomics add words of 4 B and need no answer.
// contend_rotated, contend_same  a GPU turns to the next one when it has done
//                  all runs of one, in the orders above
// contend_mixed    each group of threads turns to another GPU with each run
// contend_in       all others use GPU 0's memory
// contend_out      GPU 0 uses all others', turning with each run
// count is of all GPUs' copies or runs, inflight the GPUs that one turns to,
// threads those of one GPU. src and dst are from whom and to whom bytes move.
// Each GPU times itself (one gate opens for all); time_s is the slowest GPU's.
//
// Plausible on an H200: the busiest GPU moves 100 to 450 GB/s in copies of
// 64 MiB, and has 0.2 to 40 G runs/s.
#include "stores.cuh"

#include <map>

static const int MOST = 8;
static const size_t REGION = 512 * MiB, SLOTS = REGION / SLOT;

struct Pair {
  int user, owner; // of the memory
};

static uint32_t seed(Pair p)
{
  return 1 + p.user * MOST + p.owner;
}

// What user i uses of owner j's lies at of[j], i-th region.
struct Memory {
  char *of[MOST];
  uint32_t *sum[MOST];
  char *at(Pair p) const { return of[p.owner] + p.user * REGION; }
};

// ---- the orders -------------------------------------------------------------

enum Order {
  STREAMS,
  ROTATED,
  SAME,
  MIXED,
  IN,
  OUT
};

static const char *const names[] = {"contend_streams", "contend_rotated",
                                    "contend_same",    "contend_mixed",
                                    "contend_in",      "contend_out"};

// Whom GPU `user` turns to, in that order.
static std::vector<Pair> turns(Order order, int user, int g)
{
  std::vector<Pair> all;
  for (int k = 0; k < g; k++) {
    int owner = order == SAME ? k : (user + k) % g;
    bool used = order == IN ? owner == 0 : order == OUT ? user == 0 : true;
    if (owner != user && used) all.push_back({user, owner});
  }
  return all;
}

// ---- what is timed ----------------------------------------------------------

struct Bench {
  Gate gate;
  Memory m = {};
  std::vector<std::vector<Lane>> lanes; // of a GPU, by the other one
};

static void report(Order order, const char *access, int g, double bytes,
                   double count, double threads, size_t most, const Stat &s)
{
  bool in = order == IN, out = order == OUT, loads = *access == 'l';
  row(names[order], (loads ? in : out) ? "0" : "all",
      (loads ? out : in) ? "0" : "all", g, access, bytes, count, threads,
      double(most), s);
}

// The busiest GPU's share of what all GPUs do.
static double busiest(Order order, int g)
{
  return order == IN || order == OUT ? 1.0 : 1.0 / g;
}

// ---- copies -----------------------------------------------------------------

static void copies(Bench &b, Order order, int g, size_t bytes)
{
  std::vector<Lane> used;
  std::vector<std::vector<Pair>> work;
  size_t count = 0, most = 0;
  for (int i = 0; i < g; i++) {
    std::vector<Pair> all = turns(order, i, g);
    count += all.size();
    most = std::max(most, all.size());
    for (Pair p : all) {
      bool apart = order == STREAMS || order == OUT;
      if (apart || p.owner == all[0].owner) {
        used.push_back(b.lanes[i][p.owner]);
        work.push_back({});
      }
      work.back().push_back(p);
    }
  }
  for (auto &lane : work)
    for (Pair p : lane) poison(p.owner, b.m.at(p), bytes);
  // The source is the sender's own last region, whose pattern nobody changes.
  auto source = [&](int i) { return b.m.of[i] + i * REGION; };
  Stat s = measure([&] {
    return together(b.gate, used, [&](size_t i, const Lane &l) {
      for (Pair p : work[i])
        CHECK(cudaMemcpyPeerAsync(b.m.at(p), p.owner, source(p.user), p.user,
                                  bytes, l.stream));
    });
  });
  for (auto &lane : work)
    for (Pair p : lane)
      verify(names[order], p.owner, b.m.at(p), bytes, seed({p.user, p.user}));
  report(order, "copy", g, double(bytes), double(count), 0, most, s);
  if (bytes == 64 * MiB)
    plausible(names[order], count * bytes * busiest(order, g) / s.time / 1e9,
              100, 450, "GB/s");
}

// ---- kernels ----------------------------------------------------------------

struct Targets {
  void *at[MOST];
  uint32_t seed[MOST];
  int count;
};

enum Kind {
  STORE,
  LOAD,
  ATOMIC
};
static const char *const accesses[] = {"store", "load", "atomic"};

__device__ inline uint32_t total(uint32_t v)
{
  return v;
}
__device__ inline uint32_t total(uint2 v)
{
  return v.x + v.y;
}
__device__ inline uint32_t total(uint4 v)
{
  return v.x + v.y + v.z + v.w;
}

template <Kind KIND, class Word>
__device__ inline void use(Word *p, size_t i, uint32_t seed, uint32_t &sum)
{
  if constexpr (KIND == STORE)
    put(p, i, seed);
  else if constexpr (KIND == LOAD)
    sum += total(__ldcg(p + i));
  else
    atomicAdd(p + i, 1u);
}

// Run r of SLOTS per target; 2^log2_lanes threads share one. Mixed: a group's
// first target is its own number's, the next run goes to the next one; so each
// target gets each run once, over all its rounds.
template <Kind KIND, class Word>
__global__ void runs_kernel(Targets t, unsigned log2_lanes, bool mixed,
                            uint32_t *sum)
{
  __shared__ Word *at[MOST];
  __shared__ uint32_t seed[MOST];
  if (threadIdx.x < MOST) {
    at[threadIdx.x] = static_cast<Word *>(t.at[threadIdx.x]);
    seed[threadIdx.x] = t.seed[threadIdx.x];
  }
  __syncthreads();
  const size_t per_slot = SLOT / sizeof(Word), words = SLOTS << log2_lanes;
  const size_t all = size_t(gridDim.x) * blockDim.x;
  const size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned lane = me & ((1u << log2_lanes) - 1);
  uint32_t s = 0;
  if (mixed) {
    int d = int(me / 32 % t.count);
    for (size_t i = me; i < words; i += all) {
      size_t word = slot_of(i >> log2_lanes, SLOTS) * per_slot + lane;
#pragma unroll 4
      for (int k = 0; k < t.count; k++) {
        use<KIND>(at[d], word, seed[d], s);
        if (++d == t.count) d = 0;
      }
    }
  } else {
    for (int d = 0; d < t.count; d++) {
#pragma unroll 4
      for (size_t i = me; i < words; i += all)
        use<KIND>(at[d], slot_of(i >> log2_lanes, SLOTS) * per_slot + lane,
                  seed[d], s);
    }
  }
  if (KIND == LOAD) sum[me] = s;
}

template <Kind KIND, class Word>
static void launch(const Targets &t, unsigned log2_lanes, bool mixed,
                   uint32_t *sum, int blocks, cudaStream_t stream)
{
  runs_kernel<KIND, Word>
      <<<blocks, THREADS, 0, stream>>>(t, log2_lanes, mixed, sum);
  LAUNCHED();
}

template <Kind KIND>
static void launch_runs(const Targets &t, size_t run, bool mixed, uint32_t *sum,
                        int blocks, cudaStream_t stream)
{
  if (KIND == ATOMIC || run == 4)
    launch<KIND, uint32_t>(t, log2_words<uint32_t>(run), mixed, sum, blocks,
                           stream);
  else if constexpr (KIND != ATOMIC) {
    if (run == 8)
      launch<KIND, uint2>(t, 0, mixed, sum, blocks, stream);
    else
      launch<KIND, uint4>(t, log2_words<uint4>(run), mixed, sum, blocks,
                          stream);
  }
}

// ---- that what should be there is -------------------------------------------

// The sum of the first `run` bytes of each slot.
static uint32_t sum_of_runs(size_t run, uint32_t seed)
{
  uint32_t s = 0;
  for (size_t i = 0; i < SLOTS; i++)
    for (size_t w = 0; w < run / 4; w++) s += pattern(i * (SLOT / 4) + w, seed);
  return s;
}

static void check_sum(const Bench &b, int user, uint32_t want, int threads)
{
  std::vector<uint32_t> host(threads);
  CHECK(cudaMemcpy(host.data(), b.m.sum[user], threads * sizeof(uint32_t),
                   cudaMemcpyDeviceToHost));
  uint32_t got = 0;
  for (uint32_t x : host) got += x;
  if (got == want) return;
  fprintf(stderr, "contend: GPU %d: sum %u of what it read, not %u\n", user,
          got, want);
  quit(1);
}

__global__ void check_adds(const uint32_t *p, size_t run, uint32_t want,
                           unsigned long long *wrong)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < REGION / 4;
       i += all)
    if (p[i] != (i % (SLOT / 4) < run / 4 ? want : 0)) atomicAdd(wrong, 1ull);
}

static void check_atomics(const Bench &b, Pair p, size_t run, uint32_t want)
{
  unsigned long long *wrong = device_alloc<unsigned long long>(p.owner, 1), n;
  CHECK(cudaMemset(wrong, 0, sizeof n));
  check_adds<<<1024, THREADS>>>(reinterpret_cast<uint32_t *>(b.m.at(p)), run,
                                want, wrong);
  LAUNCHED();
  CHECK(cudaMemcpy(&n, wrong, sizeof n, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(wrong));
  if (n == 0) return;
  fprintf(stderr, "contend: %llu wrong words after atomics\n", n);
  quit(1);
}

// ---- one setting ------------------------------------------------------------

static void prepare(const Bench &b, Kind kind, Pair p)
{
  if (kind == STORE) poison(p.owner, b.m.at(p), REGION);
  if (kind == LOAD) fill(p.owner, b.m.at(p), REGION, seed(p));
  if (kind != ATOMIC) return;
  CHECK(cudaSetDevice(p.owner));
  CHECK(cudaMemset(b.m.at(p), 0, REGION));
  CHECK(cudaDeviceSynchronize());
}

template <Kind KIND>
static void runs(Bench &b, Order order, int g, size_t run)
{
  const int blocks = sm_count() * PER_SM, threads = blocks * THREADS;
  std::vector<Lane> used;
  std::vector<Pair> pairs;
  std::vector<Targets> to(g, Targets());
  size_t most = 0;
  for (int i = 0; i < g; i++) {
    for (Pair p : turns(order, i, g)) {
      Targets &t = to[i];
      if (t.count == 0) used.push_back(b.lanes[i][i]);
      t.at[t.count] = b.m.at(p);
      t.seed[t.count++] = seed(p);
      most = std::max(most, size_t(t.count));
      pairs.push_back(p);
    }
  }
  for (Pair p : pairs)
    if (KIND != LOAD) prepare(b, KIND, p);
  uint32_t samples = 0;
  bool mixed = order == MIXED || order == OUT;
  Stat s = measure([&] {
    samples++;
    return together(b.gate, used, [&](size_t, const Lane &l) {
      launch_runs<KIND>(to[l.gpu], run, mixed, b.m.sum[l.gpu], blocks,
                        l.stream);
    });
  });
  for (Pair p : pairs) {
    if (KIND == STORE)
      verify(names[order], p.owner, b.m.at(p), REGION, seed(p), SLOT, run);
    if (KIND == ATOMIC) check_atomics(b, p, run, samples);
  }
  std::vector<uint32_t> want(g);
  for (Pair p : pairs) {
    static std::map<std::pair<size_t, uint32_t>, uint32_t> known;
    if (KIND != LOAD) break;
    auto key = std::make_pair(run, seed(p));
    if (!known.count(key)) known[key] = sum_of_runs(run, seed(p));
    want[p.user] += known[key];
  }
  for (const Lane &l : used)
    if (KIND == LOAD) check_sum(b, l.gpu, want[l.gpu], threads);
  double count = double(SLOTS) * double(pairs.size());
  report(order, accesses[KIND], g, double(run), count, threads, most, s);
  plausible(names[order], count * busiest(order, g) / s.time / 1e9, 0.2, 40,
            "G runs/s");
}

template <Kind KIND>
static void all_runs(Bench &b, int gpus)
{
  for (int i = 0; i < gpus; i++)
    for (int j = 0; j < gpus && KIND == LOAD; j++)
      if (i != j) prepare(b, LOAD, {i, j});
  for (int g = 2; g <= gpus; g++)
    for (Order order : {ROTATED, SAME, MIXED, IN, OUT})
      for (size_t run : {4, 8, 16, 32, 128}) runs<KIND>(b, order, g, run);
}

static bool native_atomics(int gpus)
{
  for (int i = 0; i < gpus; i++)
    for (int j = 0; j < gpus; j++) {
      int native = 1;
      if (i != j)
        CHECK(cudaDeviceGetP2PAttribute(
            &native, cudaDevP2PAttrNativeAtomicSupported, i, j));
      if (native) continue;
      fprintf(stderr, "contend: no atomics between GPUs %d and %d: skipped\n",
              i, j);
      return false;
    }
  return true;
}

int main()
{
  int gpus = std::min(open_gpus("contend", 2), MOST);
  Bench b;
  for (int i = 0; i < gpus; i++) {
    b.m.of[i] = device_alloc<char>(i, gpus * REGION);
    b.m.sum[i] =
        device_alloc<uint32_t>(i, size_t(sm_count()) * PER_SM * THREADS);
    fill(i, b.m.of[i] + i * REGION, REGION, seed({i, i}));
    b.lanes.push_back({});
    for (int j = 0; j < gpus; j++) b.lanes[i].push_back(make_lane(i));
  }
  for (int g = 2; g <= gpus; g++)
    for (Order order : {STREAMS, ROTATED, SAME, IN, OUT})
      for (size_t bytes : {1 * MiB, 16 * MiB, 64 * MiB})
        copies(b, order, g, bytes);
  all_runs<STORE>(b, gpus);
  all_runs<LOAD>(b, gpus);
  if (native_atomics(gpus)) all_runs<ATOMIC>(b, gpus);
  return 0;
}
