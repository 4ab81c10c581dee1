/* binding.c - the sandbox that runs descriptions, and the values that they
 * create.
 *
 * The limits guard against mistakes and are no security boundary. The
 * environment is a list of allowed functions. The list omits functions that
 * reach outside the file, that differ from run to run, or that can spend
 * unbounded time in C, where no hook runs. */

#include "language/binding.h"
#include "language/table_order.h"

#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const limits default_limits = {(size_t)64 << 20, 10000000, 2.0};

enum {
  STRING_MAX = 1 << 18,         /* longest string in B */
  NOTES_MAX = 20,               /* number of shown mistakes */
  NOTE_SIZE = 320,              /* longest mistake in B */
  PIECE = 4096,                 /* B parsed between clock checks */
  STRIDE = 1000,                /* instructions per call of the hook */
  BIG = 4096,                   /* smallest checked block in B */
  OVERHEAD = 16,                /* B that malloc() adds to a block */
  ORIGIN_WIDTH = LUA_IDSIZE - 4 /* shown end of a path */
};

typedef enum limit {
  LIMIT_NONE,
  LIMIT_MEMORY,
  LIMIT_SYSTEM, /* the machine's memory is exhausted */
  LIMIT_STRING,
  LIMIT_INSTRUCTIONS,
  LIMIT_SECONDS
} limit;

typedef struct note { /* one mistake */
  int line;
  char text[NOTE_SIZE];
} note;

struct sandbox {
  lua_State *L;
  char path[sizeof((about *)0)->path];
  char *text;         /* text of the file */
  size_t size, given; /* size in B, B already parsed */
  limits most;
  size_t used; /* B with the overhead of malloc() */
  unsigned long instructions;
  double start;         /* processor time in s */
  limit hit;            /* last exceeded limit */
  note note[NOTES_MAX]; /* sorted by line */
  size_t notes;
  bool overflowed; /* there was no room for a mistake */
  bool refused;    /* refuse() ended the run */
  void (*extend)(lua_State *L, void *closure);
  void (*read)(lua_State *L, void *closure);
  void *closure;
  failure *why;
};

static sandbox *sandbox_of(lua_State *L)
{
  sandbox *s;

  memcpy(&s, lua_getextraspace(L), sizeof s);
  return s;
}

/* ---- failing ------------------------------------------------------------- */

/* The message is stored in C, so that reporting a failure allocates nothing. */
static _Noreturn void give_up(lua_State *L)
{
  lua_pushnil(L);
  lua_error(L);
  abort(); /* lua_error never returns */
}

static void fail_at(const sandbox *s, int status, int line, const char *text)
{
  if (line > 0)
    fail(s->why, status, "%s:%d: %s", s->path, line, text);
  else
    fail(s->why, status, "%s: %s", s->path, text);
}

/* Messages remain one line of text, even if a file contains control codes. */
static void one_line(char *text)
{
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f) *text = ' ';
}

static void add_note(sandbox *s, int line, const char *fmt, va_list args)
{
  note new = {.line = line};
  size_t i = s->notes;

  vsnprintf(new.text, sizeof new.text, fmt, args);
  one_line(new.text);
  for (size_t k = 0; k < s->notes; k++)
    if (s->note[k].line == line && strcmp(s->note[k].text, new.text) == 0)
      return;
  if (i == NOTES_MAX) {
    s->overflowed = true;
    return;
  }
  for (; i > 0 && s->note[i - 1].line > line; i--) s->note[i] = s->note[i - 1];
  s->note[i] = new;
  s->notes++;
}

static void add_text(sandbox *s, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void add_text(sandbox *s, int line, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  add_note(s, line, fmt, args);
  va_end(args);
}

/* Reports one note per line. If some notes did not fit, a last line says so. */
static void fail_with_notes(sandbox *s)
{
  failure *why = s->why;
  const size_t room = sizeof why->text - sizeof((about *)0)->path - 64;

  why->status = EXIT_DATA;
  why->text[0] = '\0';
  for (size_t i = 0, used; i < s->notes; i++) {
    const note *n = &s->note[i];
    char line[16] = "";

    if (n->line > 0) snprintf(line, sizeof line, ":%d", n->line);
    used = strlen(why->text);
    if (gscale_append(why->text, room, "%s%s%s: %s", used > 0 ? "\n" : "",
                      s->path, line, n->text))
      continue;
    why->text[used] = '\0';
    s->overflowed = true;
    break;
  }
  if (s->overflowed)
    gscale_append(why->text, sizeof why->text,
                  "%s%s: more is wrong; these are the first",
                  *why->text ? "\n" : "", s->path);
  plain_text(why->text, true);
}

static _Noreturn void stop(lua_State *L)
{
  sandbox_of(L)->refused = true;
  give_up(L);
}

void complain(lua_State *L, int line, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  add_note(sandbox_of(L), line, fmt, args);
  va_end(args);
  if (sandbox_of(L)->overflowed) stop(L);
}

void stop_if_noted(lua_State *L)
{
  if (sandbox_of(L)->notes > 0) stop(L);
}

void refuse(lua_State *L, int line, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  add_note(sandbox_of(L), line, fmt, args);
  va_end(args);
  stop(L);
}

void refuse_as(lua_State *L, int status, const char *fmt, ...)
{
  char text[sizeof((failure *)0)->text];
  va_list args;

  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  one_line(text);
  fail(sandbox_of(L)->why, status, "%s", text);
  give_up(L);
}

const char *path_now(lua_State *L)
{
  return sandbox_of(L)->path;
}

int line_now(lua_State *L)
{
  lua_Debug at;

  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline > 0 && strcmp(at.source + 1, sandbox_of(L)->path) == 0)
      return at.currentline;
  }
  return 0;
}

/* ---- limits -------------------------------------------------------------- */

/* Measures processor time, which does not depend on other processes. */
static double seconds_used(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_late(sandbox *s)
{
  if (seconds_used() - s->start <= s->most.seconds) return false;
  s->hit = LIMIT_SECONDS;
  return true;
}

static void fail_limit(const sandbox *s, int line)
{
  char text[96];

  switch (s->hit) {
  case LIMIT_STRING:
    snprintf(text, sizeof text, "a string of more than %d KiB",
             STRING_MAX / 1024);
    break;
  case LIMIT_INSTRUCTIONS:
    snprintf(text, sizeof text, "ran more than %lu instructions",
             s->most.instructions);
    break;
  case LIMIT_SECONDS:
    snprintf(text, sizeof text, "took more than %g s", s->most.seconds);
    break;
  case LIMIT_SYSTEM:
    fail_at(s, EXIT_INTERNAL, line, "no memory to run it");
    return;
  default:
    snprintf(text, sizeof text, "used more than %zu KiB of memory",
             s->most.memory / 1024);
  }
  fail_at(s, EXIT_LIMIT, line, text);
}

bool late_now(lua_State *L)
{
  return is_late(sandbox_of(L));
}

void stop_if_late(lua_State *L)
{
  if (!late_now(L)) return;
  fail_limit(sandbox_of(L), line_now(L));
  give_up(L);
}

/* Lua also frees memory by allocate(), and requires that shrinking a block
 * never fails. For a new block, `osize` is the type of the Lua object. */
static void *allocate(void *ud, void *old, size_t osize, size_t nsize)
{
  sandbox *s = ud;
  const size_t was = old ? osize + OVERHEAD : 0;
  const size_t is = nsize + OVERHEAD;
  void *p;

  if (nsize == 0) {
    free(old);
    s->used -= was;
    return NULL;
  }
  if (!old && osize == LUA_TSTRING && nsize > STRING_MAX + 64) {
    s->hit = LIMIT_STRING;
    return NULL;
  }
  if (is > was && nsize > BIG && is_late(s)) return NULL;
  const bool over = nsize > s->most.memory ||
                    (is > was && is - was > s->most.memory - s->used);
  p = over ? NULL : realloc(old, nsize);
  if (!p && is <= was) p = old;
  if (p) s->used += is - was;
  /* Lua's collector runs if allocate() fails. A file at its memory limit spends
   * its time in the collector without running an instruction. */
  if (!p && !is_late(s)) s->hit = over ? LIMIT_MEMORY : LIMIT_SYSTEM;
  return p;
}

static void count(lua_State *L, lua_Debug *at);

void charge(lua_State *L, unsigned long instructions)
{
  sandbox *s = sandbox_of(L);
  const unsigned long before = s->instructions;

  s->instructions += instructions;
  if (s->instructions <= s->most.instructions) {
    if (before / STRIDE != s->instructions / STRIDE) stop_if_late(L);
    return;
  }
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  s->hit = LIMIT_INSTRUCTIONS;
  fail_limit(s, line_now(L));
  give_up(L);
}

static void count(lua_State *L, lua_Debug *at)
{
  (void)at;
  charge(L, STRIDE);
}

/* ---- environment --------------------------------------------------------- */

/* A string or table function counts as one instruction, but its time grows with
 * its argument. Each call therefore checks the clock first. */
static int watched(lua_State *L)
{
  stop_if_late(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* string.rep(s, n) must build no string above the limit and end if s is
 * empty. */
static int repeat(lua_State *L)
{
  size_t size;
  const char *s = luaL_checklstring(L, 1, &size);
  const lua_Integer n = luaL_checkinteger(L, 2);
  luaL_Buffer b;

  if (lua_gettop(L) > 2) return luaL_error(L, "string.rep: no separator here");
  if (size == 0 || n <= 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if ((unsigned long long)n > STRING_MAX / size) {
    sandbox_of(L)->hit = LIMIT_STRING;
    fail_limit(sandbox_of(L), line_now(L));
    give_up(L);
  }
  luaL_buffinitsize(L, &b, size * (size_t)n);
  for (lua_Integer i = 0; i < n; i++) luaL_addlstring(&b, s, size);
  luaL_pushresult(&b);
  return 1;
}

/* Removes all unlisted functions from the library on top of the stack. */
static void keep_functions(lua_State *L, const char *list, bool watch)
{
  char name[32];

  lua_newtable(L);
  while (*list) {
    const size_t n = strcspn(list, " ");

    snprintf(name, sizeof name, "%.*s", (int)n, list);
    lua_getfield(L, -2, name);
    if (watch) lua_pushcclosure(L, watched, 1);
    lua_setfield(L, -2, name);
    list += n + (list[n] == ' ');
  }
  lua_remove(L, -2);
}

static void set_function(lua_State *L, const char *name, lua_CFunction f)
{
  lua_pushcfunction(L, f);
  lua_setfield(L, -2, name);
}

/* Refuses a name, for the reason in the second upvalue. */
static int refuse_name(lua_State *L)
{
  refuse_now(L, "%s '%.60s' %s", lua_tostring(L, lua_upvalueindex(1)),
             lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2)
                                           : luaL_typename(L, 2),
             lua_tostring(L, lua_upvalueindex(2)));
}

static void set_refusal(lua_State *L, const char *what, const char *event,
                        const char *reason)
{
  lua_pushstring(L, what);
  lua_pushstring(L, reason);
  lua_pushcclosure(L, refuse_name, 2);
  lua_setfield(L, -2, event);
}

void make_strict(lua_State *L, const char *what)
{
  lua_createtable(L, 0, 2);
  set_refusal(L, what, "__index", "is not defined");
  set_refusal(L, what, "__newindex", "cannot be set; write `local`");
  lua_setmetatable(L, -2);
}

static int require(lua_State *L)
{
  if (lua_type(L, 1) != LUA_TSTRING ||
      strcmp(lua_tostring(L, 1), "gpuscale") != 0)
    refuse_now(L, "require: there is only \"gpuscale\" here");
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/* Opens the libraries, copies the allowed functions, and drops the
 * libraries. */
static void open_environment(lua_State *L)
{
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  keep_functions(L, "type tonumber ipairs select error assert", false);
  set_function(L, "pairs", ordered_pairs);
  set_function(L, "next", ordered_next);
  set_function(L, "tostring", text_of);
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
  keep_functions(
      L,
      "abs acos asin atan ceil cos deg exp floor fmod huge log max "
      "maxinteger min mininteger modf pi rad sin sqrt tan tointeger type ult",
      false);
  lua_setfield(L, -2, "math");
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
  keep_functions(L, "concat pack unpack", true);
  set_function(L, "sort", ordered_sort);
  lua_setfield(L, -2, "table");
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
  lua_getfield(L, -1, "format");
  lua_insert(L, -2);
  keep_functions(L, "sub upper lower len byte", true);
  lua_insert(L, -2);
  lua_pushcclosure(L, formatted_text, 1);
  lua_setfield(L, -2, "format");
  set_function(L, "rep", repeat);
  lua_setfield(L, -2, "string");

  push_constructors(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "gs");
  lua_pushcclosure(L, require, 1);
  lua_setfield(L, -2, "require");
  make_strict(L, "global");

  /* Without a strict metatable of texts, ("x"):rep would reach the whole string
   * library. */
  lua_pushliteral(L, "");
  lua_pushnil(L);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);

  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

/* ---- running ------------------------------------------------------------- */

/* Passes the file to the parser in pieces and checks the clock at each piece,
 * because no hook runs during parsing. */
static const char *next_piece(lua_State *L, void *ud, size_t *size)
{
  sandbox *s = ud;
  const char *piece = s->text + s->given;

  stop_if_late(L);
  *size = s->size - s->given < PIECE ? s->size - s->given : PIECE;
  s->given += *size;
  return *size ? piece : NULL;
}

/* Compiles the file and pushes the compiled function. */
static void load_text(lua_State *L)
{
  char name[sizeof((about *)0)->path + 1];

  snprintf(name, sizeof name, "@%s", sandbox_of(L)->path);
  if (lua_load(L, next_piece, sandbox_of(L), name, "t") != LUA_OK) lua_error(L);
}

static const char returned; /* key of the file's result */

static int protected_run(lua_State *L)
{
  sandbox *s = lua_touserdata(L, 1);

  lua_settop(L, 0);
  open_environment(L);
  if (s->extend) s->extend(L, s->closure);
  lua_sethook(L, count, LUA_MASKCOUNT, STRIDE);
  load_text(L);
  lua_call(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &returned);
  s->read(L, s->closure);
  return 0;
}

static int protected_read(lua_State *L)
{
  sandbox *s = lua_touserdata(L, 1);

  lua_settop(L, 0);
  lua_sethook(L, count, LUA_MASKCOUNT, STRIDE);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &returned);
  s->read(L, s->closure);
  return 0;
}

/* Returns the length of the path before ":line:" in Lua's messages, where long
 * paths are cut at the front. */
static size_t shown_path(const char *path, const char *message)
{
  const size_t n = strlen(path);

  if (n >= LUA_IDSIZE) {
    if (strncmp(message, "...", 3) != 0) return 0;
    if (strncmp(message + 3, path + n - ORIGIN_WIDTH, ORIGIN_WIDTH) != 0)
      return 0;
    return 3 + ORIGIN_WIDTH;
  }
  return strncmp(message, path, n) == 0 ? n : 0;
}

/* Returns the line number of "path:line: words" and sets *message to
 * "words". */
static int line_of(const char *path, const char **message)
{
  const size_t n = shown_path(path, *message);
  char *end;
  long line;

  if (n == 0 || (*message)[n] != ':') return 0;
  line = strtol(*message + n + 1, &end, 10);
  if (line <= 0 || line > INT_MAX || end[0] != ':' || end[1] != ' ') return 0;
  *message = end + 2;
  return (int)line;
}

/* Stores an error that Lua or the file raised as a note. */
static void note_script(lua_State *L, sandbox *s)
{
  const char *text;
  int line;

  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    text = lua_tostring(L, -1);
    line = line_of(s->path, &text);
    add_text(s, line, "%s", text);
    break;
  case LUA_TNUMBER:
    add_text(s, 0, "error %g", lua_tonumber(L, -1));
    break;
  default: /* conversion may run code */
    add_text(s, 0, "error with a %s instead of a message",
             luaL_typename(L, -1));
  }
}

void sandbox_restart(lua_State *L)
{
  sandbox_of(L)->start = seconds_used();
  sandbox_of(L)->instructions = 0;
}

/* Runs `protected` once, with all limits reset. */
static int run(sandbox *s, lua_CFunction protected)
{
  sandbox_restart(s->L);
  s->notes = 0;
  s->overflowed = s->refused = false;
  s->hit = LIMIT_NONE;
  s->why->status = EXIT_OK;
  lua_pushcfunction(s->L, protected); /* allocates nothing */
  lua_pushlightuserdata(s->L, s);
  const int rc = lua_pcall(s->L, 1, 0, 0);
  if (rc == LUA_ERRMEM)
    fail_limit(s, 0);
  else if (rc != LUA_OK && s->why->status == EXIT_OK && !s->refused)
    note_script(s->L, s);
  lua_settop(s->L, 0);
  if (s->why->status == EXIT_OK && s->notes > 0) fail_with_notes(s);
  return s->why->status;
}

static int open_state(sandbox *s)
{
  s->start = seconds_used();
  s->L = lua_newstate(allocate, s);
  if (!s->L)
    return fail(s->why, EXIT_INTERNAL, "%s: no memory to begin", s->path);
  memcpy(lua_getextraspace(s->L), &s, sizeof s);
  return run(s, protected_run);
}

void (*on_source)(const char *path, const char *text, size_t size);

/* Reads the file of s->path into s->text. */
static int take_source(sandbox *s)
{
  const int st = source_read(s->path, s->text, &s->size, s->why);

  s->given = 0;
  if (st != EXIT_OK) return st;
  if (on_source) on_source(s->path, s->text, s->size);
  const bool mark = s->size > 2 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0;
  char *begin = s->text + (mark ? 3 : 0);
  if (mark) memset(s->text, ' ', 3);
  if (s->text + s->size - begin > 1 && memcmp(begin, "#!", 2) == 0)
    memset(begin, '-', 2);
  return st;
}

static int run_source(sandbox *s)
{
  s->text = malloc(SOURCE_MAX + 1);
  int st = s->text ? take_source(s)
                   : fail(s->why, EXIT_INTERNAL, "%s: no memory to read it",
                          s->path);

  if (st == EXIT_OK) st = open_state(s);
  free(s->text);
  s->text = NULL;
  return st;
}

void sandbox_load(lua_State *L, const char *path)
{
  sandbox *s = sandbox_of(L);

  snprintf(s->path, sizeof s->path, "%s", path);
  sandbox_restart(L);
  if (take_source(s) != EXIT_OK) give_up(L);
  load_text(L);
  lua_pushlstring(L, s->text, s->size);
}

void sandbox_free(sandbox *s)
{
  if (!s) return;
  if (s->L) lua_close(s->L);
  free(s);
}

int sandbox_run(const char *path, const limits *most,
                void (*extend)(lua_State *L, void *closure),
                void (*read_value)(lua_State *L, void *closure), void *closure,
                sandbox **kept, failure *why)
{
  sandbox *s = calloc(1, sizeof *s);

  if (kept) *kept = NULL;
  if (!s) return fail(why, EXIT_INTERNAL, "%s: no memory to read it", path);
  s->most = *most;
  s->extend = extend;
  s->read = read_value;
  s->closure = closure;
  s->why = why;
  snprintf(s->path, sizeof s->path, "%s", path);
  const int st = run_source(s);
  if (kept && st == EXIT_OK)
    *kept = s;
  else
    sandbox_free(s);
  return st;
}

int sandbox_read(sandbox *s, void (*read_value)(lua_State *L, void *closure),
                 void *closure, failure *why)
{
  s->read = read_value;
  s->closure = closure;
  s->why = why;
  return run(s, protected_read);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
