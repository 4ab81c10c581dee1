/* strip.c - removal of text that launchers, terminals and pages add to lines of
 * a log. */

#include "ground/source.h"

#include <string.h>

/* A pattern matches the beginning of a line. # is digits, * is text without
 * blanks and brackets, and @ is such text without colons and with a digit. ~ is
 * any text up to the next character of the pattern, and _ is blanks or nothing.
 * All other characters match themselves. */
static const struct {
  const char *name, *pattern;
} prefixes[] = {
    {"ranks of mpirun", "[~,#]<*>_:"},
    {"ranks of mpirun", "* * _#_#:#:# #[#,#]<*>:"},
    {"times", "#-#-#T*_"},
    {"times", "#-#-# #:#:*_"},
    {"times", "#/#/# #:#:*_"},
    {"times", "[#-#-# #:#:~]_"},
    {"times", "#:#:*_"},
    {"names of streams", "std* F "},
    {"names of workers", "(* pid=~)_"},
    {"levels", "- * - "},
    {"ranks", "#:_"},
    {"names of hosts", "@: "},
    {"names in brackets", "[*]:_"},
    {"names in brackets", "[*]_"},
    {"names of containers", "*_| "},
    {"quotation marks", ">_"},
    {"quotation marks", "&gt;_"},
};

enum {
  PREFIXES = LENGTH(prefixes)
};

static bool blank(char c)
{
  return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at)
{
  while (blank(*at)) at++;
  return at;
}

/* Returns the end of the text that one pattern character matches, or NULL. */
static const char *match_one(const char *pattern, const char *at)
{
  const char *const from = at;

  switch (*pattern) {
  case '_':
    return skip_blanks(at);
  case '#':
    at += strspn(at, "0123456789");
    break;
  case '*':
    at += strcspn(at, " \t[](){}<>|\"");
    break;
  case '@':
    at += strcspn(at, " \t[](){}<>|\":");
    return strcspn(from, "0123456789") < (size_t)(at - from) ? at : NULL;
  case '~':
    at += strcspn(at, (const char[]){pattern[1], '\0'});
    break;
  default:
    at += *at == *pattern;
  }
  return at > from ? at : NULL;
}

static const char *match(const char *pattern, const char *at)
{
  for (; at && *pattern; pattern++) at = match_one(pattern, at);
  return at;
}

/* Returns the start of the text after all prefixes of a line.  A number sign is
 * a prefix, except before a row. */
static const char *behind_prefixes(const char *at, unsigned *found)
{
  for (size_t i = 0; i < PREFIXES;) {
    at = skip_blanks(at);
    const char *const end = match(prefixes[i].pattern, at);
    if (end && *end) {
      *found |= 1u << i;
      at = end;
      i = 0;
    } else {
      i++;
    }
  }
  if (*at != '#') return at;
  const char *const word = skip_blanks(at + strspn(at, "#"));
  return *word >= '0' && *word <= '9' ? at : word;
}

/* Returns the length of an escape sequence of a terminal, or 0. */
static size_t escape(const char *at)
{
  if (at[0] != '\033' || at[1] != '[') return 0;
  const size_t n = 2 + strspn(at + 2, "0123456789;?");
  return at[n] ? n + 1 : n;
}

/* Copies a line without escapes and without carriage returns, which erase the
 * text before them.  Lines of a Markdown table lose their bars.  Returns the
 * end of the copy. */
static char *copy_line(char *out, const char *from, const char *end)
{
  const bool bars = *from == '|';
  char *const start = out;

  for (const char *at = from; at < end; at++) {
    const size_t n = escape(at);

    if (n > 0) {
      at += n - 1;
    } else if (*at == '\r') {
      if (at + 1 < end && at[1] != '\r') out = start;
    } else if (at[0] == '\xC2' && at[1] == '\xA0') { /* no-break space */
      *out++ = ' ';
      at++;
    } else {
      *out++ = bars && *at == '|' ? ' ' : *at;
    }
  }
  return out;
}

/* Rewrites all lines in place, without escapes, then without prefixes. */
static unsigned strip(gscale__source *s)
{
  unsigned found = 0;
  char *out = s->text;

  for (const char *at = s->text, *const end = at + s->size; at < end;) {
    const char *const feed = memchr(at, '\n', (size_t)(end - at));
    const char *const stop = feed ? feed : end;
    char *const line = out;

    out = copy_line(out, at, stop);
    at = stop;
    if (feed) at++;
    const char saved = *out;
    *out = '\0'; /* at most at the place of the line feed */
    const char *const text = behind_prefixes(line, &found);
    *out = saved;
    memmove(line, text, (size_t)(out - text));
    out -= text - line;
    if (feed) *out++ = '\n';
  }
  s->size = (size_t)(out - s->text);
  *out = '\0';
  return found;
}

void gscale__strip(gscale__source *s)
{
  char names[160] = "";

  if (strchr("{<", s->text[strspn(s->text, " \t\r\n")])) return;
  const unsigned found = strip(s);
  for (size_t i = 0; i < PREFIXES; i++)
    if (found >> i & 1u && !strstr(names, prefixes[i].name))
      gscale_append(names, sizeof names, "%s%s", *names ? ", " : "",
                    prefixes[i].name);
  if (*names)
    gscale__remark(s, GSCALE_REMARK_NOTE, NULL,
                   "read without the prefixes of its lines: %s", names);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
