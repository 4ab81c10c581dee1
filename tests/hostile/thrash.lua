-- living at the limit of memory
local t, s = {}, string.rep("x", 1000)
for i = 1, 58000 do t[i] = s .. i end
while true do local u = s .. #t .. "y" end
