// store.cu - stores by a kernel on GPU 0 into GPU 1's memory.
//
// method: gate kernel, events, 3 warm-ups, median of 7 to 51, stores verified
//
// store_dense          contiguous, neighbouring threads store neighbouring
//                      words of size_B = 4, 8, 16 B; count is of words, so a
//                      warp stores 128, 256 or 512 contiguous bytes
// store_scatter        runs of size_B contiguous bytes, each aligned in its own
//                      slot of 512 B, the slots in a pseudo-random order, so
//                      that no two runs can share a packet; words of 4 B (of
//                      16 B for runs of 256 B); count is of runs
// store_words          the same with runs of one word of 4, 8 or 16 B, by the
//                      number of slots: over 128 MiB, 512 MiB and 2 GiB
// store_scatter_local  the same into GPU 0's own memory: the SMs' own limit
// store_threads        dense, 16 B, by a growing number of threads
//
// Plausible on an H200: dense 16 B stores 200 to 450 GB/s; a scattered run of
// 4 B at 0.2 to 200 G runs/s.
#include "stores.cuh"

static const size_t REGION = 2 * GiB, SLOTS = REGION / SLOT;
static const uint32_t SEED = 7;

template <class Word>
static Stat run_dense(Gate &gate, const std::vector<Lane> &lane, void *dst,
                      size_t bytes, int blocks, int threads)
{
  poison(1, dst, bytes);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      dense<<<blocks, threads, 0, l.stream>>>(static_cast<Word *>(dst),
                                              bytes / sizeof(Word), SEED);
      LAUNCHED();
    });
  });
  verify("store_dense", 1, dst, bytes, SEED);
  return s;
}

template <class Word>
static Stat run_scatter(Gate &gate, const std::vector<Lane> &lane, int gpu,
                        void *dst, size_t slots, size_t run, int blocks)
{
  unsigned log2_lanes = log2_words<Word>(run);
  poison(gpu, dst, slots * SLOT);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      scatter<<<blocks, THREADS, 0, l.stream>>>(static_cast<Word *>(dst),
                                                slots, log2_lanes, SEED);
      LAUNCHED();
    });
  });
  verify("store_scatter", gpu, dst, slots * SLOT, SEED, SLOT, run);
  return s;
}

static void all_runs(Gate &gate, const std::vector<Lane> &lane, int gpu,
                     void *dst, const char *bench, int blocks)
{
  for (size_t run = 4; run <= 256; run *= 2) {
    Stat s =
        run == 256
            ? run_scatter<uint4>(gate, lane, gpu, dst, SLOTS, run, blocks)
            : run_scatter<uint32_t>(gate, lane, gpu, dst, SLOTS, run, blocks);
    row(bench, "0", std::to_string(gpu), gpu + 1, "store", run, SLOTS,
        blocks * THREADS, 1, s);
    plausible(bench, SLOTS / s.time / 1e9, 0.2, 200, "G runs/s");
  }
}

template <class Word>
static void words(Gate &gate, const std::vector<Lane> &lane, void *dst,
                  int blocks)
{
  const size_t word = sizeof(Word);
  for (size_t slots = SLOTS / 16; slots <= SLOTS; slots *= 4) {
    Stat s = run_scatter<Word>(gate, lane, 1, dst, slots, word, blocks);
    row("store_words", "0", "1", 2, "store", word, slots, blocks * THREADS, 1,
        s);
    plausible("store_words", slots / s.time / 1e9, 0.2, 20, "G words/s");
  }
}

static void threads_sweep(Gate &gate, const std::vector<Lane> &lane, void *dst,
                          int most)
{
  for (int t = 32; t <= most; t = t < most && 2 * t > most ? most : 2 * t) {
    size_t bytes = std::min(size_t(t) * 16 * 2048, 256 * MiB);
    int threads = std::min(t, THREADS);
    Stat s = run_dense<uint4>(gate, lane, dst, bytes, t / threads, threads);
    row("store_threads", "0", "1", 2, "store", 16, bytes / 16, t, 1, s);
  }
}

int main()
{
  int gpus = open_gpus("store", 1), blocks = sm_count() * PER_SM;
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  void *local = device_alloc<char>(0, REGION);
  all_runs(gate, lane, 0, local, "store_scatter_local", blocks);
  CHECK(cudaFree(local));
  if (gpus < 2) {
    fprintf(stderr, "store: one GPU: peer stores skipped\n");
    return 0;
  }
  void *dst = device_alloc<char>(1, REGION);
  const size_t region = 256 * MiB;
  for (int width : {4, 8, 16}) {
    Stat s = width == 4 ? run_dense<uint32_t>(gate, lane, dst, region, blocks,
                                              THREADS)
             : width == 8
                 ? run_dense<uint2>(gate, lane, dst, region, blocks, THREADS)
                 : run_dense<uint4>(gate, lane, dst, region, blocks, THREADS);
    row("store_dense", "0", "1", 2, "store", width, region / width,
        blocks * THREADS, 1, s);
    plausible("store_dense", region / s.time / 1e9, 200, 450, "GB/s");
  }
  all_runs(gate, lane, 1, dst, "store_scatter", blocks);
  words<uint32_t>(gate, lane, dst, blocks);
  words<uint2>(gate, lane, dst, blocks);
  words<uint4>(gate, lane, dst, blocks);
  threads_sweep(gate, lane, dst, blocks * THREADS);
  return 0;
}
