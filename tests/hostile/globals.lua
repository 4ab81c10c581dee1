-- the table of globals
return _G.os
