-- an error that is a number
error(42)
