/* page.c - writes the parts of a page of HTML. */

#include "report/page.h"

#include <stdarg.h>
#include <string.h>

static const char style[] =
    "body { font: 16px/1.5 Helvetica, Arial, sans-serif; color: #222;\n"
    "  max-width: 46em; margin: 2em auto; padding: 0 1em; }\n"
    "h1 { font-size: 1.6em; margin-bottom: 0.2em; }\n"
    "h2 { font-size: 1.2em; margin-top: 2em; border-bottom: 1px solid #ccc; }\n"
    "table { border-collapse: collapse; font-size: 0.85em; width: 100%; }\n"
    "th, td { text-align: left; padding: 0.2em 0.6em;\n"
    "  border-bottom: 1px solid #ddd; vertical-align: top;\n"
    "  overflow-wrap: break-word; }\n"
    "td:not(:last-child) { white-space: nowrap; }\n"
    "th { border-bottom: 2px solid #888; }\n"
    "figure { margin: 1em 0; }\n"
    "figure svg { width: 100%; height: auto; max-width: 640px; }\n"
    "figcaption { font-size: 0.85em; color: #555; }\n"
    ".scroll { overflow-x: auto; }\n"
    "@media print { body { max-width: none; } figure { break-inside: avoid; } "
    "}\n";

void page_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n"
        "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\" />\n"
        "<meta name=\"viewport\" content=\"width=device-width\" />\n<title>",
        f);
  put_markup(f, title);
  fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
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

/* Where names of an SVG are defined and used. */
static size_t begins_name(const char *at)
{
  static const char *const before[] = {"id='", "id=\"", "url(#", "href='#",
                                       "href=\"#"};

  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (strncmp(at, before[i], strlen(before[i])) == 0)
      return strlen(before[i]);
  return 0;
}

void page_figure(FILE *f, const draft *svg, int number, const char *caption)
{
  const char *at = strstr(svg->at, "<svg"); /* without the head of a file */

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
