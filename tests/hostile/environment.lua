-- another environment
local _ENV = { }
return os.exit()
