-- extra kernels for paradigms that nobody knows
local t = {}
for i = 1, 100000 do t["p" .. i] = { kernels = i } end
return gs.workload {
  name = "x",
  step = function () return { gs.phase { name = "p", extra = t } } end,
}
