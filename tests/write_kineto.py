#!/usr/bin/env python3
"""write_kineto.py - a made-up trace of PyTorch on standard output: four training steps of 24 layers on one H200.

Kernels of a layer take 300 us forward and 600 backward, those of the optimizer 2 ms.  The host
issues each in 40 us; autograd's thread issues the backward pass, and a gradient behind each layer."""
import json

LAYERS, ISSUE, GAP = 24, 6, 40  # us
events, free, clock, n = [], 0.0, 1000.0, 0


def add(cat, name, ts, dur, tid=100, pid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})


def kernel(name, took, tid=100):
    global free, clock, n
    n += 1
    add("cuda_runtime", "cudaLaunchKernel", clock, ISSUE, tid, correlation=n)
    free = max(free + 1, clock + ISSUE + 4)
    add("kernel", name, free, took, 7, 0, correlation=n, stream=7, device=0, grid=[1056, 1, 1], block=[256, 1, 1])
    free += took
    clock += GAP


for step in range(4):
    begin = clock
    for layer in range(LAYERS):
        kernel("gemm_forward", 300)
    for layer in range(LAYERS):
        kernel("gemm_backward", 600, 200)
        add("cpu_op", "torch::autograd::AccumulateGrad", clock - GAP + ISSUE + 4, 5, 200)
    add("user_annotation", "Optimizer.step#AdamW.step", clock, GAP - 10)
    kernel("multi_tensor_adamw", 2000)
    add("cuda_runtime", "cudaDeviceSynchronize", clock, free - clock)
    clock = free + 20
    add("user_annotation", f"ProfilerStep#{step}", begin, clock - begin)
    clock += 10
print(json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200"}], "traceEvents": events}))
# SPDX-License-Identifier: GPL-3.0-or-later
