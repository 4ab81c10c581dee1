#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""write_torch.py CASE - the trace of a small program as torch.profiler writes it, on stdout.

ddp, tp and groups are a rank of 8; plain is of one GPU.  Kernels of a step take 8 ms in all,
those of graph come from one call, those of names are called otherwise in each step; late has
unmarked steps and a kernel of 80 ms behind them.  slow has marks of vLLM and a step of 80 s.  trains is a training
step of tp by one thread, accum one of two micro-steps without marks, shards one of FSDP, and
layers has no marks: each kernel waits for the all-reduce of the last.  turns is a pipeline of two GPUs."""
import json
import sys

case = sys.argv[1]
events, at, calls, mark = [], 1000.0, 0, "execute_" if case == "slow" else "ProfilerStep#"


def launch(name, begin, length, stream, thread=1, grid=132, call="cudaLaunchKernel", **args):
    """A kernel, and its call, unless one call has several kernels."""
    global calls
    if call:
        calls += 1
        events.append({"ph": "X", "cat": "cuda_runtime", "name": call, "pid": 1, "tid": thread,
                       "ts": launch.host, "dur": 5, "args": {"correlation": calls}})
        launch.host += 20
    events.append({"ph": "X", "cat": "gpu_memcpy" if "bytes" in args else "kernel", "name": name, "pid": 0,
                   "tid": stream, "ts": begin, "dur": length, "args": {"device": 0, "stream": stream, "correlation": calls, "grid": [grid, 1, 1],
                            "block": [256, 1, 1], **args}})
    return begin + length + 1


def reduce(begin, length, stream, ranks, MB=0, **args):
    kind = {"Group size": ranks, "Collective name": "allreduce"}
    if MB:
        kind.update({"dtype": "Float", "In msg nelems": MB * 250000, "Out msg nelems": MB * 250000})
    return launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", begin, length, stream, 2, 24, **kind, **args)


def gather(begin, length):
    return launch("ncclDevKernel_AllGather_RING_LL", begin, length, 9, 2, 24, **{
        "Group size": 8, "Collective name": "_allgather_base", "dtype": "Float", "Out msg nelems": 80e6})


for step in range(5):
    begin = launch.host = at
    gpu = begin + 50
    for k in [0] * 8 if case in ("layers", "slow") else list(range(8)) * (1 + (case == "accum")):
        back = case == "ddp" and k >= 4
        name = "k%d_%d" % (k, step if case == "names" else 0)
        name += "_bwd" if case in ("trains", "accum", "shards") and k >= 4 else ""
        if case == "turns" and k == 4:
            gpu = launch("Memcpy PtoP", gpu, 10, 7, bytes=1 << 20, fromDevice=0, toDevice=1)
        if case == "shards" and k < 4:
            gather(gpu, 900)
        gpu = launch(name, gpu, 1e7 if case == "slow" and step == 2 else 1000, 7, 2 if back else 1,
                     device=int(case == "turns" and k >= 4), call=None if case == "graph" and k else
                     "cudaGraphLaunch" if case == "graph" else "cudaLaunchKernel")
        if case in ("tp", "trains", "layers"):
            gpu = reduce(gpu, 200, 9 if case == "layers" else 7, 8, 40 if case == "trains" else 0)
        if case == "groups":
            gpu = reduce(gpu, 100, 7, 2, 8, **{"Process Group Ranks": "[0, 1]"})
        if back and k % 2:
            end = reduce(gpu, 900, 9, 8, 100)
    if case == "groups":
        gpu = reduce(gpu, 900, 7, 4, 100, **{"Process Group Ranks": "[0, 2, 4, 6]"})
    if case in ("trains", "accum", "shards"):
        gpu = launch("multi_tensor_adam", gpu, 1000, 7)
    at = max(gpu, end if case == "ddp" else 0) + 30
    if case not in ("late", "accum", "layers"):
        events.append({"ph": "X", "cat": "user_annotation", "name": "%s%d" % (mark, step), "pid": 1,
                       "tid": 1, "ts": begin, "dur": at - begin - 1})
if case == "late":
    launch("late", at, 80000, 7)
about = {"distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 8}} if case in "ddp tp trains shards layers" else {}
json.dump({**about, "traceEvents": events}, sys.stdout)
