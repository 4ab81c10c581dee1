/* weak.c - weak scaling, in which a workload's knobs grow with N. A function of
 * the workload's file such as
 *
 *   weak = function (k) return { n = 1 / k.dims } end
 *
 * multiplies the knob n by N^(1/dims) on N GPUs. */

#include "language/reader.h"

#include <math.h>
#include <string.h>

/* A growth has a knob and the exponent of N. */
typedef struct growth {
  const char *name;
  double exponent;
} growth;

/* Prints "N", "N^2", "N^(1/3)" or "N^0.3". */
static void print_power(double exponent, char *text, size_t size)
{
  const double near = 1e-9, most = 6.0;
  double below = 1.0;

  while (below <= most &&
         !(fabs(exponent * below - round(exponent * below)) < near))
    below += 1.0;
  if (below > most)
    snprintf(text, size, "N^%.4g", exponent);
  else if (below > 1.0)
    snprintf(text, size, "N^(%.0f/%.0f)", round(exponent * below), below);
  else if (fabs(exponent - 1.0) < near)
    snprintf(text, size, "N");
  else
    snprintf(text, size, "N^%.0f", exponent);
}

static size_t find_knob(const job *j, const char *name)
{
  size_t i = 0;

  while (i < j->more.knobs && strcmp(j->more.knob[i].name, name) != 0) i++;
  return i;
}

/* Reads the exponent on top of the stack. Returns false after a complaint. */
static bool read_exponent(const reader *r, const char *name, double *out)
{
  const double most = 8.0; /* larger exponents are mistakes */
  const bool number = lua_type(r->L, -1) == LUA_TNUMBER;

  *out = lua_tonumber(r->L, -1);
  if (number && fabs(*out) <= most) return true;
  if (number)
    complain_of(r, "%s: %g is not an exponent of -%g .. %g", name, *out, most,
                most);
  else
    complain_type(r, name, "an exponent of the number of GPUs");
  return false;
}

/* Reads the exponents of the knobs and of t1. By default t1 grows as N, since
 * the work of each GPU stays the same. */
static size_t read_rule(const reader *r, const job *j, growth *rule, double *t1)
{
  const char *names[KNOBS_MAX + 1];
  const size_t all = names_of(r, 0, names, KNOBS_MAX + 1);
  size_t n = 0;

  *t1 = 1.0;
  if (all == 0) complain(r->L, r->line, "weak: has no rule for any knob");
  for (size_t i = 0; i < all && i <= KNOBS_MAX; i++) {
    const size_t k = find_knob(j, names[i]);
    const bool single = strcmp(names[i], "t1") == 0;
    growth g = {names[i], 0.0};

    push_field(r, names[i]);
    if (k == j->more.knobs && !single)
      complain_of(r, "%.60s: no knob of that name", names[i]);
    else if (!single && !j->range[k].number)
      complain_of(r, "%.60s: the knob is not a number", names[i]);
    else if (read_exponent(r, names[i], single ? t1 : &g.exponent) && !single)
      rule[n++] = g;
    lua_pop(r->L, 1);
  }
  return n;
}

/* Stores the new value of a knob in the table `values`. */
static void grow_knob(const reader *r, job *j, const growth *g, int values)
{
  const size_t k = find_knob(j, g->name);
  const double times = pow(j->grown, g->exponent);
  const double now = j->range[k].value * times;
  const double value = j->range[k].of.whole ? round(now) : now;
  char *shown = j->more.knob[k].value;

  if (!(value >= j->range[k].of.least) || !(value <= j->range[k].of.most))
    complain(r->L, r->line,
             "weak: %s = %.10g on %d GPUs is not in %.10g .. %.10g", g->name,
             value, (int)j->grown, j->range[k].of.least, j->range[k].of.most);
  lua_pushnumber(r->L, value);
  lua_setfield(r->L, values, g->name);
  if (j->grown > 1.0 && j->range[k].of.dim == GSCALE_COUNT)
    snprintf(shown, sizeof j->more.knob[k].value, "%.10g", value);
  else if (j->grown > 1.0)
    gscale_format_quantity(value, j->range[k].of.dim, shown,
                           sizeof j->more.knob[k].value);
  for (size_t i = 0; i < j->uncertains; i++) {
    uncertain_knob *u = &j->uncertain[i];

    if (strcmp(u->name, g->name) != 0) continue;
    u->p.val *= times;
    u->p.err *= times;
    u->low = fmax(j->range[k].of.least, u->low * times);
    u->high = fmin(j->range[k].of.most, u->high * times);
  }
}

/* Prints a rule such as "n~N^(1/3)" and a size such as "n=645". */
static void note_rule(job *j, const growth *rule, size_t n)
{
  about *a = &j->more;

  a->rule[0] = a->size[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    char power[32];

    print_power(rule[i].exponent, power, sizeof power);
    gscale_append(a->rule, sizeof a->rule, "%s%s~%s", i ? "+" : "",
                  rule[i].name, power);
    gscale_append(a->size, sizeof a->size, "%s%s=%s", i ? "+" : "",
                  rule[i].name, a->knob[find_knob(j, rule[i].name)].value);
  }
}

void grow_knobs(const reader *whole, job *j, int values)
{
  lua_State *L = whole->L;
  const int top = lua_gettop(L), type = push_field(whole, "weak");
  growth rule[KNOBS_MAX];
  double t1 = 1.0;

  j->t1_factor = 1.0;
  if (type == LUA_TNIL && j->grown > 0.0)
    refuse(L, whole->line,
           "weak: missing; --weak needs the rule by which its size grows, as "
           "in weak = function (k) return { n = 1 / 3 } end");
  if (type != LUA_TNIL && type != LUA_TFUNCTION)
    complain_type(whole, "weak", "a function");
  if (type == LUA_TFUNCTION) {
    push_perturbed(L, values, NULL, 0.0);
    lua_call(L, 1, 1);
    const reader r = {L, lua_gettop(L), whole->line, "weak."};
    if (lua_istable(L, -1)) {
      const size_t n = read_rule(&r, j, rule, &t1);

      stop_if_noted(L);
      if (j->grown > 0.0) {
        for (size_t i = 0; i < n; i++) grow_knob(&r, j, &rule[i], values);
        note_rule(j, rule, n);
        j->t1_factor = pow(j->grown, t1);
      }
    } else {
      complain(L, whole->line, "weak: needs to return a table, got a %s",
               type_name(L, -1));
    }
  }
  lua_settop(L, top);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
