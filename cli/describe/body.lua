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
p|-- To whom GPU g of n copies.
p|local rules = {
0|  neighbours = function (g, n) -- in a line
0|    local to = {}
0|    if g > 0 then to[1] = g - 1 end
0|    if g < n - 1 then to[#to + 1] = g + 1 end
0|    return to
0|  end,
1|  ring = function (g, n) -- both next to it
1|    if n == 1 then return {} end
1|    local before, behind = (g - 1) % n, (g + 1) % n
1|    return n == 2 and { behind } or { before, behind }
1|  end,
2|  next = function (g, n) -- in a ring, one way
2|    return n > 1 and { (g + 1) % n } or {}
2|  end,
3|  all = function (g, n) -- the next GPU first
3|    local to = {}
3|    for i = 1, n - 1 do to[i] = (g + i) % n end
3|    return to
3|  end,
4|  grid = function (g, n) -- near a square, rows by rows
4|    local rows = math.floor(n ^ 0.5)
4|    while n % rows > 0 do rows = rows - 1 end
4|    local row, to = n // rows, {}
4|    if g >= row then to[1] = g - row end
4|    if g + row < n then to[#to + 1] = g + row end
4|    if g % row > 0 then to[#to + 1] = g - 1 end
4|    if g % row < row - 1 then to[#to + 1] = g + 1 end
4|    return to
4|  end,
5|  pairs = function (g, n) -- 0 and 1, 2 and 3, ...
5|    local to = g + 1 - 2 * (g % 2)
5|    return to < n and { to } or {}
5|  end,
6|  gather = function (g, n) -- all to GPU 0
6|    return g > 0 and { 0 } or {}
6|  end,
7|  scatter = function (g, n) -- GPU 0 to all
7|    local to = {}
7|    for i = 1, g == 0 and n - 1 or 0 do to[i] = i end
7|    return to
7|  end,
p|}
p|
|return gs.workload {
|  name = "@name",
|  summary = "described from a profile, @file",
|
|  knobs = {
k|    serial = gs.knob { default = measured(0, @error, file), least = -1, most = 1,
k|      doc = "beside what each kernel's time does not shrink by" },
K|    serial = gs.knob { default = assumed(0, { 0, 0.1 }, "guess"), least = 0, most = 1,
K|      doc = "share of each kernel's time that more GPUs do not shrink" },
|    start = gs.knob { default = assumed("1.54 us", { "1.2 us", "1.9 us" }, "guess: as H200"),
|      unit = "time", doc = "what the shortest kernel takes" },
|    speed = gs.knob { default = 1, least = 0.01,
|      doc = "of this GPU's kernels, over that of the profile" },
t|    threads = gs.knob { default = "per gpu", words = { "per gpu", "one" },
t|      doc = "host threads@shown" },
w|    ways = gs.knob { default = "recorded", words = { "recorded", "any" },
w|      doc = "its own copies, or any way of moving what they carry" },
c|    kernels = gs.knob { default = "timed", words = { "timed", "counted" },
c|      doc = "as long as in the profile, or as a GPU's flop/s and bandwidth let those of ncu take" },
m|    meets = gs.knob { default = "last", words = { "never", "last", "each" },
m|      doc = "behind which of their waits host threads meet; a guess" },
w|    face = gs.knob { default = assumed(0.001, { 0.0001, 0.01 }, "guess"), least = 0, most = 0.5,
w|      doc = "ways=any: share of the kernel that makes what one neighbour gets" },
w|    store = gs.knob { default = assumed("128 B", { "8 B", "128 B" }, "guess"), unit = "bytes",
w|      doc = "ways=any: a store of the kernel to another GPU" },
p|@partners
pg|    growth = gs.knob { default = counted(@growth), least = 0, most = 3,
pg|      doc = "a copy is as (N / n) ^ growth; by the profiles" },
pG|    growth = gs.knob { default = assumed(@growth), least = 0, most = 3,
pG|      doc = "a copy is as (N / n) ^ growth" },
|@sizes
|  },
|
|  step = function (k)
k|    -- Of a kernel's time on each of N, what more GPUs do not shrink: by
k|    -- @others.
k|    local serial = {
k|@serials
k|    }
k|    -- A kernel's time on each of n GPUs over that on each of N; a gain from
k|    -- caches, serial < 0, only as far as it was seen.
k|    local function shrunk(n, name)
k|      local s = k.serial + serial[name]
k|      local m = s < 0 and math.min(n, @most) or n
k|      return (s + (1 - s) * N / m) * m / n
K|    -- A kernel's time on each of n GPUs over that on each of N.
K|    local function shrunk(n)
K|      return k.serial + (1 - k.serial) * N / n
|    end
|    -- A kernel on one GPU, from its time on each of N.
c|    local function kernel(name, time, err, flop, bytes)
C|    local function kernel(name, time, err)
|      local one = shrunk(1@named)
|      local work = math.max(time - k.start, 0) / k.speed
c|      if k.kernels == "counted" and (flop > 0 or bytes > 0) then
c|        return gs.phase { name = name, flop = N * flop, bytes = N * bytes,
c|          footprint = N * bytes } -- from memory, ncu counts
c|      end
|      return gs.phase { name = name, compute = {
|        fixed = measured(one * work, one * err, file) } }
|    end
|    -- Of that, on each of n.
|    local function share(n@named)
|      return shrunk(n@named) / shrunk(1@named)
|    end
|    local function part(n) return N / n end -- of what is dealt out
p|    local function partners(g, n) return rules[k.partners](g, n) end
pd|    -- Where `to` is from GPU g, in a line or a ring.
pd|    local function side_of(g, n, to)
pd|      local down, up = (g - to) % n, (to - g) % n
pd|      return (down < up or down == up and to < g) and "before" or "behind"
pd|    end
pd|    local function send(g, n, bytes, stream, most, side)
pD|    local function send(g, n, bytes, stream, most)
p|      for i, to in ipairs(partners(g, n)) do
p|        local size = bytes * (N / n) ^ k.growth
pd|        if size >= 1 and i <= (most or n)
pd|          and (not side or side_of(g, n, to) == side) then
pD|        if size >= 1 and i <= (most or n) then
p|          gs.copy { to = to, bytes = size, stream = stream }
p|        end
p|      end
p|    end
m|    local function meet(last)
m|      if k.meets == "each" or last and k.meets == "last" then gs.barrier() end
m|    end
|
w|    if k.ways == "any" then
w|      -- A phase of the kernels up to each exchange; what copies carried it publishes.
w|      local serial = math.min(1, math.max(0, k.serial + @serial))
w|      local alone = serial + N * (1 - serial) -- on one, over that on N
w|      local all = { to = "@all }
w|      local near = { to = "neighbours", publish = 1 }
w|      local readers = ({ all = all, neighbours = near, ring = near, grid = near })[k.partners]
w|        or error("ways=any: with partners that neighbour, or all")
w|      local function phase(name, time, kernels, bytes)
w|        local p = { name = name, units = 4096, host = { kernels = kernels },
w|          bytes = 1e12 * alone * time, compute = { serial = serial / alone } }
w|        if bytes > 0 then
w|          p.to, p.publish, p.store = readers.to, readers.publish * bytes, k.store
w|          if k.partners == "ring" then p.grid = { periodic = true } end
w|          if k.partners == "grid" then p.grid = { gpus = { 0, 0 } } end
w|          -- Neighbours get a face, made first; all get what all blocks make.
w|          p.blocks = { readers == near and
w|            { share = k.face, per = "face", publishes = 1 } or
w|            { share = 1, per = "sent", publishes = 1 }, {} }
w|        end
w|        return gs.phase(p)
w|      end
w|      return {
w|@stretches
w|      }
w|    end
w|
|    return {
r|      -- What a prediction of this very step is seen to be off.
r|      run = k.speed == 1 and { gpus = N, on = "@system", time = measured(@step, file) } or nil,
|@phases
|      host = { threads = @threads, streams = { @streams } },
|      schedule = function (g, n, i)
K|        local share = share(n)
|@schedule
|      end,
|    }
|  end,
|}
