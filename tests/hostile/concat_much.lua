-- joining more than fits
local t, s = {}, string.rep("x", 1 << 20)
for i = 1, 100000 do t[i] = s end
return table.concat(t)
