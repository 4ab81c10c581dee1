-- the inside of the interpreter
debug.sethook()
