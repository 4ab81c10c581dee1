-- numbers that differ from run to run
return math.random()
