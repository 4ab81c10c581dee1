/* goodput.c - gpuscale goodput: prints the useful share of a link's traffic. */

#include "common/cli.h"

#include <math.h>

enum {
  LINK,
  ACCESS,
  SIZE,
  WIRE,
  GOODPUT,
  RATE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [LINK] = TEXT("link", "link"),
    [ACCESS] = TEXT("access", "access"),
    [SIZE] = INTEGER("size_B", "size [B]"),
    [WIRE] = INTEGER("wire_B", "wire [B]"),
    [GOODPUT] = PERCENT("goodput", "goodput"),
    [RATE] = NUMBER("rate_Bps", "useful", GSCALE_BYTERATE),
};

static const char *const accesses[GSCALE_ACCESS_END] = {
    [GSCALE_COPY] = "copy", [GSCALE_STORE] = "store"};

/* Changes a link by the options. */
static int change(gscale_link *l, const options *o, failure *why)
{
  const gscale_link_options changes = {.payload = o->payload, .ecrc = o->ecrc};
  gscale_diag diag;

  return check_gscale(why, gscale_link_change(l, &changes, &diag), &diag);
}

/* The link and access with the highest useful rate. */
typedef struct carried {
  const char *link, *access;
  double size, goodput, rate; /* for the largest message */
  double half;                /* B from which half is useful */
} carried;

/* Compares one size with the best. Sizes of one link and access increase. */
static void weigh(carried *best, carried *now, double size, double goodput,
                  double rate)
{
  if (isnan(now->half) && goodput >= 0.5) now->half = size;
  if (goodput < 0.5) now->half = NAN;
  now->size = size;
  now->goodput = goodput;
  now->rate = rate;
  if (rate > best->rate ||
      (best->link == now->link && best->access == now->access))
    *best = *now;
}

static void claim_carried(claim *c, const carried *b)
{
  char rate[48];

  claim_begin(c);
  if (!b->link) return;
  c->value = b->rate;
  gscale_format_quantity(b->rate, GSCALE_BYTERATE, rate, sizeof rate);
  claim_say(c, "%s carries most that is useful: %s by a %s of %.0f B, %.1f%%.",
            b->link, rate, b->access, b->size, 100.0 * b->goodput);
  if (!isnan(b->half))
    claim_say(c, " At least half of its bytes are useful from %.0f B on.",
              b->half);
  else
    claim_say(c, " Less than half of its bytes are useful: make them larger.");
}

static int add_row(rows *r, const gscale_link *l, gscale_access a, double size,
                   const options *o, carried *best, carried *now, failure *why)
{
  const bool masked =
      o->partial || (a == GSCALE_STORE && gscale_store_masked(l, size));
  const double wire = gscale_wire_bytes_at(l, a, o->offset, size, masked);
  cell *c;

  if (isnan(wire))
    return fail(why, EXIT_USAGE,
                "--alignment-offset: %g B is not below the payload of a %s "
                "packet of %s",
                o->offset, accesses[a], l->name);
  c = rows_add(r);
  set_text(&c[LINK], l->name);
  set_text(&c[ACCESS], accesses[a]);
  c[SIZE].number = size;
  c[WIRE].number = wire;
  c[GOODPUT].number = size / wire;
  c[RATE].number = c[GOODPUT].number * l->rate;
  weigh(best, now, size, c[GOODPUT].number, c[RATE].number);
  return EXIT_OK;
}

static int add_link(rows *r, const gscale_link *named, const double *sizes,
                    size_t n, const options *o, carried *best, failure *why)
{
  static const gscale_access order[] = {GSCALE_STORE, GSCALE_COPY};
  gscale_link l = *named;
  int st = change(&l, o, why);

  for (size_t a = 0; a < LENGTH(order); a++) {
    carried now = {
        .link = named->name, .access = accesses[order[a]], .half = NAN};

    for (size_t j = 0; st == EXIT_OK && j < n; j++)
      st = add_row(r, &l, order[a], sizes[j], o, best, &now, why);
  }
  return st;
}

static int goodput_main(options *o, failure *why)
{
  const gscale_link *links[LINKS_MAX];
  double sizes[SIZES_MAX];
  size_t n, m;
  carried best = {0};
  claim said;
  rows *r;
  int st = need_arguments(o, 0, "no arguments", why);

  if (st == EXIT_OK && !o->link)
    st = fail(why, EXIT_USAGE,
              "goodput: needs --link NAME; see `gpuscale list links`");
  if (st == EXIT_OK) st = parse_links(o->link, links, &n, why);
  if (st == EXIT_OK)
    st = parse_sizes(o->sizes ? o->sizes : "4-4096", sizes, &m, why);
  if (st != EXIT_OK) return st;
  r = rows_new("gpuscale.goodput/1", columns, COLUMNS);
  for (size_t i = 0; st == EXIT_OK && i < n; i++)
    st = add_link(r, links[i], sizes, m, o, &best, why);
  claim_carried(&said, &best);
  return rows_print_answer(st, r, &said, o, why);
}

const verb verb_goodput = {
    .place = 40,
    .name = "goodput",
    .usage = "--link NAME,... [options]",
    .summary = "the useful share of a link's bytes, by message size",
    .examples = "gpuscale goodput --link pcie5,nvlink4\n"
                "gpuscale goodput --link nvlink4 --sizes 4,32,128 --partial\n"
                "gpuscale goodput --link pcie4 --payload 128 --ecrc "
                "--alignment-offset 4\n",
    .accepts = "link sizes partial alignment-offset payload ecrc format "
               "output",
    .run = goodput_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
