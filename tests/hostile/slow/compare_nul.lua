-- refused: took more than 2 s
local x = string.rep("\0", 131072)
local a, b, n = x .. "a", x .. "b", 0
for i = 1, 1e7 do if a < b then n = n + 1 end end
