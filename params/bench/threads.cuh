// threads.cuh - one host thread per GPU, their spin barrier, the wall clock.
#pragma once
#include "bench.cuh"

#include <atomic>
#include <chrono>
#include <thread>

// The last to arrive raises the generation; the others spin on it.
class Barrier {
public:
  explicit Barrier(int n) : size(n) {}
  void wait()
  {
    unsigned g = generation.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == size) {
      arrived.store(0, std::memory_order_relaxed);
      generation.store(g + 1, std::memory_order_release);
      return;
    }
    while (generation.load(std::memory_order_acquire) == g) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }

private:
  const int size;
  alignas(64) std::atomic<int> arrived{0};
  alignas(64) std::atomic<unsigned> generation{0};
};

inline double now()
{
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Runs body(i) on n threads, one per GPU.
template <class Body> void on_threads(int n, Body body)
{
  std::vector<std::thread> pool;
  for (int i = 0; i < n; i++)
    pool.emplace_back([i, &body] {
      CHECK(cudaSetDevice(i));
      body(i);
    });
  for (std::thread &t : pool) t.join();
}
