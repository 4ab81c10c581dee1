// sends.cu - two GPUs send each other as much, by ncclSend and ncclRecv, at close sizes.
//
//   sends NAME   prints NAME,bytes,s: of 20 calls in a row one, median of 9
//
//   nvcc -std=c++17 -O2 sends.cu -lnccl -o sends; NCCL_MAX_P2P_NCHANNELS=8 ./sends 8
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nccl.h>
#include <vector>

static const int GPUS = 2, SAMPLES = 9, CALLS = 20;
static const double MIB = 1048576;

static ncclComm_t comm[GPUS];
static cudaStream_t stream[GPUS];
static char *from[GPUS], *to[GPUS];

static void call(size_t bytes)
{
  ncclGroupStart();
  for (int i = 0; i < GPUS; i++) {
    ncclSend(from[i], bytes, ncclChar, 1 - i, comm[i], stream[i]);
    ncclRecv(to[i], bytes, ncclChar, 1 - i, comm[i], stream[i]);
  }
  ncclGroupEnd();
}

static void wait_for_all()
{
  for (int i = 0; i < GPUS; i++) {
    cudaSetDevice(i);
    cudaStreamSynchronize(stream[i]);
  }
}

static double seconds(size_t bytes)
{
  std::vector<double> t;

  for (int r = 0; r < SAMPLES; r++) {
    call(bytes);
    wait_for_all();
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < CALLS; k++) call(bytes);
    wait_for_all();
    const std::chrono::duration<double> d = std::chrono::steady_clock::now() - begin;
    t.push_back(d.count() / CALLS);
  }
  std::sort(t.begin(), t.end());
  return t[SAMPLES / 2];
}

int main(int, char **argv)
{
  const int devices[GPUS] = {0, 1};
  std::vector<double> sizes;

  ncclCommInitAll(comm, GPUS, devices);
  for (int i = 0; i < GPUS; i++) {
    cudaSetDevice(i);
    cudaStreamCreate(&stream[i]);
    cudaMalloc(&from[i], size_t(640 * MIB));
    cudaMalloc(&to[i], size_t(640 * MIB));
  }
  for (double x = 4; x <= 560; x *= 1.06) sizes.push_back(x * MIB);
  for (double x : {16, 32, 64, 128, 256})
    for (double e : {-.5, 0., .00002, .5, 2.}) sizes.push_back((x + e) * MIB);
  std::sort(sizes.begin(), sizes.end());
  for (double x : sizes) printf("%s,%.0f,%.9g\n", argv[1], x, seconds(size_t(x)));
}

// SPDX-License-Identifier: GPL-3.0-or-later
