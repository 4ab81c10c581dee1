-- a curve of a million points
local t = {}
for i = 1, 1000000 do t[i] = i end
return gs.system { name = "x", device = { membw_curve = gs.spec(t, "x") } }
