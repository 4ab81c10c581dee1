// exchange.cu - all of g = 2 .. N GPUs send at once.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// ring        i sends to i+1 mod g
// neighbours  i sends to i-1 and i+1 where they exist
// alltoall    i sends to every other
// neighbours_row, alltoall_row: the same by copies that follow one another in
//             one stream of the sender: to i-1, then i+1; to i+1, i+2, ... mod g
// access copy: one stream and copy per ordered pair, on the sender; access
// store: one kernel per sender, its blocks dealt to its destinations in turn.
// size_B is per ordered pair, count the pairs of all GPUs, inflight the most
// destinations of one GPU. Each GPU times itself from its first start to its
// last end (one gate opens for all); time_s is the slowest GPU.
//
// Plausible on an H200: the busiest GPU sends 100 to 450 GB/s at 64 MiB.
#include "pattern.cuh"

#include <cstring>

static const int MOST = 8;
static const size_t MAX = 64 * MiB;

struct Pair {
  int src, dst;
};

struct Targets {
  const int4 *src[MOST];
  int4 *dst[MOST];
  int count;
};

__global__ void store_each(Targets t, size_t words)
{
  int p = blockIdx.x % t.count;
  size_t rank = blockIdx.x / t.count, all = gridDim.x / t.count;
  const int4 *src = t.src[p];
  int4 *dst = t.dst[p];
  for (size_t i = rank * blockDim.x + threadIdx.x; i < words;
       i += all * blockDim.x)
    dst[i] = src[i];
}

// Buffers: out[i] holds what i sends to j at slot j, in[j] what it got from i
// at slot i. Each pair has its own pattern.
struct Buffers {
  char *out[MOST], *in[MOST];
  const int4 *from(Pair p) const
  {
    return reinterpret_cast<int4 *>(out[p.src] + p.dst * MAX);
  }
  int4 *to(Pair p) const
  {
    return reinterpret_cast<int4 *>(in[p.dst] + p.src * MAX);
  }
};

static uint32_t seed(Pair p) { return 1 + p.src * MOST + p.dst; }

static std::vector<Pair> pairs_of(const std::string &pattern, int g)
{
  std::vector<Pair> v;
  for (int i = 0; i < g; i++)
    for (int j = 0; j < g; j++)
      if (i != j && (pattern == "alltoall" ||
                     (pattern == "ring" && j == (i + 1) % g) ||
                     (pattern == "neighbours" && std::abs(i - j) == 1)))
        v.push_back({i, j});
  return v;
}

static int most_targets(const std::vector<Pair> &pairs)
{
  int sent[MOST] = {}, most = 0;
  for (Pair p : pairs) most = std::max(most, ++sent[p.src]);
  return most;
}

static Stat by_copy(Gate &gate, const Buffers &b,
                    const std::vector<Pair> &pairs, size_t bytes,
                    const std::vector<std::vector<Lane>> &lanes)
{
  std::vector<Lane> used;
  for (Pair p : pairs) used.push_back(lanes[p.src][p.dst]);
  return measure([&] {
    return together(gate, used, [&](size_t i, const Lane &l) {
      Pair p = pairs[i];
      CHECK(cudaMemcpyPeerAsync(b.to(p), p.dst, b.from(p), p.src, bytes,
                                l.stream));
    });
  });
}

// One stream per sender; its copies in the order of the file's head.
static Stat by_row(Gate &gate, const Buffers &b, std::vector<Pair> pairs,
                   size_t bytes, int g,
                   const std::vector<std::vector<Lane>> &lanes, bool rotate)
{
  std::vector<Lane> used;
  for (int i = 0; i < g; i++) used.push_back(lanes[i][i]);
  std::stable_sort(pairs.begin(), pairs.end(), [&](Pair x, Pair y) {
    return rotate && (x.dst - x.src + g) % g < (y.dst - y.src + g) % g;
  });
  return measure([&] {
    return together(gate, used, [&](size_t i, const Lane &l) {
      for (Pair p : pairs)
        if (size_t(p.src) == i)
          CHECK(cudaMemcpyPeerAsync(b.to(p), p.dst, b.from(p), p.src, bytes,
                                    l.stream));
    });
  });
}

static Stat by_store(Gate &gate, const Buffers &b,
                     const std::vector<Pair> &pairs, size_t bytes, int g,
                     const std::vector<std::vector<Lane>> &lanes, int blocks)
{
  std::vector<Targets> targets(g);
  std::vector<Lane> used;
  for (Targets &t : targets) t.count = 0;
  for (Pair p : pairs) {
    Targets &t = targets[p.src];
    t.src[t.count] = b.from(p);
    t.dst[t.count++] = b.to(p);
  }
  for (int i = 0; i < g; i++) used.push_back(lanes[i][i]);
  return measure([&] {
    return together(gate, used, [&](size_t i, const Lane &l) {
      int whole = blocks - blocks % targets[i].count;
      store_each<<<whole, THREADS, 0, l.stream>>>(targets[i], bytes / 16);
      LAUNCHED();
    });
  });
}

enum How { COPY, STORE, ROW };

static void one(Gate &gate, const Buffers &b, const std::string &pattern,
                int g, size_t bytes, How how,
                const std::vector<std::vector<Lane>> &lanes)
{
  std::vector<Pair> pairs = pairs_of(pattern, g);
  int blocks = sm_count() * 8, most = most_targets(pairs);
  for (Pair p : pairs) poison(p.dst, b.to(p), bytes);
  Stat s = how == STORE ? by_store(gate, b, pairs, bytes, g, lanes, blocks)
           : how == ROW ? by_row(gate, b, pairs, bytes, g, lanes,
                                 pattern == "alltoall")
                        : by_copy(gate, b, pairs, bytes, lanes);
  for (Pair p : pairs) verify(pattern.c_str(), p.dst, b.to(p), bytes, seed(p));
  row(how == ROW ? pattern + "_row" : pattern, "all", "all", g,
      how == STORE ? "store" : "copy", bytes, pairs.size(),
      how == STORE ? double(blocks) * THREADS : 0, how == ROW ? 1 : most, s);
  if (bytes == MAX)
    plausible(pattern.c_str(), most * bytes / s.time / 1e9, 100, 450, "GB/s");
}

int main()
{
  int gpus = std::min(open_gpus("exchange", 2), MOST);
  Gate gate;
  Buffers b = {};
  std::vector<std::vector<Lane>> lanes(gpus);
  for (int i = 0; i < gpus; i++) {
    b.out[i] = device_alloc<char>(i, gpus * MAX);
    b.in[i] = device_alloc<char>(i, gpus * MAX);
    for (int j = 0; j < gpus; j++) {
      lanes[i].push_back(make_lane(i));
      fill(i, b.out[i] + j * MAX, MAX, seed({i, j}));
    }
  }
  for (int g = 2; g <= gpus; g++)
    for (const char *pattern : {"ring", "neighbours", "alltoall"})
      for (size_t bytes : {64 * KiB, 256 * KiB, 1 * MiB, 16 * MiB, 64 * MiB})
        for (How how : {COPY, STORE, ROW})
          if (how != ROW || strcmp(pattern, "ring") != 0)
            one(gate, b, pattern, g, bytes, how, lanes);
  return 0;
}
