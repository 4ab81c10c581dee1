/*
 * message.h - one message between GPUs of two nodes, by each method that there
 * is for it, and what the messages of a phase take.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_MESSAGE_H
#define GSCALE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a message -----------------------------------------------------------
 */

/** What a message takes. */
typedef struct gscale_message {
  double busy;      /* s, who sends, or gets, can do nothing else */
  double latency;   /* s, from the call until the receiver can use the last
                     * byte */
  double gap;       /* s, between such messages in a long stream */
  double wire;      /* s, of the gap: it is on its way, besides its bytes, */
  double rate;      /* B/s, which pass at that; INFINITY: `wire` has them */
  double lead;      /* s, of the latency, before that and behind `busy`; NaN:
                     * what they leave of it */
  double node_rate; /* B/s, of all GPUs of a node, > 0; INFINITY: no limit but
                     * the rails' */
  double messages;  /* per second, of a node; INFINITY: no limit */
} gscale_message;

/** Seconds of one message of each of `pairs` pairs of GPUs between two nodes,
 *  all sent at once with nothing behind them.
 *
 *    latency - own + max( own, pairs bytes / min(node_rate, rails),
 *                         (pairs - 1) / messages ),   own = wire + bytes / rate
 *
 *  Given    bytes  of it, >= 0;  pairs  >= 1;  rails  B/s, what a node's cards
 *                  attain
 *  Returns  NaN outside the domain
 *  Limits   one pair that its node lets through: the latency
 *  Source   ours, as gscale_message_rate()
 */
double gscale_message_time(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** Bytes per second of `pairs` pairs of GPUs between two nodes, each with many
 *  messages on its way.
 *
 *    min( pairs bytes / gap, node_rate, rails, messages bytes )
 *
 *  Given    bytes  of one, > 0;  pairs >= 1;  rails  B/s, what a node's cards
 *                  attain
 *  Returns  NaN outside the domain
 *  Limits   few pairs: each for itself; many: what the node attains
 *  Omits    what pairs lose by each other below the node's limits
 *  Source   ours; the max-rate model [Gropp16] is this with one regime
 */
double gscale_message_rate(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** What the busiest GPU and the busiest node send other nodes at once. */
typedef struct gscale_sends {
  double messages;      /* of the GPU, >= 0 */
  double bytes;         /* B of one of them, >= 0 */
  double node_messages; /* of its node, >= messages */
  double node_bytes;    /* B, in or out of it, whichever is more, >= 0 */
  double uplink; /* B through the network's busiest uplinks / how much faster
                  * than a node's rails they are together, >= 0; 0: none */
} gscale_sends;

/** What they take, one after the other. */
typedef struct gscale_sent {
  double post;     /* s, the sender is busy: messages overhead */
  double latency;  /* s, of the last message, without its overhead */
  double transfer; /* s, of the bytes */
} gscale_sent;

/** All messages of a phase, posted in a row and waited for together.
 *
 *    total    = latency + (messages - 1) max(busy, gap)
 *    post     = min( total, messages busy )
 *    transfer = min( total - post, messages (wire + bytes / rate) )
 *    latency  = lead, or total - post - transfer
 *
 *  and then, for what others of the node send,
 *
 *    transfer = max( transfer, node_bytes / min(node_rate, rails),
 *                    node_messages / m.messages - (messages - 1) busy,
 *                    uplink / rails )
 *
 *  Given    rails  B/s, useful, all of a node's cards, one direction, > 0;
 *                  INFINITY where the message knows who shares them
 *  Returns  zeros for no message; NaN outside the domain
 *  Limits   one message that its node lets through: the sum is its latency
 *  Omits    on a path, messages that arrive while others are posted
 *  Source   ours
 */
gscale_sent gscale_messages(const gscale_message *m, const gscale_sends *s,
                            double rails);

/* ---- paths ---------------------------------------------------------------
 *
 * A path is one way from a GPU, or a host, to one in another node, of which no
 * more is known than how long its messages take.  They are of two regimes:
 * short ones are sent at once, long ones when the receiver has said where to.
 */

/** What a path does with messages of some sizes. */
typedef struct gscale_regime {
  double overhead;  /* s, who sends is busy with each message, >= 0 */
  double latency;   /* s, one way, of a message without bytes, >= overhead or
                     * not: it contains it */
  double rate;      /* B/s, of one pair, > 0 */
  double node_rate; /* B/s, of all pairs of a node, > 0; INFINITY: no limit but
                     * the rails' */
  double stage; /* s/B, what a message takes more where nothing follows it: it
                 * is copied before it is sent, >= 0 */
} gscale_regime;

/** One way between nodes. */
typedef struct gscale_path {
  gscale_regime below, above; /* of `from` B, and of more */
  double from;                /* B; INFINITY: one regime */
  double messages;            /* per second, of a node; INFINITY: no limit */
  double within; /* B, as much travels in the request itself, >= 0 */
  double fetch;  /* s, who sends is busier with each message of more, below
                  * `from`, >= 0: it is copied to where the card reads it */
} gscale_path;

/** A message by a path.
 *
 *    busy     overhead   of the regime of `bytes`, and fetch if within < bytes
 *             < from
 *    lead     max(0, latency - busy) + bytes stage   of the regime of `bytes`
 *    latency  busy + lead + bytes / rate;  gap  busy + bytes / rate;  wire  0
 *
 *  The regime's latency contains busy or not.
 *
 *  Given    bytes  >= 0
 *  Returns  all NaN outside the domain
 *  Limits   bytes = 0: the latency
 *  Omits    a message whose two parts go by two rails: its rate is the pair's
 *  Source   [Hockney94], with the regimes of eager and rendezvous protocols
 */
gscale_message gscale_path_message(const gscale_path *p, double bytes);

/* ---- machines ------------------------------------------------------------
 *
 * "Adapter" is the network card.  It reads a GPU's memory over PCIe by requests
 * that wait for their answer, and writes to it by such that do not: the first
 * is the slower one. */

/** Where a source, a target, or a queue of work requests lies. */
typedef enum gscale_place {
  GSCALE_ON_GPU,
  GSCALE_ON_HOST,
  GSCALE_PLACE_END
} gscale_place;

const char *gscale_place_name(gscale_place p); /* "gpu", "host"; or NULL */

/** What adapter, host and GPUs of two nodes do.  Zero: not known; a method that
 *  needs it has no time (NaN).  Times s and >= 0, rates B/s. */
typedef struct gscale_remote {
  struct {
    double latency; /* half a round trip of the smallest message that a host
                     * sends and sees arrive, posting included */
    double rate;    /* between the hosts' memories */
    double read;    /* at most, where a GPU's memory is the source */
    double write;   /* at most, where it is the target; 0: no limit */
    double far_read, far_write; /* the same behind the other socket; 0: they
                                 * cannot be reached */
    double post;                /* the host is busy with a request */
    double gap; /* between requests of one connection, by the host */
  } path;
  struct {
    double copy;      /* to start a copy of a chunk */
    double start;     /* a copy that blocks, beside its bytes */
    double down, up;  /* of copies to the host and from it */
    double buffer;    /* at which a host copies between buffers */
    double chunk;     /* B, of pipelined copies */
    double direct;    /* B, up to which nothing is staged; 0: always staged */
    double query;     /* to ask for the end of a copy that has ended */
    double handshake; /* of a two-sided message, more */
    double match;     /* of a two-sided message to or from a GPU, more */
    double buffers;   /* to make buffers and queues, where each call does */
  } stage;
  struct {
    double post_gpu, post_host;   /* a GPU's thread posts; queue there */
    double poll_gpu, poll_host;   /* and takes a completion that is there */
    double stamp_gpu, stamp_host; /* of posting, behind the doorbell */
    double watch;       /* a GPU's thread sees what arrived in its memory */
    double serial_host; /* of each further connection's request, host queues */
    double put;    /* half a round trip of the smallest put by descriptor */
    double notify; /* more, if the GPU handles both notifications */
    double assist; /* a GPU asks, and a thread of the host posts for it */
    double scan;   /* that thread looks at each further connection */
    double launch; /* a GPU's kernel starts one and waits for it */
    double room;   /* launches that a stream holds */
  } control;
  struct {
    double store;       /* half a round trip of the smallest store */
    double load;        /* a load, to and fro */
    double rate;        /* of the wire */
    double payload;     /* B, most in a packet of stores */
    double header;      /* B, of a packet, all that is not payload */
    double values;      /* neighbours that one request holds */
    double outstanding; /* requests of loads on their way */
    double window;      /* B of addresses, all GPUs' together */
    double threads;     /* that may wait for each other */
    double flag;        /* of a barrier of two GPUs beside its two stores */
    double flag_more;   /* each further GPU */
  } space;
} gscale_remote;

/* ---- methods -------------------------------------------------------------
 */

/** Whose numbers a way between nodes takes. */
typedef enum gscale_path_kind {
  GSCALE_NO_PATH, /* those of gscale_remote */
  GSCALE_GPU_PATH,
  GSCALE_HOST_PATH /* and each message is copied to the host and from it */
} gscale_path_kind;

/** A method: a row of message.c.
 *
 *    staged         one host buffer a side, that GPU and adapter share
 *                   (GPUDirect 1.0); staged-copies two; staged-pipelined chunks
 *    gpudirect      adapter to GPU memory; the host posts
 *    gpi2           direct, or staged at the source, by size
 *    mpi            two-sided, aware of GPUs; mpi-manual copy, send, receive,
 *                   copy; mpi-manual-chunked each chunk a message; mpi-acc in
 *                   packets, one handshake
 *    host-assisted  a GPU asks, the host posts
 *    put-ib         a GPU posts work requests; nvshmem-ibgda by a warp, with
 *                   queues of the GPU; put-rma a GPU writes descriptors
 *    ggas           stores to global addresses; ggas-load loads from them
 */
typedef struct gscale_method {
  const char *name;
  const char *about; /* in a line, of a way between nodes; NULL: it is none */
  gscale_path_kind path; /* as a way between nodes */
  bool device;   /* GPUs send themselves, in their kernels; or else their hosts
                  * do, when these have ended, and wait for all of it */
  bool gets;     /* it can ask for bytes, too */
  bool copies;   /* the program copies down and up itself (cudaMemcpy): no
                  * kernel runs beside */
  bool meets;    /* no message says that it has come: a barrier does, of all
                  * GPUs */
  bool goes_on;  /* of `device`: what is posted goes on beside other kernels */
  bool measured; /* as gscale_paradigm.measured, between nodes */
} gscale_method;

const gscale_method *gscale_method_at(size_t i); /* NULL past the end */
size_t gscale_method_find(const char *name);     /* past the end if none */

/** How a message is sent. */
typedef struct gscale_remote_call {
  double bytes; /* >= 0; of GGAS those that are wanted */
  gscale_place from, to;
  bool far;            /* GPU and adapter are on different sockets */
  double sharing;      /* GPUs that send by one adapter at once, >= 1 */
  gscale_place queues; /* of PUT_IB */
  double connections;  /* that a GPU sends by at once, >= 1 */
  bool polled;         /* each request's completion is taken: the queue is
                        * full, as in a long stream */
  bool notified;       /* PUT_RMA: the GPU handles notifications */
  double word;         /* GGAS: B of a thread's load or store, > 0 */
  double stride;       /* GGAS: every stride-th word is wanted, >= 1 */
  double chunk;        /* B; 0: the machine's */
  bool get;            /* who needs the bytes asks for them: one-sided ones */
} gscale_remote_call;

/** From GPU to GPU, near ones, words of 8 B in a row, one connection. */
gscale_remote_call gscale_remote_call_of(double bytes);

/** B/s of the adapter's transfer, which needs no other copy.
 *
 *    min( rate / sharing, read if from a GPU, write if to a GPU )
 *
 *  with far_read and far_write behind the other socket.
 *
 *  Returns  NaN outside the domain, or where GPU memory cannot be reached
 *  Omits    that reads get slower for more than 1 MB: seen on two machines, of
 *           unknown cause and (a lost figure) amount
 *  Source   [Oden14] 3.4.2, tables 3.1: of four cells three give the fourth
 */
double gscale_remote_rate(const gscale_remote *r, const gscale_remote_call *c);

/** A message by a method.  With B = gscale_remote_rate(), L = path.latency,
 *  P(a, b, ...) a pipeline of m chunks through stages (start, rate):
 *
 *    staged            latency  2 start + s/down + L + s/rate + s/up
 *    staged-copies     the same + 2 s/buffer
 *    staged-pipelined  L + P((copy, down), (query + post, rate), (copy, up))
 *    gpudirect         L + s/B;  busy post;  gap max(path.gap, s/B)
 *    gpi2              gpudirect up to `direct` B, then
 *                      L + P((copy, down), (query + post, min(rate, write)));
 *                      busy m (copy + query + post) + s/down
 *    mpi               match + 2 L (a rendezvous) + gpudirect up to `direct`,
 *                      else staged-pipelined
 *    mpi-manual        handshake + staged
 *    mpi-manual-chunked  L + P((copy, down), (handshake + query, rate),
 *                      (copy, up)) of more than a chunk, else mpi-manual
 *    mpi-acc           handshake + L + P((copy, down), (query, rate),
 *                      (copy, up)) of a chunk or more, else mpi-manual
 *    host-assisted     assist + gpudirect;
 *                      gap max(assist + (connections-1) scan, s/B): one thread
 *                      serves all connections and looks at each
 *    put-ib            max(0, post - stamp) + L + s/B + watch;
 *                      busy post (+ poll if polled);
 *                      gap max( (post (+ poll) + (connections-1) serial_host)
 *                      / connections, s/B )
 *    nvshmem-ibgda     as put-ib with queues of the GPU, nothing stamped
 *    put-rma           put + s/B (+ notify);
 *                      gap put + s/B + notify/2: a put waits for the
 *                      notification of the last
 *    ggas              store + (K-1) t, K requests;  busy and gap K t: stores
 *                      to one GPU follow those to another;
 *                      t = (payload + header) / rate of the wire
 *    ggas-load         load + (K-1) max(t, load/outstanding)
 *    a get             L more than the put by the same method: the request goes
 *                      first; by put-ib and nvshmem-ibgda post + 2 L + s/B +
 *                      poll, as who asks takes the completion.  Of put-rma,
 *                      which waits for the last, the gap has L more, too
 *
 *  wire is the gap, lead is not known, and a node limits nothing but what
 *  `sharing` says.
 *
 *  Given    r, c  see their members;  method  gscale_method_find()
 *  Returns  all NaN outside the domain, where r lacks what the method needs,
 *           and for a get by a method that is not gpudirect, host-assisted,
 *           put-ib, put-rma or nvshmem-ibgda
 *  Limits   s = 0: a chunk that moves nothing; much: the slowest stage's rate;
 *           a get of nothing: gscale_remote_atomic()
 *  Omits    registration of memory; congestion of the network
 *  Source   methods step by step: [Oden14] 3.2, 4.3, 5.5, 5.6, 6.4 and
 *           [MpiAcc16] 4.2; the closed forms are ours.  That work requests are
 *           stamped behind the doorbell: libmlx4, mlx4_post_send().  Gets are
 *           ours: nothing is printed of them but that loads are as slow
 */
gscale_message gscale_remote_message(const gscale_remote *r, size_t method,
                                     const gscale_remote_call *c);

/** Chunks through stages, one after the other in each.
 *
 *    end[i][k] = max(end[i-1][k], end[i][k-1]) + start[k] + bytes_i / rate[k]
 *
 *  in closed form for equal chunks; the last one has what is left.
 *
 *  Given    start[n]  s, >= 0;  rate[n]  B/s, > 0;  n  1 .. 4
 *           bytes     >= 0;  chunk  B, > 0
 *  Returns  s, end of the last chunk; NaN outside the domain
 *  Limits   bytes <= chunk: the sum of the stages;  bytes -> infinity: the
 *           slowest stage
 *  Source   ours; makespan of a permutation flow shop of equal jobs
 */
double gscale_pipeline(const double *start, const double *rate, size_t n,
                       double bytes, double chunk);

/** B above which GPI-2's staged copy is faster than the direct one.
 *
 *    (copy + query) / (1/B - 1/down - 1/min(rate, write))
 *
 *  of a message of one chunk.
 *
 *  Returns  INFINITY where the direct one is always faster; NaN as
 *           gscale_remote_message() of the two
 *  Source   ours, from the two closed forms
 */
double gscale_remote_switch(const gscale_remote *r,
                            const gscale_remote_call *c);

/** An atomic update of a remote word, until its old value is there.
 *
 *    host-assisted  assist + 2 L
 *    put-ib         post + 2 L + poll
 *    gpudirect      2 L
 *
 *  Given    method  one of these;  queues  of put-ib
 *  Returns  s; NaN by another way, or where r lacks what it needs
 *  Source   ours, from [Oden14] 5.5.4
 */
double gscale_remote_atomic(const gscale_remote *r, size_t method,
                            gscale_place queues);

/** Packets or requests that loads or stores of a GPU's threads become.
 *
 *    stores, stride 1   ceil(n word / payload)
 *    stores, else       n
 *    loads              ceil(n stride / values)
 *
 *  Given    n       values, >= 0;  word  B, > 0;  stride  >= 1
 *  Returns  NaN outside the domain, or where r lacks what it needs
 *  Limits   n = 0: none
 *  Source   [Oden14] table 6.1, all of whose 18 cells it gives
 */
double gscale_remote_requests(const gscale_remote *r, double n, double word,
                              double stride, bool load);

/* ---- what is built of messages ------------------------------------------- */

/** A barrier of GPUs by flags in a global address space.
 *
 *    2 store + flag + flag_more (n - 2)  (+ launch, as a kernel of its own)
 *
 *  Given    n  GPUs, >= 1
 *  Returns  s; 0 for one GPU; NaN outside the domain
 *  Source   [Oden14] 6.7: check in, check out; linear in n is ours
 */
double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel);

/** How GPUs with global addresses reduce. */
typedef enum gscale_gather {
  GSCALE_GATHER_READ,       /* the root, or each, loads all */
  GSCALE_GATHER_ROOT,       /* all store to the root, which casts back */
  GSCALE_GATHER_ALL,        /* all store to all */
  GSCALE_GATHER_ALL_TO_ALL, /* each reduces its part */
  GSCALE_GATHER_TREE,       /* a binomial tree */
  GSCALE_GATHER_END
} gscale_gather;

const char *gscale_gather_name(gscale_gather g); /* "root"; or NULL */

/** A reduction of arrays of n GPUs, to one or to all of them, by stores.
 *
 *  With S(b) a message of b bytes by ggas, gap G(b), bar a barrier, and M the
 *  memory's rate:
 *
 *    read        bar + (n-1) load(V)                       one and all
 *    root        S(V) + (n-2) G(V) + bar + n V/M;  all: + S(V) + (n-2) G(V) +
 *                bar
 *    all         S(V) + (n-2) G(V) + bar + n V/M           one and all
 *    all-to-all  2 ( S(V/n) + (n-2) G(V/n) + bar ) + V/M   one and all
 *    tree        ceil(log2 n) ( S(V) + store + 2 V/M );  all: twice
 *
 *  The root's adapter takes in what n-1 GPUs send; a cast leaves by one.
 *
 *  Given    n       GPUs, >= 1;  bytes  V, >= 0;  memory  B/s, > 0
 *  Returns  s; 0 for one GPU; NaN outside the domain
 *  Limits   V = 0: barriers and stores
 *  Source   ours, from [Oden14] 6.8
 */
double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all);

/** An all-reduce of few values by hosts in a binomial tree of messages, there
 *  and back, of buffers on GPUs or on hosts.
 *
 *    2 ceil(log2 n) (L + (sharing-1) path.gap)  (+ 2 start, of GPUs' buffers)
 *
 *  Given    n  processes, >= 1;  sharing  of them on a node, >= 1
 *  Returns  s; 0 for one process; NaN outside the domain
 *  Omits    adding up; more than some hundred values
 *  Source   ours, from [Oden14] 4.2.4, 4.4.3
 */
double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers);

/** Of the rate of one direction of a GPU's port, what each of both has while
 *  both are in use.
 *
 *    (1 + gain) / 2
 *
 *  Given    gain  both together over one alone, less 1; 0 .. 1
 *  Returns  NaN outside the domain
 *  Limits   1 for links that are full duplex
 *  Source   ours; 0.193 on the Fermi GPUs of [MpiAcc16] 7.2
 */
double gscale_opposite(double gain);

/** Times longer that a copy takes because packets of a message, in the same
 *  direction, stand before it in the GPU's one queue.
 *
 *    1 + busy queued packet / copy
 *
 *  Given    copy, packet  s, of the copy alone, > 0, and of a packet's, >= 0
 *           queued        packets that are handed over at once, >= 0: 1 if the
 *                         next one follows when the stage is free, all of a
 *                         message if they are handed over ahead
 *           busy          share of the time that some are, 0 .. 1
 *  Returns  NaN outside the domain
 *  Limits   long copies: 1
 *  Source   ours, from [MpiAcc16] 7.2
 */
double gscale_queued(double copy, double packet, double queued, double busy);

/** A transfer and a kernel, both on stream 0, or each on its own.
 *
 *    transfer + kernel  on stream 0;  max(transfer, kernel)  apart
 *
 *  Given    transfer, kernel  s, >= 0
 *  Returns  s; NaN outside the domain
 *  Omits    what they lose beside one another in memory
 *  Source   [MpiAcc16] 7.1
 */
double gscale_on_streams(double transfer, double kernel, bool zero);

/* ---- who controls a step ------------------------------------------------- */

/** Who waits for a kernel, sends, and waits for what others send. */
typedef enum gscale_control {
  GSCALE_CONTROL_HOST,   /* a host thread, by events */
  GSCALE_CONTROL_STREAM, /* kernels of one thread between those that compute */
  GSCALE_CONTROL_DEVICE, /* one kernel, which launches those that compute */
  GSCALE_CONTROL_IN_KERNEL, /* blocks of the kernels that compute */
  GSCALE_CONTROL_GLOBAL,    /* they store to global addresses, then a barrier */
  GSCALE_CONTROL_END
} gscale_control;

const char *gscale_control_name(gscale_control c); /* "stream"; or NULL */

/** A step of two halves: while one is computed, the other's boundary travels.
 */
typedef struct gscale_halves {
  double compute; /* s of one half's kernel, >= 0 */
  double send;    /* s, of one boundary: from its post to its arrival, >= 0 */
  double post;    /* s, a GPU posts it, >= 0 */
  double poll;    /* s, a GPU takes a completion, >= 0 */
  double event;   /* s, a host starts a kernel and sees its end, >= 0 */
  double between; /* s, between two kernels of a stream, >= 0 */
  double launch;  /* s, a kernel starts one and waits for it, >= 0 */
  double blocks;  /* of one kernel, >= 1 */
  double wait;    /* s, in-kernel: each block waits so long for each, >= 0 */
  double barrier; /* s, of all GPUs, >= 0 */
} gscale_halves;

/** Seconds of the step.
 *
 *    host       2 max(compute + event, send)
 *    stream     2 ( 2 post + 3 between + max(compute, send) + 2 poll )
 *    device     2 ( 2 post + max(compute + launch, send) + 2 poll )
 *    in-kernel  2 ( 2 post + max(compute, send) + blocks^2 wait )
 *    global     2 ( compute + send ) + barrier + launch
 *
 *  A boundary is a message and its notification: two posts, two polls.  Stores
 *  to global addresses are a part of the kernel and overlap with nothing.
 *
 *  Returns  NaN outside the domain
 *  Limits   long kernels: twice `compute`, but for in-kernel and global
 *  Source   ours, from [Oden14] 4.5, 5.8, 6.9.1.  That blocks wait for each
 *           other, so that it grows with their square, is one reading of what
 *           it prints at two sizes
 */
double gscale_control_step(gscale_control c, const gscale_halves *h);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_MESSAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
