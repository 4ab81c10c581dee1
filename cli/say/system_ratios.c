/* system_ratios.c - see system_ratios.h. */

#include "say/system_ratios.h"

#include <math.h>
#include <stdlib.h>

/* ---- one pair ----------------------------------------------------------- */

static double probability_faster(const versus *v, double factor)
{
  return answer_faster(&v->a.s->q, v->a.a, v->b.a, factor);
}

/* Returns the ratio of times b / a that is exceeded with probability p. */
static double ratio_at(const versus *v, double p)
{
  double low = log(v->ratio) - 6.0, high = log(v->ratio) + 6.0;

  if (!(v->a.a->err > 0.0) && !(v->b.a->err > 0.0)) return v->ratio;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (probability_faster(v, exp(-middle)) > p)
      low = middle;
    else
      high = middle;
  }
  return exp(0.5 * (low + high));
}

static bool has_price(const entrant *e)
{
  return e->s->q.price > 0.0;
}

/* Returns the probability that the more expensive system's step costs less. */
static double probability_cheaper(const versus *v)
{
  const double a = v->a.s->q.price, b = v->b.s->q.price;

  if (!has_price(&v->a) || !has_price(&v->b)) return NAN;
  const double cheaper = probability_faster(v, b / a);
  return a > b ? cheaper : 1.0 - cheaper;
}

/* Returns the probability that the worse system is within the share. */
static double probability_within(const versus *v, double share)
{
  const bool priced = has_price(&v->a) && has_price(&v->b);
  const bool first =
      priced ? v->a.s->q.price < v->b.s->q.price : v->a.time > v->b.time;

  if (!(share > 0.0)) return NAN;
  return first ? probability_faster(v, 1.0 + share)
               : 1.0 - probability_faster(v, 1.0 / (1.0 + share));
}

/* Compares a pair. If `share` is 0, the last probability is not computed. */
versus versus_weigh(const entrant *a, const entrant *b, double share)
{
  const double sure = 0.8413; /* one standard deviation */
  versus v = {.a = *a, .b = *b, .ratio = b->time / a->time};

  v.low = ratio_at(&v, sure);
  v.high = ratio_at(&v, 1.0 - sure);
  v.faster = probability_faster(&v, 1.0);
  v.pays = probability_cheaper(&v);
  v.enough = probability_within(&v, share);
  return v;
}

/* ---- all pairs ---------------------------------------------------------- */

typedef int each_versus(const versus *v, void *closure, failure *why);

/* Returns true for a pair with the same value of the varied number. */
static bool is_pair(const comparison *c, size_t i, size_t j)
{
  return !c->over || c->v[i].value == c->v[j].value;
}

static int each_pair(const comparison *c, double share, each_versus *each,
                     void *closure, failure *why)
{
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = i + 1; j < c->n; j++)
      for (size_t k = 0; is_pair(c, i, j) && k < c->v[i].q.n; k++) {
        const entrant a = entrant_best(&c->v[i], c->v[i].q.gpus[k]);
        const entrant b = entrant_best(&c->v[j], c->v[i].q.gpus[k]);
        if (!a.s || !b.s) continue;
        const versus v = versus_weigh(&a, &b, share);
        if (each(&v, closure, why) != EXIT_OK) return why->status;
      }
  return EXIT_OK;
}

/* ---- projections -------------------------------------------------------- */

enum {
  SCORES = 1024
};

/* Returns true for a system whose memory bandwidth is projected. */
static bool is_projected(const subject *s)
{
  return gscale_system_get(s->q.system, gscale_param_find("device.membw"))
             ->origin == GSCALE_PROJECTED;
}

/* Reads scores from the results of scripts/dev/generations, such as "8.6%
 * (h200x2 from h100x2, N = 2),...". Without scores the text is "". */
static int read_scores(char text[SCORES], failure *why)
{
  static const char *const names[] = {"pair", "what", "mean_abs_error"};
  char path[512];
  gscale_table *t = NULL;
  gscale_diag diag;
  size_t at[3];
  failure none;

  *text = '\0';
  if (find_shared("data/projected.csv", path, sizeof path, &none) != EXIT_OK)
    return EXIT_OK;
  gscale_status st = gscale_table_read(path, &t, &diag);
  for (size_t i = 0; st == GSCALE_OK && i < 3; i++)
    st = gscale_table_column(t, names[i], &at[i], &diag);
  for (size_t i = 0; st == GSCALE_OK && i < gscale_table_rows(t); i++) {
    double mean = 0.0;

    st = gscale_table_number(t, i, at[2], &mean, &diag);
    if (st == GSCALE_OK)
      gscale_append(text, SCORES, "%s%.1f%% (%s, %s)", i ? ", " : "",
                    100.0 * mean, gscale_table_text(t, i, at[0]),
                    gscale_table_text(t, i, at[1]));
  }
  gscale_table_free(t);
  return check_gscale(why, st, &diag);
}

/* ---- rows --------------------------------------------------------------- */

enum {
  SYSTEM,
  OTHER,
  GPUS,
  SHOWN_PARADIGM,
  OTHER_PARADIGM,
  TIME,
  OTHER_TIME,
  RATIO,
  LOW,
  HIGH,
  FASTER,
  BOUND,
  OTHER_BOUND,
  RANGE,
  OTHER_RANGE,
  PAYS,
  ENOUGH,
  PROJECTED,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [OTHER] = TEXT("other", NULL),
    [GPUS] = INTEGER("gpus", NULL),
    [SHOWN_PARADIGM] = TEXT("paradigm", NULL),
    [OTHER_PARADIGM] = TEXT("other_paradigm", NULL),
    [TIME] = NUMBER("time_s", NULL, GSCALE_TIME),
    [OTHER_TIME] = NUMBER("other_time_s", NULL, GSCALE_TIME),
    [RATIO] = NUMBER("ratio", NULL, GSCALE_COUNT),
    [LOW] = NUMBER("ratio_low", NULL, GSCALE_COUNT),
    [HIGH] = NUMBER("ratio_high", NULL, GSCALE_COUNT),
    [FASTER] = NUMBER("faster_odds", NULL, GSCALE_COUNT),
    [BOUND] = TEXT("bound", NULL),
    [OTHER_BOUND] = TEXT("other_bound", NULL),
    [RANGE] = TEXT("applicability", NULL),
    [OTHER_RANGE] = TEXT("other_applicability", NULL),
    [PAYS] = NUMBER("dearer_pays_odds", NULL, GSCALE_COUNT),
    [ENOUGH] = NUMBER("cheaper_within_odds", NULL, GSCALE_COUNT),
    [PROJECTED] = TEXT("projections_were_off_by", NULL),
};

size_t versus_columns(const column **out)
{
  *out = columns;
  return COLUMNS;
}

/* The rows, and the scores for projected machines. */
typedef struct listing {
  rows *r;
  char scores[SCORES];
} listing;

static int add_row(const versus *v, void *closure, failure *why)
{
  listing *l = closure;
  cell *c = rows_add(l->r);

  (void)why;
  set_text(&c[SYSTEM], v->a.s->q.name);
  set_text(&c[OTHER], v->b.s->q.name);
  c[GPUS].number = v->a.gpus;
  set_text(&c[SHOWN_PARADIGM], entrant_paradigm(&v->a));
  set_text(&c[OTHER_PARADIGM], entrant_paradigm(&v->b));
  c[TIME].number = v->a.time;
  c[OTHER_TIME].number = v->b.time;
  c[RATIO].number = v->ratio;
  c[LOW].number = v->low;
  c[HIGH].number = v->high;
  c[FASTER].number = v->faster;
  set_text(&c[BOUND], gscale_name(GSCALE_MECHANISM_NAMES, v->a.a->p.bound));
  set_text(&c[OTHER_BOUND],
           gscale_name(GSCALE_MECHANISM_NAMES, v->b.a->p.bound));
  set_text(&c[RANGE],
           gscale_name(GSCALE_APPLICABILITY_NAMES, v->a.a->applicability));
  set_text(&c[OTHER_RANGE],
           gscale_name(GSCALE_APPLICABILITY_NAMES, v->b.a->applicability));
  c[PAYS].number = v->pays;
  c[ENOUGH].number = v->enough;
  if (is_projected(v->a.s) || is_projected(v->b.s))
    set_text(&c[PROJECTED], l->scores);
  return EXIT_OK;
}

int versus_rows(rows *r, const comparison *c, const options *o, failure *why)
{
  listing l = {r, ""};
  const int st = read_scores(l.scores, why);

  return st == EXIT_OK ? each_pair(c, o->within, add_row, &l, why) : st;
}

/* ---- for people --------------------------------------------------------- */

typedef struct printing {
  FILE *f;
  double share; /* the share of --within */
} printing;

static int print_ratio(const versus *v, void *closure, failure *why)
{
  const printing *t = closure;
  char extra[160] = "";

  (void)why;
  if (!isnan(v->pays))
    gscale_append(extra, sizeof extra, "; %s pays with %.0f%%",
                  v->a.s->q.price > v->b.s->q.price ? v->a.s->q.name
                                                    : v->b.s->q.name,
                  100.0 * v->pays);
  if (!isnan(v->enough))
    gscale_append(extra, sizeof extra, "; the lesser within %.3g%% with %.0f%%",
                  100.0 * t->share, 100.0 * v->enough);
  put_line(t->f, 4,
           "%d GPU%s: %s %.3gx as fast as %s (%.3g to %.3g), faster with "
           "%.0f%%; lost to %s and %s%s",
           v->a.gpus, PLURAL(v->a.gpus), v->a.s->q.name, v->ratio,
           v->b.s->q.name, v->low, v->high, 100.0 * v->faster,
           say_most_lost(v->a.a), say_most_lost(v->b.a), extra);
  return EXIT_OK;
}

/* The N on which the more expensive of two systems probably pays. */
typedef struct payoff {
  const subject *a, *b; /* the pair */
  int from;             /* first such N, or 0 */
  int upto;             /* last such N, or 0 */
  int last;             /* largest requested N */
} payoff;

static int track_payoff(const versus *v, void *closure, failure *why)
{
  payoff *p = closure;

  (void)why;
  if (v->a.s != p->a || v->b.s != p->b) return EXIT_OK;
  p->last = v->a.gpus;
  if (!(v->pays > 0.5)) {
    p->from = 0;
    return EXIT_OK;
  }
  p->upto = v->a.gpus;
  if (p->from == 0) p->from = v->a.gpus;
  return EXIT_OK;
}

static void print_payoff(FILE *f, const char *dear, const char *other,
                         const payoff *p)
{
  if (p->upto == 0)
    put_line(f, 2, "%s does not pay beside %s, up to %d GPUs", dear, other,
             p->last);
  else if (p->upto < p->last)
    put_line(f, 2, "%s pays beside %s up to %d GPU%s, of %d", dear, other,
             p->upto, PLURAL(p->upto), p->last);
  else
    put_line(f, 2, "%s pays beside %s from %d GPU%s on", dear, other, p->from,
             PLURAL(p->from));
}

/* Says from which value the more expensive system pays on this N. */
static void print_threshold(FILE *f, const comparison *c, const subject *a,
                            const subject *b, int gpus)
{
  size_t from = c->over->n;

  for (size_t value = 0; value < c->over->n; value++) {
    const entrant x = entrant_best(a + value, gpus),
                  y = entrant_best(b + value, gpus);
    const bool pay = x.s && y.s && versus_weigh(&x, &y, 0.0).pays > 0.5;

    if (!pay)
      from = c->over->n;
    else if (from == c->over->n)
      from = value;
  }
  const subject *dear = a->q.price > b->q.price ? a : b,
                *other = dear == a ? b : a;
  const bool any = from < c->over->n;
  put_line(f, 2, "%d GPU%s: %s %s beside %s %s %s%s", gpus, PLURAL(gpus),
           gscale_system_about(dear->q.system).name,
           any ? "pays" : "does not pay",
           gscale_system_about(other->q.system).name, any ? "from" : "at",
           c->over->label[any ? from : c->over->n - 1], any ? " on" : "");
}

/* Prints the threshold of each pair. Variants of one system are adjacent. */
static void print_thresholds(FILE *f, const comparison *c)
{
  for (size_t i = 0; i < c->n; i += c->over->n)
    for (size_t j = i + c->over->n; j < c->n; j += c->over->n)
      for (size_t k = 0; k < c->v[i].q.n; k++)
        print_threshold(f, c, &c->v[i], &c->v[j], c->v[i].q.gpus[k]);
}

static void print_payoffs(FILE *f, const comparison *c, failure *why)
{
  if (c->over) {
    print_thresholds(f, c);
    return;
  }
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = i + 1; j < c->n; j++) {
      const double a = c->v[i].q.price, b = c->v[j].q.price;
      const size_t dear = a > b ? i : j, other = a > b ? j : i;
      payoff p = {&c->v[i], &c->v[j], 0, 0, 0};

      if (!is_pair(c, i, j) || !(a > 0.0) || !(b > 0.0) || !(fabs(a - b) > 0.0))
        continue;
      each_pair(c, 0.0, track_payoff, &p, why);
      print_payoff(f, c->v[dear].q.name, c->v[other].q.name, &p);
    }
}

/* Lists projected systems, and the errors of projections between machines. */
static int print_projected(FILE *f, const comparison *c, failure *why)
{
  char names[1024] = "";
  char scores[SCORES];
  size_t any = 0;

  for (size_t i = 0; i < c->n; i++)
    if (is_projected(&c->v[i]) && (!c->over || c->v[i].value == 0))
      gscale_append(names, sizeof names, "%s%s", any++ ? ", " : "",
                    c->v[i].q.name);
  if (any == 0) return EXIT_OK;
  if (read_scores(scores, why) != EXIT_OK) return why->status;
  put_line(f, 2, "projected, not measured: %s; such projections were off by %s",
           names, *scores ? scores : "nobody knows what");
  return EXIT_OK;
}

int versus_print(FILE *f, const comparison *c, const options *o, failure *why)
{
  printing t = {f, o->within};
  int st = each_pair(c, o->within, print_ratio, &t, why);

  if (st == EXIT_OK && o->price) print_payoffs(f, c, why);
  return st == EXIT_OK ? print_projected(f, c, why) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
