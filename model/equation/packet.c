/* packet.c - wire bytes of messages, and the table of links. */

#include "ground/ground.h"

#include <math.h>
#include <string.h>

/* PCI Express links have 16 lanes: rate = GT/s per lane * 16 / 8 * line code.
 * In generations 1 to 5, a memory write with a 64-bit address takes 24 B per
 * payload: 4 B of framing and sequence number, 16 B of header and 4 B of link
 * check [PCIe5].  Byte enables travel in the header, and payloads are whole
 * words of 4 B.  Installed switches and root ports allow payloads of 256 B.
 * Stores leave an SM as lines of at most 128 B. */
#define PCIE_AS(name, gigatransfers, code, lanes, copy, store, hop)            \
  {                                                                            \
    name, GSCALE_PCIE, (gigatransfers)*1e9 * (lanes) / 8 * (code), lanes, 4,   \
        24, copy, store, 0, 0, 0, 1, 0, 0, hop                                 \
  }
#define PCIE(name, gigatransfers, code)                                        \
  PCIE_AS(name, gigatransfers, code, 16, 256, 128, 0)

/* Packets of generations 6 and 7 have no framing and no check.  The header of
 * such a packet has 16 B, and 4 B more for explicit byte enables.  Flits of 256
 * B carry 236 B of packets [PCIe6]. */
#define PCIE_FLIT(name, gigatransfers)                                         \
  {                                                                            \
    name, GSCALE_PCIE_FLIT, (gigatransfers)*1e9 * 16 / 8, 16, 4, 16, 256, 128, \
        0, 0, 4, 256.0 / 236.0, 0, 0, 0                                        \
  }

/* NVLink packets consist of flits of 16 B with one header flit ([Foley17] for
 * Pascal).  Packets of copy engines have 256 B of data, and packets of stores
 * at most 128 B.
 *
 * Stores of generation 4 have a byte-enable flit only with masked data, as on
 * Pascal.  Measurements (store_scatter in store.csv of data/) show this on
 * seven H100 and H200 machines: if the link is the limit, 128 B take 1.8045 to
 * 1.8079 times as long as 64 B.  A packet therefore has 15.2 to 15.6 B in
 * addition to the data, which is one flit (144/80 = 1.8) and not two (160/96 =
 * 1.67).  With two flits, which the bandwidth of 128 B stores alone suggests,
 * store.efficiency would be 1.024.  Masked stores have the flit with words of 4
 * B, but not with words of 8 B (gscale_store_masked).
 *
 * All other rows use our rule, chosen from published bandwidths of one size
 * each:
 *   stores, generations 1, 2:  a byte-enable flit only with masked data.
 *   stores, generations 3, 5:  always a byte-enable flit (n data flits take
 * n+2). copies, generations 1-3:   only the header flit (16 data flits take
 * 17). copies, generations 4, 5:  one more flit (16 data flits take 18). A
 * bandwidth of one size cannot distinguish one more flit from a lower rate. The
 * efficiency absorbs the difference, so that messages of this size are correct.
 * Stores of 64 B may be wrong by up to one flit in five. */
#define NVLINK(name, links, rate, copy_extra, store_extra, mask, whole)        \
  {                                                                            \
    name, GSCALE_NVLINK, (links) * (rate), links, 16, 16, 256, 128,            \
        copy_extra, store_extra, mask, 1, whole, 0, 0                          \
  }

/* InfiniBand links have four lanes, and the table has the data rate after line
 * coding (8/10 for QDR, 64/66 up to EDR) or error correction.  A packet of a
 * reliable connection has 26 B in addition to up to 4096 B of data: 8 B of
 * local route header, 12 B of base transport header, and two checks of 4 and 2
 * B.  The first packet of an RDMA write has 16 B more for the address [Ib13].
 * Payloads of InfiniBand are whole words of 4 B.  A single subnet needs no
 * global route header. */
#define INFINIBAND(name, lane)                                                 \
  {                                                                            \
    name, GSCALE_INFINIBAND, 4 * (lane) / 8, 4, 4, 26, 4096, 4096, 0, 0, 0, 1, \
        0, 16, 0                                                               \
  }

/* Extoll sends words of 8 B at the clock of the core.  A remote store of 64 B
 * has 48 B more, fitted to the 800 of 1400 MB/s that stores attain ([Oden14]
 * 6.6.2).  Puts of 128 B (256 B over PCIe 3) are assumed to have 48 B more too.
 * The formula gives 913 MB/s on Galibier, where 892 MB/s were measured (table
 * 3.1b). */
#define EXTOLL(name, rate, put)                                                \
  {                                                                            \
    name, GSCALE_EXTOLL, rate, 1, 8, 48, put, 64, 0, 0, 0, 1, 0, 0, 0          \
  }

/* The table has three variants of PCIe links.  The first variant has half the
 * lanes.  In the second variant, peers meet in a root complex instead of a
 * switch, and Intel's root complex splits packets to 64 B ([NCCL]
 * graph/topo.h).  In the third variant, access control (ACS) sends packets of
 * peers below a switch up to the root complex.  The detour adds two passes of
 * the switch of 115 ns each (Broadcom PEX89048, see docs/links.md). */
#define LINE_CODE (128.0 / 130.0)
#define PCIE_HALF(name, gigatransfers)                                         \
  PCIE_AS(name, gigatransfers, LINE_CODE, 8, 256, 128, 0)
#define PCIE_ROOT(name, gigatransfers)                                         \
  PCIE_AS(name, gigatransfers, LINE_CODE, 16, 64, 64, 0)
#define PCIE_ACS(name, gigatransfers)                                          \
  PCIE_AS(name, gigatransfers, LINE_CODE, 16, 64, 64, 2 * 115e-9)

static const gscale_link links[] = {
    PCIE("pcie1", 2.5, 8.0 / 10.0),
    PCIE("pcie2", 5.0, 8.0 / 10.0),
    PCIE("pcie3", 8.0, 128.0 / 130.0),
    PCIE("pcie4", 16.0, 128.0 / 130.0),
    PCIE("pcie5", 32.0, 128.0 / 130.0),
    PCIE_FLIT("pcie6", 64.0),
    PCIE_FLIT("pcie7", 128.0),
    NVLINK("nvlink1", 4, 20e9, 0, 0, 16, 16),       /* P100 */
    NVLINK("nvlink2", 6, 25.78125e9, 0, 0, 16, 16), /* V100 */
    NVLINK("nvlink3", 12, 25e9, 0, 16, 0, 16),      /* A100 */
    NVLINK("nvlink4", 18, 25e9, 16, 0, 16, 8),      /* H100, H200 */
    NVLINK("nvlink5", 18, 50e9, 16, 16, 0, 16),     /* B200 */
    PCIE_HALF("pcie3x8", 8.0),
    PCIE_HALF("pcie4x8", 16.0),
    PCIE_HALF("pcie5x8", 32.0),
    PCIE_ROOT("pcie3-root", 8.0),
    PCIE_ROOT("pcie4-root", 16.0),
    PCIE_ROOT("pcie5-root", 32.0),
    PCIE_ACS("pcie3-acs", 8.0),
    PCIE_ACS("pcie4-acs", 16.0),
    PCIE_ACS("pcie5-acs", 32.0),
    /* The next links join two GPUs: in a DGX-1 of P100 or V100, in an HGX with
     * four A100, and by bridges of H100 PCIe cards. */
    NVLINK("nvlink1x1", 1, 20e9, 0, 0, 16, 16),
    NVLINK("nvlink2x1", 1, 25.78125e9, 0, 0, 16, 16),
    NVLINK("nvlink2x2", 2, 25.78125e9, 0, 0, 16, 16),
    NVLINK("nvlink3x4", 4, 25e9, 0, 16, 0, 16),
    NVLINK("nvlink4x12", 12, 25e9, 16, 0, 16, 8),
    /* A raw link has no framing, and the system states the rate. */
    {"raw", GSCALE_RAW, NAN, 0, 1, 0, INFINITY, INFINITY, 0, 0, 0, 1, 0, 0, 0},
    INFINIBAND("ib-qdr", 10e9 * 8 / 10),
    INFINIBAND("ib-fdr", 14.0625e9 * 64 / 66),
    INFINIBAND("ib-edr", 25.78125e9 * 64 / 66),
    INFINIBAND("ib-hdr", 50e9),
    INFINIBAND("ib-ndr", 100e9),
    INFINIBAND("ib-xdr", 200e9),
    /* Slingshot has a rate of 200 Gb/s.  Each 4 KiB is assumed to have 64 B of
     * Ethernet, IP and transport headers.  Frames have neither preamble nor gap
     * [DeSensi20]. */
    {"slingshot11", GSCALE_ETHERNET, 25e9, 4, 1, 64, 4096, 4096, 0, 0, 0, 1, 0,
     0, 0},
    EXTOLL("extoll-galibier", 157e6 * 8, 128), /* FPGA with words of 64 bit */
    EXTOLL("extoll-tourmalet", 12.5e9, 256),   /* 12 lanes, 100 Gb/s */
};

const gscale_link *gscale_link_at(size_t i)
{
  return i < LENGTH(links) ? &links[i] : NULL;
}

const gscale_link *gscale_link_find(const char *name)
{
  for (size_t i = 0; name && i < LENGTH(links); i++)
    if (strcmp(links[i].name, name) == 0) return &links[i];
  return NULL;
}

bool gscale_link_between(const gscale_link *l)
{
  return l && l->format >= GSCALE_INFINIBAND && l->format < GSCALE_FORMAT_END;
}

static double payload_of(const gscale_link *l, gscale_access a)
{
  return a == GSCALE_COPY ? l->copy_payload : l->store_payload;
}

double gscale_packets_at(const gscale_link *l, gscale_access a, double offset,
                         double bytes)
{
  const bool known =
      l && a < GSCALE_ACCESS_END && bytes >= 0.0 && offset >= 0.0;
  if (!known || !(offset < payload_of(l, a))) return NAN;
  if (bytes == 0.0) return 0.0;
  if (l->format == GSCALE_RAW) return 1.0;
  return gscale__ceil((offset + bytes) / payload_of(l, a));
}

double gscale_wire_bytes_at(const gscale_link *l, gscale_access a,
                            double offset, double bytes, bool masked)
{
  const double packets = gscale_packets_at(l, a, offset, bytes);
  if (isnan(packets) || bytes == 0.0) return packets;
  if (l->format == GSCALE_RAW) return bytes;

  const double extra = a == GSCALE_COPY ? l->copy_extra : l->store_extra;
  const double into = offset > 0.0 ? fmod(offset, l->unit) : 0.0;
  const double units = gscale__ceil((into + bytes) / l->unit);
  const double overhead = l->header + extra + (masked ? l->mask : 0.0);

  return l->frame * (packets * overhead + l->unit * units) + l->first;
}

double gscale_wire_bytes(const gscale_link *l, gscale_access a, double bytes,
                         bool masked)
{
  return gscale_wire_bytes_at(l, a, 0.0, bytes, masked);
}

bool gscale_store_masked(const gscale_link *l, double bytes)
{
  return l && bytes < l->whole;
}

double gscale_goodput(const gscale_link *l, gscale_access a, double bytes,
                      bool masked)
{
  const bool enables =
      masked || (a == GSCALE_STORE && gscale_store_masked(l, bytes));

  return bytes / gscale_wire_bytes(l, a, bytes, enables); /* NaN for 0 bytes */
}

static bool is_pcie(const gscale_link *l)
{
  return l->format == GSCALE_PCIE || l->format == GSCALE_PCIE_FLIT;
}

static bool payload_ok(const gscale_link *l, double payload)
{
  int exponent;
  const double mantissa = frexp(payload, &exponent); /* mantissa of powers of
                                                      * two is 0.5 */
  if (is_pcie(l)) return mantissa == 0.5 && payload >= 128 && payload <= 4096;
  return l->format == GSCALE_NVLINK && payload >= 16 && payload <= 256 &&
         fmod(payload, 16) == 0.0;
}

gscale_status gscale_link_change(gscale_link *l, const gscale_link_options *o,
                                 gscale_diag *diag)
{
  if (o->payload != 0.0 && !payload_ok(l, o->payload))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: payload: no packet of it carries %g B", l->name,
                        o->payload);
  if (o->lanes != 0 && (o->lanes < 0 || o->lanes > l->lanes))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: lanes: %d is not in 1 .. %d",
                        l->name, o->lanes, l->lanes);
  if ((o->ecrc || o->short_address) && !is_pcie(l))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: only PCIe has ECRC and short addresses", l->name);

  if (o->payload > 0.0) l->copy_payload = o->payload;
  if (o->payload > 0.0) l->store_payload = fmin(l->store_payload, o->payload);
  if (o->lanes > 0) l->rate *= (double)o->lanes / l->lanes;
  if (o->lanes > 0) l->lanes = o->lanes;
  if (o->ecrc) l->header += 4.0;
  if (o->short_address) l->header -= 4.0;
  return GSCALE_OK;
}

double gscale_stores_mean(const gscale_stores *s)
{
  double mean = 0.0;
  for (size_t i = 0; i < s->n; i++) mean += s->share[i] * s->size[i];
  return mean;
}

double gscale_stores_ratio(const gscale_stores *s, const gscale_link *l)
{
  double wire = 0.0;

  for (size_t i = 0; i < s->n; i++) {
    const bool masked = s->masked[i] || gscale_store_masked(l, s->size[i]);
    wire +=
        s->share[i] * gscale_wire_bytes(l, GSCALE_STORE, s->size[i], masked);
  }
  return wire / gscale_stores_mean(s);
}

/* Returns the packets of stores whose sizes are >= `least` and < `line`. */
static double packets_of(const gscale_stores *s, const gscale_link *l,
                         double least, double line)
{
  double packets = 0.0;

  for (size_t i = 0; i < s->n; i++)
    if (s->size[i] >= least && s->size[i] < line)
      packets += s->share[i] * fmax(1.0, ceil(s->size[i] / l->store_payload));
  return packets / gscale_stores_mean(s);
}

double gscale_stores_packets(const gscale_stores *s, const gscale_link *l,
                             double line)
{
  return packets_of(s, l, 0.0, line);
}

double gscale_stores_wide(const gscale_stores *s, const gscale_link *l,
                          double line)
{
  return packets_of(s, l, GSCALE_WIDE, line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
