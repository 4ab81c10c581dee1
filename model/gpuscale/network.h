/*
 * network.h - messages between nodes: how long one takes, and what a node's
 * network cards let through.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_NETWORK_H
#define GSCALE_NETWORK_H

#include "gpuscale/packet.h"
#include "gpuscale/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- messages of a path --------------------------------------------------
 *
 * A path is one way from a GPU, or a host, to one in another node.  Its
 * messages are of two regimes: short ones are sent at once, long ones when the
 * receiver has said where to. */

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

/** Seconds that who sends is busy with a message.
 *
 *    overhead of the regime of `bytes`, and fetch if within < bytes < from
 *
 *  Returns  NaN outside the domain
 */
double gscale_path_busy(const gscale_path *p, double bytes);

/** Seconds of one message, one way, with nothing beside it.
 *
 *    latency + bytes (1 / rate + stage)     of the regime of `bytes`
 *
 *  Given    bytes  >= 0
 *  Returns  NaN outside the domain
 *  Limits   bytes = 0: the latency
 *  Omits    a message whose two parts go by two rails: its rate is the pair's
 *  Source   [Hockney94], with the regimes of eager and rendezvous protocols
 */
double gscale_path_time(const gscale_path *p, double bytes);

/** Seconds of one message of each of `pairs` pairs of GPUs between two nodes,
 *  all sent at once with nothing behind them.
 *
 *    latency + bytes stage + max( bytes / rate,
 *        pairs bytes / min(node_rate, rails), (pairs - 1) / messages )
 *
 *  Given    bytes  >= 0;  pairs  >= 1;  rails  B/s, what a node's cards attain
 *  Returns  NaN outside the domain
 *  Limits   one pair that its node lets through: gscale_path_time()
 *  Source   ours, as gscale_path_rate()
 */
double gscale_path_shared(const gscale_path *p, double bytes, double pairs,
                          double rails);

/** The regime of a message. */
const gscale_regime *gscale_path_regime(const gscale_path *p, double bytes);

/** Bytes per second of `pairs` pairs of GPUs between two nodes, each with many
 *  messages on its way.
 *
 *    min( pairs bytes / (busy + bytes / rate), node_rate, rails,
 *         messages bytes )                        busy: gscale_path_busy()
 *
 *  Given    bytes  > 0;  pairs >= 1;  rails  B/s, what a node's cards attain
 *  Returns  NaN outside the domain
 *  Limits   few pairs: each for itself; many: what the node attains
 *  Omits    what pairs lose by each other below the node's limits
 *  Source   ours; the max-rate model [Gropp16] is this with one regime
 */
double gscale_path_rate(const gscale_path *p, double bytes, double pairs,
                        double rails);

/* ---- what a phase sends --------------------------------------------------
 */

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
 *    post     = messages busy                       (gscale_path_busy)
 *    latency  = max( 0, latency - busy ) + bytes stage
 *    transfer = max( messages bytes / rate, node_bytes / min(node_rate, rails),
 *                    node_messages / p.messages - (messages - 1) busy,
 *                    uplink / rails )
 *
 *  Given    rails  B/s, useful, all of a node's cards, one direction, > 0
 *  Returns  zeros for no message; NaN outside the domain
 *  Limits   one message: its sum is gscale_path_time()
 *  Omits    messages that arrive while others are posted: post and transfer
 *           overlap in part only where the sender goes on with other work
 *  Source   ours, of the two above
 */
gscale_sent gscale_path_sends(const gscale_path *p, const gscale_sends *s,
                              double rails);

/* ---- networks ------------------------------------------------------------
 */

typedef enum gscale_net_topology {
  GSCALE_NET_FLAT,     /* every rail reaches every other at full rate */
  GSCALE_NET_FAT_TREE, /* switches of `leaf` ports below others */
  GSCALE_NET_RAILS,    /* the same, each rail of a node on its own switches */
  GSCALE_NET_TOPOLOGY_END
} gscale_net_topology;

const char *gscale_net_topology_name(gscale_net_topology t); /* or NULL */

/** How nodes are joined.  GPUs are placed in blocks: the first node is filled
 *  first. */
typedef struct gscale_network {
  int nodes;  /* as built; 0: there is no network */
  int rails;  /* network cards of a node, each with a link of its own */
  int leaf;   /* fat tree, rails: ports of a leaf switch, down; 0: any */
  bool grows; /* more nodes could be added */
  gscale_net_topology kind;
  gscale_link link; /* of a rail: format and rate */
} gscale_network;

/** GSCALE_EDOMAIN naming the field that is wrong.
 *
 *  Given    gpus  of a node
 *  Wrong    rails that neither divide the GPUs of a node nor are a multiple of
 *           them; a node with more rails than a leaf switch has ports; a link
 *           that is none between nodes, or has no packet format
 */
gscale_status gscale_network_check(const gscale_network *n, int gpus,
                                   gscale_diag *diag);

/** Nodes that a leaf switch joins at full rate.
 *
 *    fat tree  leaf / rails;  rails  leaf;  flat, or leaf 0: all
 *
 *  Returns  >= 1 */
double gscale_network_leaf(const gscale_network *n);

/** Doublings from one node to so many: steps of a barrier, or of a tree,
 * between them.
 *
 *    ceil(log2 nodes)
 *
 *  Given    nodes  >= 1
 *  Returns  0 for one node
 *  Source   dissemination barrier [HensgenFinkelManber88]
 */
double gscale_network_depth(int nodes);

/** How much later than the mean the last of so many nodes is, whose times
 * differ by chance.
 *
 *    jitter sqrt(2 ln nodes)
 *
 *  Given    jitter  s, standard deviation of one node's step, >= 0
 *  Returns  s; 0 for one node.  NaN outside the domain
 *  Limits   grows without bound, but slowly: 3.1 jitter for 128 nodes
 *  Omits    nodes that are always slow
 *  Source   bound on the mean of the largest of n normal variables, which it
 *           tends to for many [Boucheron13] 2.5
 */
double gscale_network_straggle(double jitter, int nodes);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_NETWORK_H */
