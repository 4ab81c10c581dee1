// nccl.cuh - NCCL's library, found when the program runs: HAVE_NCCL is 1 if its
// header was there when the program was built. Without the library `lib` ends
// the program with SKIPPED.
#pragma once
#include "bench.cuh"

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

#else
#define HAVE_NCCL 0
#endif
