-- a loop that ends too late
for i = 1, math.maxinteger do end
