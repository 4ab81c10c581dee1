-- comparing long text again and again
local s = string.rep("x", (1 << 20) - 1)
local a, b = s .. "a", s .. "b"
while a < b do end
