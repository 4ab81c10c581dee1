-- an error of a million letters
error(string.rep("x", 1000000))
