-- a phase instead of a system
return gs.phase { name = "x" }
