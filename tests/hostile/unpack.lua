-- more values than there is room for
return table.unpack({}, 1, 100000000)
