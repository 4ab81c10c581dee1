-- a mesh whose rows are the mesh
local links = {}
links[1], links[2] = links, links
return gs.system {
  name = "x", gpus = 2, link = "nvlink4",
  topology = gs.topology { kind = "mesh", links = links,
                           per_link = gs.spec(1, "x") },
}
