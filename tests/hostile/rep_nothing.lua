-- a loop inside C over nothing
return string.rep("", 1 << 40)
