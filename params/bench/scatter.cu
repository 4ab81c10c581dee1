// scatter.cu - random small stores between many GPUs at once, g = 2 .. N: the
// rates at which a GPU can issue and take in packets.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, stores verified
//
// scatter_all  every GPU stores to all others (src and dst all)
// scatter_out  GPU 0 stores to all others (src 0): issue alone
// scatter_in   all others store to GPU 0 (dst 0): ingress alone
// size_B = 4, 8 or 16 is one store, in its own slot of 512 B, the slots in a
// pseudo-random order, each warp's next store to another destination; every
// ordered pair has its own 512 MiB. count is of the stores of all GPUs, threads
// of one sender, inflight the destinations of one sender. Each GPU times itself
// (one gate opens for all); time_s is the slowest GPU.
//
// Plausible on an H200: 0.5 to 20 G stores/s at the busiest GPU, sent or
// received.
#include "stores.cuh"

static const int MOST = 8;
static const size_t REGION = 512 * MiB, SLOTS = REGION / SLOT;

struct Targets {
  void *dst[MOST];
  uint32_t seed[MOST];
  int count;
};

template <class Word> __global__ void scatter_each(Targets t)
{
  __shared__ Word *dst[MOST];
  __shared__ uint32_t seed[MOST];
  if (threadIdx.x < MOST) {
    dst[threadIdx.x] = static_cast<Word *>(t.dst[threadIdx.x]);
    seed[threadIdx.x] = t.seed[threadIdx.x];
  }
  __syncthreads();
  size_t all = size_t(gridDim.x) * blockDim.x;
  size_t me = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int d = int(me / 32 % t.count);
  for (size_t run = me; run < SLOTS; run += all) {
    size_t i = slot_of(run, SLOTS) * (SLOT / sizeof(Word));
    for (int k = 0; k < t.count; k++) {
      put(dst[d], i, seed[d]);
      if (++d == t.count) d = 0;
    }
  }
}

struct Pair {
  int src, dst;
};

// What j receives from i lies at in[j], i-th region.
struct Memory {
  char *in[MOST];
  void *of(Pair p) const { return in[p.dst] + p.src * REGION; }
};

static uint32_t seed(Pair p) { return 1 + p.src * MOST + p.dst; }

static void run(Gate &gate, const std::vector<Lane> &lanes, const Memory &m,
                const char *bench, const char *src, const char *dst, int g,
                const std::vector<Pair> &pairs, int word)
{
  const int blocks = sm_count() * PER_SM;
  std::vector<Targets> to(g, Targets());
  std::vector<Lane> used;
  int most = 0, received[MOST] = {};
  for (Pair p : pairs) {
    Targets &t = to[p.src];
    if (t.count == 0) used.push_back(lanes[p.src]);
    t.dst[t.count] = m.of(p);
    t.seed[t.count++] = seed(p);
    most = std::max(most, std::max(t.count, ++received[p.dst]));
    poison(p.dst, m.of(p), REGION);
  }
  Stat s = measure([&] {
    return together(gate, used, [&](size_t, const Lane &l) {
      if (word == 4)
        scatter_each<uint32_t><<<blocks, THREADS, 0, l.stream>>>(to[l.gpu]);
      else if (word == 8)
        scatter_each<uint2><<<blocks, THREADS, 0, l.stream>>>(to[l.gpu]);
      else
        scatter_each<uint4><<<blocks, THREADS, 0, l.stream>>>(to[l.gpu]);
      LAUNCHED();
    });
  });
  for (Pair p : pairs)
    verify(bench, p.dst, m.of(p), REGION, seed(p), SLOT, word);
  row(bench, src, dst, g, "store", word, double(SLOTS) * pairs.size(),
      blocks * THREADS, to[pairs[0].src].count, s);
  plausible(bench, SLOTS * most / s.time / 1e9, 0.5, 20, "G stores/s");
}

int main()
{
  int gpus = std::min(open_gpus("scatter", 2), MOST);
  Gate gate;
  Memory m;
  std::vector<Lane> lanes;
  for (int i = 0; i < gpus; i++) {
    m.in[i] = device_alloc<char>(i, gpus * REGION);
    lanes.push_back(make_lane(i));
  }
  for (int g = 2; g <= gpus; g++) {
    std::vector<Pair> all, out, in;
    for (int i = 0; i < g; i++)
      for (int j = 0; j < g; j++) {
        if (i == j) continue;
        all.push_back({i, j});
        if (i == 0) out.push_back({i, j});
        if (j == 0) in.push_back({i, j});
      }
    for (int word : {4, 8, 16}) {
      run(gate, lanes, m, "scatter_all", "all", "all", g, all, word);
      run(gate, lanes, m, "scatter_out", "0", "all", g, out, word);
      run(gate, lanes, m, "scatter_in", "all", "0", g, in, word);
    }
  }
  return 0;
}
