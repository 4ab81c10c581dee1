// overlap.cu - how much computing and transferring slow each other.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// The compute: a streaming kernel on GPU 0, 1 GiB read and 1 GiB written, 4
// launches (count) back to back. Beside it, in other streams, a transfer of
// such a size that alone it takes r = 0.25, 0.5, 1 times as long.
// overlap_none          the compute alone
// overlap_copy_out      GPU 0 to 1 by copy engine, time of the COMPUTE stream
// overlap_copy_out_t    the same runs, time of the TRANSFER stream
// overlap_copy_in[_t]   GPU 1 to 0
// overlap_copy_both[_t] both at once; size_B is their sum, _t the longer
// overlap_store_out[_t], overlap_store_in[_t]: by an agent kernel of 16 blocks
//                       of 256 threads on the sender, urgent, no polling
// agent_chunk_beside    the agent (agent.cuh, same size) beside the compute,
//                       through chunks of size_B that are all ready; count
//                       chunks, time of the transfer; agent_chunk_free without
// Every compute starts with a pause of 10 us, in which an agent can settle.
// copy_alone            the transfer alone, same access, src, dst and size_B
// For all but copy_alone and _t, size_B is what was moved beside the compute.
//
// Plausible on an H200: the compute streams 2.5 to 4.8 TB/s alone; it takes
// 0.95 to 2 times as long beside a transfer.
#include "agent.cuh"
#include "pattern.cuh"

static const size_t STREAM = GiB, MAX = 2 * GiB;
static const int LAUNCHES = 4, AGENT_BLOCKS = 16;

__global__ void stream(const float4 *__restrict__ in, float4 *__restrict__ out)
{
  size_t first = size_t(blockIdx.x) * THREADS * 4 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; i++) v[i] = in[first + i * THREADS];
#pragma unroll
  for (int i = 0; i < 4; i++) out[first + i * THREADS] = v[i];
}

__global__ void agent_copy(const int4 *src, int4 *dst, size_t words)
{
  move_words(src, dst, words, size_t(blockIdx.x) * blockDim.x + threadIdx.x,
             size_t(gridDim.x) * blockDim.x);
}

struct Bench {
  Gate gate;
  float4 *in, *out;
  char *src[2], *dst[2];  // dst[i] is on GPU 1-i and filled from src[i]
  Lane compute, move[2];  // move[i] is issued on GPU i
};

// One way to transfer: from which GPUs, by what.
struct Way {
  const char *name, *src, *dst;
  bool from[2], store;
};

static const Way ways[] = {
  {"overlap_copy_out", "0", "1", {true, false}, false},
  {"overlap_copy_in", "1", "0", {false, true}, false},
  {"overlap_copy_both", "all", "all", {true, true}, false},
  {"overlap_store_out", "0", "1", {true, false}, true},
  {"overlap_store_in", "1", "0", {false, true}, true},
};

static void issue_compute(const Bench &b)
{
  unsigned blocks = unsigned(STREAM / 16 / THREADS / 4);
  pause_kernel<<<1, 1, 0, b.compute.stream>>>(10000);
  LAUNCHED();
  for (int i = 0; i < LAUNCHES; i++) {
    stream<<<blocks, THREADS, 0, b.compute.stream>>>(b.in, b.out);
    LAUNCHED();
  }
}

static void issue_move(const Bench &b, const Way &w, int from, size_t bytes,
                       cudaStream_t s)
{
  char *src = b.src[from], *dst = b.dst[from];
  if (!w.store) {
    CHECK(cudaMemcpyPeerAsync(dst, 1 - from, src, from, bytes, s));
    return;
  }
  agent_copy<<<AGENT_BLOCKS, THREADS, 0, s>>>(
      reinterpret_cast<int4 *>(src), reinterpret_cast<int4 *>(dst), bytes / 16);
  LAUNCHED();
}

static void poison_moved(const Bench &b, const Way &w, size_t bytes)
{
  for (int i = 0; i < 2; i++)
    if (w.from[i]) poison(1 - i, b.dst[i], bytes);
}

static void verify_moved(const Bench &b, const Way &w, size_t bytes)
{
  for (int i = 0; i < 2; i++)
    if (w.from[i]) verify(w.name, 1 - i, b.dst[i], bytes, 2 + i);
}

// The transfer of `bytes` each way, alone.
static Stat alone(Bench &b, const Way &w, size_t bytes)
{
  std::vector<Lane> lanes;
  for (int i = 0; i < 2; i++)
    if (w.from[i]) lanes.push_back(b.move[i]);
  poison_moved(b, w, bytes);
  Stat s = measure([&] {
    return together(b.gate, lanes, [&](size_t, const Lane &l) {
      issue_move(b, w, l.gpu, bytes, l.stream);
    });
  });
  verify_moved(b, w, bytes);
  return s;
}

// Both at once; `moving` receives the time of the transfer.
static Stat beside(Bench &b, const Way &w, size_t bytes, Stat &moving)
{
  std::vector<Lane> lanes;
  for (int i = 0; i < 2; i++)
    if (w.from[i]) lanes.push_back(b.move[i]);
  const size_t compute = lanes.size();
  lanes.push_back(b.compute);
  poison_moved(b, w, bytes);
  std::vector<double> moved;
  Stat s = measure([&] {
    together(b.gate, lanes, [&](size_t i, const Lane &l) {
      if (i == compute)
        issue_compute(b);
      else
        issue_move(b, w, l.gpu, bytes, l.stream);
    });
    double t = 0;
    for (size_t i = 0; i < compute; i++) t = std::max(t, lanes[i].seconds());
    moved.push_back(t);
    return lanes[compute].seconds();
  });
  verify_moved(b, w, bytes);
  moved.erase(moved.begin(), moved.begin() + WARMUPS);
  moving = robust(moved);
  return s;
}

// Chunks that are all ready, handled by the agent, beside the compute or not.
static void chunks(Bench &b, size_t chunk, bool busy)
{
  const int count = 256;
  AllReady a = all_ready(b.src[0], b.dst[0], chunk, count);
  std::vector<Lane> lanes = {b.move[0]};
  if (busy) lanes.push_back(b.compute);
  poison(1, b.dst[0], count * chunk);
  Stat s = measure([&] {
    together(b.gate, lanes, [&](size_t i, const Lane &l) {
      if (i == 1) return issue_compute(b);
      agent_kernel<<<AGENT_BLOCKS, THREADS, 0, l.stream>>>(a.list, count,
                                                           a.ready, 1);
      LAUNCHED();
    });
    return b.move[0].seconds();
  });
  verify("agent_chunk_beside", 1, b.dst[0], count * chunk, 2);
  row(busy ? "agent_chunk_beside" : "agent_chunk_free", "0", "1", 2, "store",
      chunk, count, AGENT_BLOCKS * THREADS, 1, s);
  free_ready(a);
}

static void one_way(Bench &b, const Way &w, const Stat &none)
{
  const char *access = w.store ? "store" : "copy";
  int ways_used = int(w.from[0]) + int(w.from[1]);
  double threads = w.store ? AGENT_BLOCKS * THREADS : 0;
  double rate = 256 * MiB / alone(b, w, 256 * MiB).time;  // each way
  for (double r : {0.25, 0.5, 1.0}) {
    size_t bytes = std::min(size_t(rate * r * none.time) / MiB * MiB, MAX);
    bytes = std::max(bytes, MiB);
    Stat moving, s = alone(b, w, bytes);
    double total = double(bytes) * ways_used;
    row("copy_alone", w.src, w.dst, 2, access, total, 1, threads, ways_used, s);
    s = beside(b, w, bytes, moving);
    row(w.name, w.src, w.dst, 2, access, total, LAUNCHES, threads, ways_used,
        s);
    row(std::string(w.name) + "_t", w.src, w.dst, 2, access, total, 1, threads,
        ways_used, moving);
    plausible(w.name, s.time / none.time, 0.95, 2, "of the time alone");
  }
}

int main()
{
  open_gpus("overlap", 2);
  Bench b;
  b.in = device_alloc<float4>(0, STREAM / 16);
  b.out = device_alloc<float4>(0, STREAM / 16);
  fill(0, b.in, STREAM, 1);
  poison(0, b.out, STREAM);
  b.compute = make_lane(0);
  for (int i = 0; i < 2; i++) {
    b.src[i] = device_alloc<char>(i, MAX);
    b.dst[i] = device_alloc<char>(1 - i, MAX);
    fill(i, b.src[i], MAX, 2 + i);
    b.move[i] = make_lane(i, true);
  }
  std::vector<Lane> lane = {b.compute};
  Stat none = measure([&] {
    return together(b.gate, lane, [&](size_t, const Lane &) {
      issue_compute(b);
    });
  });
  row("overlap_none", "0", "-", 1, "kernel", 0, LAUNCHES,
      double(STREAM / 16 / 4), 1, none);
  plausible("overlap_none", 2 * STREAM * LAUNCHES / none.time / 1e12, 2.5, 4.8,
            "TB/s");
  for (const Way &w : ways) one_way(b, w, none);
  for (size_t c = 4 * KiB; c <= 1 * MiB; c *= 4)
    for (bool busy : {false, true}) chunks(b, c, busy);
  verify("overlap", 0, b.out, STREAM, 1);
  return 0;
}
