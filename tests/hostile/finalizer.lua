-- a loop in a finalizer
setmetatable({}, { __gc = function () while true do end end })
