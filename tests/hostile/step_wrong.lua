-- the same wrong phase a hundred thousand times
return gs.workload {
  name = "x",
  step = function ()
    local t, p = {}, gs.phase { name = "p", bytes = -1, over = 0, block = 0 }
    for i = 1, 100000 do t[i] = p end
    return t
  end,
}
