-- code from text
return load("while true do end")()
