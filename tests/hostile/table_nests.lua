-- tables in tables in tables
local t = {}
while true do t = {t, t} end
