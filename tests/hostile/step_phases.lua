-- a step of a hundred thousand phases
return gs.workload {
  name = "x",
  step = function ()
    local t, p = {}, gs.phase { name = "p" }
    for i = 1, 100000 do t[i] = p end
    return t
  end,
}
