// nccl.cuh - NCCL's library, found when the program runs: HAVE_NCCL is 1 if its
// header was there when the program was built. Without the library `lib` ends
// the program with SKIPPED.
#pragma once
#include "bench.cuh"

#include <cuda_fp16.h>

#if __has_include(<nccl.h>)
#define HAVE_NCCL 1
#include <dlfcn.h>
#include <nccl.h>

inline void *entry(const char *name)
{
  static void *const library = dlopen("libnccl.so.2", RTLD_NOW);
  void *p = library ? dlsym(library, name) : nullptr;
  if (p) return p;
  fprintf(stderr, "nccl: no %s in libnccl.so.2: skipped\n", name);
  quit(SKIPPED);
}
#define NCCL(name) (*reinterpret_cast<decltype(&name)>(entry(#name)))

struct Library {
  decltype(&ncclGetErrorString) error = &NCCL(ncclGetErrorString);
  decltype(&ncclCommInitAll) init = &NCCL(ncclCommInitAll);
  decltype(&ncclCommDestroy) destroy = &NCCL(ncclCommDestroy);
  decltype(&ncclGroupStart) start = &NCCL(ncclGroupStart);
  decltype(&ncclGroupEnd) end = &NCCL(ncclGroupEnd);
  decltype(&ncclAllReduce) all_reduce = &NCCL(ncclAllReduce);
  decltype(&ncclAllGather) all_gather = &NCCL(ncclAllGather);
  decltype(&ncclReduceScatter) reduce_scatter = &NCCL(ncclReduceScatter);
  decltype(&ncclBroadcast) broadcast = &NCCL(ncclBroadcast);
  decltype(&ncclReduce) reduce = &NCCL(ncclReduce);
  decltype(&ncclSend) send = &NCCL(ncclSend);
  decltype(&ncclRecv) recv = &NCCL(ncclRecv);
  decltype(&ncclGetVersion) version = &NCCL(ncclGetVersion);
};

inline const Library &lib()
{
  static const Library l;
  return l;
}

inline void check_nccl(ncclResult_t r, const char *call, const char *file,
                       int line)
{
  if (r == ncclSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, lib().error(r));
  quit(1);
}
#define NCHECK(call) check_nccl((call), #call, __FILE__, __LINE__)

// A communicator for each GPU, each used by a thread of its own.
class Comms {
public:
  explicit Comms(int gpus) : of(gpus)
  {
    std::vector<int> list;
    for (int i = 0; i < gpus; i++) list.push_back(i);
    NCHECK(lib().init(of.data(), gpus, list.data()));
  }
  Comms(const Comms &) = delete;
  ~Comms()
  {
    for (ncclComm_t c : of) NCHECK(lib().destroy(c));
  }
  // In place, over all GPUs; i is the one that calls.
  void sum(double *at, size_t words, int i, cudaStream_t s) const
  {
    NCHECK(lib().all_reduce(at, at, words, ncclFloat64, ncclSum, of[i], s));
  }
  void sum(float *at, size_t words, int i, cudaStream_t s) const
  {
    NCHECK(lib().all_reduce(at, at, words, ncclFloat32, ncclSum, of[i], s));
  }
  void sum(__half *at, size_t words, int i, cudaStream_t s) const
  {
    NCHECK(lib().all_reduce(at, at, words, ncclFloat16, ncclSum, of[i], s));
  }
  // Between begin and end, with one GPU or more.
  void swap(const float *out, float *in, size_t words, int with, int i,
            cudaStream_t s) const
  {
    NCHECK(lib().send(out, words, ncclFloat32, with, of[i], s));
    NCHECK(lib().recv(in, words, ncclFloat32, with, of[i], s));
  }
  void begin() const { NCHECK(lib().start()); }
  void end() const { NCHECK(lib().end()); }

private:
  std::vector<ncclComm_t> of;
};

#else
#define HAVE_NCCL 0

// Never called: programs leave out the variant that needs it.
class Comms {
public:
  explicit Comms(int) {}
  template <class Word> void sum(Word *, size_t, int, cudaStream_t) const {}
  void swap(const float *, float *, size_t, int, int, cudaStream_t) const {}
  void begin() const {}
  void end() const {}
};
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
