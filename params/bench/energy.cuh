// energy.cuh - joules that the GPUs count themselves, through NVML.
//
// nvmlDeviceGetTotalEnergyConsumption (Volta and later) counts mJ since the
// driver was loaded; it moves some ten times a second, so what is measured
// lasts seconds. The library is loaded while the program runs: it comes with
// the driver, its header need not be there.
#pragma once
#include "bench.cuh"

#include <dlfcn.h>

class EnergyMeter
{
public:
  // Of GPUs 0 .. n-1 as CUDA counts them; ready() says whether they can be
  // read.
  explicit EnergyMeter(int n)
  {
    void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!lib) return;
    auto init = find<int (*)()>(lib, "nvmlInit_v2");
    auto handle = find<int (*)(const char *, void **)>(
        lib, "nvmlDeviceGetHandleByPciBusId_v2");
    total = find<int (*)(void *, unsigned long long *)>(
        lib, "nvmlDeviceGetTotalEnergyConsumption");
    if (!init || !handle || !total || init() != 0) return;
    for (int i = 0; i < n; i++) {
      char bus[32];
      void *device = nullptr;
      unsigned long long mJ;
      CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, i));
      if (handle(bus, &device) != 0 || total(device, &mJ) != 0) return;
      devices.push_back(device);
    }
    usable = true;
  }
  bool ready() const { return usable; }

  // J that all of them have taken until now.
  double joules() const
  {
    double sum = 0;
    for (void *d : devices) {
      unsigned long long mJ = 0;
      total(d, &mJ);
      sum += 1e-3 * double(mJ);
    }
    return sum;
  }

private:
  template <class F>
  static F find(void *lib, const char *name)
  {
    return reinterpret_cast<F>(dlsym(lib, name));
  }
  int (*total)(void *, unsigned long long *) = nullptr;
  std::vector<void *> devices;
  bool usable = false;
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
