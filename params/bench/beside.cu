// beside.cu - kernels that run while NCCL's all-reduce holds multiprocessors.
//
// method: beside an all-reduce under way, events, median of 7 to 51
//
// waves_alone    a kernel of count blocks of 256 threads, bound by arithmetic,
//                some 40 us a block; `inflight` of them fit on a multiprocessor
//                (dynamic shared memory sees to it)
// waves_beside   the same on GPU 0 beside an all-reduce of 512 MiB over GPUs 0
//                and 1 (gpus is 2), which ends later
// memory_alone   a kernel of count blocks that copies size_B of GPU 0's memory,
//                `inflight` blocks on a multiprocessor
// memory_beside  the same beside the all-reduce
// allreduce      the all-reduce alone; size_B is the array
// If the channels of NCCL hold c of m multiprocessors, a wave is of
// inflight (m - c) blocks: waves_beside over waves_alone tells c.
//
// Skipped without NCCL or a second GPU.
//
// Plausible on an H200: 40 us a wave.
#include "agent.cuh"
#include "nccl.cuh"

#if HAVE_NCCL

static const size_t BYTES = 512 * MiB, COPIED = 256 * MiB;
static const int THREADS_OF = 256;

__global__ void arithmetic(float *out, float by, int turns)
{
  const float sum = chains(by, turns);
  if (sum == -1.0f) *out = sum; // never: all are positive
}

__global__ void copies(const int4 *from, int4 *to, size_t words)
{
  const size_t all = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += all)
    to[i] = from[i];
}

struct Bench {
  std::vector<Lane> lane;  // the collective's streams
  Lane own;                // the kernel's, on GPU 0
  std::vector<float *> at; // arrays that are summed
  int4 *from, *to;
  Comms comms{2};
};

static void all_reduce(Bench &b)
{
  b.comms.begin();
  for (int i = 0; i < 2; i++)
    b.comms.sum(b.at[i], BYTES / sizeof(float), i, b.lane[i].stream);
  b.comms.end();
}

static void wait(const Bench &b)
{
  for (const Lane &l : b.lane) CHECK(cudaStreamSynchronize(l.stream));
  CHECK(cudaStreamSynchronize(b.own.stream));
}

// Seconds of what `launch` puts on the kernel's stream, which begins 100 us
// after the all-reduce, if there is one. The program ends if the all-reduce was
// done before.
template <class Launch>
static Stat timed(Bench &b, bool beside, Launch launch)
{
  return measure([&] {
    CHECK(cudaSetDevice(0));
    if (beside) all_reduce(b);
    CHECK(cudaSetDevice(0));
    pause_kernel<<<1, 1, 0, b.own.stream>>>(200000);
    CHECK(cudaEventRecord(b.own.start, b.own.stream));
    launch(b.own.stream);
    LAUNCHED();
    CHECK(cudaEventRecord(b.own.end, b.own.stream));
    if (beside) CHECK(cudaEventRecord(b.lane[0].end, b.lane[0].stream));
    wait(b);
    float ms = 1;
    if (beside) CHECK(cudaEventElapsedTime(&ms, b.own.end, b.lane[0].end));
    if (ms < 0) {
      fprintf(stderr, "beside: the all-reduce ended %g ms before the kernel\n",
              -ms);
      quit(1);
    }
    return b.own.seconds();
  });
}

static void kernels(Bench &b, bool beside)
{
  const int m = sm_count(), gpus = beside ? 2 : 1;
  const size_t shared = 227 * KiB;
  CHECK(cudaFuncSetAttribute(
      arithmetic, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
  CHECK(cudaFuncSetAttribute(
      copies, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
  for (int inflight : {1, 2, 4}) {
    const size_t part =
        shared / inflight / KiB * KiB - (inflight > 1 ? KiB : 0);
    // Blocks that share a multiprocessor share its arithmetic.
    const int turns = 4500 / inflight;
    for (int tenths : {5, 10, 15, 20, 30, 40, 80}) {
      const int count = m * inflight * tenths / 10;
      const Stat s = timed(b, beside, [&](cudaStream_t on) {
        arithmetic<<<count, THREADS_OF, part, on>>>(
            reinterpret_cast<float *>(b.to), 0.5f, turns);
      });
      row(beside ? "waves_beside" : "waves_alone", "0", "0", gpus, "kernel", 0,
          count, double(count) * THREADS_OF, inflight, s);
    }
  }
  for (int waves : {1, 4, 16}) {
    const int inflight = 8, count = m * inflight * waves;
    const Stat s = timed(b, beside, [&](cudaStream_t on) {
      copies<<<count, THREADS_OF, 0, on>>>(b.from, b.to, COPIED / sizeof(int4));
    });
    row(beside ? "memory_beside" : "memory_alone", "0", "0", gpus, "kernel",
        double(COPIED), count, double(count) * THREADS_OF, inflight, s);
  }
}

int main()
{
  if (open_gpus("beside", 2) < 2) return SKIPPED;
  Bench b;
  for (int i = 0; i < 2; i++) {
    b.lane.push_back(make_lane(i));
    b.at.push_back(device_alloc<float>(i, BYTES / sizeof(float)));
    CHECK(cudaMemset(b.at[i], 0, BYTES));
  }
  b.own = make_lane(0);
  b.from = device_alloc<int4>(0, COPIED / sizeof(int4));
  b.to = device_alloc<int4>(0, COPIED / sizeof(int4));
  const Stat s = measure([&] {
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventRecord(b.lane[0].start, b.lane[0].stream));
    all_reduce(b);
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventRecord(b.lane[0].end, b.lane[0].stream));
    wait(b);
    return b.lane[0].seconds();
  });
  row("allreduce", "all", "all", 2, "kernel", double(BYTES), 1, 1, 1, s);
  for (bool beside : {false, true}) kernels(b, beside);
  return 0;
}

#else

int main()
{
  fprintf(stderr, "beside: built without NCCL: skipped\n");
  return SKIPPED;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
