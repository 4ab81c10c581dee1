-- refused: ran more than 10000000 instructions
local x, list = string.rep("x", 262000), {}
local a, b = x .. "a", x .. "b"
for i = 1, 100000 do list[i] = i % 2 == 0 and a or b end
table.sort(list)
