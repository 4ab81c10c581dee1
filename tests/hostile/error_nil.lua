-- an error that is nothing
error(nil)
