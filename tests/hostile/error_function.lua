-- an error that is a function
error(error)
