/* provenance.c - records the version, command and descriptions behind a result.
 * The record depends on the machine only if the user's command does. */

#include "common/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The record of this process. */
static struct made {
  char *command;
  made_file *v;
  size_t n, room;
  bool lost; /* memory was exhausted */
} made;

/* ---- quoted command ----------------------------------------------------- */

static bool is_plain(const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789_-+=:,./%@";

  return *word && word[strspn(word, plain)] == '\0';
}

/* Quotes a word for sh, and replaces control characters. */
static char *put_word(char *to, const char *word)
{
  const bool quoted = !is_plain(word);

  if (quoted) *to++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') {
      memcpy(to, "'\\''", 4);
      to += 4;
    } else {
      *to++ = (char)(iscntrl((unsigned char)*word) ? '?' : *word);
    }
  }
  if (quoted) *to++ = '\'';
  return to;
}

/* Counts the words of a --jobs option, which cannot change results. */
static int words_of_jobs(const char *word)
{
  return strcmp(word, "--jobs") == 0 ? 2 : strncmp(word, "--jobs=", 7) == 0;
}

static char *command_of(int argc, char **argv)
{
  static const char program[] = "gpuscale";
  size_t room = sizeof program;
  char *text, *end;

  for (int i = 1; i < argc; i++) room += 4 * strlen(argv[i]) + 3;
  text = malloc(room);
  if (!text) return NULL;
  end = text + strlen(strcpy(text, program));
  for (int i = 1; i < argc; i++) {
    const int skip = words_of_jobs(argv[i]);

    i += skip;
    if (i >= argc) break;
    *end++ = ' ';
    end = put_word(end, argv[i]);
  }
  *end = '\0';
  return text;
}

/* ---- the files ---------------------------------------------------------- */

/* Stores a file's name without directories, which differ between machines. */
static void name_file(made_file *m, const char *path)
{
  size_t i = 0;

  for (path = base_name(path); path[i] && i + 1 < sizeof m->name; i++)
    m->name[i] = (char)(iscntrl((unsigned char)path[i]) ? '?' : path[i]);
  m->name[i] = '\0';
}

static bool is_noted(const made_file *m)
{
  for (size_t i = 0; i < made.n; i++)
    if (strcmp(made.v[i].name, m->name) == 0 &&
        strcmp(made.v[i].sha256, m->sha256) == 0)
      return true;
  return false;
}

void made_note(const made_file *m)
{
  if (is_noted(m)) return;
  made_file *more =
      gscale_reserve(made.v, &made.room, made.n + 1, sizeof *more);
  made.lost = made.lost || !more;
  if (!more) return;
  made.v = more;
  more[made.n++] = *m;
}

/* Records files in the order in which they were first read. */
static void note_file(const char *path, const char *text, size_t size)
{
  made_file m;

  memset(&m, 0, sizeof m);
  name_file(&m, path);
  sha256(text, size, m.sha256);
  made_note(&m);
}

/* ---- interface ---------------------------------------------------------- */

int made_begin(int argc, char **argv, failure *why)
{
  made.command = command_of(argc, argv);
  on_source = note_file;
  return made.command ? EXIT_OK : no_memory(why);
}

void made_end(void)
{
  on_source = NULL;
  free(made.command);
  free(made.v);
  made = (struct made){0};
}

bool made_is_whole(void)
{
  return !made.lost && gscale_refusals() == 0;
}

const char *made_command(void)
{
  return made.command;
}

const made_file *made_file_at(size_t i)
{
  return i < made.n ? &made.v[i] : NULL;
}

size_t made_put_head(FILE *f, size_t already)
{
  if (already == 0)
    fprintf(f, "# made by: gpuscale %s\n# command: %s\n", GSCALE_VERSION,
            made.command);
  for (size_t i = already > 0 ? already - 1 : 0; i < made.n; i++)
    fprintf(f, "# %s: sha256 %s\n", made.v[i].name, made.v[i].sha256);
  return 1 + made.n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
