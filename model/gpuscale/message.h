/* message.h - messages between GPUs of two nodes by each method, and the
 * messages of a phase. */
#ifndef GSCALE_MESSAGE_H
#define GSCALE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/** The times and rates of a message. */
typedef struct gscale_message {
  double busy;      /* s during which the sender or getter is busy */
  double latency;   /* s from the call until the last byte arrives */
  double gap;       /* s between messages of a long stream */
  double wire;      /* part of the gap on the wire, s, without bytes */
  double rate;      /* B/s of the bytes; INFINITY: `wire` includes the bytes */
  double lead;      /* part of the latency between `busy` and wire, s; NaN: the
                     * rest of the latency */
  double node_rate; /* B/s of all GPUs of a node, > 0; INFINITY: only the rails
                     * limit the rate */
  double messages;  /* messages/s of a node; INFINITY: no limit */
} gscale_message;

/** Returns the time, s, of messages between `pairs` pairs of GPUs of two nodes.
 *  Each pair sends one message, and all pairs send at once.
 *
 *    time = latency - own + max( own, pairs * bytes / min(node_rate, rails),
 *                                    (pairs - 1) / messages ),
 *    own  = wire + bytes / rate.
 *
 *  Given    bytes  B of a message, >= 0; pairs >= 1; rails attained B/s of a
 *                  node's NICs.
 *  Returns  NaN outside the domain.
 *  Limits   for one pair that the node does not limit, the latency.
 *  Source   ours, with the limits of gscale_message_rate(). */
double gscale_message_time(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** Returns the total rate, B/s, of `pairs` pairs of GPUs of two nodes if each
 *  pair has many messages in flight.
 *
 *    rate = min( pairs * bytes / gap, node_rate, rails, messages * bytes ).
 *
 *  Given    bytes  B of a message, > 0; pairs >= 1; rails attained B/s of a
 *                  node's NICs.
 *  Returns  NaN outside the domain.
 *  Limits   for few pairs, the rate of one pair each; for many pairs, the limit
 *           of the node.
 *  Omits    contention of pairs below the limits of the node.
 *  Source   ours, which is the max-rate model [Gropp16] for a single regime. */
double gscale_message_rate(const gscale_message *m, double bytes, double pairs,
                           double rails);

/** The data that the busiest GPU and the busiest node send to other nodes. */
typedef struct gscale_sends {
  double messages;      /* messages of the GPU, >= 0 */
  double bytes;         /* B of one message, >= 0 */
  double node_messages; /* messages of the node, >= those of the GPU */
  double node_bytes;    /* B in the busier direction, >= 0 */
  double uplink; /* B through the busiest uplinks / (rate of these uplinks /
                  * rate of a node's rails), >= 0; 0: no uplinks */
} gscale_sends;

/** The time of a phase's messages in three consecutive parts. */
typedef struct gscale_sent {
  double post;     /* s of the sender's overhead */
  double latency;  /* s of the last message, without overhead */
  double transfer; /* s of the bytes */
} gscale_sent;

/** Returns the time of all messages of a phase.  The sender posts one message
 *  after another, and then waits for all of them.
 *
 *    total    = latency + (messages - 1) * max(busy, gap).
 *    post     = min( total, messages * busy ).
 *    transfer = min( total - post, messages * (wire + bytes / rate) ).
 *    latency  = lead, or total - post - transfer if lead is NaN.
 *
 *  Messages of other GPUs of the node may raise the transfer:
 *
 *    transfer = max( transfer, node_bytes / min(node_rate, rails),
 *                    node_messages / m.messages - (messages - 1) busy,
 *                    uplink / rails ).
 *
 *  Given    rails  useful B/s of all NICs of a node in one direction, > 0;
 *                  INFINITY if the message already accounts for sharing.
 *  Returns  zeros if there is no message; NaN outside the domain.
 *  Limits   for one message that the node does not limit, the sum is the
 *           latency.
 *  Omits    messages that arrive on a path while others are being posted.
 *  Source   ours. */
gscale_sent gscale_messages(const gscale_message *m, const gscale_sends *s,
                            double rails);

/* ---- paths ---------------------------------------------------------------
 *
 * A path leads from a GPU or host to a GPU or host of another node.  Only the
 * times of a path's messages are known, not the steps.  Messages have two
 * regimes: short messages are eager, and long messages wait until the receiver
 * has sent an address (rendezvous). */

/** The times and rates of a path for one regime of message sizes. */
typedef struct gscale_regime {
  double overhead;  /* s during which the sender is busy per message, >= 0 */
  double latency;   /* one-way s of an empty message; may include overhead */
  double rate;      /* B/s of one pair, > 0 */
  double node_rate; /* B/s of all pairs of a node, > 0; INFINITY: only the rails
                     * limit the rate */
  double stage;     /* s/B of an extra copy before sending, which only the last
                     * message exposes, >= 0 */
} gscale_regime;

/** A path between nodes. */
typedef struct gscale_path {
  gscale_regime below, above; /* regimes up to `from` B, and beyond */
  double from;                /* B; INFINITY: only one regime */
  double messages;            /* messages/s of a node; INFINITY: no limit */
  double within;              /* B that fit into the request, >= 0 */
  double fetch; /* s of extra overhead, >= 0, of messages between `within` and
                 * `from`, which are copied for the NIC */
} gscale_path;

/** Returns the times of a message on a path.
 *
 *    busy    = overhead, + fetch if within < bytes < from.
 *    lead    = max(0, latency - busy) + bytes * stage.
 *    latency = busy + lead + bytes / rate.
 *    gap     = busy + bytes / rate.
 *    wire    = 0.
 *
 *  Numbers on the right are those of the regime of `bytes`.
 *
 *  Given    bytes  >= 0.
 *  Returns  all NaN outside the domain.
 *  Limits   for bytes = 0, the latency.
 *  Omits    messages that are split over two rails, for which the rate is still
 *           that of the pair.
 *  Source   [Hockney94], with the regimes of eager and rendezvous protocols. */
gscale_message gscale_path_message(const gscale_path *p, double bytes);

/* ---- machines ------------------------------------------------------------
 *
 * An adapter is a NIC.  An adapter reads GPU memory over PCIe by requests that
 * wait for an answer, and writes GPU memory by posted requests.  Reads are
 * therefore slower. */

/** The place of a message's source, of its target, or of a queue of work
 *  requests. */
typedef enum gscale_place {
  GSCALE_ON_GPU,
  GSCALE_ON_HOST,
  GSCALE_PLACE_END
} gscale_place;

/** The properties of adapter, host and GPUs of two nodes.  A property of 0 is
 *  unknown, and the time of a method that needs this property is NaN.  Times
 *  are in s and >= 0, and rates are in B/s. */
typedef struct gscale_remote {
  struct {
    double latency; /* half the round trip of the smallest message between
                     * hosts, including the post */
    double rate;    /* rate between host memories */
    double read;    /* rate limit from GPU memory */
    double write;   /* rate limit into GPU memory; 0: no limit */
    double far_read, far_write; /* rate limits across sockets; 0: none */
    double post;                /* time of a host's post of a request */
    double gap; /* time between requests of a host on one connection */
  } path;
  struct {
    double copy;      /* start of the copy of a chunk */
    double start;     /* start of a blocking copy */
    double down, up;  /* rates of copies to and from the host */
    double buffer;    /* rate of a host's copies between buffers */
    double chunk;     /* B of the chunks of a pipelined copy */
    double direct;    /* B up to which messages are not staged; 0: messages are
                       * always staged */
    double query;     /* time of a query for a finished copy */
    double handshake; /* time added to a two-sided message */
    double match;     /* time added to a message to or from a GPU */
    double buffers;   /* time to create buffers and queues in each call, or 0 */
  } stage;
  struct {
    double post_gpu, post_host;   /* time of a GPU thread's post, by place of
                                   * the queue */
    double poll_gpu, poll_host;   /* time of a GPU thread's poll of a
                                   * completion */
    double stamp_gpu, stamp_host; /* time of the post after the doorbell */
    double watch;                 /* time until a GPU thread sees new data */
    double serial_host; /* time added by each further connection with queues on
                         * the host */
    double put;    /* half the round trip of the smallest put by descriptor */
    double notify; /* time added if the GPU handles both notifications */
    double assist; /* time of a GPU's request and a host's post */
    double scan;   /* time added by a poll of each further connection */
    double launch; /* time in which a kernel launches an empty kernel and waits
                    * for it */
    double room;   /* number of launches that a stream holds */
  } control;
  struct {
    double store;       /* half the round trip of the smallest store */
    double load;        /* round trip of a load */
    double rate;        /* of the wire */
    double payload;     /* B, largest payload of a packet of stores */
    double header;      /* B of a packet's header */
    double values;      /* number of neighbouring values per request */
    double outstanding; /* number of loads in flight */
    double window;      /* B of the address space of all GPUs */
    double threads;     /* number of threads that may wait for each other */
    double flag;        /* time of a barrier of two GPUs without the stores */
    double flag_more;   /* time added by each further GPU */
  } space;
} gscale_remote;

/* ---- methods ------------------------------------------------------------- */

/** The properties that a method between nodes uses. */
typedef enum gscale_path_kind {
  GSCALE_NO_PATH, /* gscale_remote */
  GSCALE_GPU_PATH,
  GSCALE_HOST_PATH /* host path, with a copy to or from the host */
} gscale_path_kind;

/** A method of sending messages, which is a row of message.c.
 *
 *    staged:         GPU and adapter share one host buffer on each side
 *                    (GPUDirect 1.0).
 *    staged-copies, staged-pipelined:  two buffers on each side, or chunks.
 *    gpudirect:      the adapter accesses GPU memory, and the host posts.
 *    gpi2:           direct or staged at the source, depending on the size.
 *    mpi:            a two-sided, CUDA-aware message.
 *    mpi-manual:     the program copies, sends, receives and copies.
 *    mpi-manual-chunked, mpi-acc:  each chunk is a message or a packet.
 *    host-assisted:  a GPU asks the host to post.
 *    put-ib, nvshmem-ibgda:  a GPU thread or warp posts work requests.
 *    put-rma:        a GPU writes descriptors.
 *    ggas, ggas-load:  a GPU stores to, or loads from, global addresses. */
typedef struct gscale_method {
  const char *name;
  const char *about;     /* one-line summary between nodes, or NULL */
  gscale_path_kind path; /* properties that the method uses between nodes */
  bool device;   /* true if GPUs send from kernels, false if hosts send after
                  * kernels and wait until all data are sent */
  bool gets;     /* true if the method supports gets */
  bool copies;   /* the program calls cudaMemcpy before and after, which
                  * overlaps with no kernel */
  bool meets;    /* a barrier of all GPUs signals arrival, not messages */
  bool goes_on;  /* posted messages of `device` overlap with later kernels */
  bool measured; /* data/ has a run of the method between nodes */
} gscale_method;

const gscale_method *gscale_method_at(size_t i); /* NULL past the end */
size_t gscale_method_find(const char *name);     /* past the end if unknown */

/** The options of a message. */
typedef struct gscale_remote_call {
  double bytes; /* B, >= 0; for GGAS, only the wanted bytes */
  gscale_place from, to;
  bool far;            /* GPU and adapter are on different sockets */
  double sharing;      /* GPUs that share an adapter, >= 1 */
  gscale_place queues; /* place of the queues of put-ib */
  double connections;  /* concurrent connections of a GPU, >= 1 */
  bool polled;         /* the sender polls each completion, because the queue of
                        * a long stream is full */
  bool notified;       /* the GPU handles notifications (put-rma) */
  double word;         /* B of each access of a thread (ggas), > 0 */
  double stride;       /* only every stride-th word is wanted (ggas), >= 1 */
  double chunk;        /* B; 0: the chunk of gscale_remote */
  bool get;            /* one-sided get: the receiver asks for the bytes */
} gscale_remote_call;

/** Returns the default options of a message of `bytes`.  The message goes from
 *  GPU to GPU on one connection, in consecutive words of 8 B, with GPU and
 *  adapter on one socket. */
gscale_remote_call gscale_remote_call_of(double bytes);

/** Returns the rate, B/s, of the adapter's transfer without other copies.
 *
 *    B = min( rate / sharing, read if from a GPU, write if to a GPU ).
 *
 *  On the other socket, far_read and far_write replace read and write.
 *
 *  Returns  NaN outside the domain, and if the adapter cannot reach GPU memory.
 *  Omits    slower reads beyond 1 MB, which two machines show for an unknown
 *           reason.
 *  Source   [Oden14] 3.4.2 and table 3.1, where three of four cells give the
 *           fourth. */
double gscale_remote_rate(const gscale_remote *r, const gscale_remote_call *c);

/** Returns the times of a message by a method.  Here B = gscale_remote_rate(),
 *  L = path.latency, and P(a, b, ...) is a pipeline of m chunks through stages
 *  (start, rate).  The first formula of a method is the latency.
 *
 *    staged:           2 start + s/down + L + s/rate + s/up.
 *    staged-copies:    the same + 2 s/buffer.
 *    staged-pipelined: L + P((copy, down), (query + post, rate), (copy, up)).
 *    gpudirect:        L + s/B;  busy = post; gap = max(path.gap, s/B).
 *    gpi2:             gpudirect up to `direct` B, then
 *                      L + P((copy, down), (query + post, min(rate, write)));
 *                      busy = m (copy + query + post) + s/down.
 *    mpi:              match + 2 L (a rendezvous) + gpudirect up to `direct`,
 *                      else staged-pipelined.
 *    mpi-manual:       handshake + staged.
 *    mpi-manual-chunked: L + P((copy, down), (handshake + query, rate),
 *                      (copy, up)) of more than a chunk, else mpi-manual.
 *    mpi-acc:          handshake + L + P((copy, down), (query, rate),
 *                      (copy, up)) of a chunk or more, else mpi-manual.
 *    host-assisted:    assist + gpudirect;
 *                      gap = max(assist + (connections-1) scan, s/B), because
 *                      one thread serves all connections and polls each.
 *    put-ib:           max(0, post - stamp) + L + s/B + watch;
 *                      busy = post (+ poll if polled);
 *                      gap = max( (post (+ poll) + (connections-1) serial_host)
 *                      / connections, s/B ).
 *    nvshmem-ibgda:    as put-ib with queues on the GPU, without stamp.
 *    put-rma:          put + s/B (+ notify);
 *                      gap = put + s/B + notify/2: a put waits for the
 *                      notification of the previous put.
 *    ggas:             store + (K-1) t for K requests;  busy = gap = K t;
 *                      t = (payload + header) / rate of the wire.
 *    ggas-load:        load + (K-1) max(t, load/outstanding).
 *    a get:            the put of the method + L for the request;  for put-ib
 *                      and nvshmem-ibgda post + 2 L + s/B + poll, because the
 *                      GPU that asks polls;  for put-rma gap + L too.
 *
 *  Always wire = gap, lead = NaN, and only `sharing` limits a node.
 *
 *  Given    r, c  machine and options;  method  an index of gscale_method_find.
 *  Returns  all NaN outside the domain, if r lacks a property that the method
 *           needs, and for a get by a method other than gpudirect,
 *           host-assisted, put-ib, put-rma and nvshmem-ibgda.
 *  Limits   for s = 0, an empty chunk; for large s, the slowest stage's rate;
 *           for a get of 0 B, gscale_remote_atomic().
 *  Omits    registration of memory; congestion of the network.
 *  Source   steps of the methods from [Oden14] 3.2, 4.3, 5.5, 5.6, 6.4 and
 *           [MpiAcc16] 4.2; closed forms are ours; mlx4_post_send() of libmlx4
 *           stamps work requests after the doorbell; gets are ours, because
 *           only loads, which are as slow, are published. */
gscale_message gscale_remote_message(const gscale_remote *r, size_t method,
                                     const gscale_remote_call *c);

/** Returns when the last of several chunks has passed through all stages of a
 *  pipeline.  Each stage takes one chunk after another.
 *
 *    end[i][k] = max(end[i-1][k], end[i][k-1]) + start[k] + bytes_i / rate[k].
 *
 *  The closed form holds for equal chunks and a smaller last chunk.
 *
 *  Given    start[n]  s, >= 0;  rate[n]  B/s, > 0;  n  1 to 4.
 *           bytes     >= 0;  chunk  B, > 0.
 *  Returns  s; NaN outside the domain.
 *  Limits   for bytes <= chunk, the sum of the stages; for bytes -> infinity,
 *           the slowest stage.
 *  Source   ours: the makespan of a permutation flow shop with equal jobs. */
double gscale_pipeline(const double *start, const double *rate, size_t n,
                       double bytes, double chunk);

/** Returns the message size, B, above which GPI-2's staged copy is faster than
 *  a direct message.
 *
 *    size = (copy + query) / (1/B - 1/down - 1/min(rate, write)).
 *
 *  The formula holds for a message of one chunk.
 *
 *  Returns  INFINITY if the direct message is always faster; NaN if
 *           gscale_remote_message() of one of the two is NaN.
 *  Source   ours, from both closed forms. */
double gscale_remote_switch(const gscale_remote *r,
                            const gscale_remote_call *c);

/** Returns the time of an atomic update of a remote word, from the call until
 *  the old value arrives.
 *
 *    host-assisted  t = assist + 2 L.
 *    put-ib         t = post + 2 L + poll.
 *    gpudirect      t = 2 L.
 *
 *  Given    method  host-assisted, put-ib or gpudirect; queues place of the
 *                   queues of put-ib.
 *  Returns  s; NaN for other methods, and if r lacks a needed property.
 *  Source   ours, from [Oden14] 5.5.4. */
double gscale_remote_atomic(const gscale_remote *r, size_t method,
                            gscale_place queues);

/** Returns the number of packets of stores, or of requests of loads, of a GPU's
 *  threads.
 *
 *    packets  = ceil(n * word / payload) for stores with stride 1.
 *    packets  = n for other stores.
 *    requests = ceil(n * stride / values) for loads.
 *
 *  Given    n       number of values, >= 0;  word  B, > 0;  stride  >= 1.
 *  Returns  NaN outside the domain, and if r lacks a needed property.
 *  Source   ours; agrees with all 18 cells of table 6.1 of [Oden14]. */
double gscale_remote_requests(const gscale_remote *r, double n, double word,
                              double stride, bool load);

/* ---- exchanges built of messages ----------------------------------------- */

/** Returns the time of a barrier of GPUs by flags in a global address space.
 *
 *    time = 2 store + flag + flag_more (n - 2), + launch if `kernel`.
 *
 *  Given    n  number of GPUs, >= 1; kernel true for a separate kernel.
 *  Returns  s; 0 for one GPU; NaN outside the domain.
 *  Source   [Oden14] 6.7 for check-in and check-out; the linear term in n is
 *           ours. */
double gscale_remote_barrier(const gscale_remote *r, int n, bool kernel);

/** The algorithms of reductions by stores or loads to global addresses. */
typedef enum gscale_gather {
  GSCALE_GATHER_READ,       /* the root or each GPU loads all arrays */
  GSCALE_GATHER_ROOT,       /* all GPUs store to the root, which broadcasts */
  GSCALE_GATHER_ALL,        /* all GPUs store to all others */
  GSCALE_GATHER_ALL_TO_ALL, /* each GPU reduces a part of the arrays */
  GSCALE_GATHER_TREE,       /* a binomial tree */
  GSCALE_GATHER_END
} gscale_gather;

/** Returns the time of a reduction by stores of the arrays of n GPUs, with the
 *  result on one GPU or on all.
 *
 *  Here S(b) is the latency and G(b) the gap of a message of b bytes by ggas,
 *  bar is a barrier, and M is the memory's rate.
 *
 *    read:        time = bar + (n-1) load(V).
 *    root:        time = S(V) + (n-2) G(V) + bar + n V/M to one GPU, and
 *                 S(V) + (n-2) G(V) + bar more to all GPUs.
 *    all:         time = S(V) + (n-2) G(V) + bar + n V/M.
 *    all-to-all:  time = 2 ( S(V/n) + (n-2) G(V/n) + bar ) + V/M.
 *    tree:        time = ceil(log2 n) ( S(V) + store + 2 V/M ), twice to all.
 *
 *  Given    n       number of GPUs, >= 1; bytes V >= 0, B; memory M > 0, B/s.
 *  Returns  s; 0 for one GPU; NaN outside the domain.
 *  Limits   for V = 0, barriers and stores.
 *  Source   ours, from [Oden14] 6.8. */
double gscale_remote_reduce(const gscale_remote *r, gscale_gather g, int n,
                            double bytes, double memory, bool all);

/** Returns the time of an all-reduce of few values by hosts, up and down a
 *  binomial tree, with buffers on GPUs or on hosts.
 *
 *    time = 2 ceil(log2 n) (L + (sharing-1) path.gap), + 2 start for GPU
 *    buffers.
 *
 *  Given    n  number of processes, >= 1; sharing processes of a node, >= 1.
 *  Returns  s; 0 for one process; NaN outside the domain.
 *  Omits    the time of additions; more than some hundred values.
 *  Source   ours, from [Oden14] 4.2.4 and 4.4.3. */
double gscale_host_allreduce(const gscale_remote *r, int n, double sharing,
                             gscale_place buffers);

/** Returns each direction's share of a GPU port's one-way rate while both
 *  directions are in use.
 *
 *    share = (1 + gain) / 2.
 *
 *  Given    gain  rate of both directions / rate of one direction - 1, 0 to 1.
 *  Returns  NaN outside the domain.
 *  Limits   for full-duplex links, 1.
 *  Source   ours; 0.193 on the Fermi GPUs of [MpiAcc16] 7.2. */
double gscale_opposite(double gain);

/** Returns the factor by which a copy is slower if packets of a message in the
 *  same direction precede the copy in the GPU's single queue.
 *
 *    factor = 1 + busy * queued * packet / copy.
 *
 *  Given    copy, packet  s of the copy alone, > 0, and of a packet, >= 0.
 *           queued        number of packets that are queued at once, >= 0: 1 if
 *                         each packet waits for a free stage, or the number of
 *                         packets of a message if all are queued together.
 *           busy          share of the time in which packets are queued.
 *  Returns  NaN outside the domain.
 *  Limits   for long copies, 1.
 *  Source   ours, from [MpiAcc16] 7.2. */
double gscale_queued(double copy, double packet, double queued, double busy);

/** Returns the time of a transfer and a kernel, either both on stream 0 or on
 *  separate streams.
 *
 *    time = transfer + kernel on stream 0;
 *    time = max(transfer, kernel) on separate streams.
 *
 *  Given    transfer, kernel  s, >= 0.
 *  Returns  s; NaN outside the domain.
 *  Omits    contention of transfer and kernel for memory.
 *  Source   [MpiAcc16] 7.1. */
double gscale_on_stream_0(double transfer, double kernel);
double gscale_on_streams(double transfer, double kernel);

/** Returns the name of the i-th equation whose arguments are all numbers, and
 *  the number of arguments, or NULL past the end.  The name is the function's
 *  name without gscale_. */
const char *gscale_equation_at(size_t i, size_t *arguments);
/** Returns the value of the i-th equation of gscale_equation_at() for the
 *  arguments x, or NaN outside the domain or past the end. */
double gscale_equation(size_t i, const double *x);

/* ---- control of a step --------------------------------------------------- */

/** The agent that waits for a kernel, sends, and waits for other GPUs' data. */
typedef enum gscale_control {
  GSCALE_CONTROL_HOST,      /* a host thread that uses events */
  GSCALE_CONTROL_STREAM,    /* one-thread kernels between computing kernels */
  GSCALE_CONTROL_DEVICE,    /* one kernel that launches computing kernels */
  GSCALE_CONTROL_IN_KERNEL, /* thread blocks of computing kernels */
  GSCALE_CONTROL_GLOBAL,    /* global stores, then a barrier */
  GSCALE_CONTROL_END
} gscale_control;

/** A step of two halves.  Each half is computed while the boundary of the other
 *  half is sent. */
typedef struct gscale_halves {
  double compute; /* s of the kernel of one half, >= 0 */
  double send;    /* s from post to arrival of a boundary, >= 0 */
  double post;    /* s of a GPU's post, >= 0 */
  double poll;    /* s of a GPU's poll, >= 0 */
  double event;   /* s in which a host starts a kernel and sees its end, >= 0 */
  double between; /* s between two kernels of a stream, >= 0 */
  double launch;  /* s in which a kernel starts a kernel and waits, >= 0 */
  double blocks;  /* thread blocks of one kernel, >= 1 */
  double wait;    /* s of a block's wait for another (in-kernel), >= 0 */
  double barrier; /* s of a barrier of all GPUs, >= 0 */
} gscale_halves;

/** Returns the time, s, of a step of two halves.
 *
 *    host:       T = 2 max(compute + event, send).
 *    stream:     T = 2 ( 2 post + 3 between + max(compute, send) + 2 poll ).
 *    device:     T = 2 ( 2 post + max(compute + launch, send) + 2 poll ).
 *    in-kernel:  T = 2 ( 2 post + max(compute, send) + blocks^2 wait ).
 *    global:     T = 2 ( compute + send ) + barrier + launch.
 *
 *  A boundary is a message and its notification, with two posts and two polls.
 *  Stores to global addresses are a part of the kernel and do not overlap.
 *
 *  Returns  NaN outside the domain.
 *  Limits   for long kernels, T = 2 compute, except in-kernel and global.
 *  Source   ours, from [Oden14] 4.5, 5.8 and 6.9.1; blocks^2 assumes that every
 *           block waits for every other block, which fits the two printed
 *           sizes. */
double gscale_control_step(gscale_control c, const gscale_halves *h);

#endif /* GSCALE_MESSAGE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
