/* tape_source.c - the text of a description as a sandbox that records runs it:
 * with calls where Lua would ask nobody. */

#include "language/taped.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of [[...]], [=[...]=]: how long; 0 if it is no such bracket. */
static size_t long_bracket(const char *text, const char *end)
{
  const char *p = text + 1;
  char close[64];
  size_t n = 0;

  while (p < end && *p == '=' && n < sizeof close - 3) p++, n++;
  if (p >= end || *p != '[') return 0;
  close[0] = ']';
  memset(close + 1, '=', n);
  close[n + 1] = ']';
  for (p++; p + n + 2 <= end; p++)
    if (memcmp(p, close, n + 2) == 0) return (size_t)(p - text) + n + 2;
  return (size_t)(end - text);
}

static size_t quoted(const char *text, const char *end)
{
  const char *p = text + 1;

  while (p < end && *p != *text && *p != '\n') p += *p == '\\' ? 2 : 1;
  return p < end ? (size_t)(p - text) + 1 : (size_t)(end - text);
}

/* How long a comment or a text is that begins there; 0 if none does. */
static size_t skipped(const char *p, const char *end)
{
  if (*p == '"' || *p == '\'') return quoted(p, end);
  if (*p == '[') return long_bracket(p, end);
  if (end - p < 2 || p[0] != '-' || p[1] != '-') return 0;
  const size_t n = end - p > 2 && p[2] == '[' ? long_bracket(p + 2, end) : 0;
  if (n > 0) return n + 2;
  const char *line = memchr(p, '\n', (size_t)(end - p));
  return (size_t)((line ? line : end) - p);
}

/* ---- words ------------------------------------------------------------------
 */

static size_t word_length(const char *p, const char *end)
{
  const char *q = p;

  while (q < end && (isalnum((unsigned char)*q) || *q == '_')) q++;
  return (size_t)(q - p);
}

static bool is_word(const char *p, size_t n, const char *word)
{
  return n == strlen(word) && memcmp(p, word, n) == 0;
}

static const char *behind_blanks(const char *p, const char *end)
{
  while (p < end && isspace((unsigned char)*p)) p++;
  return p;
}

/* Behind the `=` of `for i = a, b do`; NULL if the `for` that ends at p is none
 * of numbers. */
static const char *behind_equals(const char *p, const char *end)
{
  p = behind_blanks(p, end);
  const size_t n = word_length(p, end);
  p = behind_blanks(p + n, end);
  return n > 0 && end - p > 1 && p[0] == '=' && p[1] != '=' ? p + 1 : NULL;
}

/* ---- rewritten --------------------------------------------------------------
 */

/* What is written, and where in the source that is. */
typedef struct writer {
  const char *p, *end;
  char *to;
  bool counts;  /* in the numbers of a loop, */
  int brackets; /* inside so many */
} writer;

static void put_text(writer *w, const char *text)
{
  const size_t n = strlen(text);

  memcpy(w->to, text, n);
  w->to += n;
}

static void copy(writer *w, size_t n)
{
  memcpy(w->to, w->p, n);
  w->to += n;
  w->p += n;
}

/* A word, or a number. */
static void rewrite_word(writer *w, size_t n)
{
  const char *numbers =
      is_word(w->p, n, "for") ? behind_equals(w->p + n, w->end) : NULL;
  const bool begins = w->counts && w->brackets == 0 && is_word(w->p, n, "do");

  if (begins) put_text(w, ") ");
  w->counts = w->counts && !begins;
  copy(w, numbers ? (size_t)(numbers - w->p) : n);
  if (!numbers) return;
  put_text(w, " " PLAIN "(");
  w->counts = true;
  w->brackets = 0;
}

/* What stands for the token that begins there, and how long that is. */
static const char *instead(const writer *w, size_t *length)
{
  const char *p = w->p;
  const bool equals = w->end - p > 1 && p[1] == '=';

  *length = 1;
  if (*p == '[') return "[" PLAIN "(";
  if (*p == ']') return ")]";
  if (*p == ',' && w->counts && w->brackets == 0) return "), " PLAIN "(";
  *length = 2;
  if (equals && (*p == '<' || *p == '>')) return *p == '<' ? "<=" : ">=";
  if (equals && *p == '=') return " <= " EQUALS " .. ";
  if (equals && *p == '~') return " > " DIFFERS " .. ";
  return NULL;
}

static void rewrite_token(writer *w)
{
  size_t n;
  const char *other = instead(w, &n);

  w->brackets += *w->p == '(' || *w->p == '{' || *w->p == '[';
  w->brackets -= *w->p == ')' || *w->p == '}' || *w->p == ']';
  if (!other) {
    copy(w, 1);
    return;
  }
  put_text(w, other);
  w->p += n;
}

char *tape_source(const char *text, size_t size, size_t *length)
{
  char *out = malloc(32 * size + 1); /* a letter becomes 24 */
  writer w = {.p = text, .end = text + size, .to = out};

  while (out && w.p < w.end) {
    const size_t skip = skipped(w.p, w.end);
    const size_t word = skip > 0 ? 0 : word_length(w.p, w.end);

    if (skip > 0)
      copy(&w, skip);
    else if (word > 0)
      rewrite_word(&w, word);
    else
      rewrite_token(&w);
  }
  *length = (size_t)(w.to - out);
  return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
