|-- A program as a profile shows it: @file.
|--
|-- @origin
|-- A number whose knob says "guess" is not in the profile.
|
|local gs = require "gpuscale"
|local measured, counted, assumed = gs.measured, gs.counted, gs.assumed
|
|local N = @gpus -- GPUs of the profile
|local file = "@file"
|
|-- In the order of the calls: us of the host before, what, us of the GPU or bytes
|-- of a collective, which `took` us. `waits`: for the work of these streams;
|-- `sync`: the host waits for the GPU; `grads`: gradients ready behind it, `of` bytes.
|local calls = {
|@calls
|}
|
|-- The kernels in these that take 0.5 % of their phase: phase, name, launches, us each; blocks, threads of a block,
|-- registers of a thread, shared B of a block. `times = 0.5` in a row is half of its time, 0 no such kernel.
|local kernels = {
|@kernels
|}
|
|local function named(stream) return stream == 1 and "main" or "stream" .. stream end
|-- Times of kernels that were recorded beside collectives are slow already.
|local slowed = "yes"
|for _, c in ipairs(calls) do
|  if (c.took or 0) > 0 then slowed = "no" end
|  c.stream = named(c.stream or 1)
|  for i, s in ipairs(c.waits or {}) do c.waits[i] = named(s) end
|end
|
|local rest = @rest -- us of the host behind the last
|
C|-- A profiler makes the host 1 to 1.9 times as slow, and the hosts of two runs differ. Assumed is the middle between
C|-- the profiled host and one whose launches take 4 us (3.4 and 4.7 on those of h200x8 and h200x2).
C|local launch = @launch -- us of the host for a launch
C|local left = launch > 0 and math.min(1, math.sqrt(4 / launch)) or 0.63
T|local seen = { ["reduce-scatter"] = 0, ["all-reduce"] = 0 }
T|for _, c in ipairs(calls) do seen[c[2]] = (seen[c[2]] or 0) + c[3] end
|local tensor = @tensor -- GPUs share a batch (strong scaling)
T|local scattered = tensor and 0 or seen["reduce-scatter"]
T|local grads, given = @grads -- of a step; B, or 0
T|-- Parameters as told, or by the B that FSDP or DDP reduces, or of gradients; otherwise AdamW moves 28 B of each at 4 TB/s.
T|local told = @params
T|if told == 0 and scattered == 0 then told = (not tensor and N > 1 and seen["all-reduce"] or given) / 4 end
T|local moved = math.max(1, @optimizer * 4e12 / 28)
|
|return gs.workload {
|  name = "@name",
|  summary = "described from a profile",
|
|  knobs = {
|    start = gs.knob { default = assumed("1.54 us", { "1.2 us", "1.9 us" }, "guess: as H200"),
|      unit = "time", doc = "what the shortest kernel takes" },
|    speed = gs.knob { default = assumed(1, { 0.92, 1.08 }, "one profile: nodes and days differ"), least = 0.01,
|      doc = "of this GPU's kernels, over that of the profile" },
|    collectives = gs.knob { default = "priced", words = { "priced", "recorded" },
|      doc = "by the system, or the step as it was, on any number of GPUs" },
|    collective_rate = gs.knob { default = counted(0), unit = "bytes/s",
|      doc = "of collectives of unknown bytes; 0: in rings that take as long as they took" },
C|    host = gs.knob { default = assumed(left, { left / 1.38, math.min(1, 1.38 * left) }, "guess"), least = 0, most = 2,
C|      doc = "the host's time without the profiler, over that with it; t1 bounds it" },
T|    batch = gs.knob { default = 1, least = 0.001,
T|      doc = "samples of a GPU, over those of the profile; t1 is of as many" },
T|    samples = gs.knob { default = counted(0), doc = "of a GPU in the profiled step, for samples a second" },
T|    scaling = not tensor and gs.knob { default = "weak", words = { "weak", "strong" }, doc = "each GPU has the batch, or all share it" } or nil,
T|    replicas = not tensor and gs.knob { default = 1, least = 1,
T|      doc = "GPUs, each with a batch" } or nil,
|    serial = tensor and gs.knob { default = assumed(0, { 0, 0.1 }, "guess"), least = 0, most = 1,
|      doc = "share of each kernel's time that more GPUs do not shrink" } or nil,
|    slowed = gs.knob { default = slowed, words = { "yes", "no" }, doc = "kernels beside collectives, by waves" },
D|    parallel = gs.knob { default = "@parallel", words = { "one", "ddp" }, doc = "paradigm of training" },
T|    params = gs.knob { least = 1, doc = "of the model",
T|      default = told > 0 and assumed(told, { told, told }, "counted") or
T|        scattered > 0 and assumed(scattered / 4, { scattered / 4, scattered / 2 }, "by what is reduced") or
T|        assumed(moved, { 0.6 * moved, 1.2 * moved }, "guess: by the optimizer") },
T|    grad = gs.knob { default = counted(4), least = 1, most = 8, doc = "bytes of an element of parameters and gradients" },
T|    state = gs.knob { default = @state, least = 0, doc = "elements that the optimizer keeps for a parameter" },
T|    memory = gs.knob { default = counted("@memory B"), unit = "bytes",
T|      doc = "most that a GPU of the profile allocated, by its memory events; 0: unknown" },
D|    bucket = gs.knob { default = counted("25 MiB"), unit = "bytes", doc = "gradients reduced together" },
D|    first = gs.knob { default = counted("1 MiB"), unit = "bytes", doc = "the first bucket" },
D|    view = gs.knob { default = "no", words = { "no", "yes" }, doc = "gradient_as_bucket_view" },
D|    hook = gs.knob { default = assumed("9 us", { "4 us", "14 us" }, "PyTorch 2.11"),
D|      unit = "time", doc = "of the host for a gradient, profiled" },
D|    reduce = gs.knob { default = assumed("115 us", { "80 us", "150 us" }, "PyTorch 2.11"),
D|      unit = "time", doc = "of the host for a bucket, profiled" },
|  },
|
T|  weak = not tensor and function (k) return { replicas = 1, t1 = 0 } end or nil,
T|
|  step = function (k)
|    local us, sum, gpu, host = 1e-6, { recorded = 0 }, 0, rest
|    local streams, seen = { "main" }, { main = true }
D|    streams[2] = "nccl"
|    local replay = k.collectives == "recorded"
|    for _, c in ipairs(calls) do
|      host = host + c[1]
|      if not seen[c.stream] then streams[#streams + 1] = c.stream end
|      seen[c.stream] = true
|      local what = c.took and "recorded" or c[2]
|      sum[what] = (sum[what] or 0) + math.max((c.took or c[3]) - k.start / us, 1e-3)
|      if not c.took and c.stream == "main" then gpu = gpu + c[3] end
|    end
T|    if not tensor and k.scaling == "strong" then
T|      error("scaling=strong: a trace of one batch does not show what kernels take for a part of it: on N GPUs give "
T|        .. "-P batch=1/N as a number, and -P t1= of that batch on one GPU, for each N")
T|    end
T|    -- An unprofiled step bounds the host, and says what another batch takes the kernels.
T|    local t1, fixed = k.t1 / us, (sum.optimizer or 0) + (sum.idle or 0)
T|    local more = t1 <= 0 and k.batch or k.batch == 1 and math.min(1, t1 / gpu) or
T|      math.max(0.01, (t1 - fixed) / math.max(1e-9, gpu - fixed))
t|    local t1 = k.t1 / us
C|    -- Under a fake group, a t1 too small for the host is of the plain program, and not used.
C|    -- A t1 in which the GPU is idle for a tenth is the host's.
TC|    local idle = t1 > gpu * k.batch / 0.9
tC|    local idle = t1 > gpu / 0.9
C|    local by = t1 > @least and math.min(idle and 1 or k.host, t1 / host) or k.host
c|    local by = 1
|    local shrinks = { kernels = true, forward = true, backward = true, optimizer = true }
|    local function shrunk(n) return tensor and k.serial + (1 - k.serial) * N / n or 1 end
|    local function share(n) return (replay and 1 or shrunk(n)) / shrunk(1) end
|    local recorded, edited = { copies = 1, group = 1, idle = 1 }, {}
T|    local speeds = { forward = more, backward = more }
|    for _, c in ipairs(kernels) do
|      if c.times and c.times < 0 then error("kernels: times = " .. c.times .. " is below 0") end
|      if c.times then edited[c[1]], edited.any = (edited[c[1]] or 0) + c[3] * c[4] * (c.times - 1), true end
|    end
|    local function phase(name, err, beside)
|      local time = math.max(1e-3, sum[name] + (edited[name] or 0))
T|      local by = recorded[name] or (speeds[name] or 1) * shrunk(1) / k.speed
t|      local by = recorded[name] or shrunk(1) / k.speed
|      return gs.phase { name = name, compute = { fixed = measured(by * time * us, err, file) },
|        blocks = beside and { residents = k.slowed == "no" and { 0, 1 } or beside } }
|    end
T|    -- Parameters, gradients and the optimizer's, in shards of FSDP or with DDP's buckets; activations by the batch.
T|    local function kept(n)
T|      local one = k.params * k.grad
T|      if scattered > 0 then return (2 + k.state) * one / n end
D|      local buckets = n > 1 and k.parallel == "ddp" and k.view == "no" and one or 0
Td|      local buckets = N > 1 and one or 0
T|      return (2 + k.state) * one + buckets
T|    end
|    return {
T|      state = not tensor and kept(k.replicas) or nil,
T|      memory = not tensor and k.memory > 0 and
T|        kept(k.replicas) + math.max(0, k.memory - kept(N)) * k.batch or nil,
|      t1 = false,
R|      -- A profiled step is no measured one.
R|      run = k.t1 > 0 and k.speed == 1 and not edited.any and
R|        { gpus = N, on = "@system", time = measured(k.t1, 0.01 * k.t1, file) } or nil,
|@phases
|      gs.phase { name = "recorded", compute = { fixed = measured(2 * sum.recorded * us, 0, file) } },
D|      gs.phase { name = "bucket", compute = { fixed = assumed(grads * @bucket, { 0, grads * 2 * @bucket }, "guess") } },
|      host = { threads = "per gpu", streams = streams },
|      schedule = function (g, n)
|        local share = share(n)
D|        -- Buckets are filled by a kernel for each gradient, reduced beside the kernels
D|        -- that follow, and copied back behind the last.
D|        local ddp, all = k.parallel == "ddp" and n > 1, k.params * k.grad
D|        local left, size, cap = grads, 0, k.first
D|        local function fill(bytes)
D|          if k.view == "yes" then return end
D|          gs.launch("bucket", { share = math.min(1, bytes / all) })
D|          gs.copy { to = g, bytes = bytes }
D|        end
D|        local function reduce()
D|          fill(size)
D|          gs.host(k.reduce * by)
D|          gs.record("ready")
D|          gs.wait("ready", { stream = "nccl" })
D|          gs.collective { kind = "all-reduce", bytes = size, stream = "nccl" }
D|          size, cap = 0, k.bucket
D|        end
|        for _, c in ipairs(calls) do
|          if c.sync then gs.synchronize {} end
|          if c[1] > 0 then gs.host(c[1] * us * by) end
|          for _, s in ipairs(c.waits or {}) do
|            gs.record(s, { stream = s })
|            gs.wait(s, { stream = c.stream or "main" })
|          end
|          local time = math.max((c.took or c[3]) - k.start / us, 1e-3)
|          if not c.took then
|            local part = time / sum[c[2]] * (shrinks[c[2]] and share or 1)
|            gs.launch(c[2], { share = part, stream = c.stream })
|          elseif replay or n > 1 and c[3] + k.collective_rate == 0 then
|            local ring = replay and 1 or (1 - 1 / n) / (1 - 1 / N)
|            gs.launch("recorded", { share = ring * time / 2 / sum.recorded, stream = c.stream })
|          elseif n > 1 then
|            gs.collective { kind = c[2], stream = c.stream,
|              bytes = c[3] > 0 and c[3] or c.took * us * k.collective_rate }
|          end
D|          for _ = 1, ddp and c.grads or 0 do
D|            size = size + (c.of and c.of / c.grads / given or 1 / grads) * all
D|            gs.host(k.hook * by)
D|            left = left - 1
D|            if size >= cap or left == 0 then reduce() end
D|          end
D|          if ddp and c.grads and left == 0 then
D|            gs.record("reduced", { stream = "nccl" })
D|            gs.wait("reduced")
D|            fill(all)
D|          end
|        end
S|        gs.synchronize {}
|        if rest > 0 then gs.host(rest * us * by) end
|      end,
|    }
|  end,
|}
