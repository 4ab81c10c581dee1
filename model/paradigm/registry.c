/* registry.c - the table of paradigms. */

#include "paradigm/paradigm.h"

#include <string.h>

static const gscale__paradigm *const paradigms[] = {
    &gscale__infinite,
    &gscale__memcpy,
    &gscale__memcpy_async,
    &gscale__um,
    &gscale__um_hints,
    &gscale__rdl,
    &gscale__inline,
    &gscale__proact_poll,
    &gscale__proact_cdp,
    &gscale__proact_hw,
    &gscale__broadcast,
    &gscale__gps,
    &gscale__finepack,
    &gscale__finepack_config,
    &gscale__gps_finepack,
    &gscale__nccl,
    &gscale__schedule,
    &gscale__staged_way,
    &gscale__gpudirect_way,
    &gscale__gpi2_way,
    &gscale__mpi_way,
    &gscale__mpi_manual_way,
    &gscale__mpi_chunked_way,
    &gscale__mpi_acc_way,
    &gscale__host_assisted_way,
    &gscale__put_ib_way,
    &gscale__put_rma_way,
    &gscale__ggas_way,
    &gscale__nvshmem_ibgda_way,
};

_Static_assert(sizeof paradigms / sizeof *paradigms <= GSCALE__PARADIGMS_MAX,
               "a phase plan has a place for each paradigm");

size_t gscale_paradigm_count(void)
{
  return sizeof paradigms / sizeof *paradigms;
}

const gscale__paradigm *gscale__paradigm_at(size_t i)
{
  return i < gscale_paradigm_count() ? paradigms[i] : NULL;
}

const gscale_paradigm *gscale_paradigm_at(size_t i)
{
  return i < gscale_paradigm_count() ? &paradigms[i]->about : NULL;
}

size_t gscale_paradigm_find(const char *name)
{
  size_t i = 0;
  while (i < gscale_paradigm_count() &&
         strcmp(paradigms[i]->about.name, name) != 0)
    i++;
  return i;
}
