/* t_reference.c - collectives of others' machines that were not given: more
 * nodes than two, fewer GPUs than eight.
 *
 * Parameters are fitted to what is given only; the form of the model was chosen
 * with all rows in sight.
 *
 * The logs are not shipped: ../shared/external, or EXTERNAL names their folder;
 * without it that part is skipped.  SCORES=1 prints the tables. */

#include "cases.h"
#include "price/collectives.h"
#include "source.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <unistd.h>

static const double MIB = 1048576.0;

static const char *folder(void)
{
  const char *named = getenv("EXTERNAL");
  return named ? named : "../shared/external";
}

/* ---- sums of errors -------------------------------------------------------
 */

typedef struct tally {
  double sum, signs, worst;
  size_t n;
} tally;

static void count(tally *t, double predicted, double measured)
{
  const double off = predicted / measured - 1.0;

  t->sum += fabs(off);
  t->signs += off;
  t->worst = fmax(t->worst, fabs(off));
  t->n++;
}

static double mean(const tally *t)
{
  return t->sum / (double)t->n;
}

static void show(const tally *t, const char *what)
{
  if (getenv("SCORES"))
    printf("%-56s %4zu rows  mean %5.1f %%  bias %+5.1f %%  worst %5.1f %%\n",
           what, t->n, 100.0 * mean(t), 100.0 * t->signs / (double)t->n,
           100.0 * t->worst);
}

static void at_most(const tally *t, double most, const char *what)
{
  show(t, what);
  gsl_test(!(mean(t) <= most), "%s: mean |error| %.1f %%, at most %.1f %%",
           what, 100.0 * mean(t), 100.0 * most);
}

/* ---- calls ----------------------------------------------------------------
 */

static const struct {
  const char *bench, *name; /* ours, Perlmutter's */
  gscale_coll_kind kind;
} kinds[] = {{"allreduce", "allreduce", GSCALE_COLL_ALL_REDUCE},
             {"allgather", "allgather", GSCALE_COLL_ALL_GATHER},
             {"reducescatter", "reducescatter", GSCALE_COLL_REDUCE_SCATTER}};

enum {
  KINDS = 3,
  WIDTHS = 3,
  ROWS_MAX = 2000
};

typedef struct result {
  int kind, nodes, width; /* GPUs of a node */
  double bytes, time;
} result;

static result rows[ROWS_MAX];
static size_t row_count;

static double number(const gscale_table *t, size_t row, const char *name)
{
  size_t column;
  double v = (double)NAN;

  gscale_table_column(t, name, &column, NULL);
  gscale_table_number(t, row, column, &v, NULL);
  return v;
}

static void read_perlmutter(void)
{
  char path[512];
  gscale_table *t = NULL;
  gscale_diag why = {""};
  size_t op;

  snprintf(path, sizeof path, "%s/perlmutter_nccl_lbnl/nccl.csv", folder());
  gsl_test_int((int)gscale_table_read(path, &t, &why), GSCALE_OK, "%s",
               why.text);
  if (!t) return;
  gscale_table_column(t, "op", &op, NULL);
  for (size_t i = 0; i < gscale_table_rows(t) && row_count < ROWS_MAX; i++)
    for (int k = 0; k < KINDS; k++)
      if (strcmp(gscale_table_text(t, i, op), kinds[k].name) == 0)
        rows[row_count++] =
            (result){.kind = k,
                     .nodes = (int)number(t, i, "num_nodes"),
                     .width = (int)number(t, i, "gpus_per_node"),
                     .bytes = number(t, i, "size"),
                     .time = number(t, i, "time-o") * 1e-6};
  gscale_table_free(t);
}

/* Nodes of so many A100, each joined to each other one, and its card. */
static gscale_system *nodes_of(int gpus)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink3");
  gscale_fabric f;
  gscale_network n = {.nodes = 256, .rails = gpus};
  gscale_diag why = {""};

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gscale_system_set_shape(s, &f, gpus, false, 0, NULL);
  n.link = *gscale_link_find("slingshot11");
  gsl_test_int((int)gscale_system_set_network(s, &n, &why), GSCALE_OK, "%s",
               why.text);
  for (size_t id = GSCALE_COLL_START; id <= GSCALE_COLL_NET_OFF_LARGE; id++) {
    const gscale_param p = gscale_param_default((gscale_param_id)id);
    gscale_system_set(s, (gscale_param_id)id, &p, NULL);
  }
  return s;
}

static void give(gscale_measurements *m, const result *r)
{
  gscale_measurement row = {.src = "all",
                            .access = "kernel",
                            .gpus = r->nodes * r->width,
                            .size = r->bytes,
                            .count = 1,
                            .time = r->time,
                            .repeats = 20};

  snprintf(row.bench, sizeof row.bench, "%s", kinds[r->kind].bench);
  snprintf(row.dst, sizeof row.dst, "%s", r->nodes > 1 ? "nodes" : "all");
  gscale_measurements_add(m, &row, NULL);
}

static double predicted(const gscale_system *s, const result *r)
{
  const gscale_coll_machine m = gscale__coll_known(s);
  const gscale_coll_call c = {
      kinds[r->kind].kind, r->nodes * r->width, r->bytes, 1.0, 1.0, true};

  return gscale_coll_best(&m, &c, GSCALE_COLL_ALGORITHM_END,
                          GSCALE_COLL_PROTOCOL_END)
      .total;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static void perlmutter(void)
{
  static double z[ROWS_MAX];
  size_t zs = 0;
  tally of[KINDS] = {{0}}, all = {0}, large = {0}, middle = {0};

  read_perlmutter();
  for (int width = 1; width <= 4; width *= 2) {
    gscale_system *s = nodes_of(width);
    gscale_measurements *m = gscale_measurements_new();
    gscale_calibration c;
    gscale_diag why = {""};

    for (size_t i = 0; i < row_count; i++)
      if (rows[i].width == width && rows[i].nodes <= 2) give(m, &rows[i]);
    gsl_test_int((int)gscale_calibrate(s, m, &c, &why), GSCALE_OK, "%s",
                 why.text);
    for (size_t id = GSCALE_COLL_START;
         getenv("SCORES") && id <= GSCALE_COLL_NET_OFF_LARGE; id++)
      printf("  %d: %s %.4g %s\n", width,
             gscale_param_info_at((gscale_param_id)id)->name,
             gscale_system_get(s, (gscale_param_id)id)->val, c.of[id].note);
    gscale_calibration_free(&c);
    for (size_t i = 0; i < row_count; i++) {
      if (rows[i].width != width || rows[i].nodes < 4) continue;
      const double t = predicted(s, &rows[i]);
      count(&of[rows[i].kind], t, rows[i].time);
      count(&all, t, rows[i].time);
      z[zs++] = sinh(fabs(log(rows[i].time / t))) / sqrt(log2(rows[i].nodes));
      if (rows[i].bytes > 64 * MIB)
        count(&large, t, rows[i].time);
      else if (rows[i].bytes >= MIB)
        count(&middle, t, rows[i].time);
    }
    gscale_measurements_free(m);
    gscale_system_free(s);
  }
  qsort(z, zs, sizeof *z, by_size);
  if (getenv("SCORES"))
    printf("a doubling of nodes: %.4f\n",
           z[(size_t)ceil(0.6827 * (double)zs) - 1]);
  at_most(&of[0], 0.12, "Perlmutter, 4 to 256 nodes from 2: all-reduce");
  at_most(&of[1], 0.16, "Perlmutter, 4 to 256 nodes from 2: all-gather");
  at_most(&of[2], 0.16, "Perlmutter, 4 to 256 nodes from 2: reduce-scatter");
  at_most(&all, 0.14, "Perlmutter, 4 to 256 nodes from 2: all");
  at_most(&middle, 0.155, "Perlmutter, 4 to 256 nodes from 2: 1 to 64 MiB");
  at_most(&large, 0.04, "Perlmutter, 4 to 256 nodes from 2: above 64 MiB");
}

/* ---- when the switch adds up ----------------------------------------------
 */

/* Eight GPUs of so many B/s a port, the library's version; a ring's bus
 * bandwidth and, on eight, that by the switch. */
static gscale_coll_machine by_switch(double port, double version, double ring,
                                     double on_eight)
{
  gscale_coll_machine m = {.link = ring,
                           .add = INFINITY,
                           .node = 8,
                           .port = port,
                           .version = version,
                           .in_switch = on_eight * 9.0 / 14.0};

  m.by[GSCALE_COLL_SIMPLE].rate = INFINITY;
  m.by[GSCALE_COLL_SIMPLE].payload = 1.0;
  return m;
}

/* B/s of a machine in a row of the table, as column `name` has it. */
static double on(const gscale_table *t, const char *machine, int gpus,
                 const char *name)
{
  size_t column;

  gscale_table_column(t, "machine", &column, NULL);
  for (size_t i = 0; i < gscale_table_rows(t); i++)
    if (strcmp(gscale_table_text(t, i, column), machine) == 0 &&
        number(t, i, "gpus") == gpus)
      return number(t, i, name) * 1e9;
  return (double)NAN;
}

/* Of ring and eight GPUs, what is chosen on 4 to 8 and how fast it is on 5
 * to 7.
 */
static void ramp(const gscale_table *t, const char *machine, double port,
                 double version, int from)
{
  const gscale_coll_machine m =
      by_switch(port, version, on(t, machine, 8, "busbw_without_nvls_GBps"),
                on(t, machine, 8, "busbw_GBps"));
  tally off = {0};

  for (int n = 4; n <= 8; n++) {
    const gscale_coll_call c = {
        GSCALE_COLL_ALL_REDUCE, n, 0x1p33, 1.0, 1.0, true};
    const gscale_coll_choice k = gscale_coll_best(
        &m, &c, GSCALE_COLL_ALGORITHM_END, GSCALE_COLL_PROTOCOL_END);
    const double bus = c.bytes * 2.0 * (n - 1) / n;
    gsl_test_int((int)k.algorithm,
                 n >= from ? GSCALE_COLL_IN_SWITCH : GSCALE_COLL_RING,
                 "%s, %d GPUs: the way", machine, n);
    if (n > 4 && n < 8)
      count(&off, k.total, bus / on(t, machine, n, "busbw_GBps"));
  }
  show(&off, machine);
  gsl_test(!(off.worst <= 0.04), "%s, 5 to 7 GPUs from 8: worst %.1f %%",
           machine, 100.0 * off.worst);
}

static void ramps(void)
{
  char path[512];
  gscale_table *t = NULL;
  gscale_diag why = {""};

  snprintf(path, sizeof path, "%s/nvls_ramp_ccbysa/ramp.csv", folder());
  gsl_test_int((int)gscale_table_read(path, &t, &why), GSCALE_OK, "%s",
               why.text);
  if (!t) return;
  ramp(t, "8 x H200", 450e9, 22800, 5);
  ramp(t, "8 x B200", 900e9, 22707, 6);
  gscale_table_free(t);
}

int main(void)
{
  if (access(folder(), R_OK) == 0) {
    perlmutter();
    ramps();
  } else
    gsl_test(0, "skipped: no %s with logs of others", folder());
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
