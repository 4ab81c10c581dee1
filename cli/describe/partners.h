/* partners.h - declares rules for the partners of copies for all N. */
#ifndef GPUSCALE_DESCRIBE_PARTNERS_H
#define GPUSCALE_DESCRIBE_PARTNERS_H

#include <stdbool.h>

/* The rules, whose numbers in body.lua are these. */
typedef enum partner_rule {
  PARTNERS_NEIGHBOURS,
  PARTNERS_RING,
  PARTNERS_NEXT,
  PARTNERS_ALL,
  PARTNERS_GRID,
  PARTNERS_PAIRS,
  PARTNERS_GATHER,
  PARTNERS_SCATTER,
  PARTNERS_END
} partner_rule;

const char *partners_name(partner_rule r); /* such as "neighbours" */
/* Returns the power of 1 / n with which a copy shrinks at a fixed problem size,
 * if all data are exchanged. */
double partners_growth(partner_rule r);
/* Sets to[i] if GPU g copies to GPU i by the rule. */
void partners_of(partner_rule r, int g, int n, bool *to);
/* Returns true if the rule gives exactly the copies sends[g * n + i]. */
bool partners_fit(partner_rule r, const bool *sends, int n);

#endif /* GPUSCALE_DESCRIBE_PARTNERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
