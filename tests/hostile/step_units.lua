-- units that overflow
return gs.workload {
  name = "x",
  step = function ()
    return { gs.phase { name = "p", units = math.mininteger } }
  end,
}
