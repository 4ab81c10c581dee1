-- a global of one's own
result = 1
