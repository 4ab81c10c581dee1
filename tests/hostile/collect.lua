-- a collector that is stopped
collectgarbage("stop")
