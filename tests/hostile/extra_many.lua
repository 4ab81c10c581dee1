-- more keys in packing than anybody names
local t = {}
for i = 1, 100000 do t["p" .. i] = { kernels = i } end
return gs.workload {
  name = "x",
  step = function ()
    return { gs.phase { name = "p", publish = { pack = t } } }
  end,
}
