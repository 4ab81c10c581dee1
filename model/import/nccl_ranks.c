/* nccl_ranks.c - the number of ranks of a test of nccl-tests, from the list of
 * ranks and from ratios of bandwidths. */

#include "import/nccl.h"

#include <math.h>
#include <string.h>

/* Adds a rank to a host.  Hosts may alternate between ranks. */
static void add_host(members *k, const member *m)
{
  int i = 0;

  while (i < k->hosts && !gscale__same(k->host[i], m->host)) i++;
  if (i == HOSTS_MAX) return;
  if (i == k->hosts) k->host[k->hosts++] = m->host;
  if (++k->on[i] > k->each) k->each = k->on[i];
  if (m->group == 0 && !k->has_zero[i]) k->of_zero++;
  k->has_zero[i] |= m->group == 0;
}

void gscale__nccl_rank(members *k, const member *m)
{
  k->listed++;
  k->zeros += m->rank == 0;
  if (m->rank > k->last) k->last = m->rank;
  if (m->group >= k->groups) k->groups = m->group + 1;
  if (m->device >= k->each) k->each = m->device + 1;
  if (k->name.size == 0) k->name = m->name;
  if (m->host.size > 0) add_host(k, m);
}

static double bus_factor(bus b, double n)
{
  return b == BUS_ONE ? 1.0 : (b == BUS_TWICE ? 2.0 : 1.0) * (n - 1.0) / n;
}

void gscale__nccl_ratio(ratios *r, double algbw, double busbw, double digit)
{
  const double half = 0.51 * digit; /* both bandwidths are rounded */

  if (r->n == RATIOS_MAX || !(algbw > half)) return;
  r->low[r->n] = (busbw - half) / (algbw + half);
  r->high[r->n++] = (busbw + half) / (algbw - half);
}

double gscale__nccl_digit(const char *at)
{
  const char *const point = at + strspn(at, "-0123456789");
  return *point == '.' ? pow(10.0, -(double)strspn(point + 1, "0123456789"))
                       : 1.0;
}

static size_t explained(const ratios *r, bus b, int n)
{
  const double f = bus_factor(b, n);
  size_t count = 0;

  for (size_t i = 0; i < r->n; i++) count += r->low[i] <= f && f <= r->high[i];
  return count;
}

size_t gscale__nccl_fits(const ratios *r, bus b, int n)
{
  const bool known = n > 0 || b == BUS_ONE;
  const size_t count = known ? explained(r, b, n) : 0;

  return known && 2 * count >= r->n ? 1 + count : 0;
}

int gscale__nccl_told(const ratios *r, bus b)
{
  size_t best = 0, alike = 0;
  int n = 0;

  if (b == BUS_ONE || r->n == 0) return 0;
  for (int k = 2; k <= RANKS_MOST; k++) {
    const size_t count = explained(r, b, k);
    if (count > best) best = count, n = k, alike = 0;
    alike += count == best;
  }
  return best == 0 ? -1 : alike == 1 && 2 * best >= r->n ? n : 0;
}

int gscale__nccl_listed(const members *k)
{
  const int all = k->listed * (k->process > 1 ? k->process : 1);

  if (k->asked > 0) return k->asked;
  if (k->zeros > 1 && k->groups < 2) return all / k->zeros;
  return (all > 0 && k->last >= all ? k->last + 1 : all) /
         (k->groups > 1 ? k->groups : 1);
}

static void remark_ranks(gscale__source *s, const char *at, const members *k,
                         int listed)
{
  const gscale_remark_kind broken = GSCALE_REMARK_BROKEN;

  if (k->zeros > 1 && k->groups < 2)
    gscale__remark(s, broken, at,
                   "%d processes ran alone, each of %d GPUs: nccl-tests was "
                   "built without MPI=1",
                   k->zeros, k->n);
  else if (k->listed == 0 && k->n == 0)
    gscale__remark(s, broken, at,
                   "no '#  Rank' lines, and the rows do not tell the number of "
                   "ranks: add --ranks");
  else if (listed > 0 && k->n <= 0)
    gscale__remark(s, broken, at,
                   "the rows contradict the %d listed ranks and match no "
                   "number of ranks: is it another collective?",
                   listed);
  else if (k->n > k->last && k->listed > 0 && k->asked == 0 &&
           k->last >= k->listed * (k->process > 1 ? k->process : 1))
    gscale__remark(s, broken, at,
                   "the list of ranks is cut: it has %d of at least %d",
                   k->listed, k->n);
  else if (listed > 0 && k->n != listed)
    gscale__remark(
        s, broken, at,
        "%d ranks are %s, but busbw / algbw is that of %d ranks, which is used",
        listed, k->asked > 0 ? "asked for" : "listed", k->n);
  else if (k->n == 1)
    gscale__remark(s, GSCALE_REMARK_NOTE, at, "one rank alone sends nothing");
  else if (k->groups > 1)
    gscale__remark(s, GSCALE_REMARK_NOTE, at,
                   "%d ranks in %d groups of %d (NCCL_TESTS_SPLIT): a row is "
                   "one of %d collectives side by side",
                   k->listed, k->groups, k->n, k->groups);
}

void gscale__nccl_settle(gscale__source *s, const char *at, members *k,
                         const ratios *r, const collective *c)
{
  const int listed = gscale__nccl_listed(k), all = listed * k->groups;
  const bool told = c && c->bus != BUS_ONE && r->n > 0;

  k->n = listed;
  if (told && !gscale__nccl_fits(r, c->bus, listed))
    k->n = gscale__nccl_fits(r, c->bus, all) ? all
           : k->zeros > 1 && k->groups < 2   ? listed
                                             : gscale__nccl_told(r, c->bus);
  /* A cut list may lack hosts. */
  k->nodes = (k->n == listed || k->n < 0) && k->last < k->listed ? k->of_zero
             : k->n <= k->hosts * k->each                        ? k->hosts
                                                                 : 0;
  if (k->hosts == 0 && k->listed > 0) k->nodes = 1;
  remark_ranks(s, at, k, listed);
  if (k->n < 0) k->n = listed;
  if (k->name.size > 0)
    gscale__remark(s, GSCALE_REMARK_GPU, at, "%.*s", (int)k->name.size,
                   k->name.at);
  char hosts[sizeof((gscale_remark *)0)->text] = "";
  for (int i = 0; i < k->hosts; i++)
    gscale_append(hosts, sizeof hosts, "%s%.*s", i ? ", " : "",
                  (int)k->host[i].size, k->host[i].at);
  if (*hosts) gscale__remark(s, GSCALE_REMARK_HOSTS, at, "%s", hosts);
}

void gscale__nccl_wrong(gscale__source *s, size_t n, const char *at)
{
  if (n > 0)
    gscale__remark(s, GSCALE_REMARK_WRONG, at,
                   "%zu results have wrong elements: correct these before "
                   "judging bandwidths",
                   n);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
