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

gscale_status gscale__unpacked(gscale__reading *r, gzFile f, double done)
{
  return done > 67108864.0 && done > 200.0 * (double)gzoffset(f)
             ? gscale__unread(
                   r, GSCALE_EPARSE,
                   "compressed, and expands to more than 200 times its size")
             : GSCALE_OK;
}

static const gscale__recorded_format *const formats[] = {
    &gscale__recorded_sqlite, &gscale__recorded_json, &gscale__recorded_csv};

gscale_status
gscale_recording_read(gscale_recording *p, const char *path, size_t most,
                      void (*progress)(void *closure, double share),
                      void *closure, gscale_diag *diag)
{
  gscale__reading r = {p,       path, most ? most : 2000000, progress,
                       closure, diag, (int)p->files,         0.0};
  char head[4096];
  struct stat about;
  gzFile f = gzopen(path, "rb");
  if (!f)
    return gscale__fail(diag, GSCALE_EIO, "%.200s: %s", path, strerror(errno));
  const int size = gzread(f, head, sizeof head);
  gzclose(f);
  if (size < 0) return gscale__unread(&r, GSCALE_EIO, "cannot be read");
  if (stat(path, &about) == 0) r.size = (double)about.st_size;
  if (size == 0) return gscale__unread(&r, GSCALE_EDATA, "an empty file");

  const size_t before_it = p->n + p->works;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (!formats[i]->detect(head, (size_t)size)) continue;
    memset(p->seen, 0, sizeof p->seen);
    memset(p->damaged, 0, sizeof p->damaged);
    gscale_status st = formats[i]->read(&r);
    if (st == GSCALE_OK) st = check_damaged(&r);
    p->files++;
    if (st != GSCALE_OK || p->n + p->works > before_it) return st;
    return gscale__unread(&r, GSCALE_EDATA,
                          "no kernels, copies or calls in it: profile with "
                          "nsys profile --trace=cuda,nvtx");
  }
  return gscale__unread(&r, GSCALE_EPARSE,
                        "unknown profile: neither SQLite of nsys export, CSV "
                        "of ncu, JSON of Kineto nor of scripts/profile");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
