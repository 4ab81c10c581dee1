-- files
io.open("x", "w")
