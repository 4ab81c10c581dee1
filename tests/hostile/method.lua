-- a method of text
return ("x"):rep(1 << 40)
