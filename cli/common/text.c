/* text.c - prints text for people in lines of at most 80 columns. */

#include "common/cli.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static bool begins_character(char c)
{
  return ((unsigned char)c & 0xc0) != 0x80;
}

int text_width(const char *text)
{
  int n = 0;

  for (; *text; text++) n += begins_character(*text);
  return n;
}

/* Returns true for a word of a field's name, and false for a file extension. */
static bool is_word(const char *text)
{
  const int least = 4;
  int n = 0;

  while (n < least && isalpha((unsigned char)text[n])) n++;
  return n == least;
}

/* Returns true if a line may end before text[i] with i > 0: at a blank, between
 * list entries, or between words of a field's name. */
static bool may_break(const char *text, size_t i)
{
  const char last = text[i - 1];

  return text[i] == ' ' || last == ';' || (last == ',' && text[i] != ' ') ||
         (last == '.' && is_word(text + i));
}

size_t text_fit(const char *text, int width, size_t *next)
{
  size_t i = strspn(text, " "), broken = 0;
  int used = (int)i;

  for (; text[i] && used <= width; i++) {
    if (i > 0 && text[i - 1] != ' ' && may_break(text, i)) broken = i;
    if (used == width && begins_character(text[i])) break;
    used += begins_character(text[i]);
  }
  if (!text[i]) broken = i;
  if (broken == 0) broken = i; /* a word longer than a line */
  *next = broken + strspn(text + broken, " ");
  return broken;
}

int text_least(const char *text, int most)
{
  int least = 0;

  while (*text && least < most) {
    size_t n = strspn(text, " "), from;

    from = n;
    while (text[n] && (n == from || !may_break(text, n))) n++;
    int w = 0;
    for (size_t i = from; i < n; i++) w += begins_character(text[i]);
    if (w > least) least = w;
    text += n;
  }
  return least < most ? least : most;
}

const char *formatted(const char *words, va_list arguments)
{
  static char text[SETTINGS_TEXT + 4096]; /* room for the longest message */

  vsnprintf(text, sizeof text, words, arguments);
  return text;
}

void put_line(FILE *f, int hang, const char *words, ...)
{
  va_list arguments;
  const char *text, *at;
  int indent = 0;

  va_start(arguments, words);
  text = formatted(words, arguments);
  va_end(arguments);
  for (at = text; *at || at == text;) {
    size_t next;
    const size_t n = text_fit(at, LINE_WIDTH - indent, &next);

    fprintf(f, "%*s%.*s\n", indent, "", (int)n, at);
    if (!*at) break;
    at += next;
    indent = hang;
  }
}

const char *base_name(const char *path)
{
  const char *const slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

size_t put_character(FILE *f, const char *text)
{
  uint32_t code;
  const size_t n = character_at(text, &code);

  if (n == 1 && code >= 128)
    putc('?', f);
  else if (code >= ' ' && code != 0x7f)
    fwrite(text, 1, n, f);
  return n;
}

void put_markup(FILE *f, const char *text)
{
  static const char *const escaped[256] = {
      ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};

  while (*text) {
    const char *const instead = escaped[(unsigned char)*text];

    if (instead) fputs(instead, f);
    text += instead ? 1 : put_character(f, text);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
