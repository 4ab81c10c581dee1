-- moving a trillion nothings
return table.move({}, 1, 1 << 40, 2)
