-- recursion that needs no stack
local function f() return f() end
return f()
