/* packet.c - bytes on the wire for useful bytes, and the table of links. */

#include "ground/ground.h"

#include <math.h>
#include <string.h>

/* PCI Express has 16 lanes here: GT/s per lane * 16 / 8 * line code.  A memory
 * write with a 64-bit address costs 24 B per payload in generations 1 to 5:
 * framing and sequence number 4, header 16, link check 4 ([PCIe5]; generations
 * 1 and 2 frame with 1 + 1 B and a 2 B sequence number, which is the same sum).
 * Byte enables travel in the header, and payloads are whole 4 B words.
 * Switches and root ports in the field allow 256 B payloads.  Stores leave an
 * SM as lines of at most 128 B. */
#define PCIE_AS(name, gigatransfers, code, lanes, copy, store, hop)            \
  {                                                                            \
    name, GSCALE_PCIE, (gigatransfers)*1e9 * (lanes) / 8 * (code), lanes, 4,   \
        24, copy, store, 0, 0, 0, 1, 0, 0, hop                                 \
  }
#define PCIE(name, gigatransfers, code)                                        \
  PCIE_AS(name, gigatransfers, code, 16, 256, 128, 0)

/* Generations 6 and 7 pack without framing or check of each packet (header base
 * 16 B, 4 B more for explicit byte enables).  Flits of 256 B carry 236 B of
 * packets ([PCIe6]). */
#define PCIE_FLIT(name, gigatransfers)                                         \
  {                                                                            \
    name, GSCALE_PCIE_FLIT, (gigatransfers)*1e9 * 16 / 8, 16, 4, 16, 256, 128, \
        0, 0, 4, 256.0 / 236.0, 0, 0, 0                                        \
  }

/* NVLink sends packets of 16 B flits with one header flit each ([Foley17],
 * Pascal).  Copy engines send 256 B, stores at most 128 B.
 *
 * Stores of generation 4 send a byte-enable flit only with masked data, as on
 * Pascal.  Measurements (data/, store.csv, store_scatter) show this: where the
 * link binds, 128 B take 1.8045 to 1.8079 times as long as 64 B, on seven boxes
 * and days of H100 and H200.  A packet therefore costs 15.2 to 15.6 B beyond
 * its data, which is one flit (144/80 = 1.8), not two (160/96 = 1.67).  Two
 * flits, which the bandwidth of 128 B stores alone suggests, gave a
 * store.efficiency of 1.024.  Masked stores send the flit with words of 4 B,
 * not with words of 8 B (gscale_store_masked).
 *
 * The other rows follow our rule, chosen from published bandwidths of one size
 * each, and data may correct it:
 *   stores, generations 1-2    a byte-enable flit only with masked data
 *   stores, generations 3, 5   a byte-enable flit always: n data flits cost n+2
 *   copies, generations 1-3    nothing: 16 data flits cost 17
 *   copies, generations 4-5    one more flit: 16 data flits cost 18
 * A bandwidth of one size cannot separate one more flit from a lower rate.  The
 * efficiency absorbs the difference, so messages of that size come out right;
 * others may be off by up to a flit in five for stores of 64 B. */
#define NVLINK(name, links, rate, copy_extra, store_extra, mask, whole)        \
  {                                                                            \
    name, GSCALE_NVLINK, (links) * (rate), links, 16, 16, 256, 128,            \
        copy_extra, store_extra, mask, 1, whole, 0, 0                          \
  }

/* InfiniBand has four lanes here, and the table holds its data rate after line
 * coding (8/10 for QDR, 64/66 up to EDR; later generations signal faster than
 * their names say, by the cost of error correction).  A packet of a reliable
 * connection has 26 B beside up to 4096 B: local route header 8, base transport
 * header 12, two checks 4 + 2.  The first packet of an RDMA write has 16 B more
 * for its address ([Ib13]).  Payloads are whole 4 B words.  One subnet needs no
 * global route header. */
#define INFINIBAND(name, lane)                                                 \
  {                                                                            \
    name, GSCALE_INFINIBAND, 4 * (lane) / 8, 4, 4, 26, 4096, 4096, 0, 0, 0, 1, \
        0, 16, 0                                                               \
  }

/* Extoll sends words of 8 B at the clock of its core.  The 48 B beside the 64 B
 * of a remote store are fitted to the 800 MB/s of 1400 MB/s that stores attain
 * ([Oden14] 6.6.2).  Puts are assumed to have them too, beside 128 B (256 B
 * over PCIe 3): this gives 913 MB/s on Galibier, where 892 MB/s were measured
 * (table 3.1b). */
#define EXTOLL(name, rate, put)                                                \
  {                                                                            \
    name, GSCALE_EXTOLL, rate, 1, 8, 48, put, 64, 0, 0, 0, 1, 0, 0, 0          \
  }

/* PCIe also has these variants.  One has half the lanes.  In another, peers
 * meet in a root complex instead of a switch; Intel's splits their packets to
 * 64 B ([NCCL] graph/topo.h).  In the last, access control (ACS) sends peers
 * below a switch up to the root complex, which adds two passes of the switch,
 * of 115 ns each (Broadcom PEX89048, see docs/links.md). */
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
    /* These links join two GPUs: a DGX-1 of P100 and of V100, HGX with four
     * A100, bridges of H100 PCIe cards. */
    NVLINK("nvlink1x1", 1, 20e9, 0, 0, 16, 16),
    NVLINK("nvlink2x1", 1, 25.78125e9, 0, 0, 16, 16),
    NVLINK("nvlink2x2", 2, 25.78125e9, 0, 0, 16, 16),
    NVLINK("nvlink3x4", 4, 25e9, 0, 16, 0, 16),
    NVLINK("nvlink4x12", 12, 25e9, 16, 0, 16, 8),
    /* A raw link has no framing, and the system states its rate. */
    {"raw", GSCALE_RAW, (double)NAN, 0, 1, 0, INFINITY, INFINITY, 0, 0, 0, 1, 0,
     0, 0},
    INFINIBAND("ib-qdr", 10e9 * 8 / 10),
    INFINIBAND("ib-fdr", 14.0625e9 * 64 / 66),
    INFINIBAND("ib-edr", 25.78125e9 * 64 / 66),
    INFINIBAND("ib-hdr", 50e9),
    INFINIBAND("ib-ndr", 100e9),
    INFINIBAND("ib-xdr", 200e9),
    /* The rate is 200 Gb/s.  64 B of Ethernet, internet and transport headers
     * beside 4 KiB are assumed; its frames have neither preamble nor gap
     * [DeSensi20]. */
    {"slingshot11", GSCALE_ETHERNET, 25e9, 4, 1, 64, 4096, 4096, 0, 0, 0, 1, 0,
     0, 0},
    EXTOLL("extoll-galibier", 157e6 * 8, 128), /* FPGA, 64 bit */
    EXTOLL("extoll-tourmalet", 12.5e9, 256),   /* 12 lanes, 100 Gb/s */
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
  for (size_t i = 0; name && i < gscale_link_count(); i++)
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
  if (!known || !(offset < payload_of(l, a))) return (double)NAN;
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

  return bytes / gscale_wire_bytes(l, a, bytes, enables); /* 0/0 is NaN */
}

/* ---- settings of a port -------------------------------------------------- */

static bool is_pcie(const gscale_link *l)
{
  return l->format == GSCALE_PCIE || l->format == GSCALE_PCIE_FLIT;
}

static bool payload_ok(const gscale_link *l, double payload)
{
  int exponent;
  const double mantissa = frexp(payload, &exponent); /* 0.5 for powers of two */
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

/* ---- mixtures of stores -------------------------------------------------- */

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

/* Returns the packets of stores of sizes from `least` up to, but excluding,
 * `line`. */
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
