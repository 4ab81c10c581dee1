-- an endless loop of another kind
::again:: goto again
