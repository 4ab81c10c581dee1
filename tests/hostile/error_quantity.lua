-- an error that is a number with an origin
error(gs.spec(1, "x"))
