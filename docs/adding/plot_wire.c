/* plot_wire.c - what an aligned store takes on a link. */

#include "figures/figures.h"

static void put_sizes(FILE *f, const gscale_link *l, const double *sizes,
                      size_t n)
{
  figure_data(f, "wire");
  for (size_t i = 0; i < n; i++) {
    figure_number(f, sizes[i]);
    figure_number(f, gscale_wire_bytes(l, GSCALE_STORE, sizes[i], false));
    putc('\n', f);
  }
  figure_end(f);
}

int plot_wire(options *o, failure *why)
{
  static const char title[] = "bytes on the wire of one aligned store";
  const gscale_link *links[LINKS_MAX];
  double sizes[SIZES_MAX];
  size_t n = 0, m = 0;
  figure g;
  int st = need_arguments(o, 1, "wire", why);

  if (st == EXIT_OK) st = parse_links(o->link ? o->link : "pcie5", links, &n, why);
  if (st == EXIT_OK) st = parse_sizes(o->sizes ? o->sizes : "4-4096", sizes, &m, why);
  if (st != EXIT_OK) return st;
  st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);
  if (st == EXIT_OK) {
    figure_title(g.f, title);
    put_sizes(g.f, links[0], sizes, m);
    st = figure_draw(&g, "p_wire.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}
/* SPDX-License-Identifier: GPL-3.0-or-later */
