/* goodput.c - gpuscale goodput: the useful share of what a link carries. */

#include "../cli.h"

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

static int add_row(rows *r, const gscale_link *l, gscale_access a, double size,
                   bool masked, failure *why)
{
  cell *c = rows_add(r);

  if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  set_text(&c[LINK], l->name);
  set_text(&c[ACCESS], accesses[a]);
  c[SIZE].number = size;
  c[WIRE].number = gscale_wire_bytes(l, a, size, masked);
  c[GOODPUT].number = gscale_goodput(l, a, size, masked);
  c[RATE].number = c[GOODPUT].number * l->rate;
  return EXIT_OK;
}

int goodput_main(options *o, failure *why)
{
  static const gscale_access order[] = {GSCALE_STORE, GSCALE_COPY};
  const gscale_link *links[LINKS_MAX];
  double sizes[SIZES_MAX];
  size_t n, m;
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
  if (!r) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < sizeof order / sizeof order[0]; a++)
      for (size_t j = 0; st == EXIT_OK && j < m; j++)
        st = add_row(r, links[i], order[a], sizes[j], o->partial, why);
  if (st == EXIT_OK) st = rows_print(r, o, why);
  rows_free(r);
  return st;
}
