/* odds.c - which of two predictions is faster, as far as their errors tell. */

#include "predict/predict.h"

#include <math.h>

double answer_faster(const question *q, const answer *a, const answer *b,
                     double factor)
{
  const double limit = factor * b->p.time;

  if (q->joint && !isnan(a->err) && !isnan(b->err))
    return gscale_joint_faster(q->joint, a->row, b->row, factor);
  return a->p.time < limit ? 1.0 : a->p.time > limit ? 0.0 : 0.5;
}

bool answers_alike(const question *q, const answer *a, const answer *b)
{
  const double sure = 0.8413; /* one standard deviation */
  const double least = 1.005; /* less is no lead */
  const double p = answer_faster(q, a, b, 1.0);

  return fmax(p, 1.0 - p) < sure ||
         fmax(a->p.time / b->p.time, b->p.time / a->p.time) <= least;
}

const char *say_error(const answer *a, error_words text)
{
  const double wide = 0.3, share = a->err / a->p.time;
  const gscale_interval i = gscale_interval_of(a->p.time, a->err, 1.0);

  if (isnan(share))
    text[0] = '\0';
  else if (share <= wide)
    snprintf(text, sizeof(error_words), "%.1f%%", 100.0 * share);
  else
    snprintf(text, sizeof(error_words), "+%.0f/-%.0f%%",
             100.0 * (i.hi / a->p.time - 1.0),
             100.0 * (1.0 - i.lo / a->p.time));
  return text;
}

const char *say_range(const answer *a, range_words text)
{
  snprintf(text, sizeof(range_words), "%s%s%s",
           gscale_applicability_name(a->applicability), *a->word ? ": " : "",
           a->word);
  return text;
}
