-- recursion through sort, which is C
local function f() table.sort({2, 1, 3}, f) end
f()
