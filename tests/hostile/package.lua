-- the loader
return package.loadlib("libc.so.6", "*")
