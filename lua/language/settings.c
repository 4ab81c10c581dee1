/* settings.c - failures with messages, near names, and settings of -P. */

#include "language/language.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int fail(failure *why, int status, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  vsnprintf(why->text, sizeof why->text, fmt, args);
  va_end(args);
  /* Only the program's own texts and forwarded failures have several lines. */
  plain_text(why->text, strcmp(fmt, "%s") == 0 || strchr(fmt, '\n'));
  why->status = status;
  return status;
}

size_t character_at(const char *text, uint32_t *code)
{
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char first = (unsigned char)*text;
  const size_t more = first >= 0xf0   ? 3
                      : first >= 0xe0 ? 2
                      : first >= 0xc2 ? 1
                                      : 0;

  *code = more ? first & (0x3fu >> more) : first;
  for (size_t i = 1; i <= more; i++) {
    if (((unsigned char)text[i] & 0xc0) != 0x80) return *code = first, 1;
    *code = *code << 6 | ((unsigned char)text[i] & 0x3fu);
  }
  if (*code >= least[more] && *code <= 0x10ffff && *code >> 11 != 0x1b)
    return more + 1;
  return *code = first, 1;
}

/* Returns whether a terminal takes the code for a control or a direction. */
static bool is_control(uint32_t c)
{
  return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void plain_text(char *text, bool lines)
{
  uint32_t code;

  for (size_t n; *text; text += n) {
    n = character_at(text, &code);
    if (is_control(code) && !(lines && *text == '\n')) memset(text, '?', n);
  }
}

int exit_of(gscale_status st)
{
  switch (st) {
  case GSCALE_OK:
    return EXIT_OK;
  case GSCALE_EIO:
    return EXIT_IO;
  case GSCALE_ENOMEM:
    return EXIT_INTERNAL;
  case GSCALE_ENUMERIC:
    return EXIT_NUMERIC;
  default:
    return st < GSCALE_STATUS_END ? EXIT_DATA : EXIT_INTERNAL;
  }
}

int fail_gscale(failure *why, gscale_status st, const gscale_diag *diag)
{
  const bool memory = st == GSCALE_EIO && errno == ENOMEM; /* from fopen() */

  return fail(why, memory ? EXIT_INTERNAL : exit_of(st), "%.*s",
              GSCALE_TEXT_MAX, diag->text);
}

int check_gscale(failure *why, gscale_status st, const gscale_diag *diag)
{
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, diag);
}

/* ---- near names ---------------------------------------------------------- */

enum {
  WORD_MAX = 64
};

static size_t least_of(size_t a, size_t b)
{
  return a < b ? a : b;
}

static int lower(char c)
{
  return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

/* Returns the edit distance in insertions, deletions, replacements and swaps of
 * neighbouring letters. Case does not count. Both words must be shorter than
 * WORD_MAX. */
static size_t distance(const char *a, const char *b)
{
  const size_t n = strlen(b);
  size_t d[3][WORD_MAX] = {{0}}; /* three rows, over prefixes */
  size_t i = 0;

  for (size_t j = 0; j <= n; j++) d[0][j] = j;
  for (; a[i]; i++) {
    const size_t *before = d[(i + 2) % 3], *last = d[i % 3];
    size_t *row = d[(i + 1) % 3];

    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      const bool swapped =
          i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];

      row[j + 1] = least_of(last[j] + (lower(a[i]) != lower(b[j])),
                            1 + least_of(row[j], last[j + 1]));
      if (swapped) row[j + 1] = least_of(row[j + 1], 1 + before[j - 1]);
    }
  }
  return d[i % 3][n];
}

const char *nearest(const char *word, const char *const names[], size_t n)
{
  const char *best = NULL;
  const size_t length = strlen(word);
  size_t least = length / 3 + 1; /* more wrong letters: not near */

  if (length >= WORD_MAX) return NULL;
  for (size_t i = 0; i < n; i++) {
    if (strlen(names[i]) >= WORD_MAX) continue;

    const size_t d = distance(word, names[i]);
    if (d < least) {
      least = d;
      best = names[i];
    }
  }
  return best;
}

const char *hinted(hint text, const char *near, const char *otherwise)
{
  if (!near) return otherwise;
  snprintf(text, sizeof(hint), "; did you mean '%s'?", near);
  return text;
}

/* Lists the first names that begin with `what`, or contain it. Returns false if
 * no name does. */
static bool list_completions(char *text, size_t size, const char *what,
                             bool inside, const char *const *names, size_t n)
{
  enum {
    LISTED = 4
  };
  const char *found[LISTED];
  size_t are = 0;
  bool fits = true;

  for (size_t i = 0; *what && i < n && are < LISTED; i++) {
    const bool twice = i > 0 && strcmp(names[i], names[i - 1]) == 0;
    const char *at = strstr(names[i], what);
    if (!twice && at && (inside || at == names[i])) found[are++] = names[i];
  }
  *text = '\0';
  for (size_t i = 0; i < are; i++)
    fits = gscale_append(text, size, "%s'%s'",
                         i == 0         ? ""
                         : i + 1 == are ? " or "
                                        : ", ",
                         found[i]);
  return are > 0 && fits;
}

const char *suggested(hint text, const char *word, const char *const names[],
                      size_t n, const char *otherwise)
{
  char longer[sizeof(hint) - 32];

  const size_t few = 3; /* largest number of listed names */

  const char *near = nearest(word, names, n);
  const size_t size = sizeof longer;
  if (strlen(word) < few ||
      (!list_completions(longer, size, word, false, names, n) &&
       (near || !list_completions(longer, size, word, true, names, n))))
    return hinted(text, near, otherwise);
  snprintf(text, sizeof(hint), "; did you mean %s?", longer);
  return text;
}

/* ---- values -------------------------------------------------------------- */

/* Returns the start of the error, and the length of the value before it. */
static const char *find_error(const char *text, size_t *length)
{
  static const char *const signs[] = {"+-", "+/-", "\xc2\xb1"};

  for (size_t i = 0; i < LENGTH(signs); i++) {
    const char *sign = strstr(text, signs[i]);

    if (!sign) continue;
    *length = (size_t)(sign - text);
    return sign + strlen(signs[i]);
  }
  *length = strlen(text);
  return NULL;
}

/* Copies a text without the blanks at both ends. */
static void copy_trimmed(char *to, size_t size, const char *from, size_t n)
{
  while (n > 0 && *from == ' ') from++, n--;
  while (n > 0 && from[n - 1] == ' ') n--;
  snprintf(to, size, "%.*s", (int)n, from);
}

static gscale_status parse_error(const char *from, double value, gscale_dim dim,
                                 double *err, gscale_diag *diag)
{
  const size_t n = strlen(from);
  const bool relative = n > 0 && from[n - 1] == '%';
  char text[128];
  gscale_status st;

  copy_trimmed(text, sizeof text, from, n - relative);
  st = gscale_parse_quantity(text, relative ? GSCALE_COUNT : dim, err, diag);
  if (st != GSCALE_OK) return st;
  if (relative) *err *= fabs(value) / 100.0;
  if (*err >= 0.0) return GSCALE_OK;
  snprintf(diag->text, sizeof diag->text, "its error %g is negative", *err);
  return GSCALE_EDOMAIN;
}

gscale_status settings_number(const char *text, gscale_dim dim,
                              gscale_param *out, gscale_diag *diag)
{
  gscale_param p = {.origin = GSCALE_DERIVED,
                    .source = "given on the command line"};
  size_t length;
  const char *err = find_error(text, &length);
  char value[128];
  gscale_status st;

  copy_trimmed(value, sizeof value, text, length);
  st = gscale_parse_quantity(err ? value : text, dim, &p.val, diag);
  if (st == GSCALE_OK && err) {
    p.origin = GSCALE_MEASURED;
    st = parse_error(err, p.val, dim, &p.err, diag);
  }
  if (st == GSCALE_OK) *out = p;
  return st;
}

static const char *const flags[] = {"no", "yes", "false", "true", "0", "1"};

gscale_status settings_flag(const char *text, bool *out, gscale_diag *diag)
{
  for (size_t i = 0; i < LENGTH(flags); i++)
    if (strcmp(text, flags[i]) == 0) {
      *out = i % 2 == 1;
      return GSCALE_OK;
    }
  snprintf(diag->text, sizeof diag->text, "'%.60s': needs yes or no", text);
  return GSCALE_EPARSE;
}

gscale_status settings_word(const char *text, const char *const words[],
                            size_t n, size_t *out, gscale_diag *diag)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(text, words[i]) == 0) {
      *out = i;
      return GSCALE_OK;
    }
  snprintf(diag->text, sizeof diag->text, "'%.60s': needs one of", text);
  for (size_t i = 0; i < n; i++)
    gscale_append(diag->text, sizeof diag->text, "%s %s", i ? "," : "",
                  words[i]);
  return GSCALE_EPARSE;
}

static bool to_plain(const char *text, gscale_dim dim, double *out)
{
  bool flag;

  if (settings_flag(text, &flag, &(gscale_diag){{0}}) == GSCALE_OK) {
    *out = flag;
    return true;
  }
  return gscale_parse_quantity(text, dim, out, NULL) == GSCALE_OK;
}

const char *settings_plain(const char *text, char *plain, size_t size)
{
  double x;

  for (int dim = 0; dim < GSCALE_DIM_END; dim++) {
    if (!to_plain(text, (gscale_dim)dim, &x)) continue;
    snprintf(plain, size, "%.17g%s", x,
             dim == GSCALE_COUNT ? "" : gscale_dim_unit((gscale_dim)dim));
    return plain;
  }
  snprintf(plain, size, "%s", text);
  return plain;
}

bool settings_same(const char *a, const char *b)
{
  char x[sizeof((settings *)0)->v[0].value], y[sizeof x];

  return strcmp(settings_plain(a, x, sizeof x),
                settings_plain(b, y, sizeof y)) == 0;
}

/* ---- settings ------------------------------------------------------------ */

const struct setting *settings_find(const settings *s, const char *name)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->v[i].name, name) == 0) return &s->v[i];
  return NULL;
}

int settings_add(settings *s, const char *text, failure *why)
{
  const char *equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  const char *option = s->option ? s->option : "-P";
  char name[sizeof s->v[0].name];

  if (!equals || length == 0 || !equals[1])
    return fail(why, EXIT_USAGE, "%s %s: needs the form name=value", option,
                text);
  if (s->n == SETTINGS_MAX)
    return fail(why, EXIT_USAGE, "%s %s: more than %d settings", option, text,
                SETTINGS_MAX);
  if (length >= sizeof s->v[0].name ||
      strlen(equals + 1) >= sizeof s->v[0].value)
    return fail(why, EXIT_USAGE, "%s %.40s...: name or value too long", option,
                text);
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  strcpy(s->v[s->n].name, gscale_name_now(name));
  if (settings_find(s, s->v[s->n].name))
    return fail(why, EXIT_USAGE, "%s %s: given twice", option, s->v[s->n].name);
  strcpy(s->v[s->n].value, equals + 1);
  s->v[s->n].used = false;
  s->n++;
  return EXIT_OK;
}

const char *settings_take(settings *s, const char *name)
{
  for (size_t i = 0; i < s->n; i++) {
    if (strcmp(s->v[i].name, name) != 0) continue;
    s->v[i].used = true;
    return s->v[i].value;
  }
  return NULL;
}

void print_settings(char *text, size_t size, const settings *s)
{
  text[0] = '\0';
  for (size_t i = 0; i < s->n; i++)
    gscale_append(text, size, "%s%s=%s", *text ? ";" : "", s->v[i].name,
                  s->v[i].value);
}

/* Suggests near names, from `own` and from the parameters of systems. */
static const char *suggest_setting(hint text, const char *name,
                                   const char *const own[], size_t n)
{
  const size_t all = n + gscale_param_count();
  const char **names = malloc(all * sizeof *names);
  const char *near = "";

  if (!names) return "";
  for (size_t i = 0; i < all; i++)
    names[i] = i < n ? own[i] : gscale_param_info_at(i - n)->name;
  near = suggested(text, name, names, all, "");
  free(names);
  return near;
}

int settings_all_used(const settings *s, failure *why)
{
  return settings_all_known(s, NULL, 0, "", why);
}

int settings_all_known(const settings *s, const char *const own[], size_t n,
                       const char *otherwise, failure *why)
{
  for (size_t i = 0; i < s->n; i++) {
    const char *name = s->v[i].name;
    hint near;

    if (s->v[i].used) continue;
    return fail(why, EXIT_USAGE,
                "-P %s: nothing here has a knob of that name%s", name,
                *suggest_setting(near, name, own, n)
                    ? suggest_setting(near, name, own, n)
                    : otherwise);
  }
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
