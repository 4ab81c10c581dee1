/* packet.h - bytes on the wire for useful bytes.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_PACKET_H
#define GSCALE_PACKET_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- packets and wire bytes ---------------------------------------------- */

typedef enum gscale_format {
  GSCALE_RAW,       /* no framing: wire bytes = useful bytes */
  GSCALE_PCIE,      /* transaction-layer packets of PCI Express 1-5 */
  GSCALE_PCIE_FLIT, /* PCIe 6 and 7, flits of 256 B */
  GSCALE_NVLINK,
  GSCALE_INFINIBAND, /* between nodes from here on */
  GSCALE_ETHERNET,
  GSCALE_EXTOLL,
  GSCALE_FORMAT_END
} gscale_format;

struct gscale_link {
  char name[GSCALE_NAME_MAX];
  gscale_format format;
  double rate;          /* B/s of the whole port, one direction, after line
                         * coding */
  int lanes;            /* PCIe: lanes; NVLink: links; 0 = not known */
  double unit;          /* B, granularity of payload */
  double header;        /* B, framing, header, checks per packet */
  double copy_payload;  /* B, largest payload of a copy engine's packet */
  double store_payload; /* B, largest payload of a packet of stores */
  double copy_extra;    /* B, added per copy engine packet */
  double store_extra;   /* B, added per packet of stores */
  double mask;          /* B, added per packet with byte enables; 0 where the
                         * header has room */
  double frame;         /* B on the wire per B of packets, >= 1: flit mode */
  double whole;         /* B, smaller stores always have byte enables */
  double first;         /* B, added to a message's first packet */
  double hop;           /* s, one way, beyond the plainest link of its
                         * generation: gscale_system_swap_link */
};

/** Returns true for links between nodes. */
bool gscale_link_between(const gscale_link *l);

/** These enumerate the links that gscale_link_find() knows. */
size_t gscale_link_count(void);
const gscale_link *gscale_link_at(size_t i); /* NULL past the end */

/** Returns bytes on the wire for one contiguous, aligned message.
 *
 *    n    = ceil(bytes / payload)                       packets
 *    wire = frame ( n (header + extra + [mask]) + unit ceil(bytes / unit) )
 *           + first.
 *
 *  Given    bytes   B, >= 0, the useful bytes.
 *           masked  true if not every byte of the payload units is written, so
 *                   that byte enables must travel (NVLink: a flit; PCIe: in the
 *                   header): gscale_store_masked.
 *  Returns  B; 0 for 0.
 *  Limits   PCIe, 4 B: 28 B; NVLink, 4 B masked: 48 B (header, byte enables,
 *           data); bytes/wire -> payload/(payload + header + extra) for many.
 *  Omits    acknowledgements and flow control (below 0.6 % on 16 lanes), skip
 *           symbols (0.26 %); the measured efficiency includes their cost.
 *  Source   PCIe: [PCIe5] transaction and data-link layer, 24 B for a write
 *           with 64-bit address.  NVLink: [Foley17] 16 B flits, for Pascal;
 *           stores of generation 4 measured, the rest is our rule: packet.c.
 *           InfiniBand: [Ib13]; others between nodes: packet.c. */
double gscale_wire_bytes(const gscale_link *l, gscale_access a, double bytes,
                         bool masked);

/** Returns bytes on the wire for a message that begins `offset` B behind a
 *  payload boundary.  Packets and units end at multiples of their size, so a
 *  message across one more boundary costs one more.
 *
 *    n     = ceil((offset + bytes) / payload)
 *    units = ceil((offset mod unit + bytes) / unit).
 *
 *  Given    offset   B, 0 .. payload (exclusive). */
double gscale_wire_bytes_at(const gscale_link *l, gscale_access a,
                            double offset, double bytes, bool masked);

/** Returns the packets of that message,  n  above; NaN where the bytes are. */
double gscale_packets_at(const gscale_link *l, gscale_access a, double offset,
                         double bytes);

/** The settings of a PCIe or NVLink port; zero changes nothing. */
typedef struct gscale_link_options {
  double payload;     /* B, largest payload of copies; of stores if smaller */
  int lanes;          /* PCIe: 1..16; NVLink: links; the rate scales */
  bool ecrc;          /* PCIe: 4 B end-to-end check per packet */
  bool short_address; /* PCIe: 32-bit addresses, 4 B less */
} gscale_link_options;

/** Changes *l as *o says.  GSCALE_EDOMAIN if the format has no such setting. */
gscale_status gscale_link_change(gscale_link *l, const gscale_link_options *o,
                                 gscale_diag *diag);

/** Returns true if byte enables travel with a store of `bytes`, all written:
 *  below one flit on NVLink 1 and 2, below 8 B on NVLink 4.
 *
 *  Source   generation 4: data/h200x2, store.csv: single words over 512 MiB
 *           leave at 13.1 G/s if of 8 or 16 B, at 8.8 G/s if of 4: 419 and 423
 *           GB/s in packets of 32 and 48 B. */
bool gscale_store_masked(const gscale_link *l, double bytes);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PACKET_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
