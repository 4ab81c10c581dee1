/* message.h - messages between GPUs of two nodes, by each method, and the
 * messages of a phase.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_MESSAGE_H
#define GSCALE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- messages ------------------------------------------------------------ */

/** The costs of a message. */
typedef struct gscale_message {
  double busy;      /* s, the sender, or getter, is busy */
  double latency;   /* s, from the call until the receiver has the last byte */
  double gap;       /* s, between messages of a long stream */
  double wire;      /* s of the gap on the wire, without bytes */
  double rate;      /* B/s of its bytes; INFINITY: `wire` includes them */
  double lead;      /* s, part of the latency between `busy` and the wire; NaN:
                     * the remainder */
  double node_rate; /* B/s, all GPUs of a node, > 0; INFINITY: only the rails
                     * limit */
  double messages;  /* per second and node; INFINITY: no limit */
} gscale_message;

/** Returns the time, in s, of one message of each of `pairs` pairs of GPUs
 *  between two nodes, all sent at once with none after them.
 *
 *    latency - own + max( own, pairs bytes / min(node_rate, rails),
 *                         (pairs - 1) / messages ),   own = wire + bytes / rate
 *
 *  Given    bytes  of it, >= 0;  pairs  >= 1;  rails  B/s attained by a node's
 *                  cards.
 *  Returns  NaN outside the domain.
 *  Limits   one pair that its node does not limit: the latency.
 *  Source   ours, as gscale_message_rate(). */
double gscale_message_time(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** Returns the rate, in B/s, of `pairs` pairs of GPUs between two nodes, each
 *  with many messages in flight.
 *
 *    min( pairs bytes / gap, node_rate, rails, messages bytes ).
 *
 *  Given    bytes  of one, > 0;  pairs >= 1;  rails  B/s attained by a node's
 *                  cards.
 *  Returns  NaN outside the domain.
 *  Limits   few pairs: each at its own rate; many: the node's limit.
 *  Omits    contention of pairs below the node's limits.
 *  Source   ours; the max-rate model [Gropp16] is this with one regime. */
double gscale_message_rate(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** The data that the busiest GPU and the busiest node send to other nodes at
 *  once. */
typedef struct gscale_sends {
  double messages;      /* messages of the GPU, >= 0 */
  double bytes;         /* B of one message, >= 0 */
  double node_messages; /* messages of its node, >= those of the GPU */
  double node_bytes;    /* B, the larger of both directions, >= 0 */
  double uplink; /* B through the busiest uplinks / their rate over that of a
                  * node's rails, >= 0; 0: none */
} gscale_sends;

/** The time of a phase's messages in consecutive parts. */
typedef struct gscale_sent {
  double post;     /* s, the sender's overhead */
  double latency;  /* s of the last message, without overhead */
  double transfer; /* s, of the bytes */
} gscale_sent;

/** Returns the time of all messages of a phase, posted one after another and
 *  waited for together.
 *
 *    total    = latency + (messages - 1) max(busy, gap).
 *    post     = min( total, messages busy ).
 *    transfer = min( total - post, messages (wire + bytes / rate) ).
 *    latency  = lead, or total - post - transfer.
 *
 *  The other messages of the node may then raise the transfer:
 *
 *    transfer = max( transfer, node_bytes / min(node_rate, rails),
 *                    node_messages / m.messages - (messages - 1) busy,
 *                    uplink / rails ).
 *
 *  Given    rails  B/s, useful, all of a node's cards, one direction, > 0;
 *                  INFINITY if the message itself accounts for sharing.
 *  Returns  zeros for no message; NaN outside the domain.
 *  Limits   one message that its node does not limit: the sum is its latency.
 *  Omits    on a path, messages that arrive while others are posted.
 *  Source   ours. */
gscale_sent gscale_messages(const gscale_message *m, const gscale_sends *s,
                            double rails);

/* ---- paths ---------------------------------------------------------------
 *
 * A path leads from a GPU, or a host, to one in another node; only the times of
 * its messages are known.  Messages have two regimes: short ones are eager, and
 * long ones wait until the receiver has given their address. */

/** The behaviour of a path in one regime of sizes. */
typedef struct gscale_regime {
  double overhead;  /* s, the sender is busy per message, >= 0 */
  double latency;   /* s, one way without bytes, >= overhead or not, which it
                     * includes */
  double rate;      /* B/s of one pair, > 0 */
  double node_rate; /* B/s, all pairs of a node, > 0; INFINITY: only the rails
                     * limit */
  double stage; /* s/B, extra copy before sending, exposed for the last message,
                 * >= 0 */
} gscale_regime;

/** A path between nodes. */
typedef struct gscale_path {
  gscale_regime below, above; /* up to `from` B, and beyond */
  double from;                /* B; INFINITY: one regime */
  double messages;            /* per second and node; INFINITY: no limit */
  double within;              /* B that travel in the request, >= 0 */
  double fetch; /* s, extra overhead of larger messages below `from`, >= 0:
                 * they are copied for the card */
} gscale_path;

/** Returns a message on a path.
 *
 *    busy     overhead   of the regime of `bytes`, and fetch if within < bytes
 *             < from.
 *    lead     max(0, latency - busy) + bytes stage   of the regime of `bytes`.
 *    latency  busy + lead + bytes / rate;  gap  busy + bytes / rate;  wire  0.
 *
 *  The regime's latency may or may not include busy.
 *
 *  Given    bytes  >= 0.
 *  Returns  all NaN outside the domain.
 *  Limits   bytes = 0: the latency.
 *  Omits    a message in two parts on two rails: its rate is the pair's.
 *  Source   [Hockney94], with the regimes of eager and rendezvous protocols. */
gscale_message gscale_path_message(const gscale_path *p, double bytes);

/* ---- machines ------------------------------------------------------------
 *
 * "Adapter" is the network card.  It reads a GPU's memory over PCIe by requests
 * that wait for an answer, and writes to it by posted ones, so reads are
 * slower. */

/** The place of a source, a target, or a queue of work requests. */
typedef enum gscale_place {
  GSCALE_ON_GPU,
  GSCALE_ON_HOST,
  GSCALE_PLACE_END
} gscale_place;

/** The properties of adapter, host and GPUs of two nodes.  Zero: not known; a
 *  method that needs it has no time (NaN).  Times are in s and >= 0, rates in
 *  B/s. */
typedef struct gscale_remote {
  struct {
    double latency; /* half the round trip of the smallest message between
                     * hosts, with posting */
    double rate;    /* between host memories */
    double read;    /* limit from GPU memory */
    double write;   /* limit into GPU memory; 0: no limit */
    double far_read, far_write; /* limits across sockets; 0 if unreachable */
    double post;                /* the host is busy with a request */
    double gap; /* between requests of one connection, by hosts */
  } path;
  struct {
    double copy;      /* start of a chunk's copy */
    double start;     /* blocking copy, without its bytes */
    double down, up;  /* copies to and from the host */
    double buffer;    /* a host's copies between buffers */
    double chunk;     /* B of pipelined copies */
    double direct;    /* B up to which nothing is staged; 0: always staged */
    double query;     /* query of a finished copy */
    double handshake; /* added for a two-sided message */
    double match;     /* added for a message to or from a GPU */
    double buffers;   /* creation of buffers and queues, if each call does it */
  } stage;
  struct {
    double post_gpu, post_host;   /* a GPU thread's post, by place of the
                                   * queue */
    double poll_gpu, poll_host;   /* its poll of a completion */
    double stamp_gpu, stamp_host; /* part of the post after the doorbell */
    double watch;                 /* a GPU thread sees data in its memory */
    double serial_host; /* each further connection's request, host queues */
    double put;    /* half a round trip of the smallest put by descriptor */
    double notify; /* added if the GPU handles both notifications */
    double assist; /* a GPU asks, a host thread posts */
    double scan;   /* that thread polls each further connection */
    double launch; /* a kernel starts another and waits for it */
    double room;   /* launches that a stream holds */
  } control;
  struct {
    double store;       /* half a round trip of the smallest store */
    double load;        /* round trip of a load */
    double rate;        /* of the wire */
    double payload;     /* B, most in a packet of stores */
    double header;      /* B of a packet beside its payload */
    double values;      /* neighbours per request */
    double outstanding; /* loads in flight */
    double window;      /* B of addresses of all GPUs */
    double threads;     /* threads that may wait for each other */
    double flag;        /* time of a barrier of two without its stores */
    double flag_more;   /* each further GPU */
  } space;
} gscale_remote;

/* ---- methods ------------------------------------------------------------- */

/** The numbers that a method between nodes uses. */
typedef enum gscale_path_kind {
  GSCALE_NO_PATH, /* those of gscale_remote */
  GSCALE_GPU_PATH,
  GSCALE_HOST_PATH /* and each message is copied to or from the host */
} gscale_path_kind;

/** A method: a row of message.c.
 *
 *    staged         one host buffer a side, that GPU and adapter share
 *                   (GPUDirect 1.0); staged-copies two; staged-pipelined chunks
 *    gpudirect      adapter to GPU memory; the host posts.
 *    gpi2           direct, or staged at the source, by size.
 *    mpi            two-sided, aware of GPUs; mpi-manual copy, send, receive,
 *                   copy; mpi-manual-chunked each chunk a message; mpi-acc in
 *                   packets, one handshake.
 *    host-assisted  a GPU asks, the host posts.
 *    put-ib         a GPU posts work requests; nvshmem-ibgda by a warp, with
 *                   queues of the GPU; put-rma a GPU writes descriptors.
 *    ggas           stores to global addresses; ggas-load loads from them */
typedef struct gscale_method {
  const char *name;
  const char *about;     /* one-line summary between nodes, or NULL */
  gscale_path_kind path; /* numbers of the method between nodes */
  bool device;   /* GPUs send from their kernels; otherwise hosts send after
                  * these, and wait for all of it */
  bool gets;     /* supports gets */
  bool copies;   /* the program copies down and up itself (cudaMemcpy), without
                  * overlapping kernels */
  bool meets;    /* arrival is signalled by a barrier of all GPUs, not by
                  * messages */
  bool goes_on;  /* posted messages overlap with later kernels, for `device` */
  bool measured; /* as gscale_paradigm.measured, between nodes */
} gscale_method;

const gscale_method *gscale_method_at(size_t i); /* NULL past the end */
size_t gscale_method_find(const char *name);     /* past the end if none */

/** The options of a message. */
typedef struct gscale_remote_call {
  double bytes; /* >= 0; GGAS counts only wanted bytes */
  gscale_place from, to;
  bool far;            /* GPU and adapter on different sockets */
  double sharing;      /* GPUs that share an adapter, >= 1 */
  gscale_place queues; /* of PUT_IB */
  double connections;  /* a GPU's concurrent connections, >= 1 */
  bool polled;         /* each completion is polled: the queue is full, as in a
                        * long stream */
  bool notified;       /* PUT_RMA: the GPU handles notifications */
  double word;         /* GGAS: B per thread's access, > 0 */
  double stride;       /* GGAS: every stride-th word is wanted, >= 1 */
  double chunk;        /* B; 0: the machine's */
  bool get;            /* the receiver asks for the bytes (one-sided) */
} gscale_remote_call;

/** Returns the default options: GPU to GPU on one socket, consecutive words of
 *  8 B, one connection. */
gscale_remote_call gscale_remote_call_of(double bytes);

/** Returns the rate of the adapter's transfer without other copies, in B/s.
 *
 *    min( rate / sharing, read if from a GPU, write if to a GPU ).
 *
 *  Behind the other socket these are far_read and far_write.
 *
 *  Returns  NaN outside the domain, or where GPU memory cannot be reached.
 *  Omits    slower reads beyond 1 MB: two machines show them, of unknown cause
 *           and (a lost figure) amount.
 *  Source   [Oden14] 3.4.2, tables 3.1: of four cells three give the fourth. */
double gscale_remote_rate(const gscale_remote *r, const gscale_remote_call *c);

/** Returns a message by a method.  With B = gscale_remote_rate(), L =
 *  path.latency, P(a, b, ...) a pipeline of m chunks through stages (start,
 *  rate):
 *
 *    staged            latency  2 start + s/down + L + s/rate + s/up.
 *    staged-copies     the same + 2 s/buffer.
 *    staged-pipelined  L + P((copy, down), (query + post, rate), (copy, up)).
 *    gpudirect         L + s/B;  busy post;  gap max(path.gap, s/B).
 *    gpi2              gpudirect up to `direct` B, then
 *                      L + P((copy, down), (query + post, min(rate, write)));
 *                      busy m (copy + query + post) + s/down.
 *    mpi               match + 2 L (a rendezvous) + gpudirect up to `direct`,
 *                      else staged-pipelined.
 *    mpi-manual        handshake + staged.
 *    mpi-manual-chunked  L + P((copy, down), (handshake + query, rate),
 *                      (copy, up)) of more than a chunk, else mpi-manual.
 *    mpi-acc           handshake + L + P((copy, down), (query, rate),
 *                      (copy, up)) of a chunk or more, else mpi-manual.
 *    host-assisted     assist + gpudirect;
 *                      gap max(assist + (connections-1) scan, s/B): one thread
 *                      serves all connections and polls each.
 *    put-ib            max(0, post - stamp) + L + s/B + watch;
 *                      busy post (+ poll if polled);
 *                      gap max( (post (+ poll) + (connections-1) serial_host)
 *                      / connections, s/B ).
 *    nvshmem-ibgda     as put-ib with queues of the GPU, nothing stamped.
 *    put-rma           put + s/B (+ notify);
 *                      gap put + s/B + notify/2: a put waits for the
 *                      notification of the last.
 *    ggas              store + (K-1) t, K requests;  busy and gap K t: stores
 *                      to one GPU follow those to another;
 *                      t = (payload + header) / rate of the wire.
 *    ggas-load         load + (K-1) max(t, load/outstanding).
 *    a get             L more than the put by the same method: the request goes
 *                      first; by put-ib and nvshmem-ibgda post + 2 L + s/B +
 *                      poll, as the asker takes the completion.  Of put-rma,
 *                      which waits for the last, the gap has L more, too.
 *
 *  The wire time is the gap, lead is not known, and only `sharing` limits a
 *  node.
 *
 *  Given    r, c  see their members;  method  gscale_method_find().
 *  Returns  all NaN outside the domain, where r lacks what the method needs,
 *           and for a get by a method that is not gpudirect, host-assisted,
 *           put-ib, put-rma or nvshmem-ibgda.
 *  Limits   s = 0: a chunk that moves nothing; much: the slowest stage's rate;
 *           a get of nothing: gscale_remote_atomic().
 *  Omits    registration of memory; congestion of the network.
 *  Source   methods step by step: [Oden14] 3.2, 4.3, 5.5, 5.6, 6.4 and
 *           [MpiAcc16] 4.2; the closed forms are ours.  libmlx4,
 *           mlx4_post_send(), stamps work requests after the doorbell.  Gets
 *           are ours: only loads, which are as slow, are published. */
gscale_message gscale_remote_message(const gscale_remote *r, size_t method,
                                     const gscale_remote_call *c);

/** Returns the end of chunks that pass through stages, one after another in
 *  each.
 *
 *    end[i][k] = max(end[i-1][k], end[i][k-1]) + start[k] + bytes_i / rate[k].
 *
 *  The closed form is for equal chunks; the last one has the rest.
 *
 *  Given    start[n]  s, >= 0;  rate[n]  B/s, > 0;  n  1 .. 4.
 *           bytes     >= 0;  chunk  B, > 0.
 *  Returns  s, end of the last chunk; NaN outside the domain.
 *  Limits   bytes <= chunk: the sum of the stages;  bytes -> infinity: the
 *           slowest stage.
 *  Source   ours; makespan of a permutation flow shop of equal jobs. */
double gscale_pipeline(const double *start, const double *rate, size_t n,
                       double bytes, double chunk);

/** Returns the size, in B, above which GPI-2's staged copy is faster than the
 *  direct one.
 *
 *    (copy + query) / (1/B - 1/down - 1/min(rate, write)).
 *
 *  The formula is for a message of one chunk.
 *
 *  Returns  INFINITY where the direct one is always faster; NaN as
 *           gscale_remote_message() of the two.
 *  Source   ours, from the two closed forms. */
double gscale_remote_switch(const gscale_remote *r,
                            const gscale_remote_call *c);

/** Returns the time of an atomic update of a remote word, until its old value
 *  arrives.
 *
 *    host-assisted  assist + 2 L
 *    put-ib         post + 2 L + poll
 *    gpudirect      2 L.
 *
 *  Given    method  one of these;  queues  of put-ib.
 *  Returns  s; NaN for other methods, or where r lacks what it needs.
 *  Source   ours, from [Oden14] 5.5.4. */
double gscale_remote_atomic(const gscale_remote *r, size_t method,
                            gscale_place queues);

/** Returns the packets or requests of loads or stores of a GPU's threads.
 *
 *    stores, stride 1   ceil(n word / payload)
 *    stores, else       n
 *    loads              ceil(n stride / values).
 *
 *  Given    n       values, >= 0;  word  B, > 0;  stride  >= 1.
 *  Returns  NaN outside the domain, or where r lacks what it needs.
 *  Limits   n = 0: none.
 *  Source   [Oden14] table 6.1, all of whose 18 cells it gives. */
double gscale_remote_requests(const gscale_remote *r, double n, double word,
                              double stride, bool load);

/* ---- exchanges built of messages ----------------------------------------- */

/** Returns the time of a barrier of GPUs by flags in a global address space.
 *
 *    2 store + flag + flag_more (n - 2)  (+ launch, as a kernel of its own).
 *
 *  Given    n  GPUs, >= 1.
 *  Returns  s; 0 for one GPU; NaN outside the domain.
 *  Source   [Oden14] 6.7: check in, check out; linear in n is ours. */
double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel);

/** The algorithms of reductions with global addresses. */
typedef enum gscale_gather {
  GSCALE_GATHER_READ,       /* the root, or each GPU, loads all arrays */
  GSCALE_GATHER_ROOT,       /* all store to the root, which broadcasts */
  GSCALE_GATHER_ALL,        /* all store to all */
  GSCALE_GATHER_ALL_TO_ALL, /* each GPU reduces its part */
  GSCALE_GATHER_TREE,       /* a binomial tree */
  GSCALE_GATHER_END
} gscale_gather;

/** Returns the time of a reduction of arrays of n GPUs, to one or to all of
 *  them, by stores.
 *
 *  With S(b) a message of b bytes by ggas, gap G(b), bar a barrier, and M the
 *  memory's rate:
 *
 *    read        bar + (n-1) load(V)                       one and all.
 *    root        S(V) + (n-2) G(V) + bar + n V/M;  all: + S(V) + (n-2) G(V) +
 *                bar.
 *    all         S(V) + (n-2) G(V) + bar + n V/M           one and all.
 *    all-to-all  2 ( S(V/n) + (n-2) G(V/n) + bar ) + V/M   one and all.
 *    tree        ceil(log2 n) ( S(V) + store + 2 V/M );  all: twice.
 *
 *  The root's adapter receives from n-1 GPUs; a broadcast leaves by one
 *  adapter.
 *
 *  Given    n       GPUs, >= 1;  bytes  V, >= 0;  memory  B/s, > 0.
 *  Returns  s; 0 for one GPU; NaN outside the domain.
 *  Limits   V = 0: barriers and stores.
 *  Source   ours, from [Oden14] 6.8. */
double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all);

/** Returns the time of an all-reduce of few values by hosts in a binomial tree,
 *  up and down, of buffers on GPUs or on hosts.
 *
 *    2 ceil(log2 n) (L + (sharing-1) path.gap)  (+ 2 start, of GPUs' buffers).
 *
 *  Given    n  processes, >= 1;  sharing  of them on a node, >= 1.
 *  Returns  s; 0 for one process; NaN outside the domain.
 *  Omits    adding up; more than some hundred values.
 *  Source   ours, from [Oden14] 4.2.4, 4.4.3. */
double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers);

/** Returns each direction's share of a GPU port's one-way rate while both
 *  directions are in use.
 *
 *    (1 + gain) / 2.
 *
 *  Given    gain  both together over one alone, less 1; 0 .. 1.
 *  Returns  NaN outside the domain.
 *  Limits   1 for links that are full duplex.
 *  Source   ours; 0.193 on the Fermi GPUs of [MpiAcc16] 7.2. */
double gscale_opposite(double gain);

/** Returns the factor by which a copy slows when packets of a message in the
 *  same direction precede it in the GPU's single queue.
 *
 *    1 + busy queued packet / copy.
 *
 *  Given    copy, packet  s, of the copy alone, > 0, and of a packet's, >= 0.
 *           queued        packets handed over at once, >= 0: 1 if the next one
 *                         follows when the stage is free, all of a message if
 *                         they are handed over ahead.
 *           busy          share of the time with packets queued, 0 .. 1.
 *  Returns  NaN outside the domain.
 *  Limits   long copies: 1.
 *  Source   ours, from [MpiAcc16] 7.2. */
double gscale_queued(double copy, double packet, double queued, double busy);

/** Returns the time of a transfer and a kernel, both on stream 0, or on
 *  separate streams.
 *
 *    transfer + kernel  on stream 0;  max(transfer, kernel)  apart.
 *
 *  Given    transfer, kernel  s, >= 0.
 *  Returns  s; NaN outside the domain.
 *  Omits    contention of the two for memory.
 *  Source   [MpiAcc16] 7.1. */
double gscale_on_stream_0(double transfer, double kernel);
double gscale_on_streams(double transfer, double kernel);

/** Returns the name of the i-th equation of numbers only, which is that of its
 *  function without gscale_, and its number of arguments; NULL past the end. */
const char *gscale_equation_at(size_t i, size_t *arguments);
/** Returns that function of x, NaN outside its domain or past the end. */
double gscale_equation(size_t i, const double *x);

/* ---- control of a step --------------------------------------------------- */

/** The agent that waits for a kernel, sends, and waits for other GPUs' data. */
typedef enum gscale_control {
  GSCALE_CONTROL_HOST,      /* a host thread, by events */
  GSCALE_CONTROL_STREAM,    /* one-thread kernels between those that compute */
  GSCALE_CONTROL_DEVICE,    /* one kernel that launches those that compute */
  GSCALE_CONTROL_IN_KERNEL, /* blocks of the computing kernels */
  GSCALE_CONTROL_GLOBAL,    /* global stores, then a barrier */
  GSCALE_CONTROL_END
} gscale_control;

/** A step of two halves: one is computed while the other's boundary travels. */
typedef struct gscale_halves {
  double compute; /* s of one half's kernel, >= 0 */
  double send;    /* s of one boundary, post to arrival, >= 0 */
  double post;    /* s, a GPU's post, >= 0 */
  double poll;    /* s, a GPU's poll, >= 0 */
  double event;   /* s, a host starts a kernel and sees its end, >= 0 */
  double between; /* s between kernels of a stream, >= 0 */
  double launch;  /* s, a kernel starts one and waits, >= 0 */
  double blocks;  /* blocks of one kernel, >= 1 */
  double wait;    /* s, in-kernel: each block's wait for each, >= 0 */
  double barrier; /* s of all GPUs, >= 0 */
} gscale_halves;

/** Returns the time of the step, in s.
 *
 *    host       2 max(compute + event, send).
 *    stream     2 ( 2 post + 3 between + max(compute, send) + 2 poll ).
 *    device     2 ( 2 post + max(compute + launch, send) + 2 poll ).
 *    in-kernel  2 ( 2 post + max(compute, send) + blocks^2 wait ).
 *    global     2 ( compute + send ) + barrier + launch.
 *
 *  A boundary is a message and its notification: two posts, two polls.  Stores
 *  to global addresses are a part of the kernel and overlap with nothing.
 *
 *  Returns  NaN outside the domain.
 *  Limits   long kernels: twice `compute`, but for in-kernel and global.
 *  Source   ours, from [Oden14] 4.5, 5.8, 6.9.1.  That blocks wait for each
 *           other, which gives the square, is one reading of the two sizes that
 *           it prints. */
double gscale_control_step(gscale_control c, const gscale_halves *h);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_MESSAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
