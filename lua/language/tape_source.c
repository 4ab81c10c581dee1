/* tape_source.c - the text of a description as a sandbox that records runs it:
 * with calls where Lua would ask nobody. */

#include "language/taped.h"

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

/* What stands for the token that begins there, and how long that is. */
static const char *instead(const char *p, const char *end, size_t *length)
{
  const bool equals = end - p > 1 && p[1] == '=';

  *length = 1;
  if (*p == '[') return "[" KEY "(";
  if (*p == ']') return ")]";
  *length = 2;
  if (equals && (*p == '<' || *p == '>')) return *p == '<' ? "<=" : ">=";
  if (equals && *p == '=') return " <= " EQUALS " .. ";
  if (equals && *p == '~') return " > " DIFFERS " .. ";
  return NULL;
}

char *tape_source(const char *text, size_t size, size_t *length)
{
  const char *p = text, *const end = text + size;
  char *out = malloc(32 * size + 1), *to = out; /* a letter becomes 24 */

  while (out && p < end) {
    size_t n = skipped(p, end), m;
    const char *other_one = n > 0 ? NULL : instead(p, end, &m);

    if (other_one) {
      memcpy(to, other_one, strlen(other_one));
      to += strlen(other_one);
      p += m;
      continue;
    }
    if (n == 0) n = 1;
    memcpy(to, p, n);
    to += n;
    p += n;
  }
  *length = (size_t)(to - out);
  return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
