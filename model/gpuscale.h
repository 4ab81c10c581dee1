/*
 * gpuscale.h - predict how fast a multi-GPU program runs on N GPUs.
 *
 * Units.  Every double here is in SI base units: seconds (s), bytes (B),
 * bytes per second (B/s), operations (flop), flop/s.  Prefixes exist only in
 * text: 1 GB = 1e9 B, 1 GiB = 2^30 B.
 *
 * Two kinds of function.
 *   An EQUATION returns a double.  It is pure: no allocation, no I/O, no
 *   state.  Outside its stated domain it returns NaN, never a plausible number.
 *   An OPERATION returns a gscale_status.  On failure its outputs are left as
 *   they were and, where it takes one, *diag says why in words (diag may be
 *   NULL).
 *
 * Ownership.  *_new allocates, *_free releases and accepts NULL.  Text passed
 * in is copied; text returned belongs to the library.
 *
 * Threads.  There are no globals that change.  A plan may be used by any
 * number of threads at once.  Numbers are read and written in the C locale
 * whatever the process's locale is.
 *
 * [Keys] in Source lines are entries of model/REFERENCES.md.
 */
#ifndef GPUSCALE_H
#define GPUSCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSCALE_VERSION "0.1.0"

/* ---- status ------------------------------------------------------------ */

typedef enum gscale_status {
  GSCALE_OK = 0,
  GSCALE_EDOMAIN, /* a number outside its stated domain */
  GSCALE_EUNIT,   /* unit missing, unknown, or of the wrong dimension */
  GSCALE_EPARSE,  /* text not of the documented form */
  GSCALE_ENAME,   /* a name nobody declared, or declared twice */
  GSCALE_ENEED,   /* the paradigm needs what system or workload lack */
  GSCALE_ESIZE,   /* more GPUs than described, or memory too small */
  GSCALE_EDATA,   /* too few, or contradictory, measurements */
  GSCALE_EIO,     /* cannot read or write; errno holds the cause */
  GSCALE_ENOMEM,
  GSCALE_ENUMERIC,  /* a result that is not finite: numbers overflow */
  GSCALE_STATUS_END /* one past the last; not a status */
} gscale_status;

enum {
  GSCALE_TEXT_MAX = 320,
  GSCALE_NAME_MAX = 48
};

typedef struct gscale_diag {
  char text[GSCALE_TEXT_MAX];
} gscale_diag;

/** What a status means, as static text.  Never NULL. */
const char *gscale_strerror(gscale_status st);

/* ---- numbers with a unit and an origin ---------------------------------- */

typedef enum gscale_dim {
  GSCALE_COUNT, /* no unit; also fractions */
  GSCALE_TIME,
  GSCALE_BYTES,
  GSCALE_BYTERATE,
  GSCALE_FLOP,
  GSCALE_FLOPRATE,
  GSCALE_RATE,          /* 1/s */
  GSCALE_TIME_PER_BYTE, /* s/B */
  GSCALE_DIM_END
} gscale_dim;

/** Read "450 GB/s", "2.5 us", "1 GiB" ... and check its dimension.
 *
 *  Given    text   a decimal number, blanks, a unit; k M G T P are powers of
 *                  10, Ki Mi Gi Ti powers of 2.  A bare number is accepted for
 *                  GSCALE_COUNT, and for every dimension if it is 0.
 *           dim    what the caller expects
 *  Returned *out   in SI base units, finite
 *  Fails    GSCALE_EPARSE  not a number, or not finite
 *           GSCALE_EUNIT   unit missing, unknown, or of another dimension
 *  Omits    bits, hexadecimal, digit grouping
 */
gscale_status gscale_parse_quantity(const char *text, gscale_dim dim,
                                    double *out, gscale_diag *diag);

/** Write `si` for people: three to four significant digits and a prefix.
 *
 *  Returned buf    e.g. "449.6 GB/s", "2.31 us", "64 KiB"; "-" for NaN.  Byte
 *                  counts that are multiples of 1024 use binary prefixes
 *                  unless only the decimal text is exact.
 */
void gscale_format_quantity(double si, gscale_dim dim, char *buf, size_t size);

/** Write `si` for gscale_parse_quantity, with a prefix.
 *
 *  Given    digits  1 .. 17 significant ones; anything else: as few as it takes
 *                   to read back the same bits
 *  Returned buf     "4.10684 TB/s"; "-" unless si is finite.  At most 63 bytes.
 *                   With 6 digits it reads back within 5e-6.
 */
void gscale_format_digits(double si, gscale_dim dim, int digits, char *buf,
                          size_t size);

/** "s", "B/s", ...; "1" for counts; NULL past the end. */
const char *gscale_dim_unit(gscale_dim dim);

typedef enum gscale_origin {
  GSCALE_SPEC,     /* a standard or a maker's figure */
  GSCALE_MEASURED, /* fitted to, or read from, a file of measurements */
  GSCALE_ASSUMED,  /* nobody measured it; carries a range */
  GSCALE_COUNTED,  /* counted by the program itself */
  GSCALE_DERIVED,  /* follows from the algorithm */
  GSCALE_FITTED,   /* chosen to match run times: barred from validation */
  GSCALE_ORIGIN_END
} gscale_origin;

const char *gscale_origin_name(gscale_origin o); /* "spec", ...; or NULL */

/** A number that knows where it comes from. */
typedef struct gscale_param {
  double val;
  double err; /* one standard error, same unit; 0 = exact by definition */
  gscale_origin origin;
  char source[96]; /* sheet, file, or the reason of an assumption */
} gscale_param;

/* ---- packets: from useful bytes to bytes on the wire --------------------- */

typedef enum gscale_format {
  GSCALE_RAW,       /* no framing: wire bytes = useful bytes */
  GSCALE_PCIE,      /* transaction-layer packets of PCI Express 1-5 */
  GSCALE_PCIE_FLIT, /* those of 6 and 7, in flits of 256 B */
  GSCALE_NVLINK,
  GSCALE_FORMAT_END
} gscale_format;

typedef enum gscale_access {
  GSCALE_COPY,  /* the copy engine */
  GSCALE_STORE, /* stores of a kernel */
  GSCALE_ACCESS_END
} gscale_access;

/** The wire format and rate behind a port. */
typedef struct gscale_link {
  char name[GSCALE_NAME_MAX];
  gscale_format format;
  double rate;          /* B/s, one direction, after line coding, whole port */
  int lanes;            /* PCIe: lanes; NVLink: links; 0 = not known */
  double unit;          /* B, payload is sent in whole units of this */
  double header;        /* B, framing, header and checks of one packet */
  double copy_payload;  /* B, largest payload of a copy engine's packet */
  double store_payload; /* B, largest payload of a packet of stores */
  double copy_extra;    /* B, more per copy engine packet */
  double store_extra;   /* B, more per packet of stores */
  double mask;          /* B, more per packet whose bytes are enabled one by
                         * one; 0 where the header has room for it */
  double frame;         /* B on the wire per B of packets, >= 1: flit mode */
} gscale_link;

/** The links known by name: pcie1..pcie7, nvlink1..nvlink5, raw. */
size_t gscale_link_count(void);
const gscale_link *gscale_link_at(size_t i);           /* NULL past the end */
const gscale_link *gscale_link_find(const char *name); /* NULL if unknown */

/** Bytes on the wire for one contiguous, aligned message.
 *
 *    n    = ceil(bytes / payload)                       packets
 *    wire = frame ( n (header + extra + [mask]) + unit ceil(bytes / unit) )
 *
 *  Given    bytes   B, >= 0, the useful bytes
 *           masked  true if not every byte of the payload units is written,
 *                   so that byte enables must travel (NVLink: a flit; PCIe: in
 *                   the header).  A store below one NVLink flit is masked.
 *  Returns  B; 0 for 0
 *  Limits   PCIe, 4 B: 28 B; NVLink, 4 B masked: 48 B (header, byte enables,
 *           data); bytes/wire -> payload/(payload + header + extra) for many
 *  Omits    acknowledgements and flow control (below 0.6 % on 16 lanes), skip
 *           symbols (0.26 %); what they cost is in the measured efficiency
 *  Source   PCIe: [PCIe5] transaction and data-link layer, 24 B for a write
 *           with 64-bit address.  NVLink: [Foley17] 16 B flits, for Pascal;
 *           stores of generation 4 measured, the rest is our rule: packet.c
 */
double gscale_wire_bytes(const gscale_link *l, gscale_access a, double bytes,
                         bool masked);

/** The same for a message that begins `offset` B behind a payload boundary:
 *  packets and units end at multiples of their size, so a message that
 *  straddles one more costs one more.
 *
 *    n     = ceil((offset + bytes) / payload)
 *    units = ceil((offset mod unit + bytes) / unit)
 *
 *  Given    offset   B, 0 .. payload (exclusive)
 */
double gscale_wire_bytes_at(const gscale_link *l, gscale_access a,
                            double offset, double bytes, bool masked);

/** Packets of that message:  n  above; NaN where the bytes are. */
double gscale_packets_at(const gscale_link *l, gscale_access a, double offset,
                         double bytes);

/** What a PCIe or NVLink port may be set to; zero changes nothing. */
typedef struct gscale_link_options {
  double payload;     /* B, largest payload of copies; of stores if smaller */
  int lanes;          /* PCIe: 1..16; NVLink: links; the rate scales */
  bool ecrc;          /* PCIe: 4 B end-to-end check per packet */
  bool short_address; /* PCIe: 32-bit addresses, 4 B less */
} gscale_link_options;

/** Changes *l as *o says.  GSCALE_EDOMAIN if the format has no such thing. */
gscale_status gscale_link_change(gscale_link *l, const gscale_link_options *o,
                                 gscale_diag *diag);

/** Useful bytes / wire bytes of one message; NaN for 0 bytes. */
double gscale_goodput(const gscale_link *l, gscale_access a, double bytes,
                      bool masked);

/* ---- what a system can do ------------------------------------------------ */

/** How far a GPU reaches into another's memory; each includes those before. */
typedef enum gscale_peer {
  GSCALE_PEER_NONE,    /* not at all: copies go through host memory */
  GSCALE_PEER_COPIES,  /* by its copy engines */
  GSCALE_PEER_STORES,  /* by stores and loads of its kernels */
  GSCALE_PEER_ATOMICS, /* by their atomic updates */
  GSCALE_PEER_END
} gscale_peer;

const char *gscale_peer_name(gscale_peer p); /* "none", "stores"; or NULL */

/** What a system can do, or a paradigm needs. */
typedef struct gscale_can {
  gscale_peer peer;
  bool managed;       /* managed memory, whose pages all GPUs can map; whether
                       * they move on faults, um.fault_rate says */
  bool device_launch; /* kernels launch kernels */
} gscale_can;

/** What machines with GPUs on that link can do, unless they say otherwise.
 *
 *    NVLink   peer atomics, managed memory, launches by the device
 *    PCIe     the same, but peer stores and loads only: the attribute for
 *             native peer atomics is not set on it
 *    raw      peer copies: nothing is known of it
 *
 *  Omits    GPUs whose driver denies peer access over PCIe: their systems say
 * so Source   [CudaGuide] peer-to-peer attributes, unified memory
 */
gscale_can gscale_link_can(const gscale_link *l);

/* ---- structural numbers of proposed hardware ----------------------------- */

/** Bits of an entry of the GPS page table: the virtual page number and a
 *  physical page number for each other GPU.
 *
 *    bits = (virtual - log2 page) + (gpus - 1) (physical - log2 page)
 *
 *  Given    gpus      >= 1
 *           page      B, a power of two
 *           virtual_bits, physical_bits   of an address, >= log2 page
 *  Returns  bits
 *  Limits   64 KiB pages, 49 and 47 bits, 4 GPUs: 126
 *  Source   [Gps21] 5.2 and table 1
 */
double gscale_gps_entry_bits(int gpus, double page, int virtual_bits,
                             int physical_bits);

/** SRAM of the GPS remote write queue:  entries entry.
 *
 *  Given    entries  >= 0;  entry  B of one, with its tag, > 0
 *  Limits   entries of 135 B: 64 make 8.4 KiB (printed: 8.5 KB), 512 make
 *           67.5 KiB (printed: 68 KB)
 *  Source   [Gps21] 5.2 and table 1; [Diss22] 4.5.2
 */
double gscale_gps_queue_bytes(double entries, double entry);

/** Bitmap in which GPS notes the pages a GPU touched:  range / page / 8.
 *
 *  Given    range  B, >= 0;  page  B, > 0
 *  Limits   32 GiB in pages of 64 KiB: 64 KiB
 *  Source   [Gps21] 5.2
 */
double gscale_gps_bitmap_bytes(double range, double page);

/** Bytes that the sub-headers of one FinePack packet can address.
 *
 *    range = 2^(8 subheader - 10)        10 bits are the length
 *
 *  Given    subheader  B, 2 .. 6, whole
 *  Limits   64 B, 16 KiB, 4 MiB, 1 GiB, 256 GiB
 *  Source   [Diss22] table 5.2
 */
double gscale_finepack_range(int subheader);

/** Data that FinePack's write queues hold in one GPU, tags and byte enables not
 *  counted:  128 entries (gpus - 1).
 *
 *  Given    gpus  >= 1;  entries  for each other GPU, >= 0
 *  Limits   64 entries, 4 GPUs: 24 KiB
 *  Source   [Diss22] 5.3.2
 */
double gscale_finepack_queue_bytes(int gpus, double entries);

/* ---- closed forms of what replay counts ---------------------------------- */

/** Distinct items among `draws` uniform, independent ones of n.
 *
 *    n (1 - (1 - 1/n)^draws)
 *
 *  Given    n  >= 1;  draws  >= 0
 *  Limits   draws for many items; n for many draws
 *  For      lines that the 32 lanes of a warp touch when they scatter over n
 *           lines; lines written between two synchronisations; pages
 *  Error    within 1 % of replay, 4 .. 1024 lines
 *  Source   [Cardenas75]
 */
double gscale_distinct(double n, double draws);

/** Runs of contiguous words in a line of `words`, each written with
 *  probability p, independently: the first word begins one if it is written,
 *  every other if it is and the one before is not.
 *
 *    p + (words - 1) p (1 - p)
 *
 *  Given    words  >= 1;  p  0 .. 1
 *  Returns  the mean, lines without any word included
 *  For      PCIe packets, or sub-packets, of a line
 *  Error    within 2 % of replay, p from 0.05 to 1
 *  Source   ours
 */
double gscale_runs(double words, double p);

/** Entries added to a write queue (misses) by `stores` between two
 *  synchronisations, to lines drawn uniformly out of `lines`.
 *
 *    fill  = lines ln(lines / (lines - resident))
 *    added = distinct(lines, stores)                             stores <= fill
 *            resident + (stores - fill) (1 - resident / lines)   else
 *
 *  While the queue fills nothing leaves; then the entries it holds are any
 *  `resident` of the lines, whatever leaves first.
 *
 *  Given    lines     >= 1
 *           stores    >= 0
 *           resident  entries when a store arrives, >= 0: gps, watermark - 1;
 *                     if lines are no more, none ever leaves
 *  Returns  added; stores / added is the stores merged in a line, 1 - added /
 *           stores the rate of hits
 *  Omits    lines of unequal popularity
 *  Error    within 3 % of replay, lines from 100 to 5000, 512 entries
 *  Source   ours; hits = resident / lines is that of every policy that does not
 *           look at the future, for uniform independent references
 */
double gscale_queue_added(double lines, double stores, double resident);

/** Stores in a FinePack packet when each next one falls into the open window
 *  with probability q, and `most` fit.
 *
 *    1 + q + ... + q^(most-1) = (1 - q^most) / (1 - q)
 *
 *  Given    q     0 .. 1; range / region for stores uniform over a region
 *           most  >= 1: entries, or payload / (sub-header + size) if that is
 *                 less
 *  Limits   1 for q = 0; most for q = 1
 *  Omits    merging: a window has many more lines than `most`; several windows;
 *           packets cut short by synchronisation
 *  Error    within 3 % of replay, regions of 1 to 16 windows, 4 to 32 B
 *  Source   ours; k = 1 / (1 - q) without a limit
 */
double gscale_finepack_stores(double q, double most);

/** Stores that lie next to an earlier one of the phase, in the same line, by
 * how many different other lines their GPU stored to in between: fewer than 16;
 * 16 to 31; to 63; to 127; to 255. */
enum {
  GSCALE_JOINS = 5
};
typedef struct gscale_joins {
  double share[GSCALE_JOINS]; /* of all stores, >= 0; sum at most 1 */
} gscale_joins;

/** Stores in such a packet where some lie next to earlier ones, and make a run
 *  that still waits longer instead of being one more.
 *
 *    sum over k = 1 .. most of  q^(k-1) / (1 - F(k))
 *
 *  k runs are of the k lines that were stored to last.  So a store joins one if
 *  fewer than k other lines were stored to in between: F(k), the share of such
 *  stores, of each class any number of lines being as likely.  1 / (1 - F(k))
 *  come until the next run begins, in the open window with probability q.
 *
 *  Given    j     as above
 *           q     0 .. 1, as above
 *           most  >= 1: runs that fit
 *  Limits   gscale_finepack_stores for no joins; infinite if all stores join
 *  Omits    that a store depends on those before: where about as many vectors
 *           as fit are written in turn, all meet or none; several windows
 *  Error    within 6 % of replay, 8 to 256 vectors of 64 B that are written in
 *           a random order, 64 entries
 *  Source   ours
 */
double gscale_finepack_joined(const gscale_joins *j, double q, double most);

/** Probability that a page has a subscriber who touches each of its `blocks`
 *  with probability q, independently.
 *
 *    1 - (1 - q)^blocks
 *
 *  Given    q  0 .. 1, to rounding: what is above 1 by no more than 1e-9 is 1;
 *           blocks  page / block, >= 0
 *  Returns  times the other GPUs: copies of each store.  q / this is the share
 *           of them that somebody reads; the rest is false sharing
 *  Error    within 5 % of replay, pages of 4 KiB to 2 MiB, blocks of 4 KiB
 *  Source   ours
 */
double gscale_subscribed(double q, double blocks);

/** Rate of hits of a table of `entries` for uniform, independent references to
 *  so many pages:  min(1, entries / pages).
 *
 *  Given    pages  > 0;  entries  >= 0
 *  Omits    first references; conflicts where pages are fewer than entries
 *  Error    within 5 % of replay, 8-way sets, 16 to 256 pages
 *  Source   as gscale_queue_added
 */
double gscale_tlb_hits(double pages, double entries);

/* ---- overlap: transfers that start while data is still being produced ---- */

/** Share of the data that is ready at each share of the compute time:
 *  piecewise linear through (at[i], ready[i]), both rising from 0 to 1. */
enum {
  GSCALE_PROFILE_MAX = 8
};
typedef struct gscale_profile {
  size_t n; /* points, 2 .. GSCALE_PROFILE_MAX */
  double at[GSCALE_PROFILE_MAX];
  double ready[GSCALE_PROFILE_MAX];
} gscale_profile;

extern const gscale_profile gscale_profile_linear; /* (0,0) (1,1) */

/** True if p rises from (0,0) to (1,1) in both coordinates. */
bool gscale_profile_ok(const gscale_profile *p);

/** Share of the compute time after which the share `x` of the data is ready.
 *
 *  Given    x   0 .. 1
 *  Returns  0 .. 1; where the profile is flat, the end of the flat piece for
 *           data beyond it, its beginning for data up to it
 *  Source   definition
 */
double gscale_profile_when(const gscale_profile *p, double x);

/** What moves chunks: an agent with its own start-up costs. */
typedef struct gscale_pipe {
  double latency;   /* s, from "chunk ready" to its first byte leaving, >= 0 */
  double gap;       /* s, least time between two starts, >= 0 */
  double bandwidth; /* B/s of useful bytes, > 0, may be INFINITY */
  bool serial;      /* true: the gap begins when the last chunk has ended */
} gscale_pipe;

/** When the last of n chunks has arrived: the recurrence itself.
 *
 *    start_i = max(ready_i + latency, start_(i-1) + gap, end_(i-1))
 *    start_i = max(ready_i + latency, end_(i-1) + gap)        if serial
 *    end_i   = start_i + bytes_i / bandwidth
 *
 *  Given    n       chunks, >= 1
 *           ready   s, n values, any order, >= 0
 *           bytes   B, n values, >= 0
 *  Returns  s
 *  Source   ours; its limits are [Proact21] decoupled transfers and the
 *           chunked pipeline of facts on overlap
 */
double gscale_pipe_end(const gscale_pipe *p, size_t n, const double *ready,
                       const double *bytes);

/** The same for data cut into equal chunks (the last may be smaller) whose
 *  readiness follows a profile over the compute time: a closed form.
 *
 *    step = max(gap, chunk/bandwidth)          (sum of both if serial)
 *    end  = max_j ( ready_j + (n-1-j) step ) + latency + last/bandwidth
 *
 *  where the maximum of a piecewise linear function is taken at the ends of
 *  its pieces only, so the cost is that of the profile's points, not of n.
 *
 *  Given    compute  s, >= 0, time in which all data is produced
 *           bytes    B, >= 0, all data
 *           chunk    B, > 0
 *  Returns  s, never below `compute`; `compute` for 0 bytes
 *  Limits   one chunk: compute + latency + bytes/bandwidth
 *           linear profile, compute small: latency + compute/n + n step
 *           linear profile, compute large: compute + latency + last/bandwidth
 *  Source   ours, derived from gscale_pipe_end and tested against it
 */
double gscale_overlap_time(const gscale_pipe *p, const gscale_profile *f,
                           double compute, double bytes, double chunk);

/** The same if a chunk might leave as soon as its first byte is ready
 *  (cut-through): the part of gscale_overlap_time that chunking does not cause.
 *  The difference of the two is the tail.
 *
 *    end = max(compute, max_j ( begin_j + (n-1-j) step ) + last/bandwidth)
 *          + latency,   begin_j = when the first byte of chunk j is ready
 */
double gscale_overlap_cutthrough(const gscale_pipe *p, const gscale_profile *f,
                                 double compute, double bytes, double chunk);

/** End of a kernel that stores straight to its peers, and of its stores: it
 *  cannot run ahead of the link by more than what may be on its way.
 *
 *    made_i = max( made_(i-1) + (at_i - at_(i-1)) compute,
 *                  m + (ready_i - ahead) transfer )
 *    m      = max_(j<i) ( made_j - ready_j transfer )
 *    end    = max( made_n, m + transfer )
 *
 *  over the points (at, ready) of the profile: the link has moved a share x of
 *  the stores at m + x transfer, and until then none beyond x + ahead is made,
 *  nor what the kernel does after that.
 *
 *  Given    compute   s, >= 0, the kernel alone
 *           transfer  s, >= 0, all its stores one after the other
 *           ahead     share of the stores that may wait, >= 0
 *  Returns  s
 *  Limits   ahead >= 1: max(compute, m + transfer), nothing is held up
 *           ahead = 0: sum over the pieces of the longer of both
 *           linear profile: max(compute, transfer), whatever `ahead`
 *  Omits    that blocks of one SM are held up by those of another destination
 *  Source   ours: a warp whose stores the link does not take holds up the
 *           loads of its SM
 */
double gscale_overlap_stores(const gscale_profile *f, double compute,
                             double transfer, double ahead);

/** The chunk, a power of two times `least`, at most `most`, with the smallest
 *  gscale_overlap_time; the larger of two equal ones. */
double gscale_best_chunk(const gscale_pipe *p, const gscale_profile *f,
                         double compute, double bytes, double least,
                         double most);

/* ---- one GPU's share of the compute -------------------------------------- */

/** Share of the busiest of n GPUs when `units` indivisible units are dealt out
 *  as evenly as can be, with a fraction that every GPU repeats.
 *
 *    share = serial + (1 - serial) ceil(units/n) / units
 *
 *  Given    units   >= 1, whole;  n  >= 1;  serial  0 .. 1
 *  Returns  0 .. 1
 *  Limits   1/n for many units; 1/units for n >= units
 *  Source   ours; serial as in [Amdahl67]
 */
double gscale_share(double units, int n, double serial);

/** Attainable memory bandwidth relative to that of large footprints. */
enum {
  GSCALE_CURVE_MAX = 32
};
typedef struct gscale_curve {
  size_t n;                   /* points; 0 = the same everywhere */
  double x[GSCALE_CURVE_MAX]; /* footprint, B, rising */
  double y[GSCALE_CURVE_MAX]; /* factor, > 0 */
} gscale_curve;

/** Value at x, linear in log x between points, constant outside; 1 if empty. */
double gscale_curve_at(const gscale_curve *c, double x);

/** Time of one kernel bound by arithmetic or by memory, whichever is slower.
 *
 *    T = max(flop / flops, bytes / membw) + start
 *
 *  Given    flop    >= 0;  flops  flop/s, > 0
 *           bytes   B that pass through the memory system, >= 0
 *           membw   B/s at this footprint, > 0
 *           start   s, >= 0, what a kernel costs that does nothing
 *  Returns  s
 *  Omits    occupancy, partial last waves
 *  Source   [Williams09], with a start-up time of our own
 */
double gscale_kernel_time(double flop, double flops, double bytes, double membw,
                          double start);

/* ---- the host ------------------------------------------------------------ */

typedef struct gscale_calls { /* issued for one GPU in one phase */
  double launches, copies, events;
} gscale_calls;

/** Time the busiest host thread spends issuing work.
 *
 *    H = sum over kinds of calls * cost * (1 + crowd (threads - 1))
 *        * ceil(gpus / threads)
 *
 *  Given    cost     s per call, >= 0, for one issuing thread
 *           crowd    relative slow-down that each further thread causes, >= 0
 *           gpus     GPUs to be served;  threads  host threads, <= gpus
 *  Returns  s
 *  Omits    full queues
 *  Source   ours
 */
double gscale_host_time(gscale_calls calls, gscale_calls cost,
                        gscale_calls crowd, int gpus, int threads);

/* ---- routes ---------------------------------------------------------------
 */

typedef enum gscale_topology {
  GSCALE_SWITCH, /* every port reaches every other at full rate */
  GSCALE_BUS,    /* one resource that all transfers share */
  GSCALE_TREE,   /* switches of `group` GPUs below one root */
  GSCALE_RING,   /* links to two neighbours, shortest way round */
  GSCALE_MESH,   /* links between pairs, of any rate, some missing */
  GSCALE_TOPOLOGY_END
} gscale_topology;

const char *gscale_topology_name(gscale_topology t); /* "switch"; or NULL */

enum {
  GSCALE_MESH_MAX = 16
};

/** How ports are joined.  Rates are relative to link.rate, which is what one
 *  GPU sends at most.  gscale_fabric_init gives the defaults in brackets. */
typedef struct gscale_fabric {
  gscale_topology kind;
  double ingress; /* rate into a GPU, > 0 [1] */
  int group;      /* tree: GPUs below one switch, >= 1 [2] */
  double uplink;  /* tree: a switch's uplink, each way, > 0 [1] */
  double root;    /* tree: what passes the root in all, > 0 [INFINITY] */
  double split;   /* tree: B, payload to which the root cuts packets; 0 = it
                   * passes them on [0] */
  double arc;     /* ring: one link, one way, > 0 [0.5] */
  int mesh_gpus;  /* mesh: 2 .. GSCALE_MESH_MAX [0] */
  double mesh[GSCALE_MESH_MAX][GSCALE_MESH_MAX]; /* mesh: link from i to j, one
                                                  * way; 0 = none [0] */
  double staged; /* mesh: rate of a GPU to those it has no link to, through
                  * the host; 0 = relayed by the neighbours both have [0] */
} gscale_fabric;

void gscale_fabric_init(gscale_fabric *f, gscale_topology kind);
/** GSCALE_EDOMAIN naming the field that is wrong; a mesh in which a pair has
 *  neither link, staged path nor common neighbour is wrong. */
gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag);

/** Bytes that pass the busiest resource, in units of one port's direction.
 *
 *    max over directed resources of  bytes on it / its relative rate
 *
 *    every    ports: egress / 1, ingress / f->ingress, and their sum / duplex
 *    switch   nothing else;   bus   one resource for the sum of all
 *    tree     between groups: up the sender's uplink, the root, down the
 *             receiver's; bytes there count `across` times
 *    ring     the arcs of the shorter way; half each way when both are equal
 *    mesh     the link; without one the staged path, which both ends share with
 *             their other staged traffic; or both links of each common
 *             neighbour, an equal part over each
 *
 *  Given    bytes    B, n*n, bytes[i*n+j] from GPU i to GPU j; diagonal unused
 *           duplex   rate of both directions together / rate of one, 1 .. 2;
 *                    2 = they do not disturb each other
 *           across   >= 1, wire bytes behind the root / before it
 *  Returns  B: time = this / rate of one direction.  NaN if n exceeds a mesh
 *  Omits    congestion inside switches; routes that adapt to load
 *  Source   ours: a link is busy for bytes/rate, the busiest decides.  Root
 *           complexes that cut peer writes to 64 B: [Nccl] topology constants
 */
double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across);

/** The same per byte from GPU i to GPU j, while nothing else moves: one copy
 *  after the other has no other links than its own.
 *
 *  Given    as above; i and j in 0 .. n-1, not the same
 *  Returns  >= 1.  NaN as above
 *  Source   ours */
double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across);

/* ---- tables of fields ------------------------------------------------------
 *
 * What a description can say of a thing is a table of rows; loading, defaults,
 * domains, settings, generated documentation and writing follow from the row.
 * The parameters of a system have a table of their own (gscale_param_info). */

typedef enum gscale_kind {
  GSCALE_NUMBER,   /* a double */
  GSCALE_WHOLE,    /* a double that is whole */
  GSCALE_INTEGER,  /* an int */
  GSCALE_FLAG,     /* a bool */
  GSCALE_CHOICE,   /* an enum that counts the words from 0 */
  GSCALE_SHARES,   /* `length` doubles >= 0 that add up to 1 at most */
  GSCALE_MIXTURE,  /* gscale_stores */
  GSCALE_STEPS,    /* gscale_profile */
  GSCALE_PACKING,  /* gscale_extra, GSCALE_EXTRAS_MAX of them */
  GSCALE_MATRIX,   /* rows of numbers */
  GSCALE_WORDS,    /* text */
  GSCALE_ANYTHING, /* what the row's meaning says */
  GSCALE_KIND_END
} gscale_kind;

const char *gscale_kind_name(gscale_kind k); /* "number", ...; or NULL */

typedef struct gscale_field {
  const char *group; /* "publish"; "": of the thing itself */
  const char *name;  /* "bytes" */
  const char *key;   /* what may be written instead, without the group; or NULL
                      */
  const char *was;   /* what it was called before; or NULL */
  gscale_kind kind;
  gscale_dim dim;
  bool required;
  bool advanced; /* nine programs of ten need not say it */
  bool open;     /* `least` itself is outside */
  double otherwise;
  double least, most;       /* domain of a number */
  const char *const *words; /* of a choice; NULL after the last */
  const char *meaning;
  size_t offset; /* in the struct, B; of a list: of its first number */
  size_t length; /* most numbers of a list; 1 */
} gscale_field;

typedef enum gscale_described {
  GSCALE_OF_PHASE,    /* gscale_phase */
  GSCALE_OF_STEP,     /* what step() returns beside the phases */
  GSCALE_OF_KNOB,     /* gs.knob { ... } */
  GSCALE_OF_LINK,     /* gscale_link_options, beside the parameters "link.x" */
  GSCALE_OF_TOPOLOGY, /* gscale_fabric */
  GSCALE_DESCRIBED_END
} gscale_described;

const char *gscale_described_name(gscale_described d); /* "phase"; or NULL */

/** Row i of a table; NULL past the end. */
const gscale_field *gscale_field_at(gscale_described d, size_t i);
/** The row of "publish.bytes", or of its key "publish"; NULL if there is none.
 */
const gscale_field *gscale_field_find(gscale_described d, const char *name);
/** "publish.bytes"; just the name if it has no group. */
void gscale_field_path(const gscale_field *f, char *text, size_t size);
/** The words of a choice. */
size_t gscale_field_words(const gscale_field *f);

/** Number i of a field of the thing at `of`: of a mixture the sizes, then from
 *  `length` on the shares; of steps the times, then the data; of packing
 *  kernels, flop and bytes of the first, then of the next.
 *
 *  Returns  where it is; NULL if it has no such number, or is no double */
double *gscale_field_number(const gscale_field *f, void *of, size_t i);

/** GSCALE_EDOMAIN, naming `whose` field it is, unless its value is inside the
 *  domain. */
gscale_status gscale_field_check(const gscale_field *f, const void *of,
                                 const char *whose, gscale_diag *diag);

/* ---- systems ---------------------------------------------------------------
 */

/* Every number of a system, with its text name, is a row of one table. */
typedef enum gscale_param_id {
  GSCALE_DEVICE_MEMORY,
  GSCALE_DEVICE_SMS,
  GSCALE_DEVICE_THREADS,
  GSCALE_DEVICE_FLOPS,
  GSCALE_DEVICE_FLOPS_FP64,
  GSCALE_DEVICE_FLOPS_FP64_TENSOR,
  GSCALE_DEVICE_FLOPS_TF32,
  GSCALE_DEVICE_FLOPS_FP16,
  GSCALE_DEVICE_FLOPS_FP8,
  GSCALE_DEVICE_MEMBW,
  GSCALE_DEVICE_START,
  GSCALE_DEVICE_LATENCY,
  GSCALE_DEVICE_CACHE_LATENCY,
  GSCALE_DEVICE_L1,
  GSCALE_HOST_LAUNCH,
  GSCALE_HOST_COPY,
  GSCALE_HOST_EVENT,
  GSCALE_HOST_LAUNCH_CROWD,
  GSCALE_HOST_COPY_CROWD,
  GSCALE_HOST_SYNC,
  GSCALE_HOST_SYNC_MORE,
  GSCALE_HOST_BARRIER,
  GSCALE_HOST_BARRIER_MORE,
  GSCALE_HOST_GRAPH, /* from here to GSCALE_HAND_FAR: gscale__costs */
  GSCALE_HOST_MEMSET,
  GSCALE_HOST_D2H,
  GSCALE_HOST_H2D,
  GSCALE_HOST_WAIT_FAR,
  GSCALE_HOST_SYNC_EVENT,
  GSCALE_HOST_SET_DEVICE,
  GSCALE_HOST_WAKE,
  GSCALE_HOST_BARRIER_BARE,
  GSCALE_HOST_BARRIER_BARE_MORE,
  GSCALE_HOST_STRAGGLE,
  GSCALE_HOST_STRAGGLE_MORE,
  GSCALE_CROWD_GRAPH,
  GSCALE_CROWD_MEMSET,
  GSCALE_CROWD_D2H,
  GSCALE_CROWD_H2D,
  GSCALE_CROWD_EVENT,
  GSCALE_CROWD_WAIT_FAR,
  GSCALE_CROWD_SYNC,
  GSCALE_CROWD_SYNC_EVENT,
  GSCALE_CROWD_SET_DEVICE,
  GSCALE_SHARE_LAUNCH,
  GSCALE_SHARE_GRAPH,
  GSCALE_SHARE_MEMSET,
  GSCALE_SHARE_COPY,
  GSCALE_SHARE_D2H,
  GSCALE_SHARE_H2D,
  GSCALE_SHARE_EVENT,
  GSCALE_SHARE_WAIT_FAR,
  GSCALE_SHARE_SYNC,
  GSCALE_SHARE_SYNC_EVENT,
  GSCALE_SHARE_SET_DEVICE,
  GSCALE_SHARE_ROOM,
  GSCALE_SHARE_WAKE,
  GSCALE_SHARE_STRAGGLE,
  GSCALE_HAND_COPY_KERNEL,
  GSCALE_HAND_NEAR,
  GSCALE_HAND_FAR,
  GSCALE_LINK_RATE,
  GSCALE_LINK_DUPLEX,
  GSCALE_COPY_EFFICIENCY,
  GSCALE_COPY_ALL_ACTIVE,
  GSCALE_COPY_CONTENDED,
  GSCALE_COPY_INITIATION,
  GSCALE_COPY_LATENCY,
  GSCALE_COPY_INTERFERENCE,
  GSCALE_STAGED_RATE,
  GSCALE_STAGED_ALL_ACTIVE,
  GSCALE_STAGED_HOST,
  GSCALE_STAGED_BUFFER,
  GSCALE_STAGED_INITIATION,
  GSCALE_STAGED_LATENCY,
  GSCALE_STORE_EFFICIENCY,
  GSCALE_STORE_ALL_ACTIVE,
  GSCALE_STORE_RATE,
  GSCALE_STORE_INGRESS,
  GSCALE_STORE_LINE,
  GSCALE_STORE_LATENCY,
  GSCALE_STORE_INTERFERENCE,
  GSCALE_AGENT_THREAD_RATE,
  GSCALE_AGENT_GAP,
  GSCALE_AGENT_LATENCY,
  GSCALE_AGENT_TRACK,
  GSCALE_AGENT_HOLD,
  GSCALE_AGENT_BESIDE,
  GSCALE_CDP_GAP,
  GSCALE_CDP_LATENCY,
  GSCALE_CDP_START,
  GSCALE_CDP_QUEUE,
  GSCALE_CDP_FEW,
  GSCALE_CDP_WAITS,
  GSCALE_LOAD_EFFICIENCY,
  GSCALE_LOAD_RATE,
  GSCALE_LOAD_LATENCY,
  GSCALE_ATOMIC_RATE,
  GSCALE_UM_LAPSE,
  GSCALE_UM_FAULT_START,
  GSCALE_UM_FAULT_RATE,
  GSCALE_UM_PREFETCH_START,
  GSCALE_UM_PREFETCH_RATE,
  GSCALE_UM_TOUCH_START,
  GSCALE_UM_TOUCH_RATE,
  GSCALE_GPS_ENTRIES,
  GSCALE_GPS_PAGE,
  GSCALE_FINEPACK_ENTRIES,
  GSCALE_FINEPACK_SUBHEADER,
  GSCALE_FINEPACK_PAYLOAD,
  GSCALE_PARAM_END
} gscale_param_id;

typedef struct gscale_param_info {
  const char *name; /* "copy.initiation" */
  gscale_dim dim;
  double least, most; /* domain, both ends included */
  bool required;      /* false: `otherwise` is used */
  double otherwise;
  double low, high; /* its range where it is a guess: what was found on other
                     * systems; 0, 0: it says that there is no such cost or
                     * limit, and is exact */
  bool scales; /* both are of an H200's machine; times are scaled by a system's
                * host.launch over that one's */
  const char *meaning;
} gscale_param_info;

const gscale_param_info *
gscale_param_info_at(size_t id); /* NULL past the end */
/** What an optional parameter is until it is set: spec and exact, or assumed
 *  where it is a guess. */
gscale_param gscale_param_default(size_t id);

/** What more of a parameter does to the time of a step, all else the same.
 *
 *  At given knobs, over its whole domain, by every paradigm:
 *    a gain   (a rate, an efficiency, room)   never slows
 *    a cost   (a latency, a call, a share)    never speeds
 *  Either, or nothing: size of a structure, a limit between two regimes.
 *
 *  Holds    for a program whose single-GPU time is not measured.  If it is, it
 *           is what one GPU takes in all, and a parameter of one GPU (device,
 *           host) says how that is divided: more of one is less of the others.
 */
typedef enum gscale_direction {
  GSCALE_UNDECLARED, /* past the end */
  GSCALE_GAIN,
  GSCALE_COST,
  GSCALE_EITHER,
  GSCALE_DIRECTION_END
} gscale_direction;

gscale_direction gscale_param_direction(size_t id);
/** Finds "copy.initiation"; GSCALE_PARAM_END if there is none. */
gscale_param_id gscale_param_find(const char *name);

typedef struct gscale_system gscale_system;

/** A system of `gpus` equal GPUs.  Its parameters start unset (the optional
 *  ones at their default); gscale_system_check says what is missing. */
gscale_system *gscale_system_new(const char *name);
void gscale_system_free(gscale_system *s);

gscale_status gscale_system_set(gscale_system *s, gscale_param_id id,
                                const gscale_param *p, gscale_diag *diag);
/** Whether the parameter is a guess still: nobody set it.  It follows
 *  host.launch. */
bool gscale_system_guessed(const gscale_system *s, gscale_param_id id);
/** Sets the wire format, and link.rate (as spec) unless that was set. */
gscale_status gscale_system_set_link(gscale_system *s, const gscale_link *l,
                                     gscale_diag *diag);
/** Says what the system can do; before, it can what gscale_link_can says of its
 *  link.  GSCALE_EDOMAIN if `peer` is none of them. */
gscale_status gscale_system_set_can(gscale_system *s, const gscale_can *can,
                                    gscale_diag *diag);
const gscale_can *gscale_system_can(const gscale_system *s);
/** Sets how many GPUs were built, how they are joined, and whether more of
 *  them could be (`grows`; a mesh cannot).  `calibrated` = most GPUs measured
 *  together, 0 if none were. */
gscale_status gscale_system_set_shape(gscale_system *s, const gscale_fabric *f,
                                      int gpus, bool grows, int calibrated,
                                      gscale_diag *diag);
/** Another link on the same topology: format and rate are replaced (the rate
 *  stays if the link has none); what was measured over the old one carries over
 *  as assumed.
 *
 *    efficiencies of copies, stores and loads, all_active   0.8 of it .. 1
 *    store.latency, load.latency                            1/2 .. 3 times
 *    store.rate, store.ingress, load.rate, atomic.rate,
 *    um.fault_rate                                          1/4 .. 3/2 times
 *
 *  From PCIe to PCIe staged.rate scales with link.rate, 0.8 to 1 times.  Peer
 *  access becomes what machines of the new link have, or stays as it is if the
 *  system has less than machines of the old one.  A failure leaves the system
 * as it was.
 *
 *  Returned the standard error is the range's, (most - least) / sqrt(12), or
 *           what it was if that is more
 *  Omits    agent.latency, copy.initiation, copy.latency and the costs of the
 *           host: the GPU's and the driver's, more than the link's
 *  Source   ours; the ranges are what params/ differ by between PCIe and NVLink
 */
gscale_status gscale_system_swap_link(gscale_system *s, const gscale_link *l,
                                      gscale_diag *diag);
/** Sets the shape of device.membw over the footprint (see gscale_curve). */
gscale_status gscale_system_set_membw_curve(gscale_system *s,
                                            const gscale_curve *c,
                                            gscale_diag *diag);
const gscale_curve *gscale_system_membw_curve(const gscale_system *s);
/** The origin of its factors; `err` is that of each, as a share of it. */
gscale_status gscale_system_doubt_membw_curve(gscale_system *s,
                                              const gscale_param *each,
                                              gscale_diag *diag);
/** The origin and error of a number of the topology, by its row: val is what
 *  gscale_system_set_shape was given (per_link: of all links together).
 *  GSCALE_ENAME if the row is not a number of GSCALE_OF_TOPOLOGY. */
gscale_status gscale_system_doubt_topology(gscale_system *s,
                                           const gscale_field *f,
                                           const gscale_param *p,
                                           gscale_diag *diag);
/** What is known of row f of the topology; NULL if nobody said it. */
const gscale_param *gscale_system_topology(const gscale_system *s,
                                           const gscale_field *f);
/** The origin of the curve's factors, as set. */
const gscale_param *gscale_system_membw_origin(const gscale_system *s);
/** Sets the range of message sizes, B, over which copies were measured. */
gscale_status gscale_system_set_copy_range(gscale_system *s, double least,
                                           double most, gscale_diag *diag);
/** The range set, 0 .. INFINITY if none was. */
void gscale_system_copy_range(const gscale_system *s, double *least,
                              double *most);

/** How far predictions of one program by one paradigm were off on this system,
 *  beyond what the errors of parameters and measurements explain. */
typedef struct gscale_discrepancy {
  char workload[GSCALE_NAME_MAX];
  size_t paradigm;
  gscale_param sigma; /* one standard deviation / gscale_discrepancy_scale */
  size_t rows;        /* runs behind it, >= 1 */
} gscale_discrepancy;

enum {
  GSCALE_DISCREPANCIES_MAX = 160
};
/** Appends one.  GSCALE_EDOMAIN names the field that is wrong; GSCALE_ENAME for
 *  a second one of the same program and paradigm; GSCALE_ESIZE if full. */
gscale_status gscale_system_add_discrepancy(gscale_system *s,
                                            const gscale_discrepancy *d,
                                            gscale_diag *diag);
void gscale_system_clear_discrepancies(gscale_system *s);
/** NULL past the end. */
const gscale_discrepancy *gscale_system_discrepancy(const gscale_system *s,
                                                    size_t i);

/** What to expect of a program that is not among those measured. */
typedef struct gscale_pooled {
  double sigma;       /* as gscale_discrepancy.sigma; 0 if nothing is known */
  size_t programs;    /* other programs behind it; 0: nothing is known */
  bool same_paradigm; /* false: no other program has it, all are pooled */
} gscale_pooled;

/** Pools the discrepancies of all programs but the one predicted.
 *
 *    log sigma = mean over programs other than `workload` of log sigma_program
 *
 *  of the same paradigm; if none has it, with the root mean square of all a
 *  program's paradigms.  Each program counts the same, however many runs it
 *  has: its runs share what the model does not know of it.  Programs are off by
 *  anything from 1 to 300 %, and a mean of squares would be that of the worst.
 *
 *  Given    workload   gscale_workload_name of the program predicted
 *  Limits   a program of sigma 0 is left out: the errors of its own numbers
 *           explain its residuals, so that they bound the model's share from
 *           above only
 *  Source   ours; leaving out the program itself makes coverage on programs
 *           already measured an estimate of that on a new one.  Fitted: the
 *           geometric mean was chosen by it, 68 % in the mean of ten programs
 */
gscale_pooled gscale_system_pool(const gscale_system *s, const char *workload,
                                 size_t paradigm);

/** GSCALE_ENEED, naming the first required parameter that is not set. */
gscale_status gscale_system_check(const gscale_system *s, gscale_diag *diag);

const char *gscale_system_name(const gscale_system *s);
const gscale_param *gscale_system_get(const gscale_system *s,
                                      gscale_param_id id);
const gscale_link *gscale_system_link(const gscale_system *s);
const gscale_fabric *gscale_system_fabric(const gscale_system *s);
bool gscale_system_grows(const gscale_system *s);
int gscale_system_gpus(const gscale_system *s);
int gscale_system_calibrated(const gscale_system *s);

/* ---- workloads -------------------------------------------------------------
 */

typedef enum gscale_pattern {
  GSCALE_TO_NONE,
  GSCALE_TO_NEIGHBOURS,  /* a chain: each GPU to the one before and after */
  GSCALE_TO_ALL,         /* each GPU's share to every other GPU */
  GSCALE_TO_RANDOM,      /* each byte to one GPU, any of them as likely */
  GSCALE_TO_PARTITION,   /* each GPU's share in n equal parts, one for each */
  GSCALE_TO_SUBSCRIBERS, /* to as many others as `subscribers` says */
  GSCALE_PATTERN_END
} gscale_pattern;

const char *gscale_pattern_name(gscale_pattern p); /* "all"; or NULL */

/** Remote stores by size, as they leave the SM's coalescer. */
enum {
  GSCALE_STORES_MAX = 12
};
typedef struct gscale_stores {
  size_t n;                        /* kinds, >= 1 */
  double size[GSCALE_STORES_MAX];  /* B, > 0 */
  double share[GSCALE_STORES_MAX]; /* of the number of stores; sum 1 */
  bool masked[GSCALE_STORES_MAX];  /* leaves bytes of a unit unwritten */
} gscale_stores;

/** Mean size, B. */
double gscale_stores_mean(const gscale_stores *s);
/** Wire bytes / useful bytes of the mixture; stores below one NVLink flit are
 *  masked whatever they say. */
double gscale_stores_ratio(const gscale_stores *s, const gscale_link *l);
/** Packets per useful byte of the mixture, of stores smaller than `line` B. */
double gscale_stores_packets(const gscale_stores *s, const gscale_link *l,
                             double line);

/** What a phase computes in: each has an arithmetic rate of its own. */
typedef enum gscale_precision {
  GSCALE_FP32, /* device.flops */
  GSCALE_FP64,
  GSCALE_FP64_TENSOR, /* matrices, by tensor cores */
  GSCALE_TF32,        /* matrices of fp32, rounded, by tensor cores */
  GSCALE_FP16,        /* fp16, bf16; by tensor cores where there are any */
  GSCALE_FP8,         /* matrices, by tensor cores */
  GSCALE_PRECISION_END
} gscale_precision;

const char *gscale_precision_name(gscale_precision p); /* "fp64"; or NULL */
/** The rate that it computes at; GSCALE_PARAM_END if there is no such. */
gscale_param_id gscale_precision_rate(gscale_precision p);

/** Work that one paradigm does besides: packing, unpacking, staging. */
enum {
  GSCALE_EXTRAS_MAX = 4
};
typedef struct gscale_extra {
  char paradigm[GSCALE_NAME_MAX];
  double kernels; /* launches per GPU, >= 0 */
  double flop;    /* whole problem, >= 0 */
  double bytes;   /* B through the memory system, whole problem, >= 0 */
} gscale_extra;

/** Part of a step between two synchronisations.  Counts are for the whole
 *  problem; gscale_phase_init gives the defaults in brackets. */
typedef struct gscale_phase {
  char name[GSCALE_NAME_MAX];

  /* compute */
  double repeats; /* times per step, > 0 [1] */
  double units;   /* indivisible units that are dealt to GPUs, >= 1 [1] */
  double serial;  /* fraction that every GPU repeats, 0..1 [0] */
  double kernels; /* launches per GPU, >= 1 [1] */
  double flop;    /* flop, >= 0 [0] */
  gscale_precision precision; /* of its flop, those of `extra` too [fp32] */
  double bytes;               /* B through the memory system, >= 0 [0] */
  double footprint;           /* B of all arrays it touches, >= 0 [0] */
  double compute_max;         /* busiest GPU's compute / mean, >= 1 [1] */
  double fixed;               /* s, whatever a GPU's share, >= 0 [0] */
  double chain;       /* memory accesses, each waiting for the last, of the
                       * longest thread: it may begin last, >= 0 [0] */
  double far;         /* of those, to what is published, 0 .. chain [0] */
  double gather;      /* B of the array in which these lie, the same for any
                       * number of GPUs; 0: all that it touches, >= 0 [0] */
  double stay;        /* such accesses of a block's longest thread, in the mean
                       * of all blocks: what a barrier at its end waits for,
                       * 0 .. chain [0: all threads take as long] */
  gscale_calls calls; /* host calls besides, per GPU, >= 0 [0] */

  /* what it publishes */
  gscale_pattern to; /* who needs it [none] */
  double publish;    /* B: to neighbours: to each neighbour; else by all GPUs
                      * together, each byte once, >= 0 [0] */
  double subscribers[GSCALE_MESH_MAX]; /* [k]: fraction of the published bytes
                                        * that k+1 other GPUs need (at most all
                                        * others); sum at most 1, the rest
                                        * nobody needs [0] */
  double egress_max;    /* bytes the busiest GPU sends / mean, >= 1 [1] */
  double ingress_max;   /* bytes the busiest GPU gets / mean, >= 1 [1] */
  double rewrites;      /* stores per byte before anyone needs it, >= 1 [1] */
  double read;          /* fraction of published bytes that is read, 0..1 [1] */
  gscale_profile ready; /* when data is ready within the kernel [linear] */
  bool apart;           /* the blocks that make what leaves a GPU, or read what
                         * others made, are others than those that do neither,
                         * and come first [false: all blocks do both] */

  /* how it is moved */
  double copies; /* contiguous pieces per destination, >= 1 [1] */
  double over;   /* bytes that bulk copies move / bytes needed, >= 1: they
                  * copy whole regions [1] */
  gscale_stores stores; /* of the inline paradigm [all of 128 B] */
  double spread;        /* B of the array over which the stores of all GPUs
                         * scatter, dealt to them evenly; 0: they come in order,
                         * >= 0 [0] */
  gscale_joins joins;   /* where they scatter: those that lie next to an earlier
                         * one of the phase [none] */
  double fetch;         /* B that one load of a reader brings, > 0 [128] */
  double loads;         /* loads of what is published, by all readers, near or
                         * not: each goes to any GPU that makes some of it;
                         * another GPU's memory is not cached beyond an SM;
                         * 0: each byte that is read once, >= 0 [0] */
  bool atomic;          /* its stores are atomic updates [false] */
  double block;         /* B published by one thread block, > 0 [4096] */
  double boundary;      /* neighbours: fraction of one GPU's compute at N = 1
                         * that produces the data for one neighbour [0] */
  size_t extras;        /* extra kernels of paradigms [0] */
  gscale_extra extra[GSCALE_EXTRAS_MAX];

  gscale_origin origin; /* the weakest origin of its numbers [derived] */
} gscale_phase;

void gscale_phase_init(gscale_phase *p, const char *name);

typedef struct gscale_workload gscale_workload;

gscale_workload *gscale_workload_new(const char *name);
void gscale_workload_free(gscale_workload *w);
/** Appends a copy of *p.  GSCALE_EDOMAIN names the field that is wrong. */
gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag);
/** Says whence a number of a phase comes, and its standard error: carried into
 *  the error of predictions.  What is not said is derived and exact.
 *
 *  Given    phase   below gscale_workload_phases
 *           f, i    as gscale_field_number takes them
 *           p       origin, error >= 0 and source; val is the number's already
 *  Fails    GSCALE_ENAME  there is no such number
 *           GSCALE_EDOMAIN  its error;  GSCALE_ENOMEM
 */
gscale_status gscale_workload_doubt(gscale_workload *w, size_t phase,
                                    const gscale_field *f, size_t i,
                                    const gscale_param *p, gscale_diag *diag);
/** A knob of the description that is uncertain: what the workload is when it is
 *  moved to either side, with everything computed from it.
 *
 *  Given    p         its value and standard error, > 0
 *           low, high what it is moved to: the points of gscale_param_nodes,
 *                     or where its domain ends before
 *           down, up  the workloads there; owned from then on
 */
gscale_status gscale_workload_add_knob(gscale_workload *w, const char *name,
                                       gscale_dim dim, const gscale_param *p,
                                       double low, gscale_workload *down,
                                       double high, gscale_workload *up,
                                       gscale_diag *diag);
/** The measured time of one step on one GPU, s; 0 = use the roofline. */
gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag);
/** Host threads that issue work (0 = one per GPU) and streams of each for
 *  copies (>= 1). */
gscale_status gscale_workload_set_host(gscale_workload *w, int threads,
                                       int streams, gscale_diag *diag);
const char *gscale_workload_name(const gscale_workload *w);
size_t gscale_workload_phases(const gscale_workload *w);
const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i);
double gscale_workload_single(const gscale_workload *w);
/** The same with its origin and error. */
const gscale_param *gscale_workload_t1(const gscale_workload *w);
void gscale_workload_host(const gscale_workload *w, int *threads, int *streams);
/** What gscale_workload_doubt said of a number; NULL if it said nothing. */
const gscale_param *gscale_workload_doubted(const gscale_workload *w,
                                            size_t phase, const gscale_field *f,
                                            size_t i);
/** The weakest origin among its numbers. */
gscale_origin gscale_workload_origin(const gscale_workload *w);

/* ---- paradigms --------------------------------------------------------------
 */

typedef enum gscale_knob {
  GSCALE_CHUNK, /* B, unit of a decoupled transfer */
  GSCALE_WIDTH, /* threads of the agent */
  GSCALE_KNOB_END
} gscale_knob;

typedef struct gscale_knobs {
  double v[GSCALE_KNOB_END]; /* NaN = the model's best */
} gscale_knobs;

extern const gscale_knobs gscale_knobs_best; /* all unset */

const char *gscale_knob_name(gscale_knob k); /* "chunk", "width"; or NULL */
gscale_dim gscale_knob_dim(gscale_knob k);

typedef struct gscale_paradigm {
  const char *name;
  const char *summary;
  bool proposed;              /* hardware that does not exist yet */
  bool uses[GSCALE_KNOB_END]; /* knobs it obeys */
  gscale_can needs;           /* of the system, where data is moved */
  bool updates;               /* sends the kernel's own stores: atomic ones
                               * need peer atomics */
} gscale_paradigm;

size_t gscale_paradigm_count(void);
const gscale_paradigm *gscale_paradigm_at(size_t i); /* NULL past the end */
size_t gscale_paradigm_find(const char *name);       /* count() if unknown */

/* ---- plan and predict
 * -------------------------------------------------------- */

/* Mechanisms in the order in which they are switched on to form the parts. */
typedef enum gscale_mechanism {
  GSCALE_M_COMPUTE,
  GSCALE_M_HOST,
  GSCALE_M_SYNC,
  GSCALE_M_BANDWIDTH,
  GSCALE_M_ISSUE, /* stores per second */
  GSCALE_M_INITIATION,
  GSCALE_M_FAULT, /* page faults, beside the bytes they move */
  GSCALE_M_TRACKING,
  GSCALE_M_TAIL,
  GSCALE_M_LATENCY,
  GSCALE_MECHANISM_END
} gscale_mechanism;

const char *gscale_mechanism_name(gscale_mechanism m); /* or NULL */

typedef enum gscale_part {
  GSCALE_PART_COMPUTE,
  GSCALE_PART_HOST,       /* host and sync */
  GSCALE_PART_TRANSFER,   /* bandwidth and issue */
  GSCALE_PART_INITIATION, /* initiation and faults */
  GSCALE_PART_TRACKING,
  GSCALE_PART_TAIL,
  GSCALE_PART_LATENCY,
  GSCALE_PART_END
} gscale_part;

typedef enum gscale_applicability {
  GSCALE_INSIDE,
  GSCALE_INTERPOLATED,
  GSCALE_EXTRAPOLATED,
  GSCALE_BY_ASSUMPTION,
  GSCALE_APPLICABILITY_END
} gscale_applicability;

const char *gscale_applicability_name(gscale_applicability a); /* or NULL */

typedef struct gscale_bytes { /* B, whole system, one step, at the source */
  double wire;                /* = the sum of the others */
  double useful;
  double protocol;  /* headers, padding */
  double redundant; /* rewritten before anyone needs it */
  double unused;    /* never read */
} gscale_bytes;

typedef struct gscale_prediction {
  double time;                  /* s, one steady step */
  double setup;                 /* s, once, before steps are steady */
  double part[GSCALE_PART_END]; /* s, each >= 0, sum = time */
  gscale_bytes bytes;
  double speedup;         /* T_infinite(baseline) / time * baseline N */
  double efficiency;      /* speedup / N */
  double opportunity;     /* T_infinite(N) / time, 0..1 */
  gscale_mechanism bound; /* whose 1 % relaxation saves most */
  gscale_knobs knobs;     /* as used; NaN where none matters */
} gscale_prediction;

typedef struct gscale_plan gscale_plan;

/** Everything about (system, workload, n GPUs) that no paradigm changes.
 *  Allocates; the plan keeps nothing of *s and *w but the schedules of a
 *  workload that has its own (gpuscale/program.h): free that one later.
 *
 *  Given    n   1 .. 1024
 *  Fails    GSCALE_ENEED  a required parameter is missing, or the rate of a
 *                         precision that a phase computes in, or a schedule of
 *                         the workload for n GPUs
 *           GSCALE_ESIZE  n beyond a system that does not grow, or the share
 *                         of the footprint does not fit device.memory
 *           GSCALE_ENUMERIC  the step without transfers has no finite time
 */
gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag);
void gscale_plan_free(gscale_plan *p);
/** What gscale_plan_new() refuses before it computes anything: GSCALE_ENEED and
 *  GSCALE_ESIZE.  Costs a pass over the phases, whatever n. */
gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag);
int gscale_plan_gpus(const gscale_plan *p);
/** Smallest number of GPUs whose memory holds the footprint. */
int gscale_plan_baseline(const gscale_plan *p);
/** True if n is beyond what was built. */
bool gscale_plan_beyond(const gscale_plan *p);

/** The grid that is tried for a knob left unset: powers of two times *least, up
 *  to *most.
 *
 *  Given    k   below GSCALE_KNOB_END
 *  Returned chunk 4 KiB .. 64 MiB; width 64 .. 16384, but at most half of the
 *           threads a GPU has: the rest is the kernel's
 */
void gscale_plan_knob(const gscale_plan *p, gscale_knob k, double *least,
                      double *most);

/** GSCALE_OK if the paradigm can run this plan, else GSCALE_ENEED and why. */
gscale_status gscale_plan_needs(const gscale_plan *p, size_t paradigm,
                                gscale_diag *diag);

/** Predict one step.  Pure: no allocation, no I/O, re-entrant.  (A workload
 * with a schedule of its own is the exception: it allocates working memory, and
 * fails with GSCALE_ENOMEM without; its time and parts are those of program.h.)
 *
 *    T = sum over phases of repeats * ( max(H, lead + device path) + sync(N) )
 *
 *  where H is all the host issues in the phase and `lead` what it must have
 *  issued before the device path can begin: its launches up to the kernel that
 *  computes.
 *
 *  The parts are the increases when the mechanisms are switched on in the order
 *  of gscale_mechanism.  Knobs that are NaN are set to the best of the grid of
 *  gscale_plan_knob.
 *
 *  Given    paradigm   an index, see gscale_paradigm_find
 *           k          knobs; NULL = all unset
 *  Fails    GSCALE_ENEED   as gscale_plan_needs
 *           GSCALE_EDOMAIN a knob that is not positive
 *           GSCALE_ENUMERIC the time, which is > 0, or anything else of the
 *                          prediction would not be finite
 *  Source   DESIGN of this project; the equations above; for each paradigm the
 *           head of its file in model/paradigm/
 */
gscale_status gscale_predict(const gscale_plan *p, size_t paradigm,
                             const gscale_knobs *k, gscale_prediction *out,
                             gscale_diag *diag);

/** Only the time of gscale_predict, s, with knobs that are all set (as in
 *  gscale_prediction.knobs); NaN where gscale_predict would fail. */
double gscale_predict_time(const gscale_plan *p, size_t paradigm,
                           const gscale_knobs *k);

/** A number that a prediction rests on. */
typedef struct gscale_number {
  char name[128]; /* "copy.initiation", "sweep.publish.bytes", "t1" */
  gscale_dim dim;
  gscale_param p;
  bool of_workload; /* or of the system */
} gscale_number;

/** How one number moves a prediction. */
typedef struct gscale_influence {
  double elasticity; /* (dT/T) / (dp/p), for +1 % */
  double err;        /* s, standard error of T by this number alone */
  double down, up;   /* s, T - T(p) at the points of gscale_param_nodes */
  double shift;      /* s, by how much it moves the mean of T */
} gscale_influence;

typedef struct gscale_error {
  double time; /* s, standard error of the time: the next two in quadrature */
  double of_parameters;          /* s, the next two in quadrature */
  double of_system, of_workload; /* s, of their numbers */
  double of_model;               /* s, the model's own discrepancy */
  gscale_pooled model;           /* what that was pooled from */
  gscale_applicability applicability;
  char reason[128]; /* the number or size behind it; "" if inside */
  bool nonlinear;   /* the time does not follow its numbers linearly within
                     * their errors: ask for quantiles by
                     * gscale_uncertainty_sample */
} gscale_error;

/** What all errors of a system and a workload do to predictions on n GPUs: a
 *  plan for each number that is uncertain, shared by all paradigms.
 *
 *  Its numbers are the parameters of the system, the points of its curve, the
 *  rates of its topology, the single-GPU time, uncertain knobs and the numbers
 *  of phases that gscale_workload_doubt named.
 *
 *  Given    s, w   kept: they must outlive it
 *           all    with elasticities of numbers that are exact, and with the
 *                  numbers of phases that are merely derived
 *  Fails    as gscale_plan_new
 */
typedef struct gscale_uncertainty gscale_uncertainty;
gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag);
void gscale_uncertainty_free(gscale_uncertainty *u);
size_t gscale_uncertainty_count(const gscale_uncertainty *u);
/** NULL past the end. */
const gscale_number *gscale_uncertainty_number(const gscale_uncertainty *u,
                                               size_t i);

/** Where a function of an uncertain number is to be looked at: the outer points
 *  of the Gaussian rule of three for its distribution.
 *
 *    measured  normal                    p -+ sqrt(3) err        weight 1/6
 *    assumed   even over its range       p -+ sqrt(9/5) err      weight 5/18
 *    where that range (3 err, sqrt(3) err) would pass 0, the logarithm is
 * normal or even, with median p and standard deviation err: measured p exp(-+
 * sqrt(3) s)                     weight 1/6 exp(s^2) = (1 + sqrt(1 + 4
 * (err/p)^2)) / 2 assumed             p exp(-+ sqrt(3/5) h) weight 5/18
 *                        sinh(2h)/(2h) - (sinh(h)/h)^2 = (err/p)^2
 *
 *  Given    p   val, err > 0, origin
 *  Returns  the weight of each of the two; the rest is that of p itself
 *  Source   Gauss-Hermite and Gauss-Legendre quadrature [AbramowitzStegun64]
 */
double gscale_param_nodes(const gscale_param *p, double *down, double *up);

/** What number i does to the time by a paradigm at set knobs: mean and variance
 *  of T by the rule of gscale_param_nodes, with weight w.
 *
 *    shift = w (down + up)
 *    err^2 = w (down^2 + up^2) - shift^2
 *
 *  A number is moved as far as its domain allows; where nothing can be
 *  predicted it is not moved.  Knobs of descriptions are moved with all that
 *  step() computes from them.
 *
 *  Limits   |dT/dp| err where T is linear; exact for a T of second order
 *  Returns  zeros past the end, and an elasticity of 0 for an exact number
 *           unless `all` was said
 *  Source   ours: each number alone, as if the others were exact
 */
gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k);

/** Times of draws of all numbers at once, at set knobs.
 *
 *  They are distributed as gscale_param_nodes has it, and end where their
 *  domains do.  Of an uncertain knob, between the runs of step() numbers are
 *  interpolated, and beyond extrapolated.
 *
 *  Given    time   `draws` places
 *  Returned time   s, rising
 *  Returns  how many could be predicted
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]
 */
size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws);

/** The standard error of a prediction:
 *
 *    err^2 = sum over numbers of err_p^2 + (sigma scale)^2
 *
 *  with err_p of gscale_uncertainty_influence, sigma of gscale_system_pool,
 * from other programs than this one, and the scale of gscale_discrepancy_scale.
 * On one GPU the latter is left out: nothing moves, and the time was measured
 * or is a roofline, which no runs were held against.
 *
 *  Not linear: sqrt(sum of shift_p^2) > 0.2 err of the numbers.  Fitted: with
 *  it, all that are said to be linear of 20 cases of tests/t_uncertainty.c are
 *  within 10 % of the standard deviation of 10^4 draws.
 *
 *  Applicability: by assumption if an assumed number has |elasticity| > 0.1,
 *  else extrapolated beyond the calibrated GPUs, copy sizes or footprints,
 *  else inside.
 *  Omits    correlations between numbers; what a program without a measured
 *           single-GPU time is off besides
 *  Fails    as gscale_predict
 */
gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag);

/** The same for one paradigm.  Fails as gscale_plan_new and gscale_predict. */
gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   gscale_error *out, gscale_diag *diag);

/* ---- curves of time over N -------------------------------------------------
 */

/** Index of the smallest time (the peak), NaN being none; always below n, the
 *  first if none is a number, but 0 if n is 0. */
size_t gscale_peak(const double *time, size_t n);

/** Index of the knee: the last listed N at which the added GPUs still give at
 *  least half of what they could,
 *    T(prev)/T(N) - 1 >= 0.5 (N/prev - 1).
 *  Given    gpus   rising;  time  s, > 0
 *  Returns  an index; 0 if no step passes; n if n is 0
 */
size_t gscale_knee(const int *gpus, const double *time, size_t n);

/* ---- predicted against measured ---------------------------------------------
 */

typedef struct gscale_score {
  size_t n;
  double mean_abs;   /* mean of |predicted/measured - 1| */
  double median_abs; /* its median, and the value that 90 % do not exceed, */
  double p90_abs;    /* linear between two of them */
  double bias;       /* mean of predicted/measured - 1 */
  double worst;      /* the largest |.|, with its sign */
  double covered;    /* fraction with |predicted - measured| <= err; the
                      * measurement's own error added in quadrature */
  double covered95;  /* the same for 1.96 times as much */
  double width;      /* median of that error, relative to the prediction: half
                      * the interval */
} gscale_score;

/** Scores n rows; the errors may be NULL (= 0).  Times must be > 0. */
gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, gscale_score *out, gscale_diag *diag);

/** The error of a prediction as that of its compute and that of its transfer,
 *  where the program without any transfer (infinite) was measured on as many
 *  GPUs.
 *
 *    compute  = (predicted_infinite - measured_infinite) / measured
 *    transfer = the rest of (predicted - measured) / measured
 *
 *  Given    s, > 0, all four
 *  Returns  shares of the measured time with their signs; their sum is the
 *           error; NaN outside the domain
 *  Limits   of the infinite run itself: all is compute
 *  Omits    that a transfer may hide behind compute: an error of the compute
 *           that the transfer hides shows in both, with opposite signs
 *  Source   ours: definition
 */
typedef struct gscale_split {
  double compute, transfer;
} gscale_split;
gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite);

/* ---- laws that are fitted to runs: what a prediction has to beat ------------
 */

typedef enum gscale_law {
  GSCALE_AMDAHL,
  GSCALE_USL,      /* Universal Scalability Law */
  GSCALE_MESSAGES, /* latency and bandwidth */
  GSCALE_LAW_END
} gscale_law;

enum {
  GSCALE_LAW_TERMS = 3
};

const char *gscale_law_name(gscale_law l); /* "amdahl", ...; or NULL */

/** What the busiest GPU publishes to others in a step. */
typedef struct gscale_traffic {
  double messages; /* contiguous pieces, one for each destination */
  double bytes;    /* B */
} gscale_traffic;

/** Counted from the workload alone, whatever moves it: all phases times their
 *  repeats; 0 on one GPU.
 *
 *  Given    n   >= 1
 */
gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n);

/** Time by a law.
 *
 *    amdahl     T1 (s + (1 - s) / N)                     c = T1, s
 *    usl        T1 (1 + a (N-1) + b N (N-1)) / N         c = T1, a, b
 *    messages   C / N + messages alpha + bytes beta      c = C, alpha, beta
 *
 *  Given    c      GSCALE_LAW_TERMS numbers: s; s and fractions; s, s, s/B
 *           gpus   N, >= 1
 *           t      traffic on N GPUs, for `messages` only
 *  Returns  s; NaN outside the domain
 *  Source   [Amdahl67]; [Gunther07] chapter 4: throughput
 *           N / (1 + a (N-1) + b N (N-1)), of which this is the inverse;
 *           [Hockney94]: alpha + beta bytes for each message, beside compute
 *           that divides
 */
double gscale_law_time(gscale_law l, const double *c, int gpus,
                       gscale_traffic t);

/** The coefficients that fit measured runs best.
 *
 *    minimise sum_i (T(N_i) / time_i - 1)^2,   T1, s, a, b, C, alpha, beta >= 0
 *
 *  Given    t      traffic of each run, or NULL: none
 *           time   s, > 0
 *           n      runs, with as many different N as the law has coefficients
 *  Returned c      as gscale_law_time takes them; of columns that the runs
 *                  cannot tell apart, one is used and the others are 0
 *  Fails    GSCALE_EDATA    too few different N, or T1 = 0
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM
 *  Source   ours: linear in the coefficients (times T1), [LawsonHanson74]
 */
gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag);

/** The one factor on predictions that fits measured runs best.
 *
 *    minimise sum_i (k predicted_i / measured_i - 1)^2
 *
 *  Given    n   >= 1;  s, > 0
 *  Returns  k; NaN outside the domain
 *  Source   ours: what a prediction gains from the runs that laws need
 */
double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n);

/* ---- the model's own discrepancy --------------------------------------------
 */

/** The time to which the model's own discrepancy is proportional.
 *
 *    scale = sqrt( (T - T_infinite)^2 + (0.05 T)^2 )
 *
 *  What the transfer adds to a step is known worse than the compute; the second
 *  term stands for what it should hide and may not, and for the compute.
 *
 *  Given    time      s, T, > 0;  infinite  s, T_infinite, 0 .. T
 *  Returns  s; NaN outside the domain
 *  Limits   0.05 T for infinite itself;  T if all is transfer
 *  Source   ours.  0.05 is fitted: with it the middle spreads of two programs
 *           with very different shares of transfer (jacobi, allgather) agree
 *           within a factor of 3 in each paradigm; relative to T they differ by
 *           up to 6
 */
double gscale_discrepancy_scale(double time, double infinite);

/** Spread of residuals beyond what errors explain, estimated in three ways.
 *
 *    r_i = (measured_i - predicted_i) / scale_i
 *    v_i = (err_i^2 + sigma_i^2) / scale_i^2
 *    rms      sqrt(max(0, mean(r^2 - v)))
 *    middle   the least d with 68.27 % of the rows in |r| <= sqrt(v + d^2)
 *    median   the least d with half of them in |r| <= 0.6745 sqrt(v + d^2)
 *
 *  All three are one standard deviation if residuals are normal.  A heavy tail
 *  raises the first only.
 */
typedef struct gscale_spread {
  size_t n;
  double rms, middle, median;
} gscale_spread;

/** Given    as gscale_score_rows; the errors of the predictions are those of
 *           their parameters (gscale_error.of_parameters)
 *           scale   s, > 0, or NULL: the predicted times
 *  Fails    as gscale_score_rows
 *  Source   ours: moments, and quantiles of the normal distribution
 */
gscale_status gscale_spread_of(const double *predicted, const double *err,
                               const double *measured, const double *sigma,
                               const double *scale, size_t n,
                               gscale_spread *out, gscale_diag *diag);

/* ---- tables of measurements
 * --------------------------------------------------- */

typedef struct gscale_table gscale_table;

/** Read a CSV file: `#` lines at its head, one line of column names, rows.
 *
 *  Refuses NUL bytes, unterminated quotes, fields over 64 KiB, more than 1024
 *  columns, rows with too few or many fields, and names that are empty or given
 *  twice; the diag has line and column.  A byte-order mark, CR and CRLF line
 *  ends, and empty lines are accepted.
 *  Fails    GSCALE_EIO cannot be read; GSCALE_EPARSE; GSCALE_ENOMEM
 */
gscale_status gscale_table_read(const char *path, gscale_table **out,
                                gscale_diag *diag);
void gscale_table_free(gscale_table *t);
size_t gscale_table_rows(const gscale_table *t);
int gscale_table_line(const gscale_table *t, size_t row); /* in the file */
/** Column of that name; GSCALE_ENAME names it and the file if missing. */
gscale_status gscale_table_column(const gscale_table *t, const char *name,
                                  size_t *out, gscale_diag *diag);
const char *gscale_table_text(const gscale_table *t, size_t row, size_t column);
/** A finite decimal number (no nan, inf, hexadecimal); else GSCALE_EPARSE with
 *  file, line and column name. */
gscale_status gscale_table_number(const gscale_table *t, size_t row,
                                  size_t column, double *out,
                                  gscale_diag *diag);

/* ---- measurements -----------------------------------------------------------
 */

/** One sample of a microbenchmark; the columns of data files in their order. */
typedef struct gscale_measurement {
  char bench[32];
  char src[12], dst[12]; /* GPU indices, "h" host, "all", "-" none */
  int gpus;              /* active together */
  char access[12];       /* copy, store, load, kernel, host */
  double size;           /* B of one item; what else it means, the bench says */
  double count;          /* items in the sample */
  double threads;
  double inflight; /* streams, or items at once */
  double time;     /* s, of the whole sample */
  double sigma;    /* s, standard error of it */
  double repeats;
  char file[64]; /* last component of the path it came from */
  int line;      /* in that file */
} gscale_measurement;

typedef struct gscale_measurements gscale_measurements;

gscale_measurements *gscale_measurements_new(void);
void gscale_measurements_free(gscale_measurements *m);
/** Appends a copy; GSCALE_EDOMAIN unless time > 0, count >= 1, all others >= 0,
 *  and all finite.  sigma = 0: not known. */
gscale_status gscale_measurements_add(gscale_measurements *m,
                                      const gscale_measurement *row,
                                      gscale_diag *diag);
/** Appends the rows of a microbenchmark file in our own CSV form; columns are
 *  found by name, others ignored.
 *
 *  Refuses, besides what gscale_table_read does, what a program does not write:
 *  a byte-order mark, carriage returns, a last line without its end, files over
 *  64 MiB, 10^6 rows, and numbers that gscale_measurements_add refuses; nothing
 *  is appended then.
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM; GSCALE_ENAME  a column is missing
 *           GSCALE_EPARSE  with file, line, and column as the number of a field
 */
gscale_status gscale_measurements_read(gscale_measurements *m, const char *path,
                                       gscale_diag *diag);
size_t gscale_measurements_count(const gscale_measurements *m);
const gscale_measurement *gscale_measurements_at(const gscale_measurements *m,
                                                 size_t i); /* NULL past end */

/** Two files that disagree about one link. */
typedef struct gscale_dispute {
  const gscale_measurement *one, *other; /* valid as long as the table */
  double ratio;                          /* bandwidth of `other` / `one` */
} gscale_dispute;

/** Find links about which files of one table disagree.
 *
 *  A link is a bench of copies (dma, dma_pinned, staged_copy, their _duplex and
 *  _all) with its src and dst.  The bandwidth of a file is size count / time of
 *  its largest copies of at least 8 MiB, where latency no longer matters; every
 *  file is held against the first one by name.
 *
 *  Given    least  relative difference from which to tell, >= 0
 *           most   room in disputes
 *  Returned *found, the number of disputes; the first `most` are stored, sorted
 *  Omits    files of the same name in different folders count as one
 *  Fails    GSCALE_EDOMAIN least; GSCALE_ENOMEM
 *  Source   ours: both cannot be true, and a fit over both fits neither
 */
gscale_status gscale_measurements_disputes(const gscale_measurements *m,
                                           double least,
                                           gscale_dispute *disputes,
                                           size_t most, size_t *found,
                                           gscale_diag *diag);

/** Appends what another tool measured, translated to our benches.
 *
 *    dma, dma_pinned      copies between GPUs; between GPU and host
 *    staged_copy          between GPUs without peer access
 *    ..._duplex, ..._all  with the opposite copy; of all GPUs at once
 *    ring, alltoall       of nccl-tests (sendrecv, alltoall), access `kernel`,
 *                         size and count as in our own: of each item
 *    allreduce, allgather, reducescatter, broadcast, reduce, gather, scatter
 *                         of nccl-tests, access `kernel`, size as it states it
 *    mpi                  OSU between host buffers
 *    a region's name      Extra-P: gpus and size from its first two parameters
 *
 *  Tools that state a bandwidth give time = size / bandwidth; where they keep
 *  the size to themselves it is their default.  sigma is 0 where they state no
 *  spread.
 *
 *  Given    format   a name of gscale_import_name, or NULL: found out from the
 *                    content
 *  Returned *skipped number of entries that have no counterpart (may be NULL)
 *  Refuses  files over 64 MiB, 10^6 rows, cut files where the format shows it,
 *           byte-order marks, carriage returns, NUL bytes, numbers that are not
 *           finite decimals; nothing is appended then
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM
 *           GSCALE_EPARSE with file, line, column (B, from 1), what is wrong
 *           GSCALE_ENAME  for an unknown format or content of none
 */
gscale_status gscale_import(gscale_measurements *m, const char *path,
                            const char *format, size_t *skipped,
                            gscale_diag *diag);
const char *gscale_import_name(size_t i); /* "nccl-tests", ...; NULL past end */

/** Reads how GPUs are joined from `nvidia-smi topo -m` or the XML file that
 *  NCCL_TOPO_DUMP_FILE names.
 *
 *    switch  NVLinks to switches (XML); as many NVLinks between all pairs, and
 *            more than one GPU has if they were its own (over 18)
 *    mesh    NVLinks between pairs, rates relative to the GPU with most; pairs
 *            without are relayed by a common neighbour (`staged` is 0)
 *    tree    no NVLinks: groups below one PCIe switch (PIX, PXB), or of one GPU
 *
 *  Returned *out, *gpus   rates that files do not state are the defaults
 *  Fails    as gscale_import;  GSCALE_ESIZE  a mesh over GSCALE_MESH_MAX
 *           GSCALE_EDATA  no fabric of ours is like this: a pair has neither
 *                         NVLink nor common neighbour; unequal PCIe groups
 *  Omits    rates of PCIe; network cards; C2C links between GPU and CPU
 *  Source   ours
 */
gscale_status gscale_import_topology(const char *path, gscale_fabric *out,
                                     int *gpus, gscale_diag *diag);

/* ---- fits --------------------------------------------------------------- */

enum {
  GSCALE_FIT_MAX = 6,      /* coefficients */
  GSCALE_OUTLIERS_MAX = 16 /* named */
};

/** Coefficients with what the data say about each. */
typedef struct gscale_fit {
  size_t points, terms;
  double value[GSCALE_FIT_MAX]; /* >= 0 */
  double err[GSCALE_FIT_MAX];   /* standard error; 0 at the bound */
  double limit[GSCALE_FIT_MAX]; /* 95 %: the truth is in value +- (limit -
                                   value); at the bound, in 0 .. limit */
  bool bound[GSCALE_FIT_MAX];   /* value is 0 because less would be negative */
  bool unknown[GSCALE_FIT_MAX]; /* the data cannot tell it from the others:
                                   one value of many, err and limit infinite */
  double correlation[GSCALE_FIT_MAX][GSCALE_FIT_MAX]; /* 0 at the bound */
  double mean_abs; /* mean of |model/measured - 1| */
  double worst;    /* largest |model/measured - 1|, with its sign */
  double left_out; /* mean of |.| when each point is predicted by the others */
  double scatter;  /* robust scale of measured/model - 1 */
  size_t outliers; /* points beyond 5 scatters, at most GSCALE_OUTLIERS_MAX */
  size_t outlier[GSCALE_OUTLIERS_MAX]; /* their indices, the largest first */
} gscale_fit;

/** Non-negative, robust, relative least squares:
 *
 *    minimise sum_i w_i ((y_i - f_i) / (g_i s_i))^2,   c_j >= 0,
 *    where f_i = sum_j c_j x_ij
 *
 *  s_i = max(sigma_i / y_i, floor), or the same for all without sigma; w_i are
 *  Huber's weights (k = 1.345, scale from the median absolute deviation); g_i
 *  is f_i, but at least y_i/4: relative to y_i itself, low points would pull
 *  all coefficients down.  w and g are iterated to a fixed point; c by the
 *  active-set method of Lawson and Hanson.
 *
 *  Errors are those of the linear model on the free coefficients, times the
 *  scatter of the residuals, whatever sigma says; limits are Student's, with
 *  as many degrees of freedom as points are not clipped, less the free
 *  coefficients.  A coefficient at its bound gets the one-sided limit of one
 *  that came out as just 0.  One is `unknown` if its error, all being free,
 *  is as large as if it made up all of y alone.  `left_out` refits with the
 *  same weights; beyond 200 points, with the same free coefficients too.
 *
 *  Given    x       points * terms, row by row;  y  > 0
 *           sigma   standard errors of y, in its unit, or NULL
 *           points  > terms;  terms  1 .. GSCALE_FIT_MAX
 *           floor   >= 0, relative
 *  Returns  the same bits for the same input
 *  Fails    GSCALE_EDATA    too few points, or all columns zero
 *           GSCALE_EDOMAIN  a number outside its domain, or not finite; an
 *                           error of 0 while floor is 0
 *           GSCALE_ENOMEM
 *  Source   [LawsonHanson74] NNLS; [Huber64]
 */
gscale_status gscale_fit_linear(const double *x, const double *y,
                                const double *sigma, size_t points,
                                size_t terms, double floor, gscale_fit *out,
                                gscale_diag *diag);

/** The same with one parameter p inside the columns (variable projection):
 *  p minimises Huber's loss over least .. most, found on a grid of 64 points
 *  (equal steps of log p) and refined by golden section, with g and the scale
 *  of the residuals held at those of the best p.  A minimum narrower than a
 *  step of the grid may be missed.  Errors of the coefficients include that of
 *  p; `left_out` holds p.
 *
 *  Given    columns   fills one row of `terms` numbers for point i and p
 *           points    > terms + 1
 *           least     > 0;  most  > least
 *  Returned *p, *p_err  the minimum, and where the objective has risen by one
 *                       scatter^2: half of both sides, one side if the other
 *                       reaches an end, infinite if both do; 0 if p is at one
 *                       end and the data rule out the other
 *  Fails    as gscale_fit_linear
 */
gscale_status gscale_fit_projected(
    void (*columns)(void *closure, size_t i, double p, double *row),
    void *closure, const double *y, const double *sigma, size_t points,
    size_t terms, double floor, double least, double most, double *p,
    double *p_err, gscale_fit *out, gscale_diag *diag);

/* ---- calibration
 * --------------------------------------------------------------- */

/** What became of one parameter. */
typedef struct gscale_calibrated {
  gscale_param_id id;
  bool fitted;       /* false: the base's value stays, `note` says why */
  double value, err; /* as fitted */
  double base;       /* what it was */
  size_t points;     /* measurements behind it */
  size_t fit;        /* which fit; SIZE_MAX if none was made */
  double mean_abs;   /* mean |model/measured - 1| over them; NaN without fit */
  double worst, left_out;
  double correlation; /* of the two coefficients of the fit; NaN if one */
  char benches[64];   /* their names */
  char note[240];     /* why not; or switch, directions, outliers */
} gscale_calibrated;

/** One point of a fit. */
typedef struct gscale_fit_point {
  const gscale_measurement *from; /* valid as long as the measurements */
  double measured, sigma; /* s, the time that the fit explains, its error */
  double model;           /* s, the same by the fit */
} gscale_fit_point;

/** A fit that some parameters share, or, with 0 terms, what the finished model
 *  says of points. */
typedef struct gscale_calibration_fit {
  char benches[64];
  gscale_fit of;
  size_t first, n; /* its points */

  /* Two lines fit better than one: the error of points left out is at most
   * half (`left_out`).  The model has no place for it; the report says so. */
  double switch_at; /* B; NaN if one line is enough */
  double jump;      /* s, more above it */
  double slower;    /* time per byte above / below */
  double left_out;

  double reverse; /* time from 0 to 1 / from 1 to 0, geometric mean over all
                   * such pairs; 1 if there are none */
} gscale_calibration_fit;

typedef struct gscale_calibration {
  size_t n; /* = GSCALE_PARAM_END, in that order */
  gscale_calibrated of[GSCALE_PARAM_END];
  size_t fits;
  gscale_calibration_fit *fit;
  size_t points; /* of all fits */
  gscale_fit_point *point;
  size_t curve_points;      /* of device.membw over the footprint */
  size_t unused;            /* measurements of benches that identify nothing */
  char unused_benches[256]; /* their names, as many as fit */
} gscale_calibration;

/** Fit the parameters of a system to measurements.
 *
 *  Each parameter has a recipe: the benches that identify it, the time they
 *  should take as a linear function of it, and a fit (gscale_fit_linear,
 *  relative, robust, non-negative).  Packet formats stay; efficiencies are what
 *  remains.  A parameter whose benches are missing keeps its base value.  The
 *  recipes are model/recipe/, a file for each group of parameters.
 *
 *  Given    *s   the base: link, shape and everything not measured
 *  Returned *s   fitted parameters as measured, with error and file
 *           *out one entry for each parameter, the fits and their points;
 *                gscale_calibration_free releases what it holds
 *  A fit that the data contradict is refused, and its parameters keep the
 *  base's value with a note: if model and measurement differ more than 3 times
 *  in the geometric mean over its points, exp(mean |ln(model / measured)|),
 * what comes out is no property of the machine.  Points within 3 of their own
 *  standard errors agree.  The worst of the shipped machines' is 1.4.
 *
 *  Fails    GSCALE_EDATA  no measurement identifies anything, or no fit is left
 *                         (it says which was refused); a copy between GPUs that
 *                         the base's fabric does not have
 *           and as gscale_fit_linear
 *  Source   ours; recipes as stated at each
 */
gscale_status gscale_calibrate(gscale_system *s, const gscale_measurements *m,
                               gscale_calibration *out, gscale_diag *diag);
void gscale_calibration_free(gscale_calibration *c);

/* ---- replay: exact write queues over a stream of stores ------------------ */

/** What a thread did; in traces by these numbers and names. */
typedef enum gscale_operation {
  GSCALE_OP_STORE,  /* "store" */
  GSCALE_OP_LOAD,   /* "load": says who reads which page; makes no packet */
  GSCALE_OP_ATOMIC, /* "atomic" */
  GSCALE_OP_SYSTEM, /* "system": a store of system scope */
  GSCALE_OP_FENCE,  /* "fence" of system scope, of one GPU */
  GSCALE_OP_PHASE,  /* "phase": end of a kernel on all GPUs */
  GSCALE_OP_END
} gscale_operation;

const char *gscale_operation_name(gscale_operation o); /* or NULL */

enum {
  GSCALE_REPLAY_GPUS_MAX = 64,
  GSCALE_DST_ALL = 255 /* as dst: whoever subscribes to the page */
};

/** One lane of a warp instruction: a record of a binary trace as it lies in
 *  the file, apart from the order of bytes (little endian there). */
typedef struct gscale_record {
  uint64_t address; /* B, in the address space all GPUs share */
  uint32_t group;   /* warp instruction, see gscale_replay_push */
  uint8_t size;     /* B, 1 .. 16; 0 for a fence or a phase */
  uint8_t gpu;      /* who issues it */
  uint8_t dst;      /* GPU that is to get it, or whose memory is loaded;
                     * GSCALE_DST_ALL */
  uint8_t kind;     /* gscale_operation */
} gscale_record;

/** What stands between the SMs and the link. */
typedef enum gscale_queue {
  GSCALE_QUEUE_SM,       /* "sm": nothing; each transaction of the SMs counts
                          * once, wherever it goes */
  GSCALE_QUEUE_PLAIN,    /* "plain": nothing; peer-to-peer stores */
  GSCALE_QUEUE_GPS,      /* "gps": write queue, subscriptions */
  GSCALE_QUEUE_FINEPACK, /* "finepack": write queues, packets of stores */
  GSCALE_QUEUE_BULK,     /* "bulk": copies of the regions written */
  GSCALE_QUEUE_END
} gscale_queue;

const char *gscale_queue_name(gscale_queue q); /* or NULL */

/** gscale_replay_options_init gives the defaults in brackets. */
typedef struct gscale_replay_options {
  gscale_queue queue;
  int gpus;      /* 1 .. GSCALE_REPLAY_GPUS_MAX [4] */
  int profile;   /* phases after which a GPU stays subscribed to the pages it
                  * touched; 0: all stay [gps 1, others 0] */
  uint64_t page; /* B, a power of two, 128 .. 2^40 [64 KiB] */
  int capacity;  /* entries: gps 2 .. 32768 [512]; finepack, for each other
                  * GPU, 1 .. 1024 [64] */
  int watermark; /* gps: occupancy at which an entry leaves, 1 .. capacity;
                  * 0: capacity - 1 [0] */
  int tlb, ways; /* gps: entries of the TLB, a multiple of its ways [32, 8] */
  int subheader; /* finepack: B, 2 .. 6 [4] */
  int payload;   /* finepack: B of a packet, 256 .. 65536 [4096] */
  int windows;   /* finepack: open for each other GPU, which share the
                  * entries equally, 1 .. capacity [1] */
  uint64_t timeout; /* finepack: a window to which nothing was added for more
                     * than so many records of its GPU is flushed; 0: never */
  bool configured;  /* finepack: a configuration packet with the common fields,
                     * then each store as a packet of its own */
  uint64_t granule; /* bulk: B copied together, a power of two, 128 .. 2^40
                     * [64 KiB] */
} gscale_replay_options;

void gscale_replay_options_init(gscale_replay_options *o, gscale_queue queue);

/** Why something left a queue. */
typedef enum gscale_flush {
  GSCALE_FLUSH_WATERMARK, /* gps: the queue is as full as it may get */
  GSCALE_FLUSH_WINDOW,    /* finepack: the store is outside the open windows */
  GSCALE_FLUSH_ENTRIES,   /* finepack: no entry is free */
  GSCALE_FLUSH_PAYLOAD,   /* finepack: the packet has no room for the store */
  GSCALE_FLUSH_TIMEOUT,   /* finepack */
  GSCALE_FLUSH_LOAD,      /* a remote load of queued bytes */
  GSCALE_FLUSH_ATOMIC,    /* an atomic on queued bytes */
  GSCALE_FLUSH_SYSTEM,    /* a store of system scope */
  GSCALE_FLUSH_FENCE,
  GSCALE_FLUSH_PHASE, /* or the end of the trace */
  GSCALE_FLUSH_END
} gscale_flush;

const char *gscale_flush_name(gscale_flush f); /* "watermark"; or NULL */

/** Counts that depend on no link.  Bytes are payload. */
typedef struct gscale_replay_counts {
  uint64_t records, phases;
  uint64_t instructions; /* warp instructions that store or load */
  uint64_t stores;       /* transactions that leave SMs: lines of a store or
                          * system store, lanes of an atomic */
  uint64_t store_bytes;  /* in them */
  uint64_t sectors;      /* of 32 B that they touch */
  uint64_t local;        /* of them, those no other GPU gets; not for sm */
  uint64_t atomics;      /* of them */
  uint64_t queued;       /* that came to a write queue; finepack: once for each
                          * destination */
  uint64_t hits;         /* of these, merged with an entry */
  uint64_t flushes[GSCALE_FLUSH_END]; /* gps: entries; finepack: windows */
  uint64_t entries;                   /* that left write queues */
  uint64_t sends;      /* gps: entries and atomics that left, once for each
                        * destination; plain and sm: transactions so; bulk:
                        * copies of granules; finepack: packets */
  uint64_t direct;     /* gps, finepack: sends of single transactions that
                        * bypassed the queue: atomics, system stores, stores
                        * to conventional pages */
  uint64_t subpackets; /* finepack: runs of bytes */
  uint64_t splits;     /* finepack: further packets of windows whose runs did
                        * not fit one */
  uint64_t tlb_lookups, tlb_hits; /* gps */
  uint64_t loads;                 /* transactions */
  uint64_t loads_remote;          /* not answered by the GPU's own memory */
  uint64_t loads_queued; /* gps: of the others, answered by its write queue */
  uint64_t useful_bytes; /* once for each destination, as the next two */
  uint64_t redundant_bytes; /* sent before by the same GPU to the same dst since
                             * it last synchronised */
  uint64_t unused_bytes;    /* that nobody wrote */
} gscale_replay_counts;

typedef enum gscale_stage {
  GSCALE_STAGE_PROFILING, /* while all GPUs subscribe to everything */
  GSCALE_STAGE_STEADY,
  GSCALE_STAGE_END
} gscale_stage;

const char *gscale_stage_name(gscale_stage s); /* "profiling"; or NULL */

typedef struct gscale_replay gscale_replay;

/** A machine with empty queues.
 *
 *  All. Lanes of one warp instruction that lie in the same line of 128 B and
 *  have the same dst become one transaction with a mask of bytes; atomics do
 *  not.  Those for GSCALE_DST_ALL go to every other GPU, or, if there is
 *  profiling, once that is over, to the other subscribers of the page.
 *
 *  gps. A fully associative queue for each GPU holds lines by virtual address
 *  (and dst).  A store to a line that is there is merged, which makes it no
 *  younger; one to another is added, and if that makes `watermark` entries, the
 *  one added first leaves.  Fence and phase drain the queue in order.  What
 *  leaves is looked up in a TLB of pages (LRU in sets) and sent as a whole
 * line, without byte enables, to every other subscriber.  Atomics travel alone,
 * after the entry with bytes of theirs.  A system store to a shared page drains
 * its lines from all queues and leaves the writer with the only copy.  A page
 * with one subscriber is conventional: stores of others go to it at once, as
 * plain ones.  After profiling, pages nobody had touched belong to the first to
 * touch them.
 *
 *  finepack. Entries of 128 B with byte masks, for each pair of GPUs.  A window
 *  is opened by a store, at its address without the bits that the sub-header
 *  covers.  A store outside the open windows opens another, after the one
 *  opened first is flushed if all are open.  A register per window starts at
 *  `payload`; a store that needs a new entry takes sub-header + bytes, one that
 *  is merged the bytes not yet enabled; what does not fit flushes the window
 *  first.  A flushed window becomes a packet of runs of contiguous bytes, each
 *  with a sub-header; further packets if the sparse runs exceed the payload.
 *  Loads from a named GPU and atomics flush the window that holds bytes of
 *  theirs; fences, phases and system stores flush all of the GPU.
 *
 *  bulk. At the end of a phase every granule written is copied to all it
 *  concerns.
 *
 *  Fails    GSCALE_EDOMAIN naming the option; GSCALE_ENOMEM
 *  Omits    time, and with it back-pressure; requests and answers of loads and
 *           atomics; page walks
 *  Source   [Gps21] 5; [Diss22] 4.5 and 5.3.  Ours, where they are silent: LRU;
 *           order of an atomic or a load with queued bytes; who keeps a
 *           collapsed page (as CUDA's read-mostly pages) or an untouched one;
 *           which window is given up; merged bytes in the register
 */
gscale_status gscale_replay_new(const gscale_replay_options *o,
                                gscale_replay **out, gscale_diag *diag);
void gscale_replay_free(gscale_replay *r);

/** Replays the next n records.
 *
 *  Records that follow each other and have the same GPU, kind and group are
 *  lanes of one warp instruction, up to 32; the next one begins another.  They
 *  may be pushed in pieces.  Memory grows with the pages touched, and with the
 *  lines that a GPU sends between two synchronisations, not with the records.
 *
 *  Fails    GSCALE_EDATA naming the record (from 1) and its field: an unknown
 *           kind, a GPU that does not exist, a size outside its range, an
 *           address beyond the last, an atomic across a line
 *           GSCALE_EDOMAIN after gscale_replay_finish; GSCALE_ENOMEM
 *           After a failure nothing but gscale_replay_free is of use.
 */
gscale_status gscale_replay_push(gscale_replay *r, const gscale_record *records,
                                 size_t n, gscale_diag *diag);

typedef struct gscale_replay_result {
  gscale_replay_counts stage[GSCALE_STAGE_END];
  uint64_t pages[GSCALE_REPLAY_GPUS_MAX + 1]; /* by number of subscribers */
  uint64_t collapsed;                         /* pages, by system stores */
} gscale_replay_result;

/** Drains all queues, as the end of a kernel does. */
gscale_status gscale_replay_finish(gscale_replay *r, gscale_replay_result *out,
                                   gscale_diag *diag);

/** Bytes on the wire of a stage so far, over links of one kind.
 *
 *  Stores over PCIe make a packet for each run of contiguous bytes; over NVLink
 *  one for each line, masked unless it consists of whole flits.  A FinePack
 *  packet is one of stores with a payload of up to the option's, whatever the
 *  link allows today; with `configured`, 10 B more for each run.  Granules are
 *  messages of the copy engine.
 *
 *  Returned *packets  may be NULL
 *  Source   gscale_wire_bytes_at; 10 B: [Diss22] 5.5.3
 */
gscale_bytes gscale_replay_bytes(const gscale_replay *r, gscale_stage s,
                                 const gscale_link *l, double *packets);

/* ---- traces -------------------------------------------------------------- */

/** A file of records, read piece by piece.
 *
 *    binary   little endian: a head of 32 B (the characters gscaletr, uint32
 *             version 1, uint32 gpus, uint64 number of records or 0: to the end
 *             of the file, uint64 0), then records of 16 B in the order of
 *             gscale_record
 *    CSV      lines that begin with #; gpu,kind,address,size_B,dst,group; a
 * line for each record: kind in words, address decimal or 0x..., dst a number
 * or `all`
 *
 *  Given    gpus   0: as the file says; a CSV file does not
 *  Fails    GSCALE_EIO; GSCALE_ENOMEM
 *           GSCALE_EPARSE  with file and record or line
 *           GSCALE_EDATA   the number of GPUs is missing, or another
 */
typedef struct gscale_trace gscale_trace;
gscale_status gscale_trace_open(const char *path, int gpus, gscale_trace **out,
                                gscale_diag *diag);
void gscale_trace_close(gscale_trace *t);
int gscale_trace_gpus(const gscale_trace *t);

/** The next records, at most `room`; none at the end of the file.
 *
 *  Fails    GSCALE_EIO; GSCALE_EPARSE with file, record or line, and field, as
 *           gscale_replay_push, and for a file that ends early or goes on
 */
gscale_status gscale_trace_read(gscale_trace *t, gscale_record *records,
                                size_t room, size_t *n, gscale_diag *diag);

#include "gpuscale/timeline.h"

#include "gpuscale/program.h"

#endif /* GPUSCALE_H */
