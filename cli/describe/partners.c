/* partners.c - implements rules for the partners of copies. */

#include "describe/partners.h"

#include <string.h>

static const struct {
  const char *name;
  double growth;
  const char *lua;
} rules[PARTNERS_END] = {
    [PARTNERS_NEIGHBOURS] = {"neighbours", 0.0,
                             "  neighbours = function (g, n) -- in a line\n"
                             "    local to = {}\n"
                             "    if g > 0 then to[1] = g - 1 end\n"
                             "    if g < n - 1 then to[#to + 1] = g + 1 end\n"
                             "    return to\n"
                             "  end,\n"},
    [PARTNERS_RING] =
        {"ring", 0.0,
         "  ring = function (g, n) -- both next to it\n"
         "    if n == 1 then return {} end\n"
         "    local before, behind = (g - 1) % n, (g + 1) % n\n"
         "    return n == 2 and { behind } or { before, behind }\n"
         "  end,\n"},
    [PARTNERS_NEXT] = {"next", 0.0,
                       "  next = function (g, n) -- in a ring, one way\n"
                       "    return n > 1 and { (g + 1) % n } or {}\n"
                       "  end,\n"},
    [PARTNERS_ALL] = {"all", 1.0,
                      "  all = function (g, n) -- the next GPU first\n"
                      "    local to = {}\n"
                      "    for i = 1, n - 1 do to[i] = (g + i) % n end\n"
                      "    return to\n"
                      "  end,\n"},
    [PARTNERS_GRID] =
        {"grid", 0.5,
         "  grid = function (g, n) -- near a square, rows by rows\n"
         "    local rows = math.floor(n ^ 0.5)\n"
         "    while n % rows > 0 do rows = rows - 1 end\n"
         "    local row, to = n // rows, {}\n"
         "    if g >= row then to[1] = g - row end\n"
         "    if g + row < n then to[#to + 1] = g + row end\n"
         "    if g % row > 0 then to[#to + 1] = g - 1 end\n"
         "    if g % row < row - 1 then to[#to + 1] = g + 1 end\n"
         "    return to\n"
         "  end,\n"},
    [PARTNERS_PAIRS] = {"pairs", 0.0,
                        "  pairs = function (g, n) -- 0 and 1, 2 and 3, ...\n"
                        "    local to = g + 1 - 2 * (g % 2)\n"
                        "    return to < n and { to } or {}\n"
                        "  end,\n"},
    [PARTNERS_GATHER] = {"gather", 1.0,
                         "  gather = function (g, n) -- all to GPU 0\n"
                         "    return g > 0 and { 0 } or {}\n"
                         "  end,\n"},
    [PARTNERS_SCATTER] = {"scatter", 1.0,
                          "  scatter = function (g, n) -- GPU 0 to all\n"
                          "    local to = {}\n"
                          "    for i = 1, g == 0 and n - 1 or 0 do to[i] = i "
                          "end\n"
                          "    return to\n"
                          "  end,\n"},
};

const char *partners_name(partner_rule r)
{
  return rules[r].name;
}

const char *partners_lua(partner_rule r)
{
  return rules[r].lua;
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
