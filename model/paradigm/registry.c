/* registry.c - the table of paradigms. */

#include "paradigm/paradigm.h"

#include <string.h>

/* Paradigms are in listed order.  The first row, `infinite`, is the bound of
 * plans. */
#define PARADIGMS(row)                                                         \
  row(infinite), row(memcpy), row(memcpy_async), row(um), row(um_hints),       \
      row(rdl), row(inline), row(proact_poll), row(proact_cdp),                \
      row(proact_hw), row(broadcast), row(gps), row(finepack),                 \
      row(finepack_config), row(gps_finepack), row(nccl), row(schedule)

#define NAME(paradigm)    gscale__##paradigm
#define ADDRESS(paradigm) &gscale__##paradigm

extern const gscale__paradigm PARADIGMS(NAME), gscale__left_out;

/* The last row shares the name of `infinite`. */
static const gscale__paradigm *const paradigms[] = {PARADIGMS(ADDRESS),
                                                    &gscale__left_out};

size_t gscale__paradigm_rows(void)
{
  return LENGTH(paradigms);
}

size_t gscale_paradigm_count(void)
{
  return gscale__paradigm_rows() - 1;
}

const gscale__paradigm *gscale__paradigm_at(size_t i)
{
  return i < gscale__paradigm_rows() ? paradigms[i] : NULL;
}

size_t gscale__paradigm_row(size_t paradigm, const gscale_knobs *k)
{
  const bool as_run = k && k->as_run && paradigm < gscale_paradigm_count() &&
                      paradigms[paradigm]->ideal;

  return as_run ? gscale_paradigm_count() : paradigm;
}

const gscale_paradigm *gscale_paradigm_at(size_t i)
{
  return i < gscale_paradigm_count() ? &paradigms[i]->about : NULL;
}

size_t gscale_paradigm_find(const char *name)
{
  size_t i = 0;
  while (i < gscale_paradigm_count() &&
         (!name || strcmp(paradigms[i]->about.name, name) != 0))
    i++;
  return i;
}

const char *gscale_paradigm_name(size_t i)
{
  return i < gscale_paradigm_count() ? paradigms[i]->about.name : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
