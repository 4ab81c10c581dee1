// fanout.cu - GPU 0 sends the same data to k = 1 .. N-1 peers at once.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// fanout, access copy   one stream and one copy per peer, all behind the gate;
//                       time from the first start to the last end
// fanout, access store  one kernel reads a word of 16 B once and stores it to
//                       all k peers
// size_B is what one peer receives, count = inflight = k, gpus = k + 1.
//
// Plausible on an H200: GPU 0 sends 150 to 450 GB/s in all at 64 MiB, whatever
// k is: its port is the limit.
#include "pattern.cuh"

static const int MOST = 8;
static const size_t MAX = 64 * MiB;

struct Peers {
  int4 *dst[MOST];
  int count;
};

__global__ void store_all(const int4 *src, Peers peers, size_t words)
{
  size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all) {
    int4 v = src[i];
    for (int p = 0; p < peers.count; p++) peers.dst[p][i] = v;
  }
}

static void report(const Peers &peers, size_t bytes, const char *access,
                   double threads, const Stat &s)
{
  int k = peers.count;
  for (int p = 0; p < k; p++) verify("fanout", p + 1, peers.dst[p], bytes, 1);
  row("fanout", "0", k > 1 ? "all" : "1", k + 1, access, bytes, k, threads, k,
      s);
  if (bytes == MAX)
    plausible("fanout", k * bytes / s.time / 1e9, 150, 450, "GB/s");
}

static void one(Gate &gate, const int4 *src, const Peers &peers, size_t bytes)
{
  int k = peers.count, blocks = sm_count() * 8;
  std::vector<Lane> lanes;
  for (int p = 0; p < k; p++) lanes.push_back(make_lane(0));
  for (int p = 0; p < k; p++) poison(p + 1, peers.dst[p], bytes);
  Stat s = measure([&] {
    return together(gate, lanes, [&](size_t p, const Lane &l) {
      CHECK(cudaMemcpyPeerAsync(peers.dst[p], int(p) + 1, src, 0, bytes,
                                l.stream));
    });
  });
  report(peers, bytes, "copy", 0, s);

  lanes.resize(1);
  for (int p = 0; p < k; p++) poison(p + 1, peers.dst[p], bytes);
  s = measure([&] {
    return together(gate, lanes, [&](size_t, const Lane &l) {
      store_all<<<blocks, THREADS, 0, l.stream>>>(src, peers, bytes / 16);
      LAUNCHED();
    });
  });
  report(peers, bytes, "store", double(blocks) * THREADS, s);
}

int main()
{
  int gpus = std::min(open_gpus("fanout", 2), MOST);
  Gate gate;
  int4 *src = device_alloc<int4>(0, MAX / 16);
  fill(0, src, MAX, 1);
  Peers peers = {};
  for (int k = 1; k < gpus; k++) {
    peers.dst[k - 1] = device_alloc<int4>(k, MAX / 16);
    peers.count = k;
    for (size_t b : {1 * MiB, 64 * MiB}) one(gate, src, peers, b);
  }
  return 0;
}
