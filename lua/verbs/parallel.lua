-- gpuscale parallel FIRST.lua -P with=SECOND.lua,THIRD.lua: programs that `describe` made of PyTorch's
-- profiles (DDP of one GPU's, FSDP and tensor parallelism of wrapped ones), on the numbers of GPUs asked.
--
-- A row is a program on N GPUs: its step, samples a second (-P samples=N of a GPU's step; without it steps
-- of one GPU's batch), times one GPU's, what communication is exposed and hidden, what collectives beside
-- kernels cost, what the host alone takes, and with what chance it is the fastest.  state_B is a GPU's memory
-- of parameters, gradients and the optimizer; memory_B has activations too, where the trace has memory events
-- (profile_memory=True).  Both omit CUDA's own memory and what the allocator holds unused.  -P t1= and other
-- knobs are the first program's, -P with.t1= the second's, numbers of the system (device.sms) everybody's.
local asked, given, own, others, shared, samples = gs.question, {}, {}, {}, {}, 1

local function split(text)
  local list, word = {}, ""
  for i = 1, #text do
    local c = string.sub(text, i, i)
    if c == "," then list[#list + 1], word = word, "" else word = word .. c end
  end
  list[#list + 1] = word
  return list
end

for name, value in pairs(asked.set) do
  local dotted = false
  for i = 1, #name do dotted = dotted or string.sub(name, i, i) == "." end
  if name == "with" then given = split(value)
  elseif name == "samples" then samples = tonumber(value)
  elseif string.sub(name, 1, 5) == "with." then others[string.sub(name, 6)] = value
  elseif dotted then shared[name] = value
  else own[name] = value end
end

local function predict(program, gpus, more)
  local set = {}
  for _, from in ipairs { shared, program.set, more } do
    for name, value in pairs(from) do set[name] = value end
  end
  return gs.predict { workload = program.file, system = asked.system, link = asked.link, gpus = gpus,
    paradigm = "schedule", set = set }
end

local programs = { { file = asked.workload, set = own } }
for i, file in ipairs(given) do programs[i + 1] = { file = file, set = i == 1 and others or {} } end

-- The chance that a normal variable is below z, to 1e-7 (Abramowitz and Stegun 26.2.17).
local function below(z)
  local t, x = 1 / (1 + 0.2316419 * math.abs(z)), 0
  for _, c in ipairs { 1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530 } do x = (x + c) * t end
  local tail = math.exp(-z * z / 2) / math.sqrt(2 * math.pi) * x
  return z > 0 and 1 - tail or tail
end

-- The chance that row i has the most samples a second, errors taken as independent.
local function chance(rows, i)
  local sum, all = 0, 0
  for k = -40, 40 do
    local x, p = k / 10, math.exp(-k * k / 200)
    local rate, product = math.log(rows[i].rate) + x * rows[i].sigma, 1
    for j, r in ipairs(rows) do
      if j ~= i then product = product * below((rate - math.log(r.rate)) / math.max(r.sigma, 1e-6)) end
    end
    sum, all = sum + p * product, all + p
  end
  return sum / all
end

local by_gpus, order = {}, {}
for _, program in ipairs(programs) do
  local one = predict(program, "1", {})[1]
  local plain = predict(program, asked.gpus, { slowed = "no" })
  local host = predict(program, asked.gpus, { speed = 1000, slowed = "no" })
  for k, r in ipairs(predict(program, asked.gpus, {})) do
    -- Each GPU has a batch (weak scaling), or all share one.
    local each = r.speedup * r.time_s / one.time_s > 1.5 and r.gpus or 1
    local row = { gpus = r.gpus, workload = r.workload, time_s = r.time_s, time_err_s = r.time_err_s,
      rate = samples * each / r.time_s, sigma = r.time_err_s / r.time_s, speedup = r.speedup,
      lost_communication_s = r.lost_communication_s, hidden_s = r.hidden_s,
      lost_kernels_s = math.max(0, r.time_s - plain[k].time_s), host_s = host[k].time_s,
      state_B = r.state_B, memory_B = r.memory_B }
    if not by_gpus[r.gpus] then
      by_gpus[r.gpus] = {}
      order[#order + 1] = r.gpus
    end
    by_gpus[r.gpus][#by_gpus[r.gpus] + 1] = row
  end
end

local list = {}
for _, n in ipairs(order) do
  for i, row in ipairs(by_gpus[n]) do
    list[#list + 1] = { gpus = n, program = row.workload, time_s = row.time_s, time_err_s = row.time_err_s,
      samples_a_second = row.rate, speedup = row.speedup, exposed_s = row.lost_communication_s,
      hidden_s = row.hidden_s, slowed_s = row.lost_kernels_s, host_alone_s = row.host_s,
      state_B = row.state_B or 0 / 0, memory_B = row.memory_B or 0 / 0, fastest = chance(by_gpus[n], i) }
  end
end
gs.rows(list, { "gpus", "program", "time_s", "time_err_s", "samples_a_second", "speedup", "exposed_s", "hidden_s",
  "slowed_s", "host_alone_s", "fastest", "state_B", "memory_B" })
