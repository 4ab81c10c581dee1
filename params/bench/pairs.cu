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

static void copy(const Gpu *gpu, int i, int j, size_t at, size_t bytes)
{
  CHECK(cudaMemcpyPeerAsync(gpu[j].dst + at, j, gpu[i].src + at, i, bytes,
                            gpu[i].lane.stream));
}

// Lets each GPU of a pair use the other's memory, or none if one cannot.
static bool connect(int i, int j)
{
  int there = 0, back = 0;
  CHECK(cudaDeviceCanAccessPeer(&there, i, j));
  CHECK(cudaDeviceCanAccessPeer(&back, j, i));
  for (int k : {i, j}) {
    CHECK(cudaSetDevice(k));
    if (there && back) CHECK(cudaDeviceEnablePeerAccess(i + j - k, 0));
  }
  return there && back;
}

// GPU i sends MAX bytes to j, and j to i at the same time if `both`.
static void measure_pair(Gate &gate, const Gpu *gpu, int i, int j, bool both,
                         bool peers)
{
  const std::string name =
      std::string(peers ? "dma" : "staged_copy") + (both ? "_duplex" : "");
  const int count = both ? 1 : COUNT;
  std::vector<Lane> lanes = {gpu[i].lane};
  if (both) lanes.push_back(gpu[j].lane);
  // What the driver allocates at the first copy of a pair is not timed.
  CHECK(cudaSetDevice(i));
  copy(gpu, i, j, 0, MAX);
  CHECK(cudaStreamSynchronize(gpu[i].lane.stream));
  poison(i, gpu[i].dst, MAX);
  poison(j, gpu[j].dst, MAX);
  const Timed t = timed(gate, lanes, [&](size_t, const Lane &l) {
    for (int k = 0; k < count; k++)
      copy(gpu, l.gpu, i + j - l.gpu, k * (MAX / count), MAX / count);
  });
  verify(name.c_str(), j, gpu[j].dst, MAX, 1 + i);
  if (both) verify(name.c_str(), i, gpu[i].dst, MAX, 1 + j);
  row(name + t.suffix, std::to_string(i), std::to_string(j), 2,
      peers ? "copy" : "host", MAX / count, both ? 2 : count, 0, 1, t.s);
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
      const bool peers = connect(i, j);
      measure_pair(gate, gpu.data(), i, j, false, peers);
      measure_pair(gate, gpu.data(), j, i, false, peers);
      measure_pair(gate, gpu.data(), i, j, true, peers);
    }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
