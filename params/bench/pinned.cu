// pinned.cu - GPU 0 and host memory, pinned and mapped, or pageable: PCIe.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, data verified
//
// store_pinned_dense    stores by a kernel, contiguous: neighbouring threads
//                       store neighbouring words of size_B = 4, 8, 16 B; count
//                       is of words
// store_pinned_scatter  runs of size_B contiguous bytes, each aligned in its
//                       own slot of 512 B, the slots in a pseudo-random order;
//                       words of 4 B (of 16 B for runs of 256 B); count is of
//                       runs
// dma_pinned            one copy between two events, raw: host to device
//                       (src h) and device to host (dst h)
// dma_pageable          the same to and from memory of malloc, by wall clock:
// the
//                       call returns when the copy is done
//
// With BENCH_HOST the copies alone, of 1 MiB and more.
//
// The host checks what it received. Plausible on PCIe 5 x16 (63 GB/s raw):
// dense stores and copies of 64 MiB or more 10 to 64 GB/s; small copies 1 to
// 20 us; a scattered run of 4 B at 0.01 to 4 G runs/s.
#include "stores.cuh"
#include "threads.cuh"

#include <cstring>

static const size_t MAX = 256 * MiB, SLOTS = MAX / SLOT;
static const uint32_t SEED = 7;

static void poison_host(void *p, size_t bytes)
{
  memset(p, 0xA5, bytes);
}

// As verify(), by the host: the first run_B of every slot_B.
static void verify_host(const char *what, const void *p, size_t bytes,
                        uint32_t seed, size_t slot_B, size_t run_B)
{
  const uint32_t *w = static_cast<const uint32_t *>(p);
  size_t wrong = 0;
  for (size_t at = 0; at < bytes / 4; at += slot_B / 4)
    for (size_t i = at; i < at + run_B / 4; i++)
      wrong += w[i] != pattern(i, seed);
  if (wrong == 0) return;
  fprintf(stderr, "%s: %zu wrong words on the host\n", what, wrong);
  quit(1);
}

template <class Word>
static void run_dense(Gate &gate, const std::vector<Lane> &lane, void *host,
                      int blocks)
{
  poison_host(host, MAX);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      dense<<<blocks, THREADS, 0, l.stream>>>(static_cast<Word *>(host),
                                              MAX / sizeof(Word), SEED);
      LAUNCHED();
    });
  });
  verify_host("store_pinned_dense", host, MAX, SEED, MAX, MAX);
  row("store_pinned_dense", "0", "h", 1, "store", sizeof(Word),
      MAX / sizeof(Word), blocks * THREADS, 1, s);
  plausible("store_pinned_dense", MAX / s.time / 1e9, 10, 64, "GB/s");
}

template <class Word>
static void run_scatter(Gate &gate, const std::vector<Lane> &lane, void *host,
                        size_t run, int blocks)
{
  unsigned log2_lanes = log2_words<Word>(run);
  poison_host(host, MAX);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      scatter<<<blocks, THREADS, 0, l.stream>>>(static_cast<Word *>(host),
                                                SLOTS, log2_lanes, SEED);
      LAUNCHED();
    });
  });
  verify_host("store_pinned_scatter", host, MAX, SEED, SLOT, run);
  row("store_pinned_scatter", "0", "h", 1, "store", run, SLOTS,
      blocks * THREADS, 1, s);
  if (run == 4)
    plausible("store_pinned_scatter", SLOTS / s.time / 1e9, 0.01, 4,
              "G runs/s");
}

static void copies(Gate &gate, const std::vector<Lane> &lane, void *dst,
                   const void *src, size_t bytes, const char *from,
                   const char *to)
{
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      CHECK(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, l.stream));
    });
  });
  row("dma_pinned", from, to, 1, "copy", bytes, 1, 0, 1, s);
  if (bytes >= 64 * MiB)
    plausible("dma_pinned", bytes / s.time / 1e9, 10, 64, "GB/s");
  if (bytes <= KiB) plausible("dma_pinned", s.time * 1e6, 1, 20, "us");
}

// First device to host, checked there; then the same bytes back.
static void dma(Gate &gate, const std::vector<Lane> &lane, char *src,
                char *back, char *host, size_t bytes)
{
  poison_host(host, bytes);
  copies(gate, lane, host, src, bytes, "0", "h");
  verify_host("dma_pinned", host, bytes, 1, bytes, bytes);
  poison(0, back, bytes);
  copies(gate, lane, back, host, bytes, "h", "0");
  verify("dma_pinned", 0, back, bytes, 1);
}

static void pageable(void *dst, const void *src, size_t bytes, const char *from,
                     const char *to)
{
  Stat s = measure([&] {
    const double begin = now();
    CHECK(cudaMemcpy(dst, src, bytes, cudaMemcpyDefault));
    return now() - begin;
  });
  row("dma_pageable", from, to, 1, "copy", bytes, 1, 0, 1, s);
  if (bytes >= 64 * MiB)
    plausible("dma_pageable", bytes / s.time / 1e9, 1, 64, "GB/s");
}

static void both_ways(char *src, char *back, size_t bytes)
{
  std::vector<char> host(bytes);
  poison_host(host.data(), bytes);
  pageable(host.data(), src, bytes, "0", "h");
  verify_host("dma_pageable", host.data(), bytes, 1, bytes, bytes);
  poison(0, back, bytes);
  pageable(back, host.data(), bytes, "h", "0");
  verify("dma_pageable", 0, back, bytes, 1);
}

int main()
{
  open_gpus("pinned", 1);
  int can = 0, blocks = sm_count() * PER_SM;
  CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCanMapHostMemory, 0));
  if (!can) {
    fprintf(stderr, "pinned: no mapped host memory: skipped\n");
    return SKIPPED;
  }
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  char *src = device_alloc<char>(0, MAX), *back = device_alloc<char>(0, MAX);
  void *host = nullptr;
  CHECK(cudaHostAlloc(&host, MAX, cudaHostAllocPortable | cudaHostAllocMapped));
  fill(0, src, MAX, 1);
  const bool copies_only = getenv("BENCH_HOST") != nullptr;
  for (size_t b = copies_only ? MiB : 4; b <= MAX; b *= b < 16 * KiB ? 4 : 2) {
    dma(gate, lane, src, back, static_cast<char *>(host), b);
    both_ways(src, back, b);
  }
  if (copies_only) return 0;
  run_dense<uint32_t>(gate, lane, host, blocks);
  run_dense<uint2>(gate, lane, host, blocks);
  run_dense<uint4>(gate, lane, host, blocks);
  for (size_t run = 4; run <= 128; run *= 2)
    run_scatter<uint32_t>(gate, lane, host, run, blocks);
  run_scatter<uint4>(gate, lane, host, 256, blocks);
  return 0;
}
