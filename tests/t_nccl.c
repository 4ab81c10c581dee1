/* t_nccl.c - collectives predicted from logs of nccl-tests: of 4 GPUs for 8,
 * and our own on 2, 3 and 4.
 *
 * The logs are of others and not shipped: ../shared/external, or EXTERNAL names
 * their folder; without it that part is skipped.  SCORES=1 prints them. */

#include "cases.h"
#include "price/collectives.h"
#include "source.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <unistd.h>

static const double MIB = 1048576.0;

/* ---- logs ---------------------------------------------------------------- */

static const char *folder(void)
{
  const char *named = getenv("EXTERNAL");
  return named ? named : "../shared/external";
}

static bool there(void)
{
  return access(folder(), R_OK) == 0;
}

static void add_log(gscale_measurements *m, const char *name)
{
  char path[512];
  size_t skipped;
  gscale_diag why = {""};

  snprintf(path, sizeof path, "%s/%s", folder(), name);
  gsl_test_int((int)gscale_import(m, path, NULL, &skipped, &why), GSCALE_OK,
               "%s: %s", name, why.text);
}

/* Eight GPUs behind a switch of such links, calibrated from the rows. */
static gscale_system *calibrated(const char *link, const gscale_measurements *m)
{
  gscale_system *s = some_system(GSCALE_SWITCH, link);
  gscale_calibration c;
  gscale_diag why = {""};

  gsl_test_int((int)gscale_calibrate(s, m, &c, &why), GSCALE_OK,
               "calibrated: %s", why.text);
  gscale_calibration_free(&c);
  return s;
}

/* ---- what is predicted ---------------------------------------------------
 */

static const struct {
  const char *bench;
  gscale_coll_kind kind;
} kinds[] = {{"allreduce", GSCALE_COLL_ALL_REDUCE},
             {"allgather", GSCALE_COLL_ALL_GATHER},
             {"reducescatter", GSCALE_COLL_REDUCE_SCATTER},
             {"broadcast", GSCALE_COLL_BROADCAST},
             {"reduce", GSCALE_COLL_REDUCE},
             {"alltoall", GSCALE_COLL_ALL_TO_ALL},
             {"ring", GSCALE_COLL_SEND_RECV}};

/* Seconds; NaN if the row is of something else. */
static double predicted(const gscale_system *s, const gscale_measurement *r,
                        const char *suffix)
{
  const gscale_coll_machine m = gscale__coll_machine(
      SOURCE_OF(s), GSCALE_COLL_KIND_END,
      gscale__coll_goodput(gscale_system_about(s).link), 8, 0);

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t n = strlen(kinds[i].bench);
    if (strncmp(r->bench, kinds[i].bench, n) != 0 ||
        strcmp(r->bench + n, suffix) != 0)
      continue;
    const bool all = kinds[i].kind == GSCALE_COLL_ALL_TO_ALL;
    const gscale_coll_call c = {
        kinds[i].kind, r->gpus, r->size * (all ? r->gpus : 1.0),
        1.0,           1.0,     true};
    return gscale_coll_best(&m, &c, GSCALE_COLL_ALGORITHM_END,
                            GSCALE_COLL_PROTOCOL_END)
        .total;
  }
  return (double)NAN;
}

/* Rows that a score is over; sizes are the arrays' (all-to-all: a part). */
typedef struct chosen {
  const char *what, *bench, *not_bench, *suffix;
  double least, most; /* B */
} chosen;

/* Mean |predicted / measured - 1|. */
static double score(const gscale_system *s, const gscale_measurements *m,
                    chosen w)
{
  const gscale_measurement *r;
  double sum = 0.0, n = 0.0, worst = 0.0;

  for (size_t i = 0; (r = gscale_measurements_at(m, i)) != NULL; i++) {
    const double t = predicted(s, r, w.suffix ? w.suffix : "");
    const size_t letters = w.bench ? strlen(w.bench) : 0;
    if (isnan(t) || strcmp(r->dst, "all") != 0 || r->size < w.least ||
        (w.most > 0.0 && r->size >= w.most) ||
        (letters && strncmp(r->bench, w.bench, letters) != 0) ||
        (w.not_bench && strcmp(r->bench, w.not_bench) == 0))
      continue;
    const double off = fabs(t / r->time - 1.0);
    sum += off;
    worst = fmax(worst, off);
    n += 1.0;
  }
  if (getenv("SCORES"))
    printf("%-58s %4.0f rows  mean %5.1f %%  worst %5.1f %%\n", w.what, n,
           100.0 * sum / n, 100.0 * worst);
  gsl_test(!(n > 0.0), "%s: has rows", w.what);
  return sum / n;
}

static void at_most(double mean, double most, const char *what)
{
  gsl_test(!(mean <= most), "%s: mean |error| %.1f %%, at most %.1f %%", what,
           100.0 * mean, 100.0 * most);
}

/* ---- H100: fitted on 4 GPUs, predicted for 8 ------------------------------
 */

static const char *const fours[] = {
    "nccl_tests_cluster_apache2/nccl_N1_G4_cnode3-002.log",
    "nccl_tests_cluster_more_apache2/c01_N1_G4_cnode3-003.log",
    "nccl_tests_cluster_more_apache2/c01_N1_G4_cnode3-007.log"};
static const char *const eights[] = {
    "nccl_tests_cluster_apache2/nccl_N1_G8_cnode3-002.log",
    "nccl_tests_cluster_more_apache2/c01_N1_G8_cnode3-003.log",
    "nccl_tests_cluster_more_apache2/c01_N1_G8_cnode3-007.log"};

static gscale_measurements *read_all(const char *const *names, size_t n)
{
  gscale_measurements *m = gscale_measurements_new();

  for (size_t i = 0; i < n; i++) add_log(m, names[i]);
  return m;
}

static void h100(void)
{
  gscale_measurements *four = read_all(fours, 3), *eight = read_all(eights, 3);
  gscale_system *s = calibrated("nvlink4", four);

  at_most(score(s, four, (chosen){.what = "H100, 4 GPUs, fitted"}), 0.05,
          "H100 on 4");
  at_most(score(s, eight,
                (chosen){.what = "H100, 8 GPUs from 4, without all-reduce",
                         .not_bench = "allreduce"}),
          0.08, "H100 on 8 from 4");
  /* On 8 GPUs the library lets the switch add up, which no log of 4 GPUs has:
   * predicted by ring it is slower. */
  const double ring =
      score(s, eight,
            (chosen){.what = "H100, 8 GPUs from 4, all-reduce by ring",
                     .bench = "allreduce"});
  gsl_test(!(ring > 0.2), "by ring all-reduce on 8 is %.1f %% off",
           100.0 * ring);
  gscale_system_free(s);

  /* One node's all-reduces tell the switch's rate; others are predicted. */
  add_log(four, eights[0]);
  s = calibrated("nvlink4", four);
  gscale_measurements *others = read_all(eights + 1, 2);
  at_most(score(s, others,
                (chosen){.what = "H100, 8 GPUs, all-reduce, switch of node 1",
                         .bench = "allreduce"}),
          0.08, "all-reduce in the switch");
  at_most(score(s, others,
                (chosen){.what = "H100, 8 GPUs, others, node 1 known too",
                         .not_bench = "allreduce"}),
          0.08, "the rest on other nodes");
  gscale_measurements_free(others);
  gscale_measurements_free(four);
  gscale_measurements_free(eight);
  gscale_system_free(s);
}

/* ---- A100: small sizes too ------------------------------------------------
 */

static void a100(void)
{
  static const char *const four[] = {
      "abci_a_a100_mit/allreduce__intra_anode__job04.sh.7280520.nccl",
      "abci_a_a100_mit/bcast__intra_anode__job04.sh.7280579.nccl"};
  static const char *const eight[] = {
      "abci_a_a100_mit/allreduce__intra_anode__job08.sh.7280517.nccl",
      "abci_a_a100_mit/bcast__intra_anode__job08.sh.7280576.nccl"};
  gscale_measurements *a = read_all(four, 2), *b = read_all(eight, 2);
  gscale_system *s = calibrated("nvlink3", a);

  score(s, a, (chosen){.what = "A100, 4 GPUs, fitted, >= 1 MiB", .least = MIB});
  score(s, a, (chosen){.what = "A100, 4 GPUs, fitted, < 1 MiB", .most = MIB});
  at_most(
      score(s, b,
            (chosen){.what = "A100, 8 GPUs from 4, >= 1 MiB", .least = MIB}),
      0.13, "A100, large");
  at_most(score(s, b,
                (chosen){.what = "A100, 8 GPUs from 4, < 1 MiB", .most = MIB}),
          0.25, "A100, small");
  gscale_system_free(s);
  for (size_t i = 0; i < 2; i++) add_log(a, eight[i]);
  s = calibrated("nvlink3", a);
  score(s, a, (chosen){.what = "A100, 4 and 8 fitted, >= 1 MiB", .least = MIB});
  score(s, a, (chosen){.what = "A100, 4 and 8 fitted, < 1 MiB", .most = MIB});
  gscale_system_free(s);
  gscale_measurements_free(a);
  gscale_measurements_free(b);
}

/* ---- H200: ours ----------------------------------------------------------
 */

static gscale_measurements *ours(int least, int most)
{
  gscale_measurements *all = gscale_measurements_new();
  gscale_measurements *some = gscale_measurements_new();
  const gscale_measurement *r;
  const char *root = getenv("SRC");
  char path[512];
  gscale_diag why = {""};

  snprintf(path, sizeof path, "%s/data/h200x4/micro/nccl.csv",
           root ? root : ".");
  gsl_test_int((int)gscale_measurements_read(all, path, &why), GSCALE_OK, "%s",
               why.text);
  for (size_t i = 0; (r = gscale_measurements_at(all, i)) != NULL; i++)
    if (r->gpus >= least && r->gpus <= most)
      gscale_measurements_add(some, r, NULL);
  gscale_measurements_free(all);
  return some;
}

static void h200(void)
{
  gscale_measurements *all = ours(2, 4), *few = ours(2, 3), *four = ours(4, 4);
  gscale_system *s = calibrated("nvlink4", all);

  at_most(score(s, all,
                (chosen){.what = "H200, 2 to 4 GPUs, fitted, >= 1 MiB",
                         .suffix = "_gate",
                         .least = MIB}),
          0.09, "H200, large");
  at_most(score(s, all,
                (chosen){.what = "H200, 2 to 4 GPUs, fitted, < 1 MiB",
                         .suffix = "_gate",
                         .most = MIB}),
          0.1, "H200, small");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char what[64], bench[64];
    snprintf(what, sizeof what, "H200, 2 to 4 GPUs, fitted, %s",
             kinds[i].bench);
    snprintf(bench, sizeof bench, "%s_gate", kinds[i].bench);
    score(s, all, (chosen){.what = what, .bench = bench, .suffix = "_gate"});
  }
  gscale_system_free(s);
  s = calibrated("nvlink4", few);
  at_most(score(s, four,
                (chosen){.what = "H200, 4 GPUs from 2 and 3, >= 1 MiB",
                         .suffix = "_gate",
                         .least = MIB}),
          0.06, "H200 on 4 from fewer, large");
  at_most(score(s, four,
                (chosen){.what = "H200, 4 GPUs from 2 and 3, < 1 MiB",
                         .suffix = "_gate",
                         .most = MIB}),
          0.15, "H200 on 4 from fewer, small");
  gscale_system_free(s);
  gscale_measurements_free(all);
  gscale_measurements_free(few);
  gscale_measurements_free(four);
}

int main(void)
{
  h200();
  if (there()) {
    h100();
    a100();
  } else {
    printf("t_nccl: no %s: logs of others are skipped\n", folder());
  }
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
