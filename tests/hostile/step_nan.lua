-- counts that are no numbers
return gs.workload {
  name = "x",
  step = function () return { gs.phase { name = "p", flop = 0 / 0 } } end,
}
