/* json.c - JSON values from jansson, with places in the text. */

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
  /* If there is no memory, jansson reports nothing or an invalid token. */
  if (json_error_code(&error) == json_error_out_of_memory || !*error.text ||
      errno == ENOMEM)
    return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
  size_t at = error.position > 0 ? (size_t)error.position : 0;
  if (at > part.size) at = part.size;
  return gscale__bad(s, part.at + at, "JSON: %.120s", error.text);
}

static const char *skip_blanks(const char *at)
{
  return at + strspn(at, " \t\r\n");
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
    } else { /* a number or a word */
      at += strcspn(at + (*at != '\0'), "\"[]{}, \t\r\n") + (*at != '\0');
    }
  } while (depth > 0 && *at);
  return at;
}

/* Returns the place of the next element in the text. */
static const char *next(const char *element)
{
  const char *const behind = skip_blanks(skip_value(element));
  return *behind == ',' ? skip_blanks(behind + 1) : element;
}

/* Returns the place of a key's value in the text. */
static const char *member(const char *object, const char *key)
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
    at = next(value);
    if (at == value) break;
  }
  return object;
}

gscale__item gscale__json_member(gscale__item object, const char *key)
{
  return (gscale__item){json_object_get(object.is, key), member(object.at, key),
                        0};
}

gscale__item gscale__json_first(gscale__item array)
{
  const char *const at =
      *array.at == '[' ? skip_blanks(array.at + 1) : array.at;
  return (gscale__item){json_array_get(array.is, 0), at, 0};
}

gscale__item gscale__json_next(gscale__item array, gscale__item element)
{
  const size_t i = element.index + 1;
  return (gscale__item){json_array_get(array.is, i), next(element.at), i};
}

gscale_status gscale__json_number(gscale__source *s, gscale__item value,
                                  const char *what, double *out)
{
  if (json_is_number(value.is)) {
    *out = json_number_value(value.is);
    return GSCALE_OK;
  }
  const char *const text = json_string_value(value.is);
  if (!text) return gscale__bad(s, value.at, "%s: not a number", what);
  if (gscale__is_number((gscale__part){text, strlen(text)}, out))
    return GSCALE_OK;
  return gscale__bad(s, value.at, "%s: not a finite decimal number: '%.48s'",
                     what, text);
}

gscale_status gscale__read_json(gscale__source *s,
                                gscale_status (*read)(gscale__source *s,
                                                      gscale__item root))
{
  json_t *root;
  gscale_status st = gscale__json(s, (gscale__part){s->text, s->size}, &root);
  if (st != GSCALE_OK) return st;
  st = read(s, (gscale__item){root, gscale__json_root(s), 0});
  json_decref(root);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
