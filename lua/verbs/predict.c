/* predict.c - gpuscale predict: a row for each paradigm and number of GPUs. */

#include "../cli.h"

#include <math.h>
#include <stdlib.h>

/* ---- the columns, a contract of README.md ------------------------------- */

enum {
  SYSTEM,
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  TIME_ERR,
  ERR_SHARE, /* in the table only, like the shares of the parts */
  SETUP,
  SPEEDUP,
  EFFICIENCY,
  OPPORTUNITY,
  PARTS,
  SHARES = PARTS + GSCALE_PART_END,
  WIRE = SHARES + GSCALE_PART_END,
  USEFUL,
  PROTOCOL,
  REDUNDANT,
  UNUSED,
  BOUND,
  APPLICABILITY,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [TIME_ERR] = NUMBER("time_err_s", NULL, GSCALE_TIME),
    [ERR_SHARE] = SHARE("+/-"),
    [SETUP] = NUMBER("setup_s", NULL, GSCALE_TIME),
    [SPEEDUP] = NUMBER("speedup", "speedup", GSCALE_COUNT),
    [EFFICIENCY] = PERCENT("efficiency", "effic."),
    [OPPORTUNITY] = PERCENT("opportunity", NULL),
    [PARTS + GSCALE_PART_COMPUTE] = NUMBER("compute_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_HOST] = NUMBER("host_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_TRANSFER] = NUMBER("transfer_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_INITIATION] =
        NUMBER("initiation_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_TRACKING] = NUMBER("tracking_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_TAIL] = NUMBER("tail_s", NULL, GSCALE_TIME),
    [PARTS + GSCALE_PART_LATENCY] = NUMBER("latency_s", NULL, GSCALE_TIME),
    [SHARES + GSCALE_PART_COMPUTE] = SHARE("compute"),
    [SHARES + GSCALE_PART_HOST] = SHARE("host"),
    [SHARES + GSCALE_PART_TRANSFER] = SHARE("transfer"),
    [SHARES + GSCALE_PART_INITIATION] = SHARE("start"),
    [SHARES + GSCALE_PART_TRACKING] = SHARE("track"),
    [SHARES + GSCALE_PART_TAIL] = SHARE("tail"),
    [SHARES + GSCALE_PART_LATENCY] = SHARE("latency"),
    [WIRE] = NUMBER("wire_B", NULL, GSCALE_BYTES),
    [USEFUL] = NUMBER("useful_B", NULL, GSCALE_BYTES),
    [PROTOCOL] = NUMBER("protocol_B", NULL, GSCALE_BYTES),
    [REDUNDANT] = NUMBER("redundant_B", NULL, GSCALE_BYTES),
    [UNUSED] = NUMBER("unused_B", NULL, GSCALE_BYTES),
    [BOUND] = TEXT("bound", "bound by"),
    [APPLICABILITY] = TEXT("applicability", NULL),
};

static void fill_row(cell *c, const question *q, size_t i, int gpus,
                     const answer *a)
{
  const gscale_prediction *p = &a->p;

  set_text(&c[SYSTEM], gscale_system_name(q->system));
  set_text(&c[WORKLOAD], gscale_workload_name(q->workload));
  set_text(&c[PARADIGM], gscale_paradigm_at(q->paradigm[i])->name);
  print_knobs(c[KNOBS].text, sizeof c[KNOBS].text, &p->knobs);
  c[GPUS].number = gpus;
  c[TIME].number = p->time;
  c[TIME_ERR].number = a->err;
  c[ERR_SHARE].number = a->err / p->time;
  c[SETUP].number = 0.0; /* no paradigm has one-off costs yet */
  c[SPEEDUP].number = p->speedup;
  c[EFFICIENCY].number = p->efficiency;
  c[OPPORTUNITY].number = p->opportunity;
  for (size_t k = 0; k < GSCALE_PART_END; k++) {
    c[PARTS + k].number = p->part[k];
    c[SHARES + k].number = p->part[k] / p->time;
  }
  c[WIRE].number = p->bytes.wire;
  c[USEFUL].number = p->bytes.useful;
  c[PROTOCOL].number = p->bytes.protocol;
  c[REDUNDANT].number = p->bytes.redundant;
  c[UNUSED].number = p->bytes.unused;
  set_text(&c[BOUND], gscale_mechanism_name(p->bound));
  set_text(&c[APPLICABILITY], gscale_applicability_name(a->applicability));
}

static int fill_rows(rows *r, const question *q, const answer *a, failure *why)
{
  for (size_t i = 0; i < q->paradigms; i++)
    for (size_t j = 0; j < q->n; j++) {
      const answer *one = &a[i * q->n + j];
      cell *c;

      if (!one->met) continue;
      c = rows_add(r);
      if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
      fill_row(c, q, i, q->gpus[j], one);
    }
  return EXIT_OK;
}

/* ---- words below the table ---------------------------------------------- */

static const char *plural(int gpus)
{
  return gpus == 1 ? "" : "s";
}

/* Where a paradigm's curve peaks, and up to where GPUs are well spent. */
static void print_curve(FILE *f, const question *q, const answer *a,
                        const char *name)
{
  double time[GPUS_MAX];
  char knobs[96];
  size_t peak, knee;

  for (size_t j = 0; j < q->n; j++) time[j] = a[j].p.time;
  peak = gscale_peak(time, q->n);
  knee = gscale_knee(q->gpus, time, q->n);
  print_knobs(knobs, sizeof knobs, &a[peak].p.knobs);
  fprintf(f, "%s: best at %d GPU%s (%.1fx%s%s)", name, q->gpus[peak],
          plural(q->gpus[peak]), a[peak].p.speedup, *knobs ? ", " : "", knobs);
  if (knee > 0 && knee < peak)
    fprintf(f, ", still worth adding GPUs up to %d", q->gpus[knee]);
  fprintf(f, ", bound by %s\n", gscale_mechanism_name(a[peak].p.bound));
}

/* Says from where on the numbers of the system were not measured. */
static void print_range(FILE *f, const question *q)
{
  const int measured = gscale_system_calibrated(q->system);

  if (measured > 0 && q->gpus[q->n - 1] > measured)
    fprintf(f, "\nbeyond %d GPUs: extrapolated, %s was measured on %d\n",
            measured, gscale_system_name(q->system), measured);
}

static void print_curves(FILE *f, const question *q, const answer *a)
{
  if (q->n < 2) return;
  putc('\n', f);
  for (size_t i = 0; i < q->paradigms; i++)
    if (a[i * q->n].met)
      print_curve(f, q, &a[i * q->n], gscale_paradigm_at(q->paradigm[i])->name);
}

static int print(const rows *r, const question *q, const answer *a,
                 const options *o, failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  if (o->format == FORMAT_TABLE)
    fprintf(out.f, "one step of %s on %s\n\n",
            gscale_workload_name(q->workload), gscale_system_name(q->system));
  st = rows_write(r, o->format, &out, why);
  if (st != EXIT_OK) {
    output_discard(&out);
    return st;
  }
  if (o->format == FORMAT_TABLE) {
    print_curves(out.f, q, a);
    print_range(out.f, q);
  }
  return output_close(&out, why);
}

int predict_main(options *o, failure *why)
{
  static question q; /* large */
  answer *a = NULL;
  rows *r = NULL;
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = question_load(&q, o, NULL, why);
  if (st == EXIT_OK) st = question_answer(&q, true, &a, why);
  if (st != EXIT_OK) goto done;
  r = rows_new("gpuscale.predict/1", columns, COLUMNS);
  st = r ? fill_rows(r, &q, a, why)
         : fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK) st = print(r, &q, a, o, why);
done:
  rows_free(r);
  free(a);
  question_free(&q);
  return st;
}
