// fence.cu - what a fence over the system costs behind a store to another GPU.
//
// method: one thread, gate kernel, events, 3 warm-ups, median of 7 to 51
//
// store_fence  a thread of GPU 0 stores a word to GPU 1 and fences, count times
//
// Plausible on an H200: 0.3 to 10 us.
#include "pattern.cuh"

static const int STORES = 1000;

__global__ void store_and_fence(unsigned *to, int n)
{
  for (int i = 0; i < n; i++) {
    *static_cast<volatile unsigned *>(to) = unsigned(i + 1);
    __threadfence_system();
  }
}

static void verify_last(const unsigned *to)
{
  unsigned last = 0;
  CHECK(cudaMemcpy(&last, to, sizeof last, cudaMemcpyDeviceToHost));
  if (last == unsigned(STORES)) return;
  fprintf(stderr, "store_fence: the last store left %u\n", last);
  quit(1);
}

int main()
{
  open_gpus("fence", 2);
  Gate gate;
  std::vector<Lane> lane = {make_lane(0)};
  unsigned *to = device_alloc<unsigned>(1, 1);
  Stat s = measure([&] {
    return together(gate, lane, [&](size_t, const Lane &l) {
      store_and_fence<<<1, 1, 0, l.stream>>>(to, STORES);
      LAUNCHED();
    });
  });
  verify_last(to);
  row("store_fence", "0", "1", 2, "store", sizeof(unsigned), STORES, 1, 1, s);
  plausible("store_fence", s.time / STORES * 1e6, 0.3, 10, "us");
  return 0;
}
