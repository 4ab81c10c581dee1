/* report.c - gpuscale report: one page that answers, and says how far. */

#include "report/report.h"

#include <stdlib.h>

static int print(const question *q, const answer *a, const options *o,
                 failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  if (!made_is_whole()) st = fail(why, EXIT_INTERNAL, "no memory");
  if (st == EXIT_OK) st = report_write(out.f, q, a, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

int report_main(options *o, failure *why)
{
  static question q; /* large */
  answer *a = NULL;
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = question_load(&q, o, GPUS_EVERY, why);
  if (st == EXIT_OK) st = question_answer(&q, true, &a, why);
  if (st == EXIT_OK && q.n < 2)
    st = fail(why, EXIT_USAGE, "report: needs more than one number of GPUs");
  if (st == EXIT_OK) st = print(&q, a, o, why);
  free(a);
  question_free(&q);
  return st;
}
