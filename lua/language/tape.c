/* tape.c - arithmetic in a workload's knobs, recorded once and done again for
 * other values: to the last bit what loading the file anew would give. */

#include "language/reader.h"
#include "language/taped.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS_MAX = 2048,  /* operations and constants */
  CHOICES_MAX = 512, /* comparisons */
  KEPT_MAX = 1024,   /* numbers of phases */
  EXACT_BITS = 53    /* integers up to 2^53 are doubles */
};

typedef enum op {
  CONSTANT, /* or a knob */
  ADD,
  SUB,
  MUL,
  DIV,
  MOD,
  IDIV,
  POW,
  NEG,
  FLOOR,
  CEIL,
  SQRT,
  ABS,
  EXP,
  LOG,
  LOG2,
  LOG10
} op;

/* A number; a whole one is an integer to Lua. */
typedef struct step {
  op does;
  bool whole;
  int a, b; /* of earlier steps */
} step;

typedef enum question_of {
  LESS,
  LESS_EQUAL,
  EQUAL
} question_of;

/* What was asked of two numbers, and the answer. */
typedef struct choice {
  question_of asks;
  int a, b;
  bool holds;
} choice;

struct tape {
  size_t knobs;
  struct {
    const char *name, *unit;
    bool seen, whole;
    gscale_dim dim;
    double least, most;
  } knob[GSCALE_AXES_MAX];
  bool ended;
  size_t steps, choices, kept;
  step step[STEPS_MAX];
  double value[STEPS_MAX]; /* of each */
  choice choice[CHOICES_MAX];
  gscale_put put[KEPT_MAX];
  int from[KEPT_MAX]; /* which step each of them is */
};

void tape_end(tape *t)
{
  if (t) t->ended = true;
}

/* ---- arithmetic -----------------------------------------------------------
 */

/* As Lua's: a remainder has the sign of b. */
static double remainder_of(double a, double b)
{
  const double m = fmod(a, b);

  return (m > 0.0 ? b < 0.0 : m < 0.0 && m != b) ? m + b : m;
}

static double power(double a, double b)
{
  const bool square = b >= 2.0 && b <= 2.0; /* Lua's own short cut */

  return square ? a * a : pow(a, b);
}

static double done(op o, double a, double b)
{
  switch (o) {
  case ADD:
    return a + b;
  case SUB:
    return a - b;
  case MUL:
    return a * b;
  case DIV:
    return a / b;
  case MOD:
    return remainder_of(a, b);
  case IDIV:
    return floor(a / b);
  case POW:
    return power(a, b);
  case NEG:
    return -a;
  case FLOOR:
    return floor(a);
  case CEIL:
    return ceil(a);
  case SQRT:
    return sqrt(a);
  case ABS:
    return fabs(a);
  case EXP:
    return exp(a);
  case LOG:
    return log(a);
  case LOG2:
    return log2(a);
  case LOG10:
    return log10(a);
  default:
    return a;
  }
}

/* Beyond that integers and doubles part. */
static bool is_exact(double whole)
{
  return fabs(whole) <= ldexp(1.0, EXACT_BITS);
}

/* Step i anew; false where Lua's integer is none of these. */
static bool redo(tape *t, size_t i)
{
  const step *s = &t->step[i];

  if (s->does == CONSTANT) return true;
  t->value[i] = done(s->does, t->value[s->a], t->value[s->b]);
  if (!s->whole) return true;
  t->value[i] += 0.0; /* an integer has no -0 */
  return is_exact(t->value[i]);
}

static bool answer(const tape *t, const choice *c)
{
  const double a = t->value[c->a], b = t->value[c->b];

  return c->asks == LESS         ? a < b
         : c->asks == LESS_EQUAL ? a <= b
                                 : a >= b && a <= b;
}

/* ---- recording ------------------------------------------------------------
 */

static const char recorded[] = "number that is recorded";

static tape *tape_of(lua_State *L)
{
  return lua_touserdata(L, lua_upvalueindex(1));
}

static _Noreturn void give_up(lua_State *L, tape *t)
{
  tape_end(t);
  refuse(L, 0, "cannot be recorded");
}

static int new_step(lua_State *L, tape *t, step s, double value)
{
  if (t->steps == STEPS_MAX) give_up(L, t);
  t->step[t->steps] = s;
  t->value[t->steps] = value;
  return (int)t->steps++;
}

static int push_step(lua_State *L, int i)
{
  int *at = lua_newuserdatauv(L, sizeof *at, 0);

  *at = i;
  luaL_setmetatable(L, recorded);
  return 1;
}

/* The step of a number at an index; -1 if that is none. */
static int step_at(lua_State *L, tape *t, int index)
{
  const int *at = luaL_testudata(L, index, recorded);
  const bool whole = lua_isinteger(L, index);

  if (at) return *at;
  if (lua_type(L, index) != LUA_TNUMBER) return -1;
  const double value = lua_tonumber(L, index);
  if (whole && !is_exact(value)) give_up(L, t);
  return new_step(L, t, (step){.whole = whole}, value);
}

static int push_done(lua_State *L, tape *t, step s)
{
  const int i = new_step(L, t, s, 0.0);

  if (!redo(t, (size_t)i)) give_up(L, t);
  return push_step(L, i);
}

/* Of whole numbers these are whole; a quotient's rounding would differ. */
static bool stays_whole(lua_State *L, tape *t, op o, bool whole)
{
  if (whole && (o == MOD || o == IDIV)) give_up(L, t);
  return whole && (o == ADD || o == SUB || o == MUL || o == NEG);
}

static int operate(lua_State *L)
{
  tape *t = tape_of(L);
  const op o = (op)lua_tointeger(L, lua_upvalueindex(2));
  const int a = step_at(L, t, 1), b = o == NEG ? a : step_at(L, t, 2);

  if (a < 0 || b < 0) give_up(L, t);
  const bool whole = t->step[a].whole && t->step[b].whole;
  return push_done(L, t, (step){o, stays_whole(L, t, o, whole), a, b});
}

/* Of two numbers; one at least is recorded. */
static bool choose(lua_State *L, tape *t, question_of asks, int i, int k)
{
  choice c = {.asks = asks, .a = step_at(L, t, i)};

  c.b = step_at(L, t, k);
  if (c.a < 0 || c.b < 0 || t->choices == CHOICES_MAX) give_up(L, t);
  c.holds = answer(t, &c);
  t->choice[t->choices++] = c;
  return c.holds;
}

/* ---- == and keys ------------------------------------------------------------
 */

static const char other[] = "the other side of ==";

static bool is_number(lua_State *L, int index)
{
  return lua_type(L, index) == LUA_TNUMBER ||
         luaL_testudata(L, index, recorded) != NULL;
}

static bool are_equal(lua_State *L, tape *t, int i, int k)
{
  const bool any =
      luaL_testudata(L, i, recorded) || luaL_testudata(L, k, recorded);

  if (!any) return lua_compare(L, i, k, LUA_OPEQ);
  return is_number(L, i) && is_number(L, k) && choose(L, t, EQUAL, i, k);
}

/* EQUALS .. b */
static int join(lua_State *L)
{
  if (!luaL_testudata(L, 1, other)) give_up(L, tape_of(L));
  lua_newuserdatauv(L, 1, 1);
  luaL_setmetatable(L, other);
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

/* a <= b, a < b; or of these an other side. */
static int compare(lua_State *L)
{
  tape *t = tape_of(L);
  const question_of asks = (question_of)lua_tointeger(L, lua_upvalueindex(2));
  const int at = luaL_testudata(L, 1, other)   ? 1
                 : luaL_testudata(L, 2, other) ? 2
                                               : 0;
  bool holds;

  if (at > 0) {
    lua_getiuservalue(L, at, 1);
    holds = are_equal(L, t, 3 - at, 3) == (asks == LESS_EQUAL);
  } else {
    holds = choose(L, t, asks, 1, 2);
  }
  lua_pushboolean(L, holds);
  return 1;
}

static int key(lua_State *L)
{
  if (luaL_testudata(L, 1, recorded)) give_up(L, tape_of(L));
  lua_settop(L, 1);
  return 1;
}

/* ---- functions of numbers --------------------------------------------------
 */

/* What Lua's own does, the third upvalue, with plain arguments. */
static int call_own(lua_State *L)
{
  const int n = lua_gettop(L);

  lua_pushvalue(L, lua_upvalueindex(3));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

static bool any_recorded(lua_State *L)
{
  for (int i = 1; i <= lua_gettop(L); i++)
    if (luaL_testudata(L, i, recorded)) return true;
  return false;
}

static int function(lua_State *L)
{
  tape *t = tape_of(L);
  const op o = (op)lua_tointeger(L, lua_upvalueindex(2));

  if (!any_recorded(L)) return call_own(L);
  const int a = step_at(L, t, 1);
  if (a < 0 || lua_gettop(L) > 1) give_up(L, t);
  const bool rounds = o == FLOOR || o == CEIL;
  if (rounds && t->step[a].whole) return push_step(L, a);
  if (o == ABS && t->step[a].whole) give_up(L, t);
  return push_done(L, t, (step){o, rounds, a, a});
}

/* log(x), log(x, 2), log(x, 10), log(x, base) */
static int logarithm(lua_State *L)
{
  tape *t = tape_of(L);

  if (!any_recorded(L)) return call_own(L);
  const int x = step_at(L, t, 1);
  const bool based = lua_type(L, 2) == LUA_TNUMBER;
  if (x < 0 || (lua_gettop(L) > 1 && !based)) give_up(L, t);
  if (lua_gettop(L) == 1) return push_done(L, t, (step){LOG, false, x, x});
  const double base = lua_tonumber(L, 2);
  if (base >= 2.0 && base <= 2.0)
    return push_done(L, t, (step){LOG2, false, x, x});
  if (base >= 10.0 && base <= 10.0)
    return push_done(L, t, (step){LOG10, false, x, x});
  const int of = new_step(L, t, (step){LOG, false, x, x}, 0.0),
            by = new_step(L, t, (step){CONSTANT, false, 0, 0}, log(base));
  redo(t, (size_t)of);
  return push_done(L, t, (step){DIV, false, of, by});
}

/* max(x, ...), min(x, ...): one of them. */
static int extreme(lua_State *L)
{
  const bool most = lua_toboolean(L, lua_upvalueindex(2));
  const int n = lua_gettop(L);
  int best = 1;

  if (!any_recorded(L)) return call_own(L);
  for (int i = 1; i <= n; i++)
    if (!is_number(L, i)) give_up(L, tape_of(L));
  for (int i = 2; i <= n; i++)
    if (lua_compare(L, most ? best : i, most ? i : best, LUA_OPLT)) best = i;
  lua_pushvalue(L, best);
  return 1;
}

/* What would look into a value, and find no number there. */
static int blind(lua_State *L)
{
  if (any_recorded(L)) give_up(L, tape_of(L));
  return call_own(L);
}

/* ---- the sandbox ------------------------------------------------------------
 */

/* A function with the tape, a number, and what the table on top of the stack
 * has by that name, there instead. */
static void replace(lua_State *L, tape *t, const char *name, lua_CFunction f,
                    int number)
{
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, t);
  lua_pushinteger(L, number);
  lua_pushstring(L, name);
  lua_rawget(L, -5);
  lua_pushcclosure(L, f, 3);
  lua_rawset(L, -3);
}

static void make_types(lua_State *L, tape *t)
{
  static const char *const operators[] = {
      [ADD] = "__add", [SUB] = "__sub",   [MUL] = "__mul", [DIV] = "__div",
      [MOD] = "__mod", [IDIV] = "__idiv", [POW] = "__pow", [NEG] = "__unm"};

  luaL_newmetatable(L, other);
  replace(L, t, "__concat", join, 0);
  replace(L, t, "__le", compare, LESS_EQUAL);
  replace(L, t, "__lt", compare, LESS);
  lua_pop(L, 1);
  luaL_newmetatable(L, recorded);
  for (int i = ADD; i <= NEG; i++) replace(L, t, operators[i], operate, i);
  replace(L, t, "__le", compare, LESS_EQUAL);
  replace(L, t, "__lt", compare, LESS);
  lua_pop(L, 1);
}

static void set_other(lua_State *L, const char *name)
{
  lua_pushstring(L, name);
  lua_newuserdatauv(L, 1, 1);
  luaL_setmetatable(L, other);
  lua_rawset(L, -3);
}

static void replace_math(lua_State *L, tape *t)
{
  static const struct {
    const char *name;
    op does;
  } own[] = {{"floor", FLOOR},
             {"ceil", CEIL},
             {"sqrt", SQRT},
             {"abs", ABS},
             {"exp", EXP}};

  for (size_t i = 0; i < LENGTH(own); i++)
    replace(L, t, own[i].name, function, (int)own[i].does);
  replace(L, t, "log", logarithm, 0);
  replace(L, t, "type", blind, 0);
  replace(L, t, "tointeger", blind, 0);
}

/* True as a second upvalue: the largest. */
static void replace_extreme(lua_State *L, tape *t, const char *name, bool most)
{
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, t);
  lua_pushboolean(L, most);
  lua_pushstring(L, name);
  lua_rawget(L, -5);
  lua_pushcclosure(L, extreme, 3);
  lua_rawset(L, -3);
}

void tape_extend(lua_State *L, tape *t)
{
  make_types(L, t);
  lua_pushglobaltable(L);
  replace(L, t, "type", blind, 0);
  replace(L, t, "tonumber", blind, 0);
  replace(L, t, KEY, key, 0);
  set_other(L, EQUALS);
  set_other(L, DIFFERS);
  lua_pushliteral(L, "math");
  lua_rawget(L, -2);
  replace_math(L, t);
  replace_extreme(L, t, "max", true);
  replace_extreme(L, t, "min", false);
  lua_pop(L, 2);
}

/* ---- reading ----------------------------------------------------------------
 */

bool tape_push_knob(lua_State *L, tape *t, const char *name, bool whole,
                    gscale_dim dim, double value, double least, double most)
{
  size_t i = 0;

  while (i < t->knobs && strcmp(t->knob[i].name, name) != 0) i++;
  if (i == t->knobs) return false;
  t->knob[i].seen = true;
  t->knob[i].whole = whole;
  t->knob[i].dim = dim;
  t->knob[i].least = least;
  t->knob[i].most = most;
  t->value[i] = value;
  return push_step(L, (int)i) > 0;
}

int tape_take(lua_State *L, const tape *t)
{
  const int *at = t ? luaL_testudata(L, -1, recorded) : NULL;
  const int i = at ? *at : -1;

  if (!at) return -1;
  lua_pushnumber(L, t->value[i]);
  lua_replace(L, -2);
  return i;
}

void tape_keep(tape *t, size_t phase, const gscale_field *f, size_t index,
               int from)
{
  if (from < 0) return;
  if (t->kept == KEPT_MAX) {
    tape_end(t);
    return;
  }
  t->put[t->kept] = (gscale_put){phase, f, index, t->value[from]};
  t->from[t->kept++] = from;
}

void tape_drop(tape *t, size_t phase, const gscale_field *f)
{
  size_t n = 0;

  for (size_t i = 0; t && i < t->kept; i++) {
    if (t->put[i].phase == phase && t->put[i].field == f) continue;
    t->put[n] = t->put[i];
    t->from[n++] = t->from[i];
  }
  if (t) t->kept = n;
}

/* ---- from outside -----------------------------------------------------------
 */

tape *tape_new(const char *const name[], const char *const unit[], size_t n)
{
  tape *t = n <= GSCALE_AXES_MAX ? calloc(1, sizeof *t) : NULL;

  if (!t) return NULL;
  t->knobs = t->steps = n;
  for (size_t i = 0; i < n; i++) {
    t->knob[i].name = name[i];
    t->knob[i].unit = unit[i];
  }
  return t;
}

void tape_free(tape *t)
{
  free(t);
}

bool tape_is_whole(const tape *t)
{
  bool all = !t->ended;

  for (size_t i = 0; i < t->knobs; i++) all = all && t->knob[i].seen;
  return all;
}

/* The value that -P would give the knob by this number and its unit. */
static bool knob_value(const tape *t, size_t i, double x, double *out)
{
  char text[64];

  *out = x;
  if (!*t->knob[i].unit && t->knob[i].dim == GSCALE_COUNT) return true;
  snprintf(text, sizeof text, "%.17g%s", x, t->knob[i].unit);
  return gscale_parse_quantity(text, t->knob[i].dim, out, NULL) == GSCALE_OK;
}

static bool take_knobs(tape *t, const double *x)
{
  for (size_t i = 0; i < t->knobs; i++) {
    double *v = &t->value[i];

    if (!knob_value(t, i, x[i], v)) return false;
    if (!(*v >= t->knob[i].least && *v <= t->knob[i].most)) return false;
    if (t->knob[i].whole && floor(*v) < *v) return false;
  }
  return true;
}

bool tape_move(tape *t, const double *x, gscale_workload *w)
{
  if (!take_knobs(t, x)) return false;
  for (size_t i = t->knobs; i < t->steps; i++)
    if (!redo(t, i)) return false;
  for (size_t i = 0; i < t->choices; i++)
    if (answer(t, &t->choice[i]) != t->choice[i].holds) return false;
  for (size_t i = 0; i < t->kept; i++) {
    t->put[i].value = t->value[t->from[i]];
    if (!isfinite(t->put[i].value)) return false;
  }
  return gscale_workload_put(w, t->put, t->kept, NULL) == GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
