-- keys that are no names
return gs.system { [{}] = 1, [1.5] = 2, [true] = 3 }
