-- refused: used more than 65536 KiB of memory
-- Small blocks by the hundred thousand, every other one let go, then larger
-- ones, which do not fit between: what is free is not what is left.
local keep, size = {}, 40
while true do
  local new = {}
  for i = 1, 8192 do
    new[i] = string.rep("x", size - 9) .. size * 100000 + i
  end
  for i = 1, 8192, 2 do new[i] = false end
  keep[#keep + 1] = new
  if #keep % 8 == 0 then size = size + 16 end
end
