/* partners.c - implements rules for the partners of copies. */

#include "describe/partners.h"

#include <string.h>

static const struct {
  const char *name;
  double growth;
} rules[PARTNERS_END] = {
    [PARTNERS_NEIGHBOURS] = {"neighbours", 0.0},
    [PARTNERS_RING] = {"ring", 0.0},
    [PARTNERS_NEXT] = {"next", 0.0},
    [PARTNERS_ALL] = {"all", 1.0},
    [PARTNERS_GRID] = {"grid", 0.5},
    [PARTNERS_PAIRS] = {"pairs", 0.0},
    [PARTNERS_GATHER] = {"gather", 1.0},
    [PARTNERS_SCATTER] = {"scatter", 1.0},
};

const char *partners_name(partner_rule r)
{
  return rules[r].name;
}

double partners_growth(partner_rule r)
{
  return rules[r].growth;
}

static int rows_of(int n)
{
  int rows = 1;

  for (int r = 1; r * r <= n; r++)
    if (n % r == 0) rows = r;
  return rows;
}

static void to_grid(int g, int n, bool *to)
{
  const int row = n / rows_of(n);

  if (g >= row) to[g - row] = true;
  if (g + row < n) to[g + row] = true;
  if (g % row > 0) to[g - 1] = true;
  if (g % row < row - 1) to[g + 1] = true;
}

void partners_of(partner_rule r, int g, int n, bool *to)
{
  const bool ring = r == PARTNERS_RING || r == PARTNERS_NEXT;

  memset(to, 0, (size_t)n * sizeof *to);
  if (n == 1) return;
  if (ring) to[(g + 1) % n] = true;
  if (r == PARTNERS_RING) to[(g + n - 1) % n] = true;
  if (r == PARTNERS_NEIGHBOURS && g > 0) to[g - 1] = true;
  if (r == PARTNERS_NEIGHBOURS && g < n - 1) to[g + 1] = true;
  if (r == PARTNERS_GRID) to_grid(g, n, to);
  if (r == PARTNERS_PAIRS && (g ^ 1) < n) to[g ^ 1] = true;
  if (r == PARTNERS_GATHER && g > 0) to[0] = true;
  for (int i = 0; i < n; i++)
    if (i != g && (r == PARTNERS_ALL || (r == PARTNERS_SCATTER && g == 0)))
      to[i] = true;
}

bool partners_fit(partner_rule r, const bool *sends, int n)
{
  bool to[1024];

  for (int g = 0; g < n && n <= 1024; g++) {
    partners_of(r, g, n, to);
    if (memcmp(to, sends + (size_t)g * (size_t)n, (size_t)n * sizeof *to) != 0)
      return false;
  }
  return n <= 1024;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
