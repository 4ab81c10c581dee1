-- inserting into a table that says it is long
table.insert(setmetatable({}, { __len = function () return 1 << 40 end }), 1, 0)
