/* packet.h - wire bytes of messages: packets, headers and padding. */
#ifndef GSCALE_PACKET_H
#define GSCALE_PACKET_H

#include "gpuscale.h"

typedef enum gscale_format {
  GSCALE_RAW,       /* no framing: wire bytes = useful bytes */
  GSCALE_PCIE,      /* transaction-layer packets of PCI Express 1-5 */
  GSCALE_PCIE_FLIT, /* flits of 256 B of PCIe 6 and 7 */
  GSCALE_NVLINK,
  GSCALE_INFINIBAND, /* first format between nodes */
  GSCALE_ETHERNET,
  GSCALE_EXTOLL,
  GSCALE_FORMAT_END
} gscale_format;

struct gscale_link {
  char name[GSCALE_NAME_MAX];
  gscale_format format;
  double rate;          /* B/s of the whole port in one direction, after line
                         * coding */
  int lanes;            /* lanes of PCIe, or links of NVLink; 0 = unknown */
  double unit;          /* B, granularity of payload */
  double header;        /* B of framing, header and checks per packet */
  double copy_payload;  /* B, largest payload of a packet of a copy */
  double store_payload; /* B, largest payload of a packet of stores */
  double copy_extra;    /* B, added per packet of a copy */
  double store_extra;   /* B, added per packet of stores */
  double mask;          /* B, added per packet with byte enables; 0 if the
                         * header has room */
  double frame;         /* B on the wire per B of packets, >= 1, in flit mode */
  double whole;         /* B; smaller stores always have byte enables */
  double first;         /* B, added to the first packet of a message */
  double hop;           /* s, one-way latency beyond the simplest link of the
                         * generation (gscale_system_swap_link) */
};

/** Returns true for links between nodes. */
bool gscale_link_between(const gscale_link *l);

/** Enumerates the links of gscale_link_find(), with NULL past the end. */
const gscale_link *gscale_link_at(size_t i);

/** Returns the wire bytes of one contiguous, aligned message.
 *
 *    n    = ceil(bytes / payload) packets,
 *    wire = frame ( n (header + extra + [mask]) + unit ceil(bytes / unit) )
 *           + first.
 *
 *  Given    bytes   useful bytes, B, >= 0.
 *           masked  true if some bytes of the payload units are not written
 *                   (gscale_store_masked), so that byte enables travel: in a
 *                   flit of NVLink, or in the header of PCIe.
 *  Returns  B; 0 for bytes = 0.
 *  Limits   for 4 B on PCIe, 28 wire bytes; for 4 masked B on NVLink, 48 wire
 *           bytes (header, byte enables, data); for many bytes, bytes/wire ->
 *           payload/(payload + header + extra).
 *  Omits    acknowledgements and flow control (below 0.6 % on 16 lanes), and
 *           skip symbols (0.26 %), which the measured efficiency includes.
 *  Source   [PCIe5] for PCIe: 24 B for a write with a 64-bit address; [Foley17]
 *           for NVLink of Pascal: flits of 16 B; our measurements for stores of
 *           NVLink 4; [Ib13] for InfiniBand; packet.c for all others. */
double gscale_wire_bytes(const gscale_link *l, gscale_access a, double bytes,
                         bool masked);

/** Returns the wire bytes of a message that begins `offset` B after a payload
 *  boundary.  Packets and units end at multiples of their size, so that each
 *  crossed boundary costs one more packet or unit.
 *
 *    n     = ceil((offset + bytes) / payload),
 *    units = ceil((offset mod unit + bytes) / unit).
 *
 *  Given    offset   B, 0 to payload (exclusive). */
double gscale_wire_bytes_at(const gscale_link *l, gscale_access a,
                            double offset, double bytes, bool masked);

/** Returns the number n of packets of the message of gscale_wire_bytes_at(), or
 *  NaN if the wire bytes are NaN. */
double gscale_packets_at(const gscale_link *l, gscale_access a, double offset,
                         double bytes);

/** The settings of a PCIe or NVLink port.  A setting of 0 changes nothing. */
typedef struct gscale_link_options {
  double payload;     /* B, largest payload of copies (and of stores) */
  int lanes;          /* lanes of PCIe (1 to 16) or links of NVLink, with which
                       * the rate scales */
  bool ecrc;          /* PCIe: end-to-end check of 4 B per packet */
  bool short_address; /* PCIe: 32-bit addresses, with 4 B less */
} gscale_link_options;

/** Changes the settings of a link.  The function fails with GSCALE_EDOMAIN if
 *  the format has no such setting. */
gscale_status gscale_link_change(gscale_link *l, const gscale_link_options *o,
                                 gscale_diag *diag);

/** Returns true if byte enables travel with a store that writes all of `bytes`.
 *  Byte enables travel below one flit on NVLink 1 and 2, and below 8 B on
 *  NVLink 4.
 *
 *  Source   for NVLink 4, store.csv in data/h200x2: single words over 512 MiB
 *           leave at 13.1 G/s if they have 8 or 16 B, and at 8.8 G/s if they
 *           have 4 B.  This is 419 GB/s in packets of 32 B and 423 GB/s in
 *           packets of 48 B. */
bool gscale_store_masked(const gscale_link *l, double bytes);

#endif /* GSCALE_PACKET_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
