/* recipes.h - what the files of lua/published/ may call besides. */
#ifndef GPUSCALE_RECIPES_H
#define GPUSCALE_RECIPES_H

#include <lua.h>

/* gs.replay { trace =, queue = ... } for recipes (replays.c): pushes a table of
 * counts from DIRECTORY/trace.trace and returns NULL, or the name of a trace
 * that is not there. */
const char *recipes_replay(lua_State *L, const char *directory);

#endif /* GPUSCALE_RECIPES_H */
