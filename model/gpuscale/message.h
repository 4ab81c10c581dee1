/*
 * message.h - one message between GPUs of two nodes, by each method that
 * there is for it, and what is built of such messages.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_MESSAGE_H
#define GSCALE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* ---- messages ------------------------------------------------------------
 */

/** The methods. */
typedef enum gscale_method {
  GSCALE_METHOD_STAGED_COPIES, /* two host buffers a side: no GPUDirect */
  GSCALE_METHOD_STAGED, /* one, that GPU and adapter share (GPUDirect 1.0) */
  GSCALE_METHOD_STAGED_PIPELINED, /* the same in chunks */
  GSCALE_METHOD_GPUDIRECT,        /* adapter to GPU memory; the host posts */
  GSCALE_METHOD_GPI2,             /* direct, or staged at the source, by size */
  GSCALE_METHOD_HOST_ASSISTED,    /* a GPU asks, the host posts */
  GSCALE_METHOD_PUT_IB,           /* a GPU posts work requests */
  GSCALE_METHOD_PUT_RMA,          /* a GPU writes descriptors */
  GSCALE_METHOD_GGAS,             /* stores to global addresses */
  GSCALE_METHOD_GGAS_LOAD,        /* loads from them */
  GSCALE_METHOD_MPI,              /* two-sided, aware of GPUs */
  GSCALE_METHOD_MPI_MANUAL,       /* copy, send; receive, copy */
  GSCALE_METHOD_MPI_MANUAL_CHUNKED, /* the same in chunks, each a message */
  GSCALE_METHOD_MPI_ACC,            /* in packets, one handshake */
  GSCALE_METHOD_NVSHMEM_IBGDA, /* as PUT_IB, by a warp, queues of the GPU */
  GSCALE_METHOD_END
} gscale_method;

const char *gscale_method_name(gscale_method w); /* "gpudirect"; or NULL */
gscale_method
gscale_method_find(const char *name); /* GSCALE_METHOD_END if none */

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

/** What a message takes, s. */
typedef struct gscale_message {
  double busy;    /* who sends, or gets, can do nothing else */
  double latency; /* from the call until the receiver can use the last byte */
  double gap;     /* between such messages in a long stream */
} gscale_message;

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
 *    ggas              store + (K-1) t, K requests;  busy latency;  gap K t;
 *                      t = (payload + header) / rate of the wire
 *    ggas-load         load + (K-1) max(t, load/outstanding)
 *    a get             L more than the put by the same method: the request goes
 *                      first; by put-ib and nvshmem-ibgda post + 2 L + s/B +
 *                      poll, as who asks takes the completion.  Of put-rma,
 *                      which waits for the last, the gap has L more, too
 *
 *  Given    r  see its members;  c  see its members
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
gscale_message gscale_remote_message(const gscale_remote *r, gscale_method w,
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
 *  Given    w  one of these;  queues  of put-ib
 *  Returns  s; NaN by another way, or where r lacks what it needs
 *  Source   ours, from [Oden14] 5.5.4
 */
double gscale_remote_atomic(const gscale_remote *r, gscale_method w,
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

/** A GPU's thread in a function of the adapter's library.
 *
 *    instructions instruction + device_reads device + host_reads host
 *
 *  Given    counts >= 0; times s, >= 0
 *  Returns  s; NaN outside the domain
 *  Omits    stores: the thread does not wait for them
 *  Source   ours, from the counters of [Oden14] table 5.3
 */
double gscale_call_time(const double counts[3], const double each[3]);

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
