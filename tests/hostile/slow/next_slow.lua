-- looking through an empty table again and again
local t = {}
for i = 1, 1000000 do t[i] = i end
for i = 1, 1000000 do t[i] = nil end
while next(t) == nil do end
