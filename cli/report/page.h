/* page.h - a page of HTML that needs nothing else: no script, no other file. */
#ifndef GPUSCALE_PAGE_H
#define GPUSCALE_PAGE_H

#include "common/cli.h"
#include "common/membuf.h"

/* Head and foot; between them what follows. */
void page_begin(FILE *f, const char *title);
void page_end(FILE *f);
void page_heading(FILE *f, const char *text);
/* A paragraph, as printf does. */
void page_say(FILE *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* A figure as gnuplot wrote it, with what it shows; `number` tells its names
 * from those of the page's others. */
void page_figure(FILE *f, const draft *svg, int number, const char *caption);

/* A table: its headings; then rows of cells, each as printf does. */
void page_table(FILE *f, const char *const *headings, size_t n);
void page_row(FILE *f);
void page_cell(FILE *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
void page_table_end(FILE *f);

#endif /* GPUSCALE_PAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
