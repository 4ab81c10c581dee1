/* best.c - finds the best paradigm, its ties, and unmeasured paradigms. */

#include "say/predict.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- what ties ----------------------------------------------------------- */

/* Returns the largest ratio T_a / T_b at which a ties with b. The limit is 1.01
 * or, if larger, given by a tenth of the ratio's error, in which shared errors
 * cancel. */
static double tied_up_to(const question *q, const answer *a, const answer *b)
{
  const double least = 0.01, share = 0.1;
  const bool sure = q->joint && !isnan(a->err) && !isnan(b->err);
  const double apart = sure ? gscale_joint_apart(q->joint, a->row, b->row) : 0;

  return fmax(1.0 + least, exp(share * apart));
}

bool paradigm_counts(const question *q, const answer *a)
{
  return a->met && (!a->bound || q->paradigms == 1);
}

size_t fastest_paradigm(const question *q, const answer *a, size_t stride)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  size_t best = q->paradigms;

  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *one = &a[i * stride];

    if (!paradigm_counts(q, one)) continue;
    if (best == q->paradigms || q->paradigm[best] == infinite ||
        (q->paradigm[i] != infinite && one->p.time < a[best * stride].p.time))
      best = i;
  }
  return best;
}

/* Orders ties. Paradigms with the smallest time `least` precede, then plainer
 * ones, and then faster ones. */
static bool comes_first(const question *q, const answer *a, size_t stride,
                        double least, size_t i, size_t k)
{
  const double u = a[i * stride].p.time, v = a[k * stride].p.time;
  const double same = least * (1.0 + 1e-9);
  const int x = paradigm_plain(q, i) + (u > same ? INT_MAX / 2 : 0),
            y = paradigm_plain(q, k) + (v > same ? INT_MAX / 2 : 0);

  return x < y || (x == y && u < v);
}

size_t paradigms_tied(const question *q, const answer *a, size_t stride,
                      size_t *of)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  const size_t first = fastest_paradigm(q, a, stride);
  const answer *fastest = &a[first * stride];
  size_t n = 0;

  if (first == q->paradigms) return 0;
  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *one = &a[i * stride];
    size_t k = n;

    if (!one->met || (i != first && q->paradigm[i] == infinite)) continue;
    if (one->p.time > tied_up_to(q, one, fastest) * fastest->p.time) continue;
    for (; k > 0 && comes_first(q, a, stride, fastest->p.time, i, of[k - 1]);
         k--)
      of[k] = of[k - 1];
    of[k] = i;
    n++;
  }
  return n;
}

size_t best_paradigm(const question *q, const answer *a, size_t stride)
{
  size_t of[PARADIGMS_MAX];

  return paradigms_tied(q, a, stride, of) ? of[0] : q->paradigms;
}

size_t question_best(const question *q, const answer *a, size_t j)
{
  return best_paradigm(q, a + j, q->n);
}

size_t question_tied(const question *q, const answer *a, size_t j, size_t *of)
{
  return paradigms_tied(q, a + j, q->n, of);
}

size_t question_rank(const question *q, const answer *a, size_t j, size_t *rank)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  const size_t best = question_best(q, a, j);
  size_t n = 0;

  for (size_t i = 0; i < q->paradigms; i++) {
    const answer *one = &a[i * q->n + j];
    size_t k = n;

    if (!one->met || q->paradigm[i] == infinite) continue;
    for (; k > 0 && rank[k - 1] != best &&
           (i == best || one->p.time < a[rank[k - 1] * q->n + j].p.time);
         k--)
      rank[k] = rank[k - 1];
    rank[k] = i;
    n++;
  }
  return n;
}

int paradigm_plain(const question *q, size_t i)
{
  return gscale_paradigm_at(q->paradigm[i])->plain;
}

/* ---- words --------------------------------------------------------------- */

const char *say_paradigm(const question *q, size_t i, const gscale_knobs *k,
                         paradigm_words text)
{
  snprintf(text, sizeof(paradigm_words), "%s%s", question_paradigm(q, i),
           gscale_pair_measured(q->paradigm[i], k) ? "" : " (unmeasured)");
  return text;
}

void say_also(const question *q, const size_t *of, size_t n, const char *comma,
              char *text, size_t size)
{
  const size_t room = sizeof " ...";

  *text = '\0';
  for (size_t k = 1; k < n; k++) {
    const char *name = question_paradigm(q, of[k]);

    if (strlen(text) + strlen(comma) + strlen(name) + room > size) {
      gscale_append(text, size, " ...");
      return;
    }
    gscale_append(text, size, "%s%s", k > 1 ? comma : "", name);
  }
}

void say_standing(const question *q, const answer *a, size_t stride, size_t i,
                  standing *out)
{
  size_t of[PARADIGMS_MAX];
  const size_t n = paradigms_tied(q, a, stride, of);
  const bool timed =
      gscale_pair_measured(q->paradigm[i], &a[i * stride].p.knobs);
  size_t k = 0;

  while (k < n && of[k] != i) k++;
  if (k < n && a[i * stride].bound) k = n; /* only a bound could run */
  out->place = k == n   ? ""
               : k == 0 ? timed ? "best" : "best unmeasured"
               : timed  ? "tie"
                        : "tie unmeasured";
  *out->also = '\0';
  if (k == 0 && n > 1) say_also(q, of, n, " ", out->also, sizeof out->also);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
