/* json.c - JSON by jansson, and the places of its values in the text. */

#include "import/import.h"

#include <errno.h>
#include <string.h>

gscale_status gscale__json(gscale__source *s, gscale__part part, json_t **out)
{
  json_error_t error;
  errno = 0;
  json_t *const value =
      json_loadb(part.at, part.size, JSON_REJECT_DUPLICATES, &error);

  if (value) {
    *out = value;
    return GSCALE_OK;
  }
  /* without memory jansson says nothing, or that a token is invalid */
  if (json_error_code(&error) == json_error_out_of_memory || !*error.text ||
      errno == ENOMEM)
    return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
  size_t at = error.position > 0 ? (size_t)error.position : 0;
  if (at > part.size) at = part.size;
  return gscale__bad(s, part.at + at, "JSON: %.120s", error.text);
}

/* ---- places ----------------------------------------------------------------
 * The text is valid JSON with a NUL behind it, at which all of these stop even
 * if it were not. */

static const char *skip_blanks(const char *at)
{
  return at + strspn(at, " \t\n");
}

const char *gscale__json_root(const gscale__source *s)
{
  return skip_blanks(s->text);
}

static const char *skip_string(const char *at)
{
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
  size_t depth = 0;
  do {
    if (*at == '"') {
      at = skip_string(at);
    } else if (*at == '[' || *at == '{') {
      depth++;
      at++;
    } else if (depth > 0 && (*at == ']' || *at == '}')) {
      depth--;
      at++;
    } else { /* to the end of a number or word, or to the next of the above */
      at += strcspn(at + (*at != '\0'), "\"[]{}, \t\n") + (*at != '\0');
    }
  } while (depth > 0 && *at);
  return at;
}

const char *gscale__json_next(const char *element)
{
  const char *const behind = skip_blanks(skip_value(element));
  return *behind == ',' ? skip_blanks(behind + 1) : element;
}

const char *gscale__json_first(const char *array)
{
  return *array == '[' ? skip_blanks(array + 1) : array;
}

const char *gscale__json_member(const char *object, const char *key)
{
  const size_t n = strlen(key);
  if (*object != '{') return object;

  const char *at = skip_blanks(object + 1);
  while (*at == '"') {
    const char *const end = skip_string(at);
    const bool found =
        (size_t)(end - at) == n + 2 && strncmp(at + 1, key, n) == 0;
    const char *const colon = skip_blanks(end);
    if (*colon != ':') break;
    const char *const value = skip_blanks(colon + 1);
    if (found) return value;
    const char *const next = gscale__json_next(value);
    if (next == value) break;
    at = next;
  }
  return object;
}

gscale_status gscale__json_number(gscale__source *s, const char *at,
                                  const json_t *value, const char *what,
                                  double *out)
{
  if (json_is_number(value)) {
    *out = json_number_value(value);
    return GSCALE_OK;
  }
  const char *const text = json_string_value(value);
  if (!text) return gscale__bad(s, at, "%s: not a number", what);
  if (gscale__is_number((gscale__part){text, strlen(text)}, out))
    return GSCALE_OK;
  return gscale__bad(s, at, "%s: not a finite decimal number: '%.48s'", what,
                     text);
}
