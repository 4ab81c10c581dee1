-- a step that fills memory
return gs.workload {
  name = "x",
  step = function () local t = {} while true do t = {t, "x"} end end,
}
