-- a loop in a coroutine
coroutine.wrap(function () while true do end end)()
