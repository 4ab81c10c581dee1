-- sorting again and again: few instructions, much time
local t = {}
for i = 1, 500000 do t[i] = -i end
while true do table.sort(t, nil) end
