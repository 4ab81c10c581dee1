-- an endless loop
while true do end
