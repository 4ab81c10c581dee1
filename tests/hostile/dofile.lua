-- code from files
return dofile("/dev/zero")
