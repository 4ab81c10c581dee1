-- no Lua at all
{ "name": "x" }
