-- more mistakes than anybody reads
for i = 1, 100000 do gs.spec(i, { i }, i) gs.measured({}, i % 3) end
return gs.system { [1] = 2, name = 3, host = 4, device = { sms = gs.spec } }
