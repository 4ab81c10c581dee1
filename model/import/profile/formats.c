/* formats.c - recognition of the format of a profile. */

#include "import/profile/profile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char no_length[] =
    "records have no length, or end before they start";

/* Refuses a file if more than one in ten records is damaged, and otherwise
 * leaves out damaged records. */
static gscale_status check_damaged(gscale__reading *r)
{
  gscale_recording *const p = r->p;

  for (int i = 0; i < 2; i++)
    if (10 * p->damaged[i] > p->seen[i])
      return gscale__unread(r, GSCALE_EDATA, "%zu of %zu %s", p->damaged[i],
                            p->seen[i], no_length);
  if (p->damaged[0] + p->damaged[1] > 0)
    gscale__note(p, "%.100s: %zu %s: they are left out", r->path,
                 p->damaged[0] + p->damaged[1], no_length);
  return GSCALE_OK;
}

size_t gscale__block(gscale__reading *r, char *block, gscale_status *st)
{
  int error = Z_OK;
  const int size = gzread(r->in, block, GSCALE__BLOCK);
  const double done = (double)gztell(r->in);
  const int mark = size > 0 && done <= size
                       ? (int)gscale__mark_size(block, (size_t)size)
                       : 0;
  if (size < 0) gzerror(r->in, &error);
  if (error == Z_ERRNO)
    *st = gscale__unread(r, GSCALE_EIO, "%s", strerror(errno));
  else if (size < 0)
    *st = gscale__unread(r, GSCALE_EPARSE, "compressed, and damaged");
  else if (done > 67108864.0 && done > 200.0 * (double)gzoffset(r->in))
    *st = gscale__unread(
        r, GSCALE_EPARSE,
        "compressed, and expands to more than 200 times its size");
  else
    memmove(block, block + mark, (size_t)(size - mark));
  return *st == GSCALE_OK ? (size_t)(size - mark) : 0;
}

static const gscale__recorded_format *const formats[] = {
    &gscale__recorded_sqlite, &gscale__recorded_json, &gscale__recorded_csv};

static gscale_status read_known(gscale__reading *r)
{
  gscale_recording *const p = r->p;
  const size_t before_it = p->n + p->works;
  char head[GSCALE__BLOCK];
  gscale_status st = GSCALE_OK;
  const size_t size = gscale__block(r, head, &st);
  if (st != GSCALE_OK) return st;
  if (size == 0) return gscale__unread(r, GSCALE_EDATA, "an empty file");
  if (gzrewind(r->in) != 0)
    return gscale__unread(r, GSCALE_EIO, "%s", strerror(errno));
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (!formats[i]->detect(head, size)) continue;
    memset(p->seen, 0, sizeof p->seen);
    memset(p->damaged, 0, sizeof p->damaged);
    st = formats[i]->read(r);
    if (st == GSCALE_OK) st = check_damaged(r);
    p->files++;
    if (st != GSCALE_OK || p->n + p->works > before_it) return st;
    return gscale__unread(r, GSCALE_EDATA,
                          "no kernels, copies or calls in it: profile with "
                          "nsys profile --trace=cuda,nvtx");
  }
  return gscale__unread(r, GSCALE_EPARSE,
                        "unknown profile: neither SQLite of nsys export, CSV "
                        "of ncu, JSON of Kineto nor of scripts/profile");
}

gscale_status
gscale_recording_read(gscale_recording *p, const char *path, size_t most,
                      void (*progress)(void *closure, double share),
                      void *closure, gscale_diag *diag)
{
  gscale__reading r = {p,
                       path,
                       most ? most : 2000000,
                       progress,
                       closure,
                       diag,
                       (int)p->files,
                       0.0,
                       gzopen(path, "rb")};
  struct stat about;
  if (!r.in)
    return gscale__fail(diag, GSCALE_EIO, "%.200s: %s", path, strerror(errno));
  if (stat(path, &about) == 0) r.size = (double)about.st_size;
  const gscale_status st = read_known(&r);
  return gzclose(r.in) == Z_OK || st != GSCALE_OK
             ? st
             : gscale__unread(&r, GSCALE_EPARSE, "compressed, and cut off");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
