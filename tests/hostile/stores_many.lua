-- a hundred thousand kinds of stores
local t = {}
for i = 1, 100000 do t[i] = { i, 1e-5 } end
return gs.workload {
  name = "x",
  step = function () return { gs.phase { name = "p", stores = t } } end,
}
