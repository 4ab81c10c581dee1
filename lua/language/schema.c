/* schema.c - fields of a phase, as their rows say: from Lua and from -P. */

#include "language/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------ */

/* From firm to weak; -1 for an origin that no workload's number can have. */
static int weakness(gscale_origin o)
{
  static const int order[GSCALE_ORIGIN_END] = {
      [GSCALE_SPEC] = -1,    [GSCALE_COUNTED] = 0, [GSCALE_DERIVED] = 1,
      [GSCALE_MEASURED] = 2, [GSCALE_ASSUMED] = 3, [GSCALE_FITTED] = 4};

  return order[o];
}

/* What was said of it before. */
static void forget_number(draft *d, const gscale_field *f)
{
  size_t n = 0;

  for (size_t i = 0; i < d->doubts; i++)
    if (d->doubt[i].field != f) d->doubt[n++] = d->doubt[i];
  d->doubts = n;
}

/* One that is not just derived is remembered beside the phase. */
static void put_number(draft *d, const gscale_field *f, size_t index,
                       const gscale_param *p)
{
  double *to = gscale_field_number(f, &d->p, index);

  if (!to) return;
  *to = p->val;
  if (weakness(p->origin) > d->weakest) {
    d->weakest = weakness(p->origin);
    d->p.origin = p->origin;
  }
  if (p->origin == GSCALE_DERIVED && !(p->err > 0.0)) return;
  if (d->doubts == DOUBTS_MAX) return; /* as many as a phase can have */
  d->doubt[d->doubts].field = f;
  d->doubt[d->doubts].index = index;
  d->doubt[d->doubts++].p = *p;
}

static bool take_number(const reader *r, const char *label, gscale_dim dim,
                        const gscale_field *f, size_t index, draft *d)
{
  gscale_param p;

  if (!workload_number(r, label, dim, &p)) return false;
  put_number(d, f, index, &p);
  return true;
}

/* ---- lists -------------------------------------------------------------- */

static void take_list(const reader *r, const gscale_field *f, const char *label,
                      draft *d)
{
  char item[LABEL_SIZE];
  size_t n;

  const bool shares = f->kind == GSCALE_SHARES;

  if (!is_list(r, label, shares ? "a list of shares" : "a list of numbers", 1,
               f->length, &n))
    return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(item, sizeof item, "%s[%zu]", label, i + 1);
    take_number(r, item, f->dim, f, i, d);
    lua_pop(r->L, 1);
  }
}

/* One { size, share [, "masked"] } on top of the stack. */
static bool take_store(const reader *r, const gscale_field *f,
                       const char *label, draft *d, size_t i)
{
  lua_State *L = r->L;
  bool *const masked = &d->p.stores.masked[i];
  bool ok;

  if (!lua_istable(L, -1) || lua_rawlen(L, -1) < 2 || lua_rawlen(L, -1) > 3) {
    complain(L, r->line,
             "%s%s: needs { size, share } or "
             "{ size, share, \"masked\" }",
             r->prefix, label);
    return false;
  }
  lua_rawgeti(L, -1, 1);
  ok = take_number(r, label, GSCALE_BYTES, f, i, d);
  lua_rawgeti(L, -2, 2);
  ok = take_number(r, label, GSCALE_COUNT, f, f->length + i, d) && ok;
  lua_rawgeti(L, -3, 3);
  *masked = !lua_isnil(L, -1);
  if (*masked && (lua_type(L, -1) != LUA_TSTRING ||
                  strcmp(lua_tostring(L, -1), "masked") != 0)) {
    complain_type(r, label, "\"masked\" or nothing as third item");
    ok = false;
  }
  lua_pop(L, 3);
  return ok;
}

static void take_mixture(const reader *r, const gscale_field *f,
                         const char *label, draft *d)
{
  const gscale_stores before = d->p.stores;
  char item[LABEL_SIZE];
  bool ok = true;
  size_t n;

  if (!is_list(r, label, "a list of stores", 1, f->length, &n)) return;
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(r->L, -1, (lua_Integer)i + 1);
    snprintf(item, sizeof item, "%s[%zu]", label, i + 1);
    ok = take_store(r, f, item, d, i) && ok;
    lua_pop(r->L, 1);
  }
  d->p.stores.n = n;
  if (!ok) d->p.stores = before;
}

static void take_steps(const reader *r, const gscale_field *f,
                       const char *label, draft *d)
{
  gscale_profile ready = {0};

  if (read_pairs(r, label, GSCALE_COUNT, PLAIN_SI, ready.at, ready.ready,
                 f->length, &ready.n))
    d->p.ready = ready;
}

/* ---- packing ------------------------------------------------------------ */

static void complain_paradigm(const reader *r, const char *label,
                              const char *name)
{
  const char *names[KEYS_MAX], *near;
  size_t n = 0;

  for (; n < KEYS_MAX && gscale_paradigm_at(n); n++)
    names[n] = gscale_paradigm_at(n)->name;
  near = nearest(name, names, n);
  complain(r->L, r->line, "%s%s: no paradigm '%.60s'%s%s%s", r->prefix, label,
           name, near ? "; did you mean '" : "", near ? near : "",
           near ? "'?" : "");
}

/* { kernels =, flop =, bytes = } on top of the stack. */
static void take_work(const reader *r, const gscale_field *f, const char *label,
                      draft *d, size_t i)
{
  static const char *const known[] = {"kernels", "flop", "bytes"};
  static const gscale_dim dims[] = {GSCALE_COUNT, GSCALE_FLOP, GSCALE_BYTES};
  char prefix[2 * LABEL_SIZE];
  const reader inner = {r->L, lua_gettop(r->L), r->line, prefix};

  if (!lua_istable(r->L, -1)) {
    complain_type(r, label, "a table");
    return;
  }
  snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, label);
  check_keys(&inner, known, LENGTH(known), 0, GSCALE_DESCRIBED_END);
  for (size_t k = 0; k < LENGTH(known); k++) {
    if (push_field(&inner, known[k]) != LUA_TNIL)
      take_number(&inner, known[k], dims[k], f, 3 * i + k, d);
    lua_pop(r->L, 1);
  }
}

/* { memcpy = { kernels = 1, bytes = ... }, ... } */
static void take_packing(const reader *r, const gscale_field *f,
                         const char *label, draft *d)
{
  const char *names[GSCALE_EXTRAS_MAX];
  const reader inner = {r->L, lua_gettop(r->L), r->line, r->prefix};
  size_t n;

  if (!lua_istable(r->L, -1)) {
    complain_type(r, label, "a table");
    return;
  }
  n = names_of(&inner, 0, names, GSCALE_EXTRAS_MAX);
  if (n > GSCALE_EXTRAS_MAX) {
    complain(r->L, r->line, "%s%s: more than %d paradigms", r->prefix, label,
             (int)GSCALE_EXTRAS_MAX);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    char item[LABEL_SIZE];

    if (gscale_paradigm_find(names[i]) == gscale_paradigm_count()) {
      complain_paradigm(r, label, names[i]);
      continue;
    }
    snprintf(d->p.extra[d->p.extras].paradigm, GSCALE_NAME_MAX, "%s", names[i]);
    snprintf(item, sizeof item, "%s.%s", label, names[i]);
    push_field(&inner, names[i]);
    take_work(r, f, item, d, d->p.extras++);
    lua_pop(r->L, 1);
  }
}

/* ---- any field ---------------------------------------------------------- */

/* The word on top of the stack. */
static void take_choice(const reader *r, const gscale_field *f,
                        const char *label, draft *d)
{
  const size_t n = gscale_field_words(f);
  size_t i = n;

  if (lua_type(r->L, -1) != LUA_TSTRING)
    complain_type(r, label, "a word");
  else
    i = word_index(r, label, lua_tostring(r->L, -1), f->words, n);
  if (i < n) *(unsigned *)(void *)((char *)&d->p + f->offset) = (unsigned)i;
}

void read_value(const reader *r, const gscale_field *f, const char *label,
                draft *d)
{
  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    take_number(r, label, f->dim, f, 0, d);
    break;
  case GSCALE_FLAG:
    if (lua_isboolean(r->L, -1))
      *((bool *)&d->p + f->offset) = lua_toboolean(r->L, -1);
    else
      complain_type(r, label, "true or false");
    break;
  case GSCALE_CHOICE:
    take_choice(r, f, label, d);
    break;
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
    take_list(r, f, label, d);
    break;
  case GSCALE_MIXTURE:
    take_mixture(r, f, label, d);
    break;
  case GSCALE_STEPS:
    take_steps(r, f, label, d);
    break;
  case GSCALE_PACKING:
    take_packing(r, f, label, d);
    break;
  default: /* a name is read by itself */
    break;
  }
}

/* ---- settings ----------------------------------------------------------- */

bool set_value(const gscale_field *f, const char *text, draft *d,
               gscale_diag *diag)
{
  void *const at = (char *)&d->p + f->offset;
  gscale_param p;
  bool flag;
  size_t i;

  switch (f->kind) {
  case GSCALE_NUMBER:
  case GSCALE_WHOLE:
    if (settings_number(text, f->dim, &p, diag) != GSCALE_OK) return false;
    forget_number(d, f);
    put_number(d, f, 0, &p);
    return true;
  case GSCALE_FLAG:
    if (settings_flag(text, &flag, diag) != GSCALE_OK) return false;
    *(bool *)at = flag;
    return true;
  case GSCALE_CHOICE:
    if (settings_word(text, f->words, gscale_field_words(f), &i, diag) !=
        GSCALE_OK)
      return false;
    *(unsigned *)at = (unsigned)i;
    return true;
  default:
    snprintf(diag->text, sizeof diag->text,
             "is a %s: it can be said in the description only",
             gscale_kind_name(f->kind));
    return false;
  }
}
