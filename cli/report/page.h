/* page.h - writes an HTML page without scripts and external files. */
#ifndef GPUSCALE_PAGE_H
#define GPUSCALE_PAGE_H

#include "common/cli.h"
#include "common/membuf.h"

/* Functions that write the head and the foot of a page. */
void page_begin(FILE *f, const char *title);
void page_end(FILE *f);
void page_heading(FILE *f, const char *text);
/* Writes a paragraph in the format of printf(). */
void page_say(FILE *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a figure of gnuplot with a caption. `number` makes the figure's names
 * unique in the page. */
void page_figure(FILE *f, const draft *svg, int number, const char *caption);

/* Functions that write the headings of a table, then rows of cells in the
 * format of printf(). */
void page_table(FILE *f, const char *const *headings, size_t n);
void page_row(FILE *f);
void page_cell(FILE *f, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
void page_table_end(FILE *f);

#endif /* GPUSCALE_PAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
