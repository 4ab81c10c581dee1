/* system_option.c - loads the system that options name, and prints names. */

#include "common/cli.h"

#include <math.h>
#include <string.h>

static gscale_status keep_can(gscale_system *s, const gscale_can *given,
                              settings *set, gscale_diag *diag)
{
  gscale_can can = *gscale_system_can(s);

  if (!settings_take(set, "can.peer")) return GSCALE_OK;
  can.peer = given->peer;
  return gscale_system_set_can(s, &can, diag);
}

/* Replaces the link, then applies the numbers of -P again. */
static gscale_status swap_link(gscale_system *s, const gscale_link *l,
                               settings *set, gscale_diag *diag)
{
  gscale_param given[GSCALE_PARAMS_MAX];
  bool is_given[GSCALE_PARAMS_MAX];
  const gscale_can can = *gscale_system_can(s);
  gscale_status st;

  for (size_t i = 0; i < gscale_param_count(); i++) {
    is_given[i] = settings_take(set, gscale_param_info_at(i)->name) != NULL;
    given[i] = *gscale_system_get(s, (gscale_param_id)i);
  }
  st = gscale_system_swap_link(s, l, diag);
  for (size_t i = 0; st == GSCALE_OK && i < gscale_param_count(); i++)
    if (is_given[i])
      st = gscale_system_set(s, (gscale_param_id)i, &given[i], diag);
  return st == GSCALE_OK ? keep_can(s, &can, set, diag) : st;
}

bool is_own_link(const gscale_system *s, const char *link)
{
  const gscale_system_facts facts = gscale_system_about(s);

  return link &&
         (strcmp(facts.link->name, link) == 0 ||
          (facts.network && strcmp(facts.network->link.name, link) == 0));
}

/* Notes once what a machine keeps if its link is replaced. */
static void note_kept(const gscale_system *s, const char *was)
{
  static const char *const peers[] = {"no peer access", "copies by peers",
                                      "loads and stores by peers",
                                      "loads, stores and atomics by peers"};
  static char last[GSCALE_NAME_MAX];
  char packets[64] = "";
  const gscale_link *l = gscale_system_about(s).link;
  const double rate = gscale_system_get(s, gscale_param_find("link.rate"))->val;

  if (strcmp(was, "raw") == 0 || strcmp(last, gscale_system_about(s).name) == 0)
    return;
  snprintf(last, sizeof last, "%s", gscale_system_about(s).name);
  if (strncmp(was, "pcie", 4) == 0 && strncmp(l->name, "pcie", 4) == 0)
    snprintf(packets, sizeof packets, ", packets of up to %g B",
             l->copy_payload);
  print_note("%s, whose link is %s, keeps %s%s and %.0f%% of a link's rate; "
             "its other numbers, known with %s, become assumptions",
             last, was, peers[gscale_system_can(s)->peer], packets,
             100.0 * rate / l->rate, was);
}

int put_link(options *o, gscale_system *s, system_label name, failure *why)
{
  const gscale_link *links[LINKS_MAX];
  size_t n = 0;
  char was[GSCALE_NAME_MAX];
  gscale_diag diag;
  gscale_status swapped;
  int st;

  if (is_own_link(s, o->link)) o->link = NULL; /* the system has that link */
  if (!o->link) return EXIT_OK;
  st = parse_links(o->link, links, &n, why);
  if (st != EXIT_OK) return st;
  if (n != 1)
    return fail(why, EXIT_USAGE, "%s: one link, not '%.100s'", o->verb,
                o->link);
  snprintf(was, sizeof was, "%s", gscale_system_about(s).link->name);
  swapped = swap_link(s, links[0], &o->set, &diag);
  if (swapped != GSCALE_OK) return fail_gscale(why, swapped, &diag);
  if (!gscale_link_between(links[0]) &&
      (strcmp(o->verb, "predict") == 0 || strcmp(o->verb, "compare") == 0))
    note_kept(s, was);
  gscale_append(name, sizeof(system_label), ":%s", links[0]->name);
  return EXIT_OK;
}

int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why)
{
  int st;

  if (!o->system)
    return fail(why, EXIT_USAGE,
                "%s: needs --system SYSTEM; see `gpuscale list systems`",
                o->verb);
  st = load_system(o->system, &o->set, out, more, why);
  if (st != EXIT_OK) return st;
  snprintf(name, sizeof(system_label), "%s", gscale_system_about(*out).name);
  return o->link ? put_link(o, *out, name, why) : EXIT_OK;
}

/* ---- names --------------------------------------------------------------- */

const char *part_name(gscale_part p)
{
  static const char *const names[GSCALE_PART_END] = {
      [GSCALE_PART_COMPUTE] = "compute",
      [GSCALE_PART_HOST] = "host",
      [GSCALE_PART_TRANSFER] = "transfer",
      [GSCALE_PART_INITIATION] = "initiation",
      [GSCALE_PART_TRACKING] = "tracking",
      [GSCALE_PART_TAIL] = "tail",
      [GSCALE_PART_LATENCY] = "latency",
  };

  return names[p];
}

void print_knobs(char *text, size_t size, const gscale_knobs *k)
{
  text[0] = '\0';
  for (size_t i = 0; i < GSCALE_KNOB_END; i++)
    if (!isnan(k->v[i]))
      gscale_append(text, size, "%s%s=%.17g", *text ? ";" : "",
                    gscale_knob_at((gscale_knob)i)->name, k->v[i]);
  if (k->between > 0)
    gscale_append(text, size, "%sbetween=%s", *text ? ";" : "",
                  gscale_between_at(k->between - 1)->name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
