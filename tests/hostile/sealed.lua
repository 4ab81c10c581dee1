-- looking into what gs makes
return gs.system { name = "x" }.name
