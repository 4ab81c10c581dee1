-- a mesh of a thousand GPUs, each row the same table
local row, links = {}, {}
for i = 1, 1000 do row[i] = 1 end
for i = 1, 1000 do links[i] = row end
return gs.system {
  name = "x", gpus = 1000, link = "nvlink4",
  topology = gs.topology { kind = "mesh", links = links,
                           per_link = gs.spec(1, "x") },
}
