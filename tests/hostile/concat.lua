-- joining what is not there
return table.concat({}, "", 1, 1 << 40)
