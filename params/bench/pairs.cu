// pairs.cu - large copies between all pairs of GPUs, each way and both ways at
// once.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, copies verified
//
// dma                 4 copies of size_B back to back, src to dst, as dma.cu's
// dma_duplex          one copy src to dst and one dst to src; the slower GPU
// staged_copy, staged_copy_duplex   the same where one of the two GPUs has no
//                     access to the other's memory: access is host, for the
//                     driver copies through the host's memory
// NAME_issued         not gated, as staged.cu's
//
// Plausible: 3 to 64 GB/s through the host or over PCIe, 10 to 900 GB/s over
// NVLink.
#include "pattern.cuh"
#include "threads.cuh"

static const size_t MAX = 256 * MiB;
static const int COUNT = 4;

struct Gpu {
  char *src, *dst;
  Lane lane;
};

static void copy(const Gpu &from, const Gpu &to, size_t at, size_t bytes)
{
  CHECK(cudaMemcpyPeerAsync(to.dst + at, to.lane.gpu, from.src + at,
                            from.lane.gpu, bytes, from.lane.stream));
}

// Lets each GPU of a pair use the other's memory, or none if one cannot. Only
// one pair has access at a time, for a GPU has a limited number of peers.
static bool connect(int i, int j)
{
  int there = 0, back = 0;
  CHECK(cudaDeviceCanAccessPeer(&there, i, j));
  CHECK(cudaDeviceCanAccessPeer(&back, j, i));
  if (!there || !back) return false;
  CHECK(cudaSetDevice(i));
  CHECK(cudaDeviceEnablePeerAccess(j, 0));
  CHECK(cudaSetDevice(j));
  CHECK(cudaDeviceEnablePeerAccess(i, 0));
  return true;
}

static void disconnect(int i, int j)
{
  CHECK(cudaSetDevice(i));
  CHECK(cudaDeviceDisablePeerAccess(j));
  CHECK(cudaSetDevice(j));
  CHECK(cudaDeviceDisablePeerAccess(i));
}

// GPU a sends MAX bytes to b, and b to a at the same time if `both`.
static void measure_pair(Gate &gate, const Gpu &a, const Gpu &b, bool both,
                         bool peers)
{
  const std::string name =
      std::string(peers ? "dma" : "staged_copy") + (both ? "_duplex" : "");
  const int count = both ? 1 : COUNT;
  std::vector<Lane> lanes = {a.lane};
  if (both) lanes.push_back(b.lane);
  poison(a.lane.gpu, a.dst, MAX);
  poison(b.lane.gpu, b.dst, MAX);
  const Timed t = timed(gate, lanes, [&](size_t i, const Lane &) {
    for (int k = 0; k < count; k++)
      copy(i ? b : a, i ? a : b, k * (MAX / count), MAX / count);
  });
  verify(name.c_str(), b.lane.gpu, b.dst, MAX, 1 + a.lane.gpu);
  if (both) verify(name.c_str(), a.lane.gpu, a.dst, MAX, 1 + b.lane.gpu);
  row(name + t.suffix, std::to_string(a.lane.gpu), std::to_string(b.lane.gpu),
      2, peers ? "copy" : "host", MAX / count, both ? 2 : count, 0, 1, t.s);
  plausible(name.c_str(), MAX / t.s.time / 1e9, 3, peers ? 900 : 64, "GB/s");
}

int main()
{
  const int gpus = open_gpus("pairs", 1, false);
  if (gpus < 2) {
    fprintf(stderr, "pairs: one GPU, so no pair: skipped\n");
    return SKIPPED;
  }
  Gate gate;
  std::vector<Gpu> gpu;
  for (int i = 0; i < gpus; i++) {
    gpu.push_back(
        {device_alloc<char>(i, MAX), device_alloc<char>(i, MAX), make_lane(i)});
    fill(i, gpu[i].src, MAX, 1 + i);
  }
  for (int i = 0; i < gpus; i++)
    for (int j = i + 1; j < gpus; j++) {
      const Gpu &a = gpu[i], &b = gpu[j];
      const bool peers = connect(i, j);
      // What the driver allocates at the first copy of a pair is not timed.
      CHECK(cudaSetDevice(i));
      copy(a, b, 0, MAX);
      CHECK(cudaStreamSynchronize(a.lane.stream));
      CHECK(cudaSetDevice(j));
      copy(b, a, 0, MAX);
      CHECK(cudaStreamSynchronize(b.lane.stream));
      measure_pair(gate, a, b, false, peers);
      measure_pair(gate, b, a, false, peers);
      measure_pair(gate, a, b, true, peers);
      if (peers) disconnect(i, j);
    }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
