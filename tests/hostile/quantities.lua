-- numbers with an origin without end
local t = {}
while true do t[#t + 1] = gs.spec("1 GB/s", "nobody") end
