-- a step that does not end
return gs.workload { name = "x", step = function () while true do end end }
