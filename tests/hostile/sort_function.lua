-- refused: ran more than 10000000 instructions
local list = {}
for i = 1, 1000000 do list[i] = i * 7919 % 1000003 end
table.sort(list, math.ult)
