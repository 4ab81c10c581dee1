#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""step.py --model gpt|conv --parallel one|ddp|fsdp|tp [--gpus N] [--fake] [-o TRACE.json.gz]

The time of a step of a small model, and a trace of three steps, for `gpuscale describe`.
gpt: blocks of a transformer that predict the next token; conv: residual blocks over images.
Both train with AdamW under bf16 autocast; tp infers, as DTensor shards each block's layers.

--fake wraps the program for N GPUs and runs it on one, as rank 0 of PyTorch's `fake`
process group, whose collectives return at once: hooks, shards and casts are real.  DDP does
not run under it.  Without --fake and with N > 1 start it by torchrun (scripts/profile-torch
does).  Prints a row of CSV: the step without the profiler is the `t1` of its trace.
"""
import argparse
import os
import statistics
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    """A layer of a transformer, with q, k and v apart so that heads can be sharded."""

    def __init__(self, width, heads):
        super().__init__()
        self.size = width // heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        y = self.norm1(x)
        q, k, v = (f(y).unflatten(-1, (-1, self.size)).transpose(1, 2)
                   for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, blocks=12, width=1536, heads=12, words=32768, length=1024):
        super().__init__()
        self.words, self.length = words, length
        self.embed, self.place = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, x):
        x = self.embed(x) + self.place.weight
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))

    def sample(self, n):
        return (torch.randint(self.words, (n, self.length), device="cuda"),
                torch.randint(self.words, (n, self.length), device="cuda"))

    @staticmethod
    def loss(y, at):
        return F.cross_entropy(y.flatten(0, 1), at.flatten())


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.GroupNorm(32, width), nn.ReLU(),
                               nn.Conv2d(width, width, 3, padding=1, bias=False), nn.GroupNorm(32, width))

    def forward(self, x):
        return F.relu(x + self.f(x))


class Conv(nn.Module):
    def __init__(self, blocks=16, width=256, classes=1000, size=56):
        super().__init__()
        self.classes, self.size = classes, size
        self.stem = nn.Conv2d(3, width, 4, stride=4)
        self.blocks = nn.ModuleList(Residual(width) for _ in range(blocks))
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x)
        for b in self.blocks:
            x = b(x)
        return self.head(x.mean((2, 3)))

    def sample(self, n):
        return (torch.randn(n, 3, 4 * self.size, 4 * self.size, device="cuda"),
                torch.randint(self.classes, (n,), device="cuda"))

    @staticmethod
    def loss(y, at):
        return F.cross_entropy(y, at)


def join(a):
    """Joins the process group; the rank's GPU is the current one."""
    if a.fake:
        from torch.testing._internal.distributed.fake_pg import FakeStore
        dist.init_process_group("fake", rank=0, world_size=a.gpus, store=FakeStore())
    elif a.gpus > 1:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        dist.init_process_group("nccl")


def wrap(model, a):
    if a.parallel == "ddp":
        return nn.parallel.DistributedDataParallel(model, device_ids=[torch.cuda.current_device()])
    if a.parallel == "fsdp":
        from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
        policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
        for b in model.blocks:
            fully_shard(b, mp_policy=policy)
        fully_shard(model, mp_policy=policy)
    if a.parallel == "tp":
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
        plan = {n: ColwiseParallel() for n in ("q", "k", "v", "up")} | {n: RowwiseParallel() for n in ("o", "down")}
        for b in model.blocks:
            parallelize_module(b, init_device_mesh("cuda", (a.gpus,)), plan)
    return model


def steps_of(a):
    """Returns what makes a step, and the parameters of the model."""
    plain = {"gpt": Gpt, "conv": Conv}[a.model]().cuda()
    count = sum(p.numel() for p in plain.parameters())
    x, at = plain.sample(a.batch)
    if a.parallel == "tp":
        model = wrap(plain.to(torch.bfloat16), a).eval()

        def infer():
            with torch.no_grad():
                model(x)
        return infer, count
    model = wrap(plain, a)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)

    def train():
        with torch.autocast("cuda", torch.bfloat16, enabled=a.parallel != "fsdp"):
            loss = plain.loss(model(x), at)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return train, count


def timed(step, batches=6, of=6):
    """Seconds a step, the median of batches, and their spread."""
    v = []
    for _ in range(batches):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(of):
            step()
        torch.cuda.synchronize()
        v.append((time.perf_counter() - begin) / of)
    return statistics.median(v), (max(v) - min(v)) / statistics.median(v)


def trace(step, path, shapes):
    from torch.profiler import ProfilerActivity, profile, schedule
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=shapes,
                 schedule=schedule(wait=0, warmup=2, active=3, repeat=1),
                 on_trace_ready=lambda done: done.export_chrome_trace(path)) as p:
        for _ in range(5):
            step()
            p.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=("gpt", "conv"), default="gpt")
    parser.add_argument("--parallel", choices=("one", "ddp", "fsdp", "tp"), default="one")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--batch", type=int, default=8, help="samples a GPU")
    parser.add_argument("--fake", action="store_true", help="N GPUs on one, by the process group `fake`")
    parser.add_argument("--shapes", action="store_true", help="record shapes, which slows the host; --fake always does")
    parser.add_argument("-o", dest="out", help="trace; of a run on several GPUs `.rR` is put before .json")
    a = parser.parse_args()
    if a.parallel == "tp" and a.model != "gpt" or a.parallel == "ddp" and a.fake:
        parser.error("tp is of gpt, and ddp does not run under the process group `fake`")
    if (a.parallel == "one") != (a.gpus == 1):
        parser.error("--parallel one is of one GPU, the others of several: --gpus N")
    join(a)
    rank = dist.get_rank() if dist.is_initialized() else 0
    step, count = steps_of(a)
    for _ in range(5):
        step()
    time_s, spread = timed(step)
    if a.out:
        trace(step, a.out if a.gpus == 1 or a.fake else a.out.replace(".json", ".r%d.json" % rank), a.shapes or a.fake)
    if rank == 0:
        print("model,parallel,gpus,fake,batch,step_s,spread,parameters,torch")
        print("%s,%s,%d,%d,%d,%.9g,%.3g,%d,%s" % (a.model, a.parallel, a.gpus, a.fake, a.batch, time_s, spread,
                                                count, torch.__version__), flush=True)
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
