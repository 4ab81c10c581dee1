-- an error that is a table
error({ 1 })
