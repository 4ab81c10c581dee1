-- counts that are infinite
return gs.workload {
  name = "x",
  step = function ()
    return { gs.phase { name = "p", bytes = math.huge } }
  end,
}
