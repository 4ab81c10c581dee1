/* packet.c - useful bytes to bytes on the wire, for each link by name. */

#include "gpuscale.h"

#include <math.h>
#include <string.h>

/* PCI Express, 16 lanes: GT/s per lane * 16 / 8 * line code.  A memory write
 * with a 64-bit address costs 24 B beside its payload in generations 1 to 5:
 * framing and sequence number 4, header 16, link check 4 ([PCIe5]; generations
 * 1 and 2 frame with 1 + 1 B and a 2 B sequence number: the same sum).  Byte
 * enables travel in the header; payload is whole 4 B words.  Switches and
 * root ports in the field allow 256 B payloads; stores leave an SM as lines of
 * at most 128 B. */
#define PCIE(name, gigatransfers, code)                                        \
  {                                                                            \
    name, GSCALE_PCIE, (gigatransfers)*1e9 * 16 / 8 * (code), 4, 24, 256, 128, \
        0, 0, 0                                                                \
  }

/* NVLink: packets of 16 B flits, one header flit each ([Foley17], Pascal).
 * Copy engines send 256 B, stores at most 128 B.  Our rule for what else
 * travels, chosen from published bandwidths and open to better ones:
 *   stores, generations 1-2   a byte-enable flit only with masked data
 *   stores, generations 3-5   a byte-enable flit always: n data flits cost n+2
 *   copies, generations 1-3   nothing: 16 data flits cost 17
 *   copies, generations 4-5   one more flit: 16 data flits cost 18 */
#define NVLINK(name, rate, copy_extra, store_extra, mask)                      \
  {                                                                            \
    name, GSCALE_NVLINK, rate, 16, 16, 256, 128, copy_extra, store_extra, mask \
  }

static const gscale_link links[] = {
    PCIE("pcie1", 2.5, 8.0 / 10.0),
    PCIE("pcie2", 5.0, 8.0 / 10.0),
    PCIE("pcie3", 8.0, 128.0 / 130.0),
    PCIE("pcie4", 16.0, 128.0 / 130.0),
    PCIE("pcie5", 32.0, 128.0 / 130.0),
    NVLINK("nvlink1", 4 * 20e9, 0, 0, 16),       /* P100, 4 links */
    NVLINK("nvlink2", 6 * 25.78125e9, 0, 0, 16), /* V100, 6 links */
    NVLINK("nvlink3", 12 * 25e9, 0, 16, 0),      /* A100, 12 links */
    NVLINK("nvlink4", 18 * 25e9, 16, 16, 0),     /* H100/H200, 18 links */
    NVLINK("nvlink5", 18 * 50e9, 16, 16, 0),     /* B200, 18 links */
    /* No framing; the rate is the system's to say. */
    {"raw", GSCALE_RAW, (double)NAN, 1, 0, INFINITY, INFINITY, 0, 0, 0},
};

size_t gscale_link_count(void)
{
  return sizeof links / sizeof *links;
}

const gscale_link *gscale_link_at(size_t i)
{
  return i < gscale_link_count() ? &links[i] : NULL;
}

const gscale_link *gscale_link_find(const char *name)
{
  for (size_t i = 0; i < gscale_link_count(); i++)
    if (strcmp(links[i].name, name) == 0) return &links[i];
  return NULL;
}

double gscale_wire_bytes(const gscale_link *l, gscale_access a, double bytes,
                         bool masked)
{
  if (!(bytes >= 0.0) || a < 0 || a >= GSCALE_ACCESS_END) return (double)NAN;
  if (l->format == GSCALE_RAW) return bytes;

  const bool copy = a == GSCALE_COPY;
  const double payload = copy ? l->copy_payload : l->store_payload;
  const double extra = copy ? l->copy_extra : l->store_extra;
  const double packets = ceil(bytes / payload);
  const double overhead = l->header + extra + (masked ? l->mask : 0.0);

  return packets * overhead + l->unit * ceil(bytes / l->unit);
}

double gscale_goodput(const gscale_link *l, gscale_access a, double bytes,
                      bool masked)
{
  return bytes / gscale_wire_bytes(l, a, bytes, masked); /* 0/0 is NaN */
}
