/* page.c - writes parts of an HTML page. */

#include "report/page.h"

#include <stdarg.h>
#include <string.h>

/* The style of pages is for light and dark screens of 380 pixels or more and
 * for paper. On dark pages, black and white parts of figures are inverted. */
static const char *const style[] = {
    ":root { --ink: #222; --page: #fff; --line: #ddd; --rule: #888; --pale: "
    "#555; }\n",
    "body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: var(--ink);\n",
    "  background: var(--page); max-width: 46em; margin: 2em auto; padding: 0 "
    "1em;\n",
    "  overflow-wrap: break-word; }\n",
    "h1 { font-size: 1.6em; margin-bottom: 0.2em; }\n",
    "h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid "
    "var(--line); }\n",
    "table { border-collapse: collapse; font-size: 0.85em; width: 100%; }\n",
    "th, td { text-align: left; padding: 0.2em 0.6em; vertical-align: top;\n",
    "  border-bottom: 1px solid var(--line); }\n",
    "td:not(:last-child) { white-space: nowrap; }\n",
    "td:last-child { min-width: 14em; }\n",
    "th { border-bottom: 2px solid var(--rule); }\n",
    "figure { margin: 1em 0; overflow-x: auto; }\n",
    "figure svg { width: 100%; height: auto; min-width: 34em; max-width: "
    "640px; }\n",
    "figcaption { font-size: 0.85em; color: var(--pale); }\n",
    ".scroll { overflow-x: auto; }\n",
    ".sliders label { display: flex; gap: 0.6em; align-items: center; }\n",
    ".sliders span { flex: 0 0 6em; }\n",
    ".sliders input { flex: 1 1 6em; min-width: 5em; }\n",
    ".sliders output { flex: 0 0 6em; }\n",
    "#moves svg { min-width: 0; font-size: 14px; }\n",
    "#moves td { min-width: 0; }\n",
    "#moves text { fill: var(--ink); }\n",
    "#moves text.far, #moves text.ideal { fill: var(--pale); }\n",
    ".grid { stroke: var(--line); fill: none; }\n",
    ".cursor { stroke: var(--pale); stroke-dasharray: 2 3; fill: none; }\n",
    ".curve { fill: none; stroke-width: 1.5; }\n",
    ".first { stroke-width: 3; }\n",
    ".far, .ideal { stroke: var(--rule); stroke-width: 1; }\n",
    "#moves text { stroke: none; }\n",
    "#moves text.first { font-weight: bold; }\n",
    ".band { fill-opacity: 0.2; }\n",
    ".beyond { fill: var(--line); fill-opacity: 0.4; }\n",
    "@media screen and (prefers-color-scheme: dark) {\n",
    ":root { --ink: #ddd; --page: #181818; --line: #444; --rule: #888;\n",
    "  --pale: #aaa; }\n",
    "figure rect[fill=\"#ffffff\"] { fill: none; }\n",
    "figure g[fill=\"rgb(34,34,34)\"], figure g[fill=\"black\"] { fill: #ddd; "
    "}\n",
    "figure g[fill=\"rgb(85,85,85)\"], figure g[fill=\"rgb(118,118,118)\"],\n",
    "figure g[fill=\"rgb(119,119,119)\"] { fill: #aaa; }\n",
    "figure g[color=\"black\"], figure g[color=\"gray\"] { color: #ccc; }\n",
    "figure [stroke=\"rgb( 68,  68,  68)\"], figure [stroke=\"rgb(  0,   0,   "
    "0)\"],\n",
    "figure [stroke=\"black\"] { stroke: #bbb; }\n",
    "figure [stroke=\"rgb(221, 221, 221)\"] { stroke: #444; }\n",
    "figure [stroke=\"rgb(196, 196, 196)\"] { stroke: #666; }\n",
    "figure polygon[fill=\"rgb(238, 238, 238)\"] { fill: #2c2c2c; }\n",
    "}\n",
    "@media (max-width: 30em) {\n",
    "body { margin: 1em auto; padding: 0 0.7em; }\n",
    "}\n",
    "@media print {\n",
    "body { max-width: none; margin: 0; font-size: 11pt; }\n",
    "figure, tr, .sliders { break-inside: avoid; }\n",
    "h2 { break-after: avoid; }\n",
    "figure, .scroll { overflow: visible; }\n",
    "figure svg { min-width: 0; max-width: 13cm; }\n",
    "table { font-size: 8.5pt; line-height: 1.25; }\n",
    "th, td { padding: 0.1em 0.4em; }\n",
    "td:not(:last-child) { white-space: normal; }\n",
    "td:last-child { min-width: 0; }\n",
    "}\n",
};

void page_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n"
        "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\" />\n"
        "<meta name=\"viewport\" content=\"width=device-width\" />\n<title>",
        f);
  put_markup(f, title);
  fputs("</title>\n<style>\n", f);
  for (size_t i = 0; i < LENGTH(style); i++) fputs(style[i], f);
  fputs("</style>\n</head>\n<body>\n<h1>", f);
  put_markup(f, title);
  fputs("</h1>\n", f);
}

void page_end(FILE *f)
{
  fputs("</body>\n</html>\n", f);
}

void page_heading(FILE *f, const char *text)
{
  fputs("<h2>", f);
  put_markup(f, text);
  fputs("</h2>\n", f);
}

static void put_formatted(FILE *f, const char *words, va_list arguments)
{
  put_markup(f, formatted(words, arguments));
}

void page_say(FILE *f, const char *words, ...)
{
  va_list arguments;

  fputs("<p>", f);
  va_start(arguments, words);
  put_formatted(f, words, arguments);
  va_end(arguments);
  fputs("</p>\n", f);
}

/* ---- figures ------------------------------------------------------------- */

/* Recognizes definitions and uses of names in an SVG. */
static size_t begins_name(const char *at)
{
  static const char *const before[] = {"id='", "id=\"", "url(#", "href='#",
                                       "href=\"#"};

  for (size_t i = 0; i < LENGTH(before); i++)
    if (strncmp(at, before[i], strlen(before[i])) == 0)
      return strlen(before[i]);
  return 0;
}

void page_figure(FILE *f, const draft *svg, int number, const char *caption)
{
  const char *at = strstr(svg->at, "<svg"); /* skips the XML head */

  fputs("<figure>\n", f);
  while (at && *at) {
    const size_t n = begins_name(at);

    if (n > 0) {
      fprintf(f, "%.*sf%d-", (int)n, at, number);
      at += n;
    } else {
      putc(*at++, f);
    }
  }
  fputs("<figcaption>", f);
  put_markup(f, caption);
  fputs("</figcaption>\n</figure>\n", f);
}

/* ---- tables -------------------------------------------------------------- */

void page_table(FILE *f, const char *const *headings, size_t n)
{
  fputs("<div class=\"scroll\"><table>\n<tr>", f);
  for (size_t i = 0; i < n; i++) {
    fputs("<th>", f);
    put_markup(f, headings[i]);
    fputs("</th>", f);
  }
}

void page_row(FILE *f)
{
  fputs("</tr>\n<tr>", f);
}

void page_cell(FILE *f, const char *words, ...)
{
  va_list arguments;

  fputs("<td>", f);
  va_start(arguments, words);
  put_formatted(f, words, arguments);
  va_end(arguments);
  fputs("</td>", f);
}

void page_table_end(FILE *f)
{
  fputs("</tr>\n</table></div>\n", f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
