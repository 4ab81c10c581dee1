-- the metatable of text
getmetatable("").__index = nil
