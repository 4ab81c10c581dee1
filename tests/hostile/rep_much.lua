-- a terabyte from one call
return string.rep("x", 1 << 40)
