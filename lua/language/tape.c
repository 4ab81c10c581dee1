/* tape.c - arithmetic in a workload's knobs, recorded once and done again for
 * other values: to the last bit what loading the file anew would give.
 *
 * Steps are in the order in which they were done.  A comparison is a step that
 * must come out as it did: where it does not, step() would go another way. */

#include "language/taped.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS_MAX = 1 << 17,
  TABLE = 4,      /* places for each step among those that are found */
  EXACT_BITS = 53 /* integers up to 2^53 are doubles */
};

void tape_end(tape *t)
{
  if (t) t->ended = true;
}

bool tape_whole(const tape *t, int i)
{
  return t->step[i].whole;
}

/* ---- arithmetic -----------------------------------------------------------
 */

/* As Lua's: a remainder has the sign of b. */
static double remainder_of(double a, double b)
{
  const double m = fmod(a, b);

  return (m > 0.0 ? b < 0.0 : m < 0.0 && m != b) ? m + b : m;
}

/* Of integers: a double's quotient may be rounded over the next one. */
static double whole_quotient(double a, double b)
{
  const long long n = (long long)a, d = (long long)b, q = n / d;

  return (double)(q - (n % d != 0 && (n < 0) != (d < 0)));
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
  case SIN:
    return sin(a);
  case COS:
    return cos(a);
  case TAN:
    return tan(a);
  case LESS:
    return a < b;
  case LESS_EQUAL:
    return a <= b;
  case EQUAL:
    return a >= b && a <= b;
  default:
    return a;
  }
}

/* Beyond that integers and doubles part. */
static bool is_exact(double whole)
{
  return fabs(whole) <= ldexp(1.0, EXACT_BITS);
}

static bool is_zero(double x)
{
  return x >= 0.0 && x <= 0.0;
}

/* Step i of integers anew; false where Lua's is none of these. */
static bool redo_whole(tape *t, size_t i)
{
  const step *s = &t->step[i];
  const bool divides = s->does == IDIV || s->does == MOD;
  const double a = t->value[s->a], b = t->value[s->b];

  if (divides && is_zero(b)) return false; /* an error */
  t->value[i] = s->does == IDIV ? whole_quotient(a, b) : done(s->does, a, b);
  t->value[i] += 0.0; /* an integer has no -0 */
  return is_exact(t->value[i]);
}

/* Step i anew. */
bool tape_redo(tape *t, size_t i)
{
  const step *s = &t->step[i];

  if (s->does == CONSTANT) return true;
  if (s->whole) return redo_whole(t, i);
  t->value[i] = done(s->does, t->value[s->a], t->value[s->b]);
  return s->does < LESS || (t->value[i] > 0.0) == s->holds;
}

/* ---- recording ------------------------------------------------------------
 */

static bool grow_steps(tape *t)
{
  const size_t room = t->room ? 2 * t->room : 256;
  step *more = realloc(t->step, room * sizeof *more);
  if (more) t->step = more;
  double *value = realloc(t->value, room * sizeof *value);
  if (value) t->value = value;
  int *table = calloc(TABLE * room, sizeof *table);

  if (!more || !value || !table) {
    free(table);
    return false;
  }
  free(t->table);
  t->table = table;
  t->room = room;
  return true;
}

static size_t place_of(const tape *t, const step *s, double value)
{
  uint64_t bits = 0, h = (uint64_t)s->does * 31 + s->whole;

  if (s->does == CONSTANT) memcpy(&bits, &value, sizeof bits);
  h = (h * 1000003 + (uint64_t)s->a) * 1000003 + (uint64_t)s->b;
  h = (h ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(h >> 20) % (TABLE * t->room);
}

static bool is_same(const tape *t, int i, const step *s, double value)
{
  const step *o = &t->step[i];

  return o->does == s->does && o->whole == s->whole && o->a == s->a &&
         o->b == s->b &&
         (s->does != CONSTANT ||
          ((size_t)i > t->knobs &&
           memcmp(&t->value[i], &value, sizeof value) == 0));
}

/* Where it is among those that are found, or would be. */
static int *find(tape *t, const step *s, double value)
{
  size_t k = place_of(t, s, value);

  while (t->table[k] && !is_same(t, t->table[k], s, value))
    k = (k + 1) % (TABLE * t->room);
  return &t->table[k];
}

static int add_step(tape *t, const step *s, double value)
{
  if (t->steps == t->room) {
    if (t->steps >= STEPS_MAX || !grow_steps(t)) return 0;
    for (size_t i = t->knobs + 1; i < t->steps; i++)
      *find(t, &t->step[i], t->value[i]) = (int)i;
  }
  int *at = find(t, s, value);
  if (*at) return *at;
  t->step[t->steps] = *s;
  t->value[t->steps] = value;
  return *at = (int)t->steps++;
}

int tape_constant(tape *t, double value, bool whole)
{
  if (whole && !is_exact(value)) return 0;
  return add_step(t, &(step){.whole = whole}, value);
}

int tape_step(tape *t, op does, bool whole, int a, int b)
{
  const size_t before = t->steps;
  const int i =
      a && b
          ? add_step(t, &(step){.does = does, .whole = whole, .a = a, .b = b},
                     0.0)
          : 0;

  if (i == 0 || (size_t)i < before) return i;
  t->step[i].holds = does >= LESS && done(does, t->value[a], t->value[b]) > 0.0;
  return tape_redo(t, (size_t)i) ? i : 0;
}

bool tape_ask(tape *t, op asks, int a, int b)
{
  const int i = tape_step(t, asks, false, a, b);

  if (i == 0) tape_end(t);
  return i > 0 && t->step[i].holds;
}

bool tape_equal(tape *t, int a, double x, int b, double y)
{
  if (!a && !b) return x >= y && x <= y;
  if (a == b) return true;
  return tape_ask(t, EQUAL, a ? a : tape_constant(t, x, false),
                  b ? b : tape_constant(t, y, false));
}

/* ---- knobs ------------------------------------------------------------------
 */

int tape_knob(tape *t, const char *name, const knob_range *range, double value)
{
  size_t i = 0;

  while (i < t->knobs && strcmp(t->knob[i].name, name) != 0) i++;
  if (i == t->knobs) return 0;
  t->knob[i].seen = true;
  t->knob[i].range = *range;
  t->value[i + 1] = value;
  return (int)i + 1;
}

double tape_value(const tape *t, int i)
{
  return t->value[i];
}

/* The value that -P would give the knob by this number and its unit. */
static bool knob_value(tape *t, size_t i, double x, double *out)
{
  const gscale_dim dim = t->knob[i].range.dim;
  char text[64];

  *out = x;
  if (!*t->knob[i].unit && dim == GSCALE_COUNT) return true;
  *out = t->knob[i].value;
  if (x >= t->knob[i].x && x <= t->knob[i].x) return true;
  snprintf(text, sizeof text, "%.17g%s", x, t->knob[i].unit);
  if (gscale_parse_quantity(text, dim, out, NULL) != GSCALE_OK) return false;
  t->knob[i].x = x;
  t->knob[i].value = *out;
  return true;
}

bool tape_refuses(tape *t, const double *x, failure *why)
{
  const char *first = NULL; /* -P is taken in the order of names */

  for (size_t i = 0; i < t->knobs; i++) {
    char text[128];
    double value;
    const char *wrong =
        knob_value(t, i, x[i], &value)
            ? knob_objection(&t->knob[i].range, value, text, sizeof text)
            : NULL;

    if (!wrong || (first && strcmp(t->knob[i].name, first) > 0)) continue;
    first = t->knob[i].name;
    fail(why, EXIT_USAGE, "-P %s: %s", first, wrong);
  }
  return first != NULL;
}

bool tape_take_knobs(tape *t, const double *x)
{
  char text[128];

  for (size_t i = 0; i < t->knobs; i++)
    if (!knob_value(t, i, x[i], &t->value[i + 1]) ||
        knob_objection(&t->knob[i].range, t->value[i + 1], text, sizeof text))
      return false;
  return true;
}

/* ---- while a description runs -----------------------------------------------
 */

const char tape_type[] = "number that is recorded";
static const char running; /* its address is the key of the tape */

void tape_run(lua_State *L, tape *t)
{
  keep_under(L, &running, t);
}

tape *tape_of(lua_State *L)
{
  return kept_under(L, &running);
}

int tape_recorded(lua_State *L, int index)
{
  const int *at = lua_type(L, index) == LUA_TUSERDATA
                      ? luaL_testudata(L, index, tape_type)
                      : NULL;

  return at ? *at : 0;
}

int tape_at(lua_State *L, int index, double *value)
{
  const int i = tape_recorded(L, index);

  if (i) *value = tape_of(L)->value[i];
  return i;
}

/* ---- from outside -----------------------------------------------------------
 */

tape *tape_new(const char *const name[], const char *const unit[], size_t n)
{
  tape *t = n <= GSCALE_AXES_MAX ? calloc(1, sizeof *t) : NULL;

  if (!t) return NULL;
  if (!grow_steps(t)) {
    tape_free(t);
    return NULL;
  }
  t->knobs = n;
  t->steps = n + 1;
  memset(t->step, 0, t->steps * sizeof *t->step);
  for (size_t i = 0; i < n; i++) {
    t->knob[i].name = name[i];
    t->knob[i].unit = unit[i];
    t->knob[i].x = (double)NAN;
  }
  return t;
}

void tape_beside(tape *t, bool (*move)(gscale_workload *w, void *closure),
                 void (*let_go)(void *closure), void *closure)
{
  t->more = move;
  t->let_go = let_go;
  t->closure = closure;
}

void tape_free(tape *t)
{
  if (!t) return;
  if (t->let_go) t->let_go(t->closure);
  free(t->step);
  free(t->value);
  free(t->table);
  free(t->kept);
  free(t->put);
  free(t);
}

/* Steps that nothing is made of are left out: but where Lua divides integers,
 * which may be an error. */
static void leave_out(tape *t)
{
  size_t n = t->knobs + 1;
  int *now = t->table; /* which each is, of fewer */

  for (size_t i = 0; i < t->n; i++) {
    const kept *k = &t->kept[i];
    const int all[] = {k->from.value,  k->from.err,      k->from.low,
                       k->from.high,   k->of_work.share, k->of_work.bytes,
                       k->of_work.time};
    for (size_t m = 0; m < sizeof all / sizeof *all; m++)
      t->step[all[m]].serves = true;
  }
  for (size_t i = t->steps; i-- > n;) {
    step *s = &t->step[i];
    const bool may_fail = s->whole && (s->does == MOD || s->does == IDIV);
    s->serves = s->serves || s->does >= LESS || may_fail;
    if (s->serves) t->step[s->a].serves = t->step[s->b].serves = true;
  }
  for (size_t i = 0; i < n; i++) now[i] = (int)i;
  for (size_t i = n; i < t->steps; i++) {
    if (!t->step[i].serves) continue;
    step s = t->step[i];
    s.a = now[s.a];
    s.b = now[s.b];
    t->value[n] = t->value[i];
    t->step[n] = s;
    now[i] = (int)n++;
  }
  t->steps = n;
  for (size_t i = 0; i < t->n; i++) {
    kept *k = &t->kept[i];
    int *const all[] = {&k->from.value,  &k->from.err,      &k->from.low,
                        &k->from.high,   &k->of_work.share, &k->of_work.bytes,
                        &k->of_work.time};
    for (size_t m = 0; m < sizeof all / sizeof *all; m++)
      *all[m] = now[*all[m]];
  }
}

bool tape_seal(tape *t)
{
  for (size_t i = 0; i < t->knobs; i++)
    if (!t->knob[i].seen) return false;
  t->put = malloc((t->n + 1) * sizeof *t->put);
  if (t->ended || !t->put) return false;
  leave_out(t);
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
