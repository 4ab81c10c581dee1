-- long text again and again
local s = string.rep("x", 1 << 20)
while true do string.upper(s) end
