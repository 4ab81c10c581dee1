// threads.cuh - one host thread per GPU, their spin barrier, the wall clock, and
// a thread that watches a closed gate.
#pragma once
#include "bench.cuh"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
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

// Samples of host benches are taken in passes over all of them, so that what
// disturbs the host for some milliseconds meets few samples of each: fewer than
// half do not move a median. In a trial run another pass begins only while
// there is time.
struct Passes {
  const bool quick = getenv("BENCH_QUICK") != nullptr;
  const int most = quick ? 5 : 3, samples = quick ? 3 : 7;
  const double start = now();
  int done = 0;

  bool more()
  {
    const bool goes_on = done == 0 || (done < most && !late());
    done += goes_on;
    return goes_on;
  }
  bool late() const { return quick && now() - start > 1.8; }
};

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

// Opens the gate when the issuing of a sample takes too long: a copy by the
// host's memory may not return while the gate is closed.
class Watchdog
{
public:
  explicit Watchdog(const Gate &gate)
      : thread([this, flag = gate.flag, ticket = gate.ticket] {
          std::unique_lock<std::mutex> lock(mutex);
          if (changed.wait_for(lock, std::chrono::milliseconds(200),
                               [this] { return done; }))
            return;
          fired = true;
          __atomic_store_n(flag, ticket, __ATOMIC_SEQ_CST);
        })
  {
  }
  ~Watchdog() { thread.join(); }
  // Ends the watch; returns whether it opened the gate.
  bool end()
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    changed.notify_one();
    return fired;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, fired = false;
  std::thread thread; // last: it uses the others
};

struct Timed {
  Stat s;
  const char *suffix;
};

// Measures together(gate, lanes, issue), with the gate open if issue() cannot
// return while it is closed.
template <class Issue>
inline Timed timed(Gate &gate, const std::vector<Lane> &lanes, Issue issue)
{
  bool gated = true;
  auto once = [&] {
    if (!gated) {
      __atomic_store_n(gate.flag, gate.ticket, __ATOMIC_SEQ_CST); // open
      return together(gate, lanes, issue);
    }
    Watchdog dog(gate);
    return together(gate, lanes, [&](size_t i, const Lane &l) {
      issue(i, l);
      if (i + 1 == lanes.size() && dog.end()) gated = false;
    });
  };
  Stat s = measure(once);
  if (gated) return {s, ""};
  return {measure(once), "_issued"};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
