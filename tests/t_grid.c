/* t_grid.c - neighbours in a grid of GPUs by hand, and what they and the other
 * patterns send against a walk over all pairs. */

#include "cases.h"

#include <gsl/gsl_test.h>

#include "price/traffic.h"
#include "source.h"

/* ---- how many along each dimension ----------------------------------------
 */

static gscale_phase halo(double p0, double p1, double p2)
{
  gscale_phase p;

  gscale_phase_init(&p, "halo");
  p.units = 1e6;
  p.bytes = 1e6;
  p.to = GSCALE_TO_NEIGHBOURS;
  p.publish = 6e4;
  p.grid[0] = p0;
  p.grid[1] = p1;
  p.grid[2] = p2;
  return p;
}

static void arranged(int n, double p0, double p1, double p2, int a, int b,
                     int c)
{
  const gscale_phase p = halo(p0, p1, p2);
  int grid[3] = {0};

  gsl_test(!gscale_phase_grid(&p, n, grid), "{%g, %g, %g} of %d", p0, p1, p2,
           n);
  gsl_test(grid[0] != a || grid[1] != b || grid[2] != c,
           "    ... %d x %d x %d, not %d x %d x %d", a, b, c, grid[0], grid[1],
           grid[2]);
}

static void grids_by_hand(void)
{
  gscale_phase p;
  int grid[3];

  gscale_phase_init(&p, "line");
  gsl_test(!gscale_phase_grid(&p, 7, grid) || grid[0] != 7 || grid[1] != 1 ||
               grid[2] != 1,
           "nothing said: a line");
  arranged(1, 0, 0, 0, 1, 1, 1);
  arranged(4, 0, 0, 1, 2, 2, 1);
  arranged(6, 0, 0, 1, 3, 2, 1);
  arranged(8, 0, 0, 0, 2, 2, 2);
  arranged(12, 0, 0, 0, 3, 2, 2);
  arranged(16, 0, 0, 0, 4, 2, 2);
  arranged(13, 0, 0, 0, 13, 1, 1);
  arranged(1000, 0, 0, 0, 10, 10, 10);
  arranged(12, 0, 6, 1, 2, 6, 1);
  arranged(24, 0, 2, 0, 4, 2, 3);
  arranged(6, 1, 2, 3, 1, 2, 3);
  p = halo(0, 2, 1);
  gsl_test(gscale_phase_grid(&p, 7, grid), "7 are no two rows");
  p = halo(2, 2, 1);
  gsl_test(gscale_phase_grid(&p, 8, grid), "8 are not 2 x 2");
  gsl_test(gscale_phase_grid(&p, 2, grid), "nor are 2");
}

static void smallest_sums(void)
{
  int wrong = 0;

  for (int n = 1; n <= 1024; n++)
    for (int dims = 2; dims <= 3; dims++) {
      const gscale_phase p = halo(0, 0, dims == 3 ? 0 : 1);
      int grid[3], least = n + 2;
      for (int a = 1; a <= n; a++)
        for (int b = 1; n % a == 0 && b <= n / a; b++) {
          const int c = n / a / b;
          if (n / a % b == 0 && (dims == 3 || c == 1) && a + b + c < least)
            least = a + b + c;
        }
      wrong += !gscale_phase_grid(&p, n, grid) ||
               grid[0] * grid[1] * grid[2] != n || grid[0] < grid[1] ||
               grid[1] < grid[2] || grid[0] + grid[1] + grid[2] != least;
    }
  gsl_test_int(wrong, 0, "1 to 1024 GPUs in two and three dimensions");
}

/* ---- what the busiest GPU sends -------------------------------------------
 */

/* Cuts of 6e4, 3e4 and 1.2e4 B: a face has its share of its cut. */
static void busiest(const char *what, int n, gscale_phase p, bool periodic,
                    double faces, double bytes, double all)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_prediction out = {0};
  gscale_plan *plan = NULL;

  p.cut[0] = 6e4;
  p.cut[1] = 3e4;
  p.cut[2] = 1.2e4;
  p.publish = 7; /* of no dimension */
  p.periodic = periodic;
  p.copies = 2;
  gscale_workload *w = one_phase(p);
  const gscale_traffic t = gscale_workload_traffic(w, n);
  gsl_test_rel(t.messages, 2 * faces, 1e-15, "%s: faces", what);
  gsl_test_rel(t.bytes, bytes, 1e-15, "    ... of the busiest GPU");
  gscale_plan_new(s, w, n, &plan, NULL);
  gscale_predict(plan, gscale_paradigm_find("memcpy"), NULL, &out, NULL);
  gsl_test_rel(out.bytes.useful, all, 1e-14, "    ... of all together");
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void faces_by_hand(void)
{
  busiest("a line of 2", 2, halo(0, 1, 1), false, 1, 6e4, 12e4);
  busiest("a line of 4", 4, halo(0, 1, 1), false, 2, 12e4, 36e4);
  busiest("a ring of 4", 4, halo(0, 1, 1), true, 2, 12e4, 48e4);
  busiest("a ring of 2: both faces to the other", 2, halo(0, 1, 1), true, 2,
          12e4, 24e4);
  busiest("2 x 2", 4, halo(0, 0, 1), false, 2, 3e4 + 1.5e4, 12e4 + 6e4);
  busiest("2 x 2, periodic", 4, halo(0, 0, 1), true, 4, 6e4 + 3e4, 24e4 + 12e4);
  /* 3 x 2: half of the first cut each way, a third of the second */
  busiest("3 x 2", 6, halo(0, 0, 1), false, 3, 6e4 + 1e4, 24e4 + 6e4);
  busiest("2 x 3", 6, halo(2, 3, 1), false, 3, 2e4 + 3e4, 12e4 + 12e4);
  busiest("2 x 2 x 2", 8, halo(0, 0, 0), false, 3, 1.5e4 + 7.5e3 + 3e3,
          12e4 + 6e4 + 2.4e4);
  busiest("3 x 3 x 3", 27, halo(0, 0, 0), false, 6, 2 * (6e4 + 3e4 + 1.2e4) / 9,
          4 * (6e4 + 3e4 + 1.2e4));
  /* planes alone, in the last dimension */
  busiest("1 x 1 x 4", 4, halo(1, 1, 4), false, 2, 2.4e4, 7.2e4);
}

/* A cube of GPUs sends less than a line of as many. */
static void cube_and_line(void)
{
  const gscale_phase line = halo(0, 1, 1), cube = halo(0, 0, 0);
  gscale_workload *a = one_phase(line), *b = one_phase(cube);

  gsl_test_rel(gscale_workload_traffic(a, 64).bytes, 2 * 6e4, 1e-15, "a line");
  gsl_test_rel(gscale_workload_traffic(b, 64).bytes, 6 * 6e4 / 16, 1e-15,
               "4 x 4 x 4");
  gscale_workload_free(a);
  gscale_workload_free(b);
}

/* ---- against all pairs -----------------------------------------------------
 */

/* Faces that i has to j: coordinates differ by one in one dimension. */
static double between(const gscale_phase *p, const int *grid, int n, int i,
                      int j)
{
  double bytes = 0;

  for (int d = 0; d < 3; d++) {
    int same = 1, x[2] = {i, j}, at[2][3];
    for (int k = 0; k < 2; k++)
      for (int e = 2; e >= 0; x[k] /= grid[e--]) at[k][e] = x[k] % grid[e];
    for (int e = 0; e < 3; e++) same = same && (e == d || at[0][e] == at[1][e]);
    const int forth = at[1][d] - at[0][d], m = grid[d];
    const double face = (p->cut[d] > 0 ? p->cut[d] : p->publish) * m / n;
    if (!same || m == 1) continue;
    if (forth == 1 || (p->periodic && forth == 1 - m)) bytes += face;
    if (forth == -1 || (p->periodic && forth == m - 1)) bytes += face;
  }
  return bytes;
}

static gscale_phase random_pattern(rng *r)
{
  gscale_phase p = halo(pick(r, 4), pick(r, 4), pick(r, 4));

  p.units = pick(r, 4) ? 1e6 : 1 + pick(r, 30);
  p.periodic = pick(r, 2);
  for (int d = 0; d < 3; d++) p.cut[d] = maybe(r, 1e3, 1e6);
  if (pick(r, 3) == 0) p.to = GSCALE_TO_ALL;
  if (pick(r, 4) == 0) p.to = GSCALE_TO_PARTITION;
  return p;
}

/* As if all sent and got as much. */
static double evenly(const gscale_phase *p, const int *grid, int n, int i,
                     int j)
{
  const int active = p->units < n ? (int)p->units : n;
  const double units = floor(p->units / n) + (i < fmod(p->units, n));
  const double made = p->publish * units / p->units;

  if (i == j) return 0;
  if (p->to == GSCALE_TO_ALL) return made;
  if (p->to == GSCALE_TO_PARTITION) return made / n;
  return i < active && j < active ? between(p, grid, n, i, j) : 0;
}

/* The busiest has `most` times the mean, the others what is left. */
static double tilted(double most, int n, bool busiest)
{
  const double m = fmin(most, n);
  return busiest ? m : (n - m) / (n - 1);
}

/* Neighbours send together no less than if all sent alike, though the busiest
 * stands at an end, with fewer faces than others. */
static void fill_matrix(const gscale_phase *p, const int *grid, int n,
                        double *bytes)
{
  double alike = 0, sent = 0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double even = evenly(p, grid, n, i, j);
      bytes[i * n + j] = even * tilted(p->egress_max, n, i == 0) *
                         tilted(p->ingress_max, n, j == n - 1);
      alike += even;
      sent += bytes[i * n + j];
    }
  for (int k = 0; k < n * n; k++)
    if (p->to == GSCALE_TO_NEIGHBOURS && sent < alike) bytes[k] *= alike / sent;
}

/* Of the matrix: what leaves all, what leaves and what reaches the busiest. */
static void sum_up(const double *bytes, int n, double *all, double *out,
                   double *in)
{
  *all = *out = *in = 0;
  for (int i = 0; i < n; i++) {
    double sent = 0, got = 0;
    for (int j = 0; j < n; j++) {
      sent += bytes[i * n + j];
      got += bytes[j * n + i];
    }
    *all += sent;
    *out = fmax(*out, sent);
    *in = fmax(*in, got);
  }
}

/* Counts, the worst resource and what reaches the busiest GPU. */
static int compare(rng *r, gscale_phase *p, const int *grid, int n)
{
  static double bytes[64 * 64];
  gscale_system *s =
      some_system(pick(r, 2) ? GSCALE_TREE : GSCALE_RING, "nvlink4");
  const double duplex = gscale_system_get(s, GSCALE_LINK_DUPLEX)->val;
  gscale__phase_plan f = {0};
  gscale__traffic_room room;
  double all, out, in;

  fill_matrix(p, grid, n, bytes);
  sum_up(bytes, n, &all, &out, &in);
  gscale__count_traffic(p, n, &f);
  int wrong = fabs(f.all - all) > 1e-12 * all ||
              fabs(f.out - out) > 1e-12 * out || (f.out > 0) != (out > 0);
  p->egress_max = uniform(r, 1, 3);
  p->ingress_max = uniform(r, 1, 3);
  fill_matrix(p, grid, n, bytes);
  sum_up(bytes, n, &all, &out, &in);
  if (f.out > 0 && gscale__traffic_room_open(&room, n)) {
    const double want = gscale_route_busiest(&s->fabric, n, bytes, duplex, 1);
    gscale__route_traffic(SOURCE_OF(s), p, n, &room, &f);
    wrong += fabs(f.copy_route * f.out - want) > 1e-12 * want;
    wrong += fabs(f.in - in) > 1e-12 * in;
    gscale__traffic_room_close(&room);
  }
  gscale_system_free(s);
  return wrong;
}

static void against_all_pairs(void)
{
  rng r = {1618};
  int wrong = 0, compared = 0;

  for (int k = 0; k < cases(2000, 20000); k++) {
    gscale_phase p = random_pattern(&r);
    const int n = 2 + pick(&r, 63);
    int grid[3];
    const bool any = gscale_phase_grid(&p, n, grid);
    if (p.to == GSCALE_TO_NEIGHBOURS && !any) continue;
    wrong += compare(&r, &p, grid, n);
    compared++;
  }
  gsl_test_int(wrong, 0, "%d random patterns", compared);
  gsl_test(compared < 500, "%d of them", compared);
}

/* ---- in a mesh that lacks links --------------------------------------------
 */

static gscale_peer peer_over(const gscale_system *s, const gscale_phase *p)
{
  gscale__phase_plan f = {0};
  gscale__traffic_room room;

  gscale__count_traffic(p, 4, &f);
  if (!gscale__traffic_room_open(&room, 4)) abort();
  gscale__route_traffic(SOURCE_OF(s), p, 4, &room, &f);
  gscale__traffic_room_close(&room);
  return f.peer;
}

/* 0-1-2-3 in a row: what goes further is staged, and no peer's. */
static void missing_links(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase line = halo(0, 1, 1), all = line;
  gscale_fabric f;

  all.to = GSCALE_TO_ALL;
  gscale_fabric_init(&f, GSCALE_MESH);
  f.mesh_gpus = 4;
  f.staged = 0.2;
  for (int i = 0; i < 3; i++) f.mesh[i][i + 1] = f.mesh[i + 1][i] = 0.5;
  s->fabric = f;
  gsl_test_int((int)peer_over(s, &line), GSCALE_PEER_ATOMICS, "along links");
  line.periodic = true;
  gsl_test_int((int)peer_over(s, &line), GSCALE_PEER_NONE, "a ring of a row");
  gsl_test_int((int)peer_over(s, &all), GSCALE_PEER_NONE, "all to all");
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) s->fabric.mesh[i][j] = 0.3;
  gsl_test_int((int)peer_over(s, &all), GSCALE_PEER_ATOMICS, "all are linked");
  gscale_system_free(s);
}

/* ---- what boundaries cost --------------------------------------------------
 */

/* The boundary of a face is its share of what a whole cut costs. */
static void boundaries(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase p = halo(0, 1, 1);
  double line = 0, grid = 0;

  add_blocks(&p, (gscale_blocks){
                     .share = 0.01, .per = GSCALE_PER_FACE, .publishes = 1});
  add_blocks(&p, (gscale_blocks){.rest = true});
  for (int k = 0; k < 2; k++) {
    p.grid[1] = 1 - k;
    gscale_workload *w = one_phase(p);
    gscale_plan *plan = NULL;
    gscale_plan_new(s, w, 6, &plan, NULL);
    *(k ? &grid : &line) = plan->phase[0].boundary;
    gscale_plan_free(plan);
    gscale_workload_free(w);
  }
  gscale__phase_plan counts = {0};
  gscale__count_traffic(&p, 6, &counts);
  gsl_test_rel(counts.piece, 6e4 * (1 + 1 / 3.0) / 3, 1e-14, "a mean face");
  gsl_test_rel(line, 0.02 * 1e6 / 4.1e12, 1e-12, "two whole planes");
  gsl_test_rel(grid, 0.01 * (1 + 1 / 3.0) * 1e6 / 4.1e12, 1e-12,
               "two halves and a third");
  gscale_system_free(s);
}

/* ---- refusals --------------------------------------------------------------
 */

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo(2, 0, 1)), *v = gscale_workload_new("v");
  gscale_plan *plan = NULL;
  gscale_diag why = {""};
  const double wrong[] = {-1, 1.5, 65537, (double)NAN};

  gsl_test_int((int)gscale_plan_new(s, w, 3, &plan, &why), GSCALE_ESIZE,
               "3 GPUs in two planes");
  gsl_test_str(why.text, "one: halo: grid.gpus: {2, 0, 1} is no grid of 3 GPUs",
               "is said");
  gsl_test_int((int)gscale_plan_new(s, w, 1, &plan, NULL), GSCALE_OK, "one");
  gsl_test_int(plan->baseline, 1, "    ... is alone");
  gscale_plan_free(plan);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const gscale_phase p = halo(2, wrong[i], 1);
    gsl_test_int((int)gscale_workload_add(v, &p, &why), GSCALE_EDOMAIN, "%g",
                 wrong[i]);
    gsl_test(!strstr(why.text, "grid.gpus"), "%s", why.text);
  }
  gscale_workload_free(v);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* What fits no fewer than 2 GPUs, in threes: speedups are over 3. */
static void baseline(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase p = halo(3, 0, 1);
  gscale_plan *plan = NULL;

  p.footprint = 200e9;
  gscale_workload *w = one_phase(p);
  gsl_test_int((int)gscale_plan_new(s, w, 6, &plan, NULL), GSCALE_OK, "6");
  gsl_test_int(plan->baseline, 3, "the least that is a grid");
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  grids_by_hand();
  smallest_sums();
  faces_by_hand();
  cube_and_line();
  against_all_pairs();
  missing_links();
  boundaries();
  refusals();
  baseline();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
