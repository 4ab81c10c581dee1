/* t_predict.c - plans and predictions by hand, their bounds and refusals. */

#include "cases.h"

#include <gsl/gsl_test.h>

static gscale_prediction predicted(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   const char *paradigm, const gscale_knobs *k)
{
  gscale_plan *p = NULL;
  gscale_prediction out = {0};
  gscale_diag why = {""};

  gscale_status st = gscale_plan_new(s, w, n, &p, &why);
  if (st == GSCALE_OK)
    st = gscale_predict(p, gscale_paradigm_find(paradigm), k, &out, &why);
  gsl_test_int((int)st, GSCALE_OK, "%s at %d: %s", paradigm, n, why.text);
  gscale_plan_free(p);
  return out;
}

/* What a status and its diag are when planning or predicting fails. */
static void refused(const gscale_system *s, const gscale_workload *w, int n,
                    size_t paradigm, const gscale_knobs *k, gscale_status want,
                    const char *word)
{
  gscale_plan *p = NULL;
  gscale_prediction out;
  gscale_diag why = {""};

  gscale_status st = gscale_plan_new(s, w, n, &p, &why);
  if (st == GSCALE_OK) st = gscale_predict(p, paradigm, k, &out, &why);
  gsl_test_int((int)st, (int)want, "refused with status %d: %s", (int)want,
               why.text);
  gsl_test(!strstr(why.text, word), "'%s' says '%s'", why.text, word);
  gscale_plan_free(p);
}

/* Costs of some_system() for t host threads. */
static double launches(double n, int t)
{
  return n * 2.1e-6 * (1 + 0.02 * (t - 1));
}
static double sync_of(int streams, int t)
{
  return 5.7e-6 + (streams - 1) * 1.1e-6 +
         (t > 1 ? 0.41e-6 + (t - 2) * 0.13e-6 : 0);
}

static void memcpy_by_hand(void)
{
  /* 400^3 points, 4 GPUs: 100 planes each; a face of 640 kB is 2500 packets of
   * 256 + 32 B on nvlink4 at 450 GB/s * 0.97 * 0.96. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  const double face = 640e3, wire = face * 288 / 256;
  const double rate = 450e9 * 0.97 * 0.96;
  const double kernel = 8 * 64e6 / 4 / 4.1e12 + 2.3e-6;
  const gscale_prediction p = predicted(s, w, 4, "memcpy", NULL);
  const double two = 2 * (1.7e-6 + wire / rate) + 1.3e-6;

  gsl_test_rel(p.time, launches(1, 4) + kernel + two + sync_of(1, 4), 1e-12,
               "memcpy, middle GPU, two faces");
  gsl_test_rel(p.part[GSCALE_PART_COMPUTE], kernel, 1e-12, "compute");
  gsl_test_rel(p.part[GSCALE_PART_HOST], launches(1, 4) + sync_of(1, 4), 1e-9,
               "host");
  gsl_test_rel(p.part[GSCALE_PART_TRANSFER], 2 * wire / rate, 1e-9, "transfer");
  gsl_test_rel(p.part[GSCALE_PART_INITIATION], 3.4e-6, 1e-9, "initiation");
  gsl_test_rel(p.part[GSCALE_PART_LATENCY], 1.3e-6, 1e-9, "latency");
  gsl_test_rel(p.bytes.useful, 6 * face, 1e-12, "six faces in all");
  gsl_test_rel(p.bytes.wire, 6 * wire, 1e-12, "and their packets");
  const double one = 8 * 64e6 / 4.1e12 + 2.3e-6 + 2.1e-6 + 5.7e-6;
  gsl_test_rel(p.speedup, one / p.time, 1e-12, "speedup over one GPU");
  gsl_test_rel(p.efficiency, one / p.time / 4, 1e-12, "efficiency");
  gsl_test_rel(predicted(s, w, 2, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               wire / rate, 1e-9, "two GPUs: one face each");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* The same step over a quarter of one GPU's. */
static void losses_by_hand(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  const double wire = 640e3 * 288 / 256, rate = 450e9 * 0.97 * 0.96;
  const gscale_prediction p = predicted(s, w, 4, "memcpy", NULL);
  const double even = p.speedup * p.time / 4;
  gscale_plan *plan = NULL;
  gscale_lost l;
  double sum = 0;

  gscale_plan_new(s, w, 4, &plan, NULL);
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    gscale_prediction by;
    if (gscale_predict(plan, i, NULL, &by, NULL) != GSCALE_OK) continue;
    gscale_predict_lost(plan, i, &by, 0, &l);
    sum = l.gain;
    for (int k = 0; k < GSCALE_LOST_END; k++) sum += l.of[k];
    gsl_test_rel(sum, by.time - even, 1e-12, "%zu: losses sum", i);
  }
  gscale_predict_lost(plan, gscale_paradigm_find("memcpy"), &p, 0, &l);
  gsl_test_rel(l.of[GSCALE_LOST_COMMUNICATION],
               2 * (1.7e-6 + wire / rate) + 1.3e-6, 1e-9, "two faces");
  gsl_test_rel(l.of[GSCALE_LOST_WAITING], sync_of(1, 4) - 5.7e-6, 1e-9,
               "the barrier");
  gsl_test_rel(l.of[GSCALE_LOST_HOST],
               launches(1, 4) + 5.7e-6 - (2.1e-6 + 5.7e-6) / 4, 1e-9, "calls");
  gsl_test_rel(l.of[GSCALE_LOST_START], 0.75 * 2.3e-6, 1e-9, "the start");
  gsl_test(l.of[GSCALE_LOST_KERNELS] + l.gain + l.hidden != 0, "no more");
  gscale_plan_free(plan);
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* Without peer access. */
static gscale_system *host_only(gscale_topology t)
{
  gscale_system *s = some_system(t, "pcie4");
  const gscale_can can = {GSCALE_PEER_NONE, true, true};

  gscale_system_set_can(s, &can, NULL);
  return s;
}

static void staged_by_hand(void)
{
  /* Two faces of 640 kB each from the middle GPU: 15.7 us, 300 kB down to the
   * host before the way up begins, all of it at 0.83 of the rate. */
  gscale_system *s = host_only(GSCALE_SWITCH);
  gscale_workload *w = one_phase(halo_phase(400));
  const double face = 640e3, rate = 21e9;
  const double one = 15.7e-6 + 3e5 / rate + face / (0.83 * rate);
  const double kernel = 8 * 64e6 / 4 / 4.1e12 + 2.3e-6;
  gscale_prediction p = predicted(s, w, 4, "memcpy", NULL);

  gsl_test_rel(p.time,
               launches(1, 4) + kernel + 2 * one + 6.3e-6 + sync_of(1, 4),
               1e-12, "by way of the host");
  gsl_test_rel(p.bytes.wire, 6 * face, 1e-12, "useful bytes, counted once");
  gsl_test_rel(p.part[GSCALE_PART_INITIATION], 31.4e-6, 1e-9, "initiation");
  gsl_test_rel(p.part[GSCALE_PART_LATENCY], 6.3e-6, 1e-9, "latency");
  set(s, "staged.buffer", 7e5, 0);
  gsl_test_rel(predicted(s, w, 4, "memcpy", NULL).time - p.time,
               2 * (face - 3e5) / rate, 1e-9, "less than a buffer: in a row");
  set(s, "staged.host", 11e9, 0); /* six faces, three times those of one GPU */
  gsl_test_rel(predicted(s, w, 4, "memcpy", NULL).time - p.time,
               2 * (face - 3e5) / rate + 6 * face / 11e9 -
                   2 * face / (0.83 * rate),
               1e-9, "all of them through the host");
  set(s, "staged.host", INFINITY, 0);
  gscale_workload_free(w);

  /* To both others of 3, 10 MB in chunks of 1 MB: 20 copies of a buffer and
   * their bytes behind the first tenth of the kernel, and 15.7 us each between
   * chunks.  Nothing is lost where the copies of different GPUs meet. */
  set(s, "staged.buffer", 3e5, 0);
  gscale_phase f = gather_phase(30e6, 1);
  f.units = 3;
  w = one_phase(f);
  const gscale_knobs k = {.v = {1e6, (double)NAN}};
  const double copy = 3e5 / rate + 1e6 / (0.83 * rate);
  const double tenth = 1e6 / 4.1e12 + 2.3e-6; /* its blocks are not counted */
  p = predicted(s, w, 3, "memcpy-async", &k);
  gsl_test_rel(p.time,
               launches(1, 3) + tenth + 20 * copy + 18 * 15.7e-6 + 6.3e-6 +
                   sync_of(2, 3),
               1e-9, "pieces behind one another");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* The wires of a bus and of a tree carry each byte up and down. */
static void staged_routes(void)
{
  gscale_phase shared = gather_phase(64e6, 1);
  shared.units = 4;
  gscale_workload *w = one_phase(shared);
  gscale_fabric f;
  gscale_system *s = host_only(GSCALE_SWITCH), *bus = host_only(GSCALE_BUS);
  set(s, "staged.host", INFINITY, 0);
  set(bus, "staged.host", INFINITY, 0);
  const double leg = 16e6 / (0.83 * 21e9); /* a GPU's part, to one other */
  const double ends = 3 * (15.7e-6 + 3e5 / 21e9);
  const double none = predicted(s, w, 4, "memcpy", NULL).time - 3 * leg - ends;

  gsl_test_rel(predicted(bus, w, 4, "memcpy", NULL).time - none,
               4 * 3 * 2 * leg, 1e-9, "a bus: all, twice");
  gscale_fabric_init(&f, GSCALE_TREE); /* two pairs */
  f.uplink = 0.5;
  gscale_system_set_shape(s, &f, 8, true, 4, NULL);
  gsl_test_rel(predicted(s, w, 4, "memcpy", NULL).time - none,
               2 * 3 * leg / 0.5, 1e-9, "a tree: two GPUs' uplink");
  f.uplink = 4;
  f.root = 1.5;
  gscale_system_set_shape(s, &f, 8, true, 4, NULL);
  gsl_test_rel(predicted(s, w, 4, "memcpy", NULL).time - none,
               4 * 3 * 2 * leg / 1.5, 1e-9, "and what passes the root");
  gscale_workload_free(w);
  gscale_system_free(s);
  gscale_system_free(bus);
}

static void split_by_hand(void)
{
  /* The interior hides the copies, or the copies hide the interior. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  const double kernel = 8 * 64e6 / 4 / 4.1e12 + 2.3e-6;
  const double lead = launches(2, 4), sync = sync_of(2, 4);
  gscale_prediction p = predicted(s, w, 4, "memcpy-async", NULL);

  /* they have been waited for when it ends */
  gsl_test_rel(p.time,
               lead + kernel + 2.3e-6 + 2 * 640e3 * 3.1e-14 + sync_of(1, 4),
               1e-12, "copies hidden");
  set(s, "link.rate", 4.5e9, 0);
  p = predicted(s, w, 4, "memcpy-async", NULL);
  const double wire = 640e3 * 288 / 256 / (4.5e9 * 0.97 * 0.96);
  const double boundary = 2 * 8 * 64e6 / 400 / 4.1e12 + 2.3e-6;
  gsl_test_rel(p.time, lead + boundary + 2 * (1.7e-6 + wire) + 1.3e-6 + sync,
               1e-12, "copies bind");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void stores_by_hand(void)
{
  /* To all from 3 GPUs, 30 MB in stores of 24 B, masked, each rewritten 1.5
   * times: 48 + 16 B on the wire for 24 B... */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(30e6, 1);
  f.units = 3;
  f.stores = (gscale_stores){1, {24}, {1}, {true}};
  f.rewrites = 1.5;
  f.read = 0.75;
  f.blocks = 3; /* one each: no pipelining, all after compute */
  gscale_workload *w = one_phase(f);
  const double out = 20e6 * 1.5, ratio = 64.0 / 24;
  const double wire = out * ratio / (450e9 * 0.91 * 0.94);
  const double kernel = 10e6 / 4.1e12 + 2.3e-6;
  gscale_prediction p = predicted(s, w, 3, "inline", NULL);

  gsl_test_rel(p.time,
               launches(1, 3) + kernel + out * 5.3e-14 + wire + 1.2e-6 +
                   sync_of(1, 3),
               1e-12, "inline, wire-bound");
  gsl_test_rel(p.bytes.useful, 60e6 * 0.75, 1e-12, "useful");
  gsl_test_rel(p.bytes.unused, 60e6 * 0.25, 1e-12, "unused");
  gsl_test_rel(p.bytes.redundant, 30e6, 1e-12, "rewritten");
  gsl_test_rel(p.bytes.wire, 90e6 * ratio, 1e-12, "wire");
  set(s, "store.rate", 1e8, 0); /* 30e6/24 packets at 1e8/s: 12.5 ms */
  p = predicted(s, w, 3, "inline", NULL);
  gsl_test_rel(p.part[GSCALE_PART_TRANSFER] + p.part[GSCALE_PART_TAIL],
               out * 5.3e-14 + out / 24 / 1e8, 1e-9, "inline, issue-bound");
  gsl_test_int((int)p.bound, GSCALE_M_ISSUE, "bound by issue");
  const double before = p.part[GSCALE_PART_TRANSFER] + p.part[GSCALE_PART_TAIL];
  set(s, "store.wide_rate", 2e8, 0);
  set(s, "store.reach", 1e6, 0);
  p = predicted(s, w, 3, "inline", NULL);
  gsl_test_rel(p.part[GSCALE_PART_TRANSFER] + p.part[GSCALE_PART_TAIL], before,
               1e-14, "beyond the reach as before");
  set(s, "store.reach", 1e10, 0);
  p = predicted(s, w, 3, "inline", NULL);
  gsl_test_rel(p.part[GSCALE_PART_TRANSFER] + p.part[GSCALE_PART_TAIL],
               out * 5.3e-14 + out / 24 / 2e8, 1e-9, "within, words of 24 B");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* Two neighbours send to a GPU, however many there are; of m senders a GPU
 * takes a store in (1 - few / m) / rate. */
static void ingress_by_hand(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = halo_phase(400);
  f.stores = (gscale_stores){1, {8}, {1}, {false}};
  gscale_workload *halo = one_phase(f);
  f = gather_phase(32e6, 1);
  f.units = 8;
  f.stores = (gscale_stores){1, {8}, {1}, {false}};
  gscale_workload *gather = one_phase(f);
  double slow[3];

  set(s, "store.ingress", 1e6, 0);
  for (int i = 0; i < 3; i++)
    slow[i] =
        predicted(s, i < 2 ? halo : gather, i ? 8 : 4, "inline", NULL).time;
  set(s, "store.ingress", 2e6, 0);
  gsl_test_rel(slow[0] - predicted(s, halo, 4, "inline", NULL).time,
               2 * 640e3 / 8 * (1 - 0.2 / 2) / 2e6, 1e-9, "two of four send");
  gsl_test_rel(slow[1] - predicted(s, halo, 8, "inline", NULL).time,
               2 * 640e3 / 8 * (1 - 0.2 / 2) / 2e6, 1e-9, "two of eight");
  gsl_test_rel(slow[2] - predicted(s, gather, 8, "inline", NULL).time,
               7 * 4e6 / 8 * (1 - 0.2 / 7) / 2e6, 1e-9, "all others");
  gscale_system_free(s);
  gscale_workload_free(halo);
  gscale_workload_free(gather);
}

static void agent_by_hand(void)
{
  /* 2 GPUs, 8 MB each in 4 chunks by 256 threads at 0.11 GB/s: 28.16 GB/s. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {2e6, 256}};
  const double chunk = 2e6 / (256 * 0.11e9);
  const double leg = 8e6 / 4.1e12; /* of the kernel: it reads memory so long */
  const double busy = leg / (leg + 2.3e-6);
  const double polls = busy * leg * 256 / 1.4e-6 / 4.1e12;
  const double compute =
      leg + 2.3e-6 + 8e6 / 4096 * 1.9e-9 + polls; /* the pipe ends last */
  const gscale_prediction p = predicted(s, w, 2, "proact-poll", &k);

  /* bandwidth-bound: the first quarter of compute, then four chunks, with a
   * look for the next after each */
  gsl_test_rel(p.time,
               launches(2, 2) + compute / 4 + 4 * chunk + 3 * 1.4e-6 + 2.6e-6 +
                   sync_of(2, 2),
               1e-12, "four chunks, agent-bound");
  gsl_test_rel(p.knobs.v[GSCALE_CHUNK], 2e6, 0, "knobs as given");
  gsl_test_int((int)p.bound, GSCALE_M_ISSUE, "bound by the agent");

  /* Two blocks of 256 threads, each a chunk of its own: two rounds, the first
   * when half of compute has passed. */
  const gscale_knobs two = {.v = {2e6, 512}};
  gsl_test_rel(predicted(s, w, 2, "proact-poll", &two).time,
               launches(2, 2) + (compute + polls) / 2 + 2 * chunk + 1.4e-6 +
                   2.6e-6 + sync_of(2, 2),
               1e-12, "two blocks, each a chunk");

  /* Five times slower while the memory is busy: by then its clock has run for a
   * fifth of that and the rest of compute, and three chunks and a bit are still
   * to go.  (Loading binds the agent here, so all of it is slower.) */
  const double clock = compute - leg * (1 - 1 / 5.0);
  set(s, "agent.contention", 5, 0);
  gsl_test_rel(predicted(s, w, 2, "proact-poll", &k).time,
               launches(2, 2) + compute + (clock / 4 + 4 * chunk + 3 * 1.4e-6) -
                   clock + 2.6e-6 + sync_of(2, 2),
               1e-12, "a starved agent");
  /* The link binds a wide agent: loading may take five times as long and still
   * be hidden, so nothing changes. */
  const gscale_knobs wide = {.v = {2e6, 131072}};
  set(s, "agent.gap", 0, 0);
  const double starved = predicted(s, w, 2, "proact-poll", &wide).time;
  set(s, "agent.contention", 1, 0);
  gsl_test_rel(predicted(s, w, 2, "proact-poll", &wide).time, starved, 1e-12,
               "the link binds");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void other_agents(void)
{
  /* Two warps a block, each with one load in flight: of a turn of 200 + 240 +
   * 40 ns, all at the SM's way out but 400 ns, against eight warps with four.
   * One chunk of 8 MB by 512 threads. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  const gscale_knobs k = {.v = {8e6, 512}};
  const gscale_agent_costs c = {200e-9, 40e-9, 51.2e9};
  const double latency = 0.41e-6 - 0.17e-6;

  f.units = 2;
  f.agent_of = GSCALE_CHUNK_OF_GRID;
  set(s, "agent.turn", 200e-9, 0);
  set(s, "agent.word", 40e-9, 0);
  set(s, "agent.sm_rate", 51.2e9, 0);
  gscale_workload *ours = one_phase(f);
  f.agent_block = 64;
  f.agent_loads = 1;
  gscale_workload *other = one_phase(f);
  const double more = predicted(s, other, 2, "proact-poll", &k).time -
                      predicted(s, ours, 2, "proact-poll", &k).time;
  const double slower = gscale_agent_rate(&c, 8, 4, latency) / 256 /
                        (gscale_agent_rate(&c, 2, 1, latency) / 64);

  gsl_test(!(slower > 2), "it has less in flight");
  gsl_test_rel(more, 8e6 / (512 * 0.11e9) * (slower - 1), 1e-9,
               "a differently written agent");
  gscale_workload_free(ours);
  gscale_workload_free(other);
  gscale_system_free(s);
}

static void slowed_by_hand(void)
{
  /* 2 GPUs: a wide agent has moved 0.8 MB of each in 64 chunks long before 400
   * MB have passed through memory: compute loses what they cost it, and the
   * last chunk follows. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(1.6e6, 1);
  f.units = 2;
  f.bytes = 800e6;
  f.agent_of = GSCALE_CHUNK_OF_GRID;
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {12500, 131072}};
  const double wire = 12500.0 * 144 / 128 / (450e9 * 0.91 * 0.94);
  const double bytes = 400e6 / 4.1e12; /* s, and each thread polls in turn */
  const double turn = gscale_system_get(s, GSCALE_AGENT_TURN)->val;
  const double busy = bytes / (bytes + 2.3e-6);
  const double compute = bytes * (1 + busy * 131072 / turn / 4.1e12) + 2.3e-6 +
                         0.8e6 / 4096 * 1.9e-9 + 0.8e6 * 1e-11;
  set(s, "store.interference", 1e-11, 0);
  set(s, "agent.gap", 0, 0);

  gsl_test_rel(predicted(s, w, 2, "proact-poll", &k).time,
               launches(2, 2) + compute + wire + 2.6e-6 + sync_of(2, 2), 1e-3,
               "compute ends last, and slowed");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void prefetched_by_hand(void)
{
  /* Pages of 8 MB with one reader: prefetched there, and back. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  f.prefetch = true;
  gscale_workload *w = one_phase(f);
  set(s, "um.fault_rate", 10e9, 0);
  set(s, "um.peer_start", 20e-6, 0);
  set(s, "um.peer_rate", 100e9, 0);
  const double t = predicted(s, w, 2, "um", NULL).time;

  set(s, "um.peer_start", 21e-6, 0);
  gsl_test_rel(predicted(s, w, 2, "um", NULL).time - t, 2e-6, 1e-6,
               "two prefetches start");
  set(s, "um.peer_start", 20e-6, 0);
  set(s, "um.peer_rate", 50e9, 0);
  gsl_test_rel(predicted(s, w, 2, "um", NULL).time - t,
               2 * ceil(8e6 / 65536) * 65536 * (1 / 50e9 - 1 / 100e9), 1e-9,
               "whole pages, there and back");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void launched_by_hand(void)
{
  /* As agent_by_hand, but by kernels of 256 threads: all are ready when the
   * only wave ends, which takes longer beside them, and the last is copied by
   * its own kernel, 28.16 GB/s; nobody polls, one launch.  Gaps are shorter
   * than that. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  f.blocks = blocks_of(&f, 8192); /* 977 blocks, all at once: one wave */
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {2e6, 256}};
  const double last = 2e6 / (256 * 0.11e9);
  const double link = 2e6 * 144 / 128 / (450e9 * 0.91 * 0.94); /* of a chunk */
  const double compute = 8e6 / 4.1e12 + 2.3e-6 + 2.1e-6 + 8e6 / 8192 * 1.9e-9;
  const double slower = 8e6 * 5.3e-14;
  const double begin = 13.7e-6 + 3.4e-6 + 3 * 1.2e-6; /* four at once */
  const gscale_knobs one = {.v = {16e6, 256}};

  gsl_test_rel(predicted(s, w, 2, "proact-cdp", &k).time,
               launches(1, 2) + compute + slower + last + begin + sync_of(1, 2),
               1e-12, "four kernels copy");
  gsl_test_rel(predicted(s, w, 2, "proact-cdp", &one).part[GSCALE_PART_LATENCY],
               13.7e-6, 1e-9, "one does not queue");
  /* With four times the blocks, four waves, the last chunk is there when the
   * last has ended, whether the others waited for room or not. */
  gscale_workload *two = NULL;
  f.blocks = blocks_of(&f, 2048);
  two = one_phase(f);
  const double more = compute + (8e6 / 2048 - 8e6 / 8192) * 1.9e-9;
  gsl_test_rel(predicted(s, two, 2, "proact-cdp", &k).time,
               launches(1, 2) + more + slower + last + begin + sync_of(1, 2),
               1e-12, "copies wait for blocks");
  set(s, "cdp.waits", 0, 0);
  gsl_test_rel(predicted(s, two, 2, "proact-cdp", &k).time,
               launches(1, 2) + more + slower + last + begin + sync_of(1, 2),
               1e-12, "copies beside waiting blocks");
  set(s, "cdp.waits", 1, 0);
  gscale_workload_free(two);
  set(s, "cdp.gap", 1e-3, 0);
  gsl_test_rel(
      predicted(s, w, 2, "proact-cdp", &k).part[GSCALE_PART_INITIATION],
      3e-3 + link - 4 * link, 1e-9, "launches a millisecond apart");
  set(s, "cdp.gap", 0, 0);
  refused(s, w, 2, gscale_paradigm_find("proact-cdp"), &k, GSCALE_ENEED,
          "cdp.gap");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void hardware_by_hand(void)
{
  /* Only the link, 8 MB as packets of 128 B in 144 B, and no counting. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {2e6, 256}};
  const double chunk = 2e6 * 144 / 128 / (450e9 * 0.91 * 0.94);
  const double compute = 8e6 / 4.1e12 + 2.3e-6;

  gsl_test_rel(predicted(s, w, 2, "proact-hw", &k).time,
               launches(1, 2) + compute / 4 + 4 * chunk + 1.2e-6 +
                   sync_of(1, 2),
               1e-12, "four chunks on the link");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void loads_by_hand(void)
{
  /* 3 GPUs, 10 MB each to both others, three quarters read; 1.6 million loads
   * of 32 B, two thirds of them far: 64 B with the packet's overhead and 16 B
   * to ask. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(30e6, 1);
  f.units = 3;
  f.read = 0.75;
  f.fetch = 32;
  f.loads = 3.6e6;
  gscale_workload *w = one_phase(f);
  const double loads = 3.6e6 / 3 * 2 / 3;
  const double kernel = 10e6 / 4.1e12 + 2.3e-6;
  const double wire = loads * 64 / (450e9 * 0.93 * 0.94);
  set(s, "device.l1", 0, 0);
  set(s, "load.rate", 9e9, 0);
  gscale_prediction p = predicted(s, w, 3, "rdl", NULL);

  gsl_test(!(wire > kernel), "the link binds");
  gsl_test_rel(p.time, launches(1, 3) + wire + 0.97e-6 + sync_of(1, 3), 1e-12,
               "loads over the link");
  gsl_test_rel(p.bytes.useful, 45e6, 1e-12, "what is read");
  gsl_test_rel(p.bytes.redundant, 3 * loads * 32 - 45e6, 1e-12,
               "and read again");
  gsl_test_rel(p.bytes.wire, 3 * loads * 64, 1e-12, "answers and requests");
  gsl_test_rel(predicted(s, w, 3, "um-hints", NULL).time, p.time, 1e-12,
               "mapped pages are loaded alike");
  set(s, "load.rate", 1e9, 0);
  gsl_test_rel(predicted(s, w, 3, "rdl", NULL).time,
               launches(1, 3) + loads / 0.81e9 + 0.97e-6 + sync_of(1, 3), 1e-12,
               "so many loads per second, all at once");
  set(s, "store.ingress", 0.4e9, 0);
  gsl_test_rel(predicted(s, w, 3, "rdl", NULL).time,
               launches(1, 3) + loads * (1 - 0.2 / 2) / 0.4e9 + 0.97e-6 +
                   sync_of(1, 3),
               1e-12, "so many requests of two others");
  set(s, "store.ingress", INFINITY, 0);
  set(s, "load.latency", 1e-3, 0);
  gsl_test_rel(predicted(s, w, 3, "rdl", NULL).part[GSCALE_PART_TRANSFER] +
                   kernel,
               loads * 1e-3 / (132 * 64), 1e-9, "one load a warp at a time");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void loads_of_their_own(void)
{
  /* 2 GPUs; a tenth of the memory that leaves is as large as an SM's cache.  Of
   * its 1e5 loads among 2.5e4 words an SM keeps a tenth of those it repeats. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(1.6e6, 1);
  f.units = 2;
  f.fetch = 32;
  f.loads = 2 * 2 * 132 * 1e5;
  gscale_workload *w = one_phase(f);
  const double first = 2.5e4 * (1 - exp(-4));

  set(s, "device.l1", 8e4, 0);
  set(s, "load.rate", 1e9, 0);
  gsl_test_rel(predicted(s, w, 2, "rdl", NULL).time,
               launches(1, 2) + 132 * (1e5 - 0.1 * (1e5 - first)) / 0.81e9 +
                   0.97e-6 + sync_of(1, 2),
               1e-12, "a cache keeps a tenth");
  set(s, "device.l1", 8e5, 0);
  gsl_test_rel(predicted(s, w, 2, "rdl", NULL).time,
               launches(1, 2) + 132 * first / 0.81e9 + 0.97e-6 + sync_of(1, 2),
               1e-12, "a cache keeps all");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void apart_by_hand(void)
{
  /* 4 GPUs exchange: three quarters of the blocks store 24 MB in 128 B, or load
   * them, then the others compute. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(128e6, 1);
  f.to = GSCALE_TO_PARTITION;
  f.units = 4;
  f.bytes = 1280e6;
  add_blocks(&f, (gscale_blocks){.share = 1,
                                 .per = GSCALE_PER_SENT,
                                 .publishes = 1,
                                 .reads = true});
  add_blocks(&f, (gscale_blocks){.rest = true});
  gscale_workload *w = one_phase(f);
  const double kernel = 320e6 / 4.1e12 + 2.3e-6;
  const double out = 24e6, slowed = kernel + out * 5.3e-14;
  const double stores = out * 144 / 128 / (450e9 * 0.91 * 0.94);
  const double waiting = 132 * 64 * 128 / out;
  set(s, "store.rate", INFINITY, 0);

  gsl_test(!(stores > 0.75 * slowed && stores < slowed), "between");
  gsl_test_rel(predicted(s, w, 4, "inline", NULL).time,
               launches(1, 4) +
                   fmax(stores, 0.25 * slowed + fmax(0.75 * slowed,
                                                     (1 - waiting) * stores)) +
                   4096 / out * fmin(stores, slowed) + 1.2e-6 + sync_of(1, 4),
               1e-12, "stores hold up the rest");
  const double loads = out / 128 * 160 / (450e9 * 0.93 * 0.94);
  gsl_test(!(loads > 0.75 * kernel), "longer than their blocks");
  gsl_test_rel(predicted(s, w, 4, "rdl", NULL).time,
               launches(1, 4) + 0.25 * kernel + loads + 0.97e-6 + sync_of(1, 4),
               1e-12, "loads hold up the rest");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void barrier_by_hand(void)
{
  /* 8 MB in blocks of 1 KiB: 7812.5 blocks, 1056 at a time, each of which stays
   * for 50 accesses, longer than its share of the kernel. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  f.blocks = blocks_of(&f, 1024);
  add_blocks(
      &f, (gscale_blocks){.rest = true, .kinds = 1, .path = {{.loads = 50}}});
  gscale_workload *even = one_phase(f);
  f.group[0].straggler = 1;
  gscale_workload *uneven = one_phase(f);
  const gscale_knobs k = {.v = {16e6, 256}}; /* one chunk, after the kernel */
  const double stay = 7812.5 / 1056 * 50 * 0.41e-6;
  const double kernel = 8e6 / 4.1e12 + 2.3e-6 + 50 * 0.41e-6;

  set(s, "device.cache_latency", 0.41e-6, 0);
  gsl_test_rel(predicted(s, uneven, 2, "proact-poll", &k).time -
                   predicted(s, even, 2, "proact-poll", &k).time,
               stay - kernel, 1e-9, "places are held for that long");
  gsl_test_rel(predicted(s, uneven, 2, "inline", NULL).time,
               predicted(s, even, 2, "inline", NULL).time, 0,
               "no barrier, no waiting");
  gscale_system_free(s);
  gscale_workload_free(even);
  gscale_workload_free(uneven);
}

static void slow_kernel_by_hand(void)
{
  /* A half fits in a cache that is twice as fast: a kernel at its roofline
   * gains all of it, one that takes 1.5 times as long 2/1.5, one that takes
   * three times as long nothing. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_curve c = {2, {50e6, 100e6}, {2, 1}};
  const double factor[] = {0.8, 1, 1.5, 3}, gain[] = {2, 2, 2 / 1.5, 1};
  gscale_phase f = gather_phase(0, 1);
  f.to = GSCALE_TO_NONE;
  f.units = 2;
  f.bytes = f.footprint = 100e6;
  gscale_workload *w = one_phase(f);
  gscale_system_set_membw_curve(s, &c, NULL);

  for (int i = 0; i < 4; i++) {
    const double work = factor[i] * 100e6 / 4.1e12;
    const gscale_param t = {.val =
                                launches(1, 1) + work + 2.3e-6 + sync_of(1, 1)};
    gscale_workload_set_single(w, t, NULL);
    gsl_test_rel(predicted(s, w, 2, "infinite", NULL).part[GSCALE_PART_COMPUTE],
                 work / 2 / gain[i] + 2.3e-6, 1e-9, "%g times the roofline",
                 factor[i]);
  }
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void from_an_array_by_hand(void)
{
  /* Gathered from an array that a cache twice as fast holds, though the phase
   * touches more than it does; that array is not divided by N.  No level 1
   * cache.  Without a curve a last cache of 64 MB holds 0.4 of 160 MB. */
  const double missed[] = {0.5, 1.0, 0.6};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_curve c = {2, {50e6, 100e6}, {2, 1}};
  gscale_phase f = gather_phase(0, 1);
  f.to = GSCALE_TO_NONE;
  f.units = 2;
  f.bytes = f.footprint = 400e6;
  gscale_system_set_membw_curve(s, &c, NULL);
  set(s, "device.l1", 0, 0);

  for (int far = 0; far < 3; far++) {
    f.gathered = (gscale_gathered){600e6, far ? 160e6 : 40e6};
    if (far == 2) gscale_system_set_membw_curve(s, &(gscale_curve){0}, NULL);
    set(s, "device.l2", 64e6, 0);
    gscale_workload *w = one_phase(f);
    for (int n = 1; n <= 2; n++)
      gsl_test_rel(
          predicted(s, w, n, "infinite", NULL).part[GSCALE_PART_COMPUTE],
          (400e6 + 600e6 * missed[far]) / n / 4.1e12 + 2.3e-6, 1e-12,
          "gathered from %s, %d GPUs", far ? "memory" : "cache", n);
    gscale_workload_free(w);
  }
  gscale_system_free(s);
}

static void gathered_by_hand(void)
{
  /* Of 100 accesses 60 lie in an array that a cache holds, though the phase
   * touches more than it does. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_curve c = {2, {50e6, 100e6}, {2, 1}};
  gscale_phase f = gather_phase(0, 1);
  f.to = GSCALE_TO_NONE;
  f.units = 2;
  f.bytes = f.footprint = 200e6;
  add_blocks(&f, (gscale_blocks){.rest = true,
                                 .kinds = 2,
                                 .path = {{.loads = 40}, {.loads = 60}}});
  gscale_workload *all = one_phase(f);
  f.group[0].path[1].bytes = 40e6;
  gscale_workload *some = one_phase(f);
  gscale_system_set_membw_curve(s, &c, NULL);

  gsl_test_rel(predicted(s, all, 1, "infinite", NULL).time -
                   predicted(s, some, 1, "infinite", NULL).time,
               60 * (0.41e-6 - 0.17e-6), 1e-9, "from the cache");
  gscale_system_free(s);
  gscale_workload_free(all);
  gscale_workload_free(some);
}

/* That `time` is what it takes with a few calls and waits of the host. */
static void about(double time, double least, const char *what)
{
  gsl_test(!(time >= least && time < least + 20e-6), "%s: %g us of %g", what,
           1e6 * time, 1e6 * least);
}

static void no_kernel_by_hand(void)
{
  /* 240 MB to both others, after a kernel in a phase before: two copies. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase before = gather_phase(0, 1), f = gather_phase(240e6, 0);
  gscale_workload *w, *alone;

  before.to = GSCALE_TO_NONE;
  before.units = f.units = 3;
  before.bytes = 3e9;
  f.flop = f.kernels = 0;
  alone = one_phase(before);
  w = one_phase(before);
  gscale_workload_add(w, &f, NULL);
  const gscale_link *l = gscale_system_about(s).link;
  const double rate = 450e9 * 0.97 * 0.96;
  const double each =
      gscale_wire_bytes(l, GSCALE_COPY, 80e6, false) / rate + 1.7e-6;
  const double face =
      gscale_wire_bytes(l, GSCALE_COPY, 240e6, false) / rate + 1.7e-6;
  const double kernel = predicted(s, alone, 3, "infinite", NULL).time;
  const double nothing = predicted(s, w, 3, "infinite", NULL).time;

  gsl_test(!(nothing >= kernel && nothing < kernel + sync_of(1, 3) + 1e-12),
           "nothing but a wait");
  about(predicted(s, w, 3, "memcpy", NULL).time - kernel, 2 * each,
        "copies alone");
  gsl_test(predicted(s, w, 3, "memcpy-async", NULL).time <
               kernel + 2 * (each - 1.7e-6),
           "nothing to hide behind");
  refused(s, w, 3, gscale_paradigm_find("inline"), NULL, GSCALE_ENEED,
          "phase 2 needs a kernel that stores (host.kernels)");
  refused(s, w, 3, gscale_paradigm_find("proact-poll"), NULL, GSCALE_ENEED,
          "host.kernels");
  gscale_workload_free(w);

  f.to = GSCALE_TO_NEIGHBOURS;
  w = one_phase(before);
  gscale_workload_add(w, &f, NULL);
  about(predicted(s, w, 3, "memcpy-async", NULL).time - kernel, 2 * face,
        "no boundary to compute first");
  gscale_workload_free(w);
  f.publish = 0;
  w = one_phase(f);
  refused(s, w, 3, 0, NULL, GSCALE_ENEED,
          "no phase has a kernel, or sends anything");
  gscale_workload_free(w);
  gscale_workload_free(alone);
  gscale_system_free(s);
}

static void last_copy_by_hand(void)
{
  /* 64 pieces: the host issues longer than the device works; then the last
   * piece follows. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(16e6, 1);
  f.units = 2;
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {125e3, NAN}};
  const gscale_prediction p = predicted(s, w, 2, "memcpy-async", &k);

  set(s, "copy.latency", 4e-6, 0);
  gsl_test_int((int)p.bound, GSCALE_M_HOST, "the host binds");
  gsl_test_rel(predicted(s, w, 2, "memcpy-async", &k).time - p.time,
               4e-6 - 1.3e-6, 1e-6, "the last copy follows the host");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* The last of a row of short kernels begins when it has been called for. */
static void kernels_in_a_row(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(8, 1);
  double time[2];

  f.units = 2;
  set(s, "device.start", 0, 0);
  for (int i = 0; i < 2; i++) {
    f.kernels = i ? 40 : 20;
    gscale_workload *w = one_phase(f);
    time[i] = predicted(s, w, 2, "infinite", NULL).time;
    gscale_workload_free(w);
  }
  gsl_test_rel(time[1] - time[0], launches(20, 2), 1e-9, "twenty calls more");
  gscale_system_free(s);
}

/* Two kernels of 30 us and 15 us of arithmetic where they fill a GPU: blocks
 * for half of it publish, in two rows, in the second.  Four chunks are complete
 * behind two pieces of it, each as long as all of it. */
static void cut_to_few_blocks(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double sms = gscale_system_get(s, GSCALE_DEVICE_SMS)->val;
  const double flops = gscale_system_get(s, GSCALE_DEVICE_FLOPS)->val;
  gscale_phase f = gather_phase(8, 1);

  f.units = 2;
  f.kernels = 2;
  f.flop = 2 * 45e-6 * flops;
  add_blocks(&f, (gscale_blocks){.share = 2.0 / 3, .count = 20 * sms});
  add_blocks(
      &f, (gscale_blocks){
              .rest = true, .publishes = 1, .each = sms / 2, .row = sms / 4});
  gscale_workload *w = one_phase(f);
  const gscale_knobs whole = {.v = {4, NAN}}, cut = {.v = {1, NAN}};
  const gscale_prediction one = predicted(s, w, 2, "memcpy-async", &whole),
                          two = predicted(s, w, 2, "memcpy-async", &cut);
  const double start = gscale_system_get(s, GSCALE_DEVICE_START)->val;

  gsl_test_rel(two.time - one.time, 30e-6 + start, 1e-4,
               "a row more: as long as both, and a start");
  gscale_workload_free(w);

  /* Half of four chunks each: two kernels for one more of each group. */
  f.group[0].publishes = f.group[1].publishes = 0.5;
  f.group[0].row = f.group[1].row = 1;
  f.flop = 1;
  w = one_phase(f);
  set(s, "device.start", 1e-3, 0);
  gsl_test_rel(predicted(s, w, 2, "memcpy-async", &cut).time -
                   predicted(s, w, 2, "memcpy-async", &whole).time,
               2e-3, 1e-2, "a start for each piece");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* s more with a ms more for each copy. */
static double of_initiation(gscale_pattern to)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(30e6, 1);

  f.to = to;
  f.units = 4;
  gscale_workload *w = one_phase(f);
  const gscale_knobs k = {.v = {1e6, NAN}};
  const double before = predicted(s, w, 4, "memcpy-async", &k).time;
  const double more =
      gscale_system_get(s, GSCALE_COPY_INITIATION)->val + 100e-3;
  set(s, "copy.initiation", more, 0);
  const double after = predicted(s, w, 4, "memcpy-async", &k).time;
  gscale_workload_free(w);
  gscale_system_free(s);
  return after - before;
}

/* Of four GPUs each makes 7.5 MB: 8 chunks for each of three others, or 1.875
 * MB for each, 2 chunks.  The first one's begins at once. */
static void chunks_of_a_pattern(void)
{
  gsl_test_rel(of_initiation(GSCALE_TO_ALL), 7 * 3 * 100e-3, 0.01, "to all");
  gsl_test_rel(of_initiation(GSCALE_TO_PARTITION), 5 * 100e-3, 0.01,
               "each its own");
}

static void faults_by_hand(void)
{
  /* 2 GPUs, 100 kB to each neighbour: two pages of 64 KiB come, two go back. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(100e3, 1);
  f.to = GSCALE_TO_NEIGHBOURS;
  f.units = 2;
  f.footprint = 77e6;
  f.read = 0.75;
  gscale_workload *w = one_phase(f);
  const double kernel = f.bytes / 2 / 4.1e12 + 2.3e-6;
  const double lapse = 250e-6, move = kernel + 8 * 65536 / 13.3e9 + 170e-6;
  const double host = launches(1, 2) + sync_of(1, 2);
  const gscale_prediction hints = predicted(s, w, 2, "um-hints", NULL);
  const double stay = hints.time - host;
  set(s, "um.thrash_window", lapse, 0);
  const gscale_prediction some = predicted(s, w, 2, "um", NULL);
  const double time = stay / (1 - (move - stay) / (2 * lapse));
  gsl_test_rel(some.time - host, time, 1e-9,
               "pages move once in 0.25 ms, else they stay");
  gsl_test_rel(some.part[GSCALE_PART_LATENCY],
               (1 - time / (2 * lapse)) * hints.part[GSCALE_PART_LATENCY], 1e-9,
               "then loads wait for them");
  set(s, "um.thrash_window", 50e-6, 0);
  const gscale_prediction p = predicted(s, w, 2, "um", NULL);

  gsl_test_rel(p.time,
               launches(1, 2) + kernel + 8 * 65536 / 13.3e9 + 170e-6 +
                   sync_of(1, 2),
               1e-12, "pages come and go, one after the other");
  gsl_test_int((int)p.bound, GSCALE_M_FAULT, "bound by faults");
  gsl_test_rel(p.setup, 310e-6 + f.footprint / 2 / 11.9e9, 1e-12,
               "half of the arrays comes from the host");
  gsl_test_rel(predicted(s, w, 2, "um-hints", NULL).setup,
               21e-6 + f.footprint / 2 / 207e9, 1e-12,
               "with hints it is prefetched");
  set(s, "um.prefetch_rate", 0, 0);
  gsl_test_rel(predicted(s, w, 2, "um-hints", NULL).setup, p.setup, 1e-12,
               "or faults, where a prefetch is not known");
  gsl_test_rel(p.bytes.useful, 150e3, 1e-12, "needed");
  gsl_test_rel(p.bytes.wire - p.bytes.protocol, 8 * 65536, 1e-12,
               "whole pages, both ways");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* 4 GPUs make 100 pages of 64 KiB each: each comes to three others, and goes
 * back once, so 4 (300 + 100) pass the driver.  With one reader, on 2 GPUs of
 * the same share, it is 2 (100 + 100). */
static void pages_go_back_once(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double share = 100 * 65536;

  set(s, "um.thrash_window", 1e-9, 0);
  for (int n = 2; n <= 4; n += 2) {
    gscale_phase f = gather_phase(n * share, 1);
    f.units = n;
    gscale_workload *w = one_phase(f);
    const gscale_prediction p = predicted(s, w, n, "um", NULL);
    const double moved = n * share * (n - 1), back = n * share;

    gsl_test_rel(p.time - predicted(s, w, n, "infinite", NULL).time,
                 170e-6 + (moved + back) / 13.3e9, 1e-9,
                 "um: %d GPUs: a page comes to each reader and goes back once",
                 n);
    gsl_test_rel(p.bytes.wire - p.bytes.protocol, moved + back, 1e-12,
                 "um: %d GPUs: as many bytes", n);
    gscale_workload_free(w);
  }
  gscale_system_free(s);
}

static void broadcast_by_hand(void)
{
  /* 3 GPUs, one word in two goes to one of the others: all get both. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(30e6, 1);
  f.units = 3;
  gscale_workload *all = one_phase(f);
  f.to = GSCALE_TO_RANDOM;
  gscale_workload *one = one_phase(f);
  const gscale_prediction p = predicted(s, one, 3, "broadcast", NULL);

  gsl_test_rel(predicted(s, all, 3, "broadcast", NULL).time,
               predicted(s, all, 3, "inline", NULL).time, 1e-12,
               "all need it: inline");
  gsl_test_rel(p.bytes.useful, 20e6, 1e-12, "two of three words leave");
  gsl_test_rel(p.bytes.unused, 20e6, 1e-12, "and go to the third GPU too");
  gscale_system_free(s);
  gscale_workload_free(all);
  gscale_workload_free(one);
}

static void queues_in_order(void)
{
  /* 2 GPUs, 7.68 MB each in order, by 4 B rewritten at once: 60000 lines of
   * 144 B; or 2000 packets of 30 runs of 128 + 5 B in 4000 + 16 B. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(15.36e6, 1);
  f.units = 2;
  f.stores = (gscale_stores){1, {4}, {1}, {false}};
  f.rewrites = 2;
  f.reuse = 64;
  gscale_workload *w = one_phase(f);
  const gscale_bytes gps = predicted(s, w, 2, "gps", NULL).bytes;
  const gscale_bytes pack = predicted(s, w, 2, "finepack", NULL).bytes;

  gsl_test_abs(predicted(s, w, 2, "gps", NULL).setup, 0, 1e-15,
               "all subscribe anyway");
  gsl_test_rel(gps.wire, 120000 * 144.0, 1e-12, "gps: lines");
  gsl_test_rel(gps.useful, 15.36e6, 1e-12, "gps: useful");
  gsl_test_rel(pack.wire, 4000 * 4016.0, 1e-12, "finepack: packets of lines");
  gsl_test_rel(pack.useful, 15.36e6, 1e-12, "finepack: useful");
  gsl_test_rel(predicted(s, w, 2, "gps-finepack", NULL).bytes.wire, pack.wire,
               1e-12, "both: the lines are full already");
  gsl_test_rel(predicted(s, w, 2, "finepack-config", NULL).bytes.wire,
               4000 * (4016.0 + 300), 1e-12, "10 B more for each run");
  set(s, "finepack.subheader", 2, 0); /* windows of 64 B: a run each */
  gsl_test_rel(predicted(s, w, 2, "finepack", NULL).bytes.wire,
               15.36e6 / 64 * (80 + 16.0), 1e-12, "short windows");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* The same, rewritten once all is written: everything leaves twice. */
static void queues_rewritten(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(15.36e6, 1);
  f.units = 2;
  f.stores = (gscale_stores){1, {4}, {1}, {false}};
  f.rewrites = 2;
  gscale_workload *w = one_phase(f);
  const gscale_bytes gps = predicted(s, w, 2, "gps", NULL).bytes;
  const gscale_bytes pack = predicted(s, w, 2, "finepack", NULL).bytes;

  gsl_test_rel(gps.wire, 2 * 120000 * 144.0, 1e-12, "gps: twice");
  gsl_test_rel(gps.redundant, 15.36e6, 1e-12, "gps: once in vain");
  gsl_test_rel(pack.wire, 2 * 4000 * 4016.0, 1e-12, "finepack: twice");
  gsl_test_rel(pack.redundant, 15.36e6, 1e-12, "finepack: once in vain");
  gsl_test_rel(predicted(s, w, 2, "gps-finepack", NULL).bytes.wire, pack.wire,
               1e-12, "both: no line was still there");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void profiling_costs(void)
{
  /* 3 GPUs; half of what is published is needed by one other, on pages of its
   * own: each line goes to one other and a half, while it profiles to two. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(300e6, 1);
  f.units = 3;
  f.to = GSCALE_TO_SUBSCRIBERS;
  f.subscribers[0] = 0.5;
  f.subscribers[1] = 0.5;
  f.blocks = blocks_of(&f, 65536);
  gscale_workload *w = one_phase(f);
  const gscale_prediction p = predicted(s, w, 3, "gps", NULL);
  const double line = 144 / (450e9 * 0.91 * 0.94);
  const double lines = 100e6 / 128;

  gsl_test_rel(p.setup, 0.5 * lines * line, 1e-2, "half a copy of each line");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void queues_scattered(void)
{
  /* 2 GPUs, a million stores of 8 B each over 32 MiB of the other: 262144
   * lines, 510 of them in the queue.  A window holds them all: 64 runs of 13 B
   * in a packet. */
  gscale_system *s = some_system(GSCALE_SWITCH, "pcie4");
  gscale_phase f = gather_phase(32e6, 1);
  f.units = 2;
  f.to = GSCALE_TO_RANDOM;
  f.stores = (gscale_stores){1, {8}, {1}, {true}};
  f.spread = 67108864;
  gscale_workload *w = one_phase(f);
  const gscale_link *l = gscale_link_find("pcie4");
  const double added = gscale_queue_added(262144, 1e6, 510);
  const gscale_bytes gps = predicted(s, w, 2, "gps", NULL).bytes;
  const gscale_bytes pack = predicted(s, w, 2, "finepack", NULL).bytes;

  gsl_test_rel(gps.wire,
               2 * added * gscale_wire_bytes(l, GSCALE_STORE, 128, false),
               1e-12, "gps: hardly a hit, whole lines");
  gsl_test_rel(pack.wire, 2e6 / 64 * (64 * 13 + 24.0), 1e-12,
               "finepack: 64 stores a packet");
  gsl_test_rel(pack.useful, 16e6, 1e-12, "all of them useful");
  set(s, "finepack.subheader", 3, 0); /* 16 KiB of 32 MiB: q = 1/2048 */
  gsl_test_rel(predicted(s, w, 2, "finepack", NULL).bytes.wire / pack.wire,
               36 / gscale_finepack_stores(1 / 2048.0, 64) / (13 + 24 / 64.0),
               1e-3, "small windows: a store a packet");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* Each precision at its own rate, the extra kernels of a paradigm too. */
static void precisions(void)
{
  static const double rate[GSCALE_PRECISION_END] = {
      [GSCALE_FP32] = 51e12,        [GSCALE_FP64] = 23e12,
      [GSCALE_FP64_TENSOR] = 47e12, [GSCALE_TF32] = 390e12,
      [GSCALE_FP16] = 810e12,       [GSCALE_FP8] = 1700e12};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = gather_phase(1e6, 1);
  gscale_workload *w;

  f.units = 2;
  f.flop = 7e12;
  f.pack = (gscale_packing){1, 3e12, 0};
  for (int i = 0; i < GSCALE_PRECISION_END; i++) {
    f.precision = (gscale_precision)i;
    w = one_phase(f);
    gsl_test_rel(predicted(s, w, 2, "infinite", NULL).part[GSCALE_PART_COMPUTE],
                 3.5e12 / rate[i] + 2.3e-6, 1e-12, "%s",
                 gscale_precision_name((gscale_precision)i));
    gsl_test_rel(predicted(s, w, 2, "memcpy", NULL).part[GSCALE_PART_COMPUTE],
                 5e12 / rate[i] + 2 * 2.3e-6, 1e-12, "and its extra kernel");
    gscale_workload_free(w);
  }
  set(s, "device.flops_fp64", 0, 0);
  f.precision = GSCALE_FP64;
  w = one_phase(f);
  refused(s, w, 2, 0, NULL, GSCALE_ENEED,
          "one: produce computes in fp64: device.flops_fp64 of some");
  gscale_workload_free(w);
  f.flop = 0;
  f.pack.flop = 0; /* no arithmetic, no need of its rate */
  w = one_phase(f);
  gsl_test(!(predicted(s, w, 2, "memcpy", NULL).time > 0), "only bytes");
  gscale_workload_free(w);
  f.precision = GSCALE_PRECISION_END;
  w = gscale_workload_new("w");
  gsl_test_int((int)gscale_workload_add(w, &f, NULL), GSCALE_EDOMAIN,
               "no such precision");
  gscale_workload_free(w);
  gsl_test(gscale_precision_name(GSCALE_PRECISION_END) != NULL, "no name");
  gsl_test_int((int)gscale_precision_rate(GSCALE_PRECISION_END),
               GSCALE_PARAM_END, "no rate");
  gscale_system_free(s);
}

static void bus_and_threads(void)
{
  /* On a bus all copies share one resource: (N-1) D.  On a switch each port
   * moves (N-1)/N D, whoever calls for it. */
  gscale_system *bus = some_system(GSCALE_BUS, "raw");
  gscale_system *sw = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = gather_phase(50e6, 1);
  f.units = 5;
  gscale_workload *w = one_phase(f), *one = one_phase(f);
  const double second = 31e9 * 0.97 * 0.96;

  set(bus, "host.copy", 0, 0); /* else it hides some of the transfer */
  set(sw, "host.copy", 0, 0);
  gscale_host host = gscale_host_default;
  host.threads = 1;
  gscale_workload_set_host(one, &host, NULL);
  gsl_test_rel(predicted(bus, w, 5, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               4 * 50e6 / second, 1e-9, "bus: (N-1) D");
  gsl_test_rel(predicted(sw, w, 5, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               4 * 10e6 / second, 1e-9, "switch: (N-1)/N D");
  gsl_test_rel(predicted(sw, one, 5, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               4 * 10e6 / second, 1e-9, "one thread: copies at once");
  host = gscale_host_default;
  host.streams = 2; /* as long again for each GPU beyond two: 1 / 0.7 - 1 */
  gscale_workload_set_host(w, &host, NULL);
  gsl_test_rel(predicted(sw, w, 5, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               4 * 10e6 / second * (1 + (5 - 2) * (1 / 0.7 - 1)), 1e-9,
               "two streams: copies meet");
  gsl_test_rel(
      predicted(sw, one, 5, "infinite", NULL).part[GSCALE_PART_HOST],
      5 * (2.1e-6 + gscale_system_get(sw, GSCALE_HOST_SET_DEVICE)->val) +
          5.7e-6,
      1e-9, "one thread launches five times, then waits for the last");
  gscale_system_free(bus);
  gscale_system_free(sw);
  gscale_workload_free(w);
  gscale_workload_free(one);
}

/* 12 MB by 3 GPUs, 1 MB more or less does not matter to units. */
static gscale_phase exchange_phase(gscale_pattern to)
{
  gscale_phase f = gather_phase(12e6, 1);

  f.units = 3;
  f.to = to;
  return f;
}

static gscale_bytes moved(gscale_phase f, const char *paradigm)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_workload *w = one_phase(f);
  const gscale_bytes b = predicted(s, w, 3, paradigm, NULL).bytes;

  gscale_system_free(s);
  gscale_workload_free(w);
  return b;
}

static void patterns(void)
{
  /* Each of 3 GPUs makes 4 MB.  All: 8 MB leave each.  Random and partition:
   * 2/3 of 4 MB.  Subscribers: half of the bytes to one other, a quarter to
   * three others (two are there): 0.5 + 0.25 * 2 = 1 copy of each byte. */
  gscale_phase f = exchange_phase(GSCALE_TO_ALL);
  gsl_test_rel(moved(f, "inline").wire, 24e6, 1e-12, "all");
  f = exchange_phase(GSCALE_TO_RANDOM);
  gsl_test_rel(moved(f, "inline").wire, 8e6, 1e-12, "random");
  f.over = 3;
  gsl_test_rel(moved(f, "memcpy").wire, 24e6, 1e-12, "copies of whole regions");
  gsl_test_rel(moved(f, "memcpy").unused, 16e6, 1e-12, "which nobody reads");
  gsl_test_rel(moved(f, "inline").unused, 0, 0, "stores are exact");
  f = exchange_phase(GSCALE_TO_PARTITION);
  gsl_test_rel(moved(f, "memcpy").wire, 8e6, 1e-12, "partition");
  f = exchange_phase(GSCALE_TO_SUBSCRIBERS);
  f.subscribers[0] = 0.5;
  f.subscribers[2] = 0.25;
  gsl_test_rel(moved(f, "inline").wire, 12e6, 1e-12, "subscribers");
}

static void imbalance(void)
{
  /* The busiest port has 1.5 times the mean: 8 MB become 12 MB. */
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = exchange_phase(GSCALE_TO_ALL);
  const double rate = 31e9 * 0.97 * 0.96;

  set(s, "host.copy", 0, 0);
  for (int k = 0; k < 3; k++) {
    f.egress_max = k == 1 ? 1.5 : 1;
    f.ingress_max = k == 2 ? 1.5 : 1;
    gscale_workload *w = one_phase(f);
    gsl_test_rel(predicted(s, w, 3, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
                 (k ? 12e6 : 8e6) / rate, 1e-9, "imbalance %d", k);
    gscale_workload_free(w);
  }
  f.compute_max = 1.5; /* 4 MB of memory traffic become 6 */
  gscale_workload *w = one_phase(f);
  gsl_test_rel(predicted(s, w, 3, "infinite", NULL).part[GSCALE_PART_COMPUTE],
               6e6 / 4.1e12 + 2.3e-6, 1e-12, "compute");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* A count that is a function of N: on 3 GPUs what it is there, on one what it
 * is on one, and on others nobody knows. */
static void counts_of_n(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = exchange_phase(GSCALE_TO_ALL);
  gscale_workload *w = one_phase(f), *there;
  gscale_workload *two = one_phase(f);
  gscale_plan *p = NULL;
  gscale_diag why = {""};

  gsl_test(gscale_workload_about(w).varies, "nothing yet");
  gsl_test_int((int)gscale_workload_set_on(w, 1, w, &why), GSCALE_OK, "1");
  f.bytes *= 3;
  f.compute_max = 1.25;
  there = one_phase(f);
  gsl_test_int((int)gscale_workload_set_on(w, 3, there, &why), GSCALE_OK, "3");
  gsl_test(!gscale_workload_about(w).varies, "it varies");
  for (size_t i = 0; gscale_paradigm_name(i); i++) {
    const char *way = gscale_paradigm_name(i);
    if (strcmp(way, "schedule") == 0) continue;
    const gscale_prediction a = predicted(s, w, 3, way, NULL),
                            b = predicted(s, there, 3, way, NULL);
    gsl_test(memcmp(&a.time, &b.time, sizeof a.time) != 0 ||
                 memcmp(a.part, b.part, sizeof a.part) != 0,
             "%s: %.17g is not %.17g", way, a.time, b.time);
  }
  gsl_test_rel(predicted(s, w, 1, "infinite", NULL).part[GSCALE_PART_COMPUTE],
               f.bytes / 3 / 4.1e12 + 2.3e-6, 1e-12, "of one GPU");
  gsl_test_int((int)gscale_plan_new(s, w, 2, &p, &why), GSCALE_ENEED, "%s",
               why.text);
  gscale_workload_add(two, &f, &why);
  gsl_test_int((int)gscale_workload_set_on(w, 4, two, &why), GSCALE_EDOMAIN,
               "%s", why.text);
  gscale_workload_free(two);
  gsl_test_rel(predicted(s, w, 3, "infinite", NULL).time,
               predicted(s, there, 3, "infinite", NULL).time, 0,
               "what was refused changed nothing");
  gsl_test_int((int)gscale_workload_set(w, "produce.bytes",
                                        &(gscale_param){.val = 1e6}, &why),
               GSCALE_OK, "%s", why.text);
  gscale_workload_free(w);
  gscale_workload_free(there);
  gscale_system_free(s);
}

/* s of transfer at n GPUs. */
static double transfer(const gscale_system *s, gscale_phase f, int n,
                       const char *paradigm)
{
  gscale_workload *w = one_phase(f);
  const double t =
      predicted(s, w, n, paradigm, NULL).part[GSCALE_PART_TRANSFER];

  gscale_workload_free(w);
  return t;
}

static void orders(void)
{
  /* Each of 4 GPUs makes 40 MB for the other three.  All begin with GPU 0: two
   * GPUs' worth of meetings, 1 + 2 (1/c3 - 1) times. */
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = exchange_phase(GSCALE_TO_ALL), g = f;
  const double copies = 120e6 / (31e9 * 0.97 * 0.96);
  const double stores = 120e6 / (31e9 * 0.91 * 0.94);

  set(s, "host.copy", 0, 0);
  f.publish = g.publish = 160e6;
  f.units = g.units = 4;
  g.order = GSCALE_TURNS_SAME;
  gsl_test_rel(transfer(s, f, 4, "memcpy"), copies, 1e-9, "rotated");
  gsl_test_rel(transfer(s, g, 4, "memcpy"), copies * (2 / 0.68 - 1), 1e-9,
               "copies in the same order");
  gsl_test_rel(transfer(s, g, 4, "inline") - transfer(s, f, 4, "inline"),
               stores * 2 * (1 / 0.77 - 1), 1e-9, "stores");
  f.atomic = g.atomic = true;
  gsl_test_rel(transfer(s, g, 4, "inline") - transfer(s, f, 4, "inline"),
               stores * 2 * (1 / 0.73 - 1), 1e-9, "atomics");
  f.atomic = g.atomic = false;
  gscale_system *t = some_system(GSCALE_BUS, "raw");
  gsl_test_rel(transfer(t, g, 4, "inline"), transfer(t, f, 4, "inline"), 1e-12,
               "a bus has no ports to meet at");
  gscale_system_free(t);
  f.to = g.to = GSCALE_TO_NEIGHBOURS;
  f.publish = g.publish = 40e6;
  gsl_test_rel(transfer(s, g, 4, "memcpy"), transfer(s, f, 4, "memcpy"), 1e-12,
               "neighbours have two others at most");
  gscale_system_free(s);
}

static void packing_and_calls(void)
{
  /* memcpy packs: one kernel more, 41 MB through memory, a third each. */
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = exchange_phase(GSCALE_TO_ALL);
  gscale_workload *plain = one_phase(f);
  f.pack = (gscale_packing){1, 0, 41e6};
  gscale_workload *packs = one_phase(f);
  const double pack = 41e6 / 3 / 4.1e12 + 2.3e-6;

  gsl_test_rel(predicted(s, packs, 3, "memcpy", NULL).time -
                   predicted(s, plain, 3, "memcpy", NULL).time,
               pack, 1e-9, "memcpy packs");
  gsl_test_rel(predicted(s, packs, 3, "inline", NULL).time,
               predicted(s, plain, 3, "inline", NULL).time, 1e-12,
               "inline does not");
  gsl_test_rel(predicted(s, packs, 1, "memcpy", NULL).time,
               predicted(s, plain, 1, "memcpy", NULL).time, 1e-12,
               "one GPU has nothing to pack");
  const gscale_knobs k = {.v = {1e9, 256}};
  static const char *const pieces[] = {"memcpy-async", "proact-poll",
                                       "proact-cdp", "proact-hw"};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    gsl_test_rel(
        predicted(s, packs, 3, pieces[i], &k).part[GSCALE_PART_COMPUTE] -
            predicted(s, plain, 3, pieces[i], &k).part[GSCALE_PART_COMPUTE],
        pack, 1e-9, "%s packs", pieces[i]);
  gscale_workload_free(packs);

  f.pack = (gscale_packing){0};
  f.calls = (gscale_calls){.launches = 200, .events = 100};
  gscale_workload *calls = one_phase(f);
  gsl_test_rel(
      predicted(s, calls, 1, "infinite", NULL).part[GSCALE_PART_HOST] +
          predicted(s, calls, 1, "infinite", NULL).part[GSCALE_PART_COMPUTE],
      201 * 2.1e-6 + 100 * 0.7e-6 + 5.7e-6, 1e-12, "200 calls more");
  gscale_workload_free(calls);
  gscale_workload_free(plain);
  gscale_system_free(s);
}

/* The kernel of a norm that is arithmetic alone: 2.3 us to begin, then as long
 * for the second half as for the first. */
static void norm_of_flops(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_host host = gscale_host_default;
  double compute[3];

  host.norm.copy = 8;
  for (int i = 0; i < 3; i++) {
    host.norm.flop = i * 1e11;
    gscale_workload_set_host(w, &host, NULL);
    compute[i] = predicted(s, w, 2, "memcpy", NULL).part[GSCALE_PART_COMPUTE];
  }
  gsl_test(!(compute[1] > compute[0] + 2.3e-6), "a norm of arithmetic alone");
  gsl_test_rel(compute[2] - compute[1], compute[1] - compute[0] - 2.3e-6, 1e-9,
               "twice as much of it");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void generations(void)
{
  /* Bandwidth-bound transfers of two links are as goodput times rate. */
  gscale_system *s = some_system(GSCALE_SWITCH, "pcie3");
  gscale_workload *w = one_phase(exchange_phase(GSCALE_TO_PARTITION));
  double first = 0;

  set(s, "host.copy", 0, 0);
  for (int i = 0; i + 1 < gpu_links(); i++) { /* all but raw */
    const gscale_link *l = gscale_link_at((size_t)i);
    gscale_system_swap_link(s, l, NULL);
    const double t =
        predicted(s, w, 3, "memcpy", NULL).part[GSCALE_PART_TRANSFER];
    const double attained =
        l->rate * gscale_goodput(l, GSCALE_COPY, 4e6 / 3, false);
    if (i == 0) first = t * attained;
    gsl_test_rel(t * attained, first, 1e-9, "%s: rate x goodput", l->name);
  }
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void root_complex(void)
{
  /* Through a root that cuts copies of 256 B to 64 B: 280/256 of wire become
   * 88/64; of two groups of two, 4 MB each to all: the uplink carries 16 MB. */
  gscale_system *s = some_system(GSCALE_SWITCH, "pcie3");
  gscale_phase f = gather_phase(16e6, 1);
  gscale_fabric tree;

  f.units = 4;
  gscale_workload *w = one_phase(f);
  gscale_fabric_init(&tree, GSCALE_TREE);
  tree.split = 64;
  gscale_system_set_shape(s, &tree, 4, true, 0, NULL);
  set(s, "host.copy", 0, 0);
  const double rate = gscale_link_find("pcie3")->rate * 0.97 * 0.96;
  gsl_test_rel(predicted(s, w, 4, "memcpy", NULL).part[GSCALE_PART_TRANSFER],
               16e6 * 88 / 64 / rate, 1e-6, "uplink, cut to 64 B");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void single_gpu_time(void)
{
  /* The measured step is launch + kernel + sync: kernels scale so that N = 1
   * gives it back; below launch and sync these shrink. */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_param t = {311e-6, 1e-6, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};

  gscale_workload_set_single(w, t, NULL);
  gsl_test_rel(predicted(s, w, 1, "infinite", NULL).time, 311e-6, 1e-12,
               "N = 1 is as measured");
  const double kernel = 311e-6 - 2.1e-6 - 5.7e-6 - 2.3e-6;
  gsl_test_rel(predicted(s, w, 4, "infinite", NULL).part[GSCALE_PART_COMPUTE],
               kernel / 4 + 2.3e-6, 1e-12, "a quarter of it on four");
  t.val = 1e-6;
  gscale_workload_set_single(w, t, NULL);
  const gscale_prediction less = predicted(s, w, 1, "infinite", NULL);
  gsl_test_rel(less.time, 1e-6, 1e-12, "less than the host takes: as measured");
  gsl_test_rel(less.part[GSCALE_PART_HOST], 1e-6 * 7.8 / 10.1, 1e-12,
               "its calls and waits, and the kernel's start, alike");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* CT of the dissertation, chapter III: 24 subsets, two exchanges each; the
 * bus has no overheads.  The 24 exchanges were chosen after seeing the target;
 * nothing else was. */
static gscale_system *ct_bus(double rate)
{
  gscale_system *s = some_system(GSCALE_BUS, "raw");

  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    if (gscale_param_info_at(id)->dim == GSCALE_TIME ||
        gscale_param_info_at(id)->dim == GSCALE_TIME_PER_BYTE)
      set(s, gscale_param_info_at(id)->name, 0, 0);
  set(s, "link.rate", rate, 0);
  set(s, "copy.efficiency", 1, 0);
  set(s, "copy.all_active", 1, 0);
  return s;
}

static gscale_workload *ct(void)
{
  const double share[] = {7256.0 * 64 * 888 * 4 / 24, 512.0 * 512 * 512 * 4};
  gscale_workload *w = gscale_workload_new("ct");
  const gscale_param t1 = {116.8, 0, GSCALE_MEASURED, "derived",
                           GSCALE_BY_ORIGIN};

  for (int i = 0; i < 2; i++) {
    gscale_phase p;
    gscale_phase_init(&p, i ? "back" : "forward");
    p.repeats = 24;
    p.units = 17e6;
    p.flop = 1;
    p.to = GSCALE_TO_ALL;
    p.publish = share[i];
    gscale_workload_add(w, &p, NULL);
  }
  gscale_workload_set_single(w, t1, NULL);
  return w;
}

static void ct_of_the_dissertation(void)
{
  static const struct {
    double rate, speedup;
    int gpus, crossover;
  } row[] = {{16e9, 6, 10, 12}, {64e9, 12, 20, 24}};
  gscale_workload *w = ct();

  for (int i = 0; i < 2; i++) {
    gscale_system *s = ct_bus(row[i].rate);
    gscale_prediction p = predicted(s, w, row[i].gpus, "memcpy", NULL);
    gsl_test(!(fabs(p.speedup / row[i].speedup - 1) < 0.05),
             "ct: %.2fx at %d GPUs, printed %gx", p.speedup, row[i].gpus,
             row[i].speedup);
    int n = 2;
    while (n < 40) {
      p = predicted(s, w, n, "memcpy", NULL);
      if (p.part[GSCALE_PART_TRANSFER] > p.part[GSCALE_PART_COMPUTE]) break;
      n++;
    }
    gsl_test(abs(n - row[i].crossover) > 1,
             "ct: copies exceed compute from %d GPUs, printed %d", n,
             row[i].crossover);
    gscale_system_free(s);
  }
  gscale_workload_free(w);
}

static void every_bound(void)
{
  /* One cost made large at a time; it must be named. */
  static const struct {
    const char *param, *paradigm;
    double value;
    gscale_mechanism bound;
  } row[] = {
      {"device.membw", "memcpy", 1e9, GSCALE_M_COMPUTE},
      {"host.copy", "memcpy", 1, GSCALE_M_HOST},
      {"host.sync", "memcpy", 1, GSCALE_M_SYNC},
      {"link.rate", "memcpy", 1e5, GSCALE_M_BANDWIDTH},
      {"store.rate", "inline", 10, GSCALE_M_ISSUE},
      {"copy.initiation", "memcpy", 1, GSCALE_M_INITIATION},
      {"agent.track", "proact-poll", 1, GSCALE_M_TRACKING},
      {"store.latency", "inline", 1, GSCALE_M_LATENCY},
  };
  gscale_workload *w = one_phase(halo_phase(400));

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
    set(s, row[i].param, row[i].value, 0);
    const gscale_prediction p = predicted(s, w, 3, row[i].paradigm, NULL);
    gsl_test_int((int)p.bound, (int)row[i].bound, "%s: bound by %s",
                 row[i].param,
                 gscale_name(GSCALE_MECHANISM_NAMES, row[i].bound));
    gscale_system_free(s);
  }
  gscale_workload_free(w);

  /* The tail: one chunk, and no single mechanism behind it: compute is half
   * kernel, half tracking; link and agent are equally fast. */
  gscale_system *s = some_system(GSCALE_SWITCH, "raw");
  gscale_phase f = gather_phase(4e9, 14);
  f.units = 2;
  f.agent_of = GSCALE_CHUNK_OF_GRID;
  w = one_phase(f);
  const gscale_knobs k = {.v = {4e9, 16384}};
  const double kernel = 28e9 / 4.1e12, wire = 1.05 * kernel;
  set(s, "agent.track", kernel / (2e9 / 4096), 0);
  set(s, "link.rate", 2e9 / wire / (0.91 * 0.94), 0);
  set(s, "agent.thread_rate", 2e9 / wire / 16384, 0);
  gsl_test_int((int)predicted(s, w, 2, "proact-poll", &k).bound, GSCALE_M_TAIL,
               "one chunk: bound by the tail");
  gscale_system_free(s);
  gscale_workload_free(w);
  gsl_test(gscale_name(GSCALE_MECHANISM_NAMES, GSCALE_MECHANISM_END) != NULL,
           "past the end");
}

static void best_knobs(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(256e6, 30));
  const size_t poll = gscale_paradigm_find("proact-poll");
  gscale_plan *p = NULL;
  gscale_prediction best;
  double least = INFINITY;

  gscale_plan_new(s, w, 4, &p, NULL);
  gscale_predict(p, poll, NULL, &best, NULL);
  for (double c = 4096; c <= 67108864; c *= 2)
    for (double t = 64; t <= 16384; t *= 2) {
      const gscale_knobs k = {.v = {c, t}};
      least = fmin(least, gscale_predict_time(p, poll, &k));
    }
  gsl_test_rel(best.time, least, 1e-12, "best of the grid");
  const gscale_knobs half = {.v = {(double)NAN, 1024}};
  gscale_predict(p, poll, &half, &best, NULL);
  gsl_test_rel(best.knobs.v[GSCALE_WIDTH], 1024, 0, "one set, one chosen");
  gsl_test(!isnan(gscale_predict_time(p, poll, &half)), "time needs all knobs");
  gsl_test(!isnan(gscale_predict_time(p, 99, &best.knobs)), "no paradigm 99");
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* True if a smaller chunk, or of that a smaller width, is as good. */
static bool earlier_as_good(const gscale_plan *p, size_t paradigm,
                            const gscale_prediction *best)
{
  const double chunk = best->knobs.v[GSCALE_CHUNK],
               width = best->knobs.v[GSCALE_WIDTH];
  double least, most, first, last;

  gscale_plan_knob(p, GSCALE_CHUNK, &least, &most);
  gscale_plan_knob(p, GSCALE_WIDTH, &first, &last);
  for (double c = least; c <= chunk; c *= 2)
    for (double t = first; t <= last; t *= 2) {
      const gscale_knobs k = {.v = {c, t}};
      if (c >= chunk && t >= width) break;
      if (gscale_predict_time(p, paradigm, &k) <= best->time * (1 + 1e-14))
        return true;
    }
  return false;
}

/* Where chunks make no difference, as where all is ready at the end only,
 * rounding does not choose among them. */
static void knobs_that_tie(void)
{
  rng r = {271828};
  const size_t poll = gscale_paradigm_find("proact-poll");
  int wrong = 0, several = 0;

  for (int k = 0; k < 300; k++) {
    gscale_system *s = random_system(&r);
    gscale_phase f = gather_phase(spread(&r, 1e7, 1e9), 1);
    gscale_plan *p = NULL;
    gscale_prediction best;
    f.to = GSCALE_TO_RANDOM;
    add_blocks(
        &f, (gscale_blocks){.rest = true, .publishes = 1, .scattered = true});
    gscale_workload *w = one_phase(f);
    if (gscale_plan_new(s, w, 2 + pick(&r, 7), &p, NULL) == GSCALE_OK &&
        gscale_predict(p, poll, NULL, &best, NULL) == GSCALE_OK) {
      several += best.knobs.v[GSCALE_CHUNK] > 4096;
      wrong += earlier_as_good(p, poll, &best);
    }
    gscale_plan_free(p);
    gscale_system_free(s);
    gscale_workload_free(w);
  }
  gsl_test_int(wrong, 0, "as good a smaller chunk or width");
  gsl_test(several < 10, "%d with a larger chunk", several);
}

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = halo_phase(400);
  gscale_workload *w = one_phase(f);
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  const size_t async = gscale_paradigm_find("memcpy-async");
  const size_t poll = gscale_paradigm_find("proact-poll");
  gscale_workload *empty = gscale_workload_new("empty");

  refused(s, w, 0, memcpy_, NULL, GSCALE_ESIZE, "0 GPUs");
  refused(s, w, 2049, memcpy_, NULL, GSCALE_ESIZE, "2049 GPUs");
  refused(s, empty, 1, memcpy_, NULL, GSCALE_ENEED, "no phases");
  refused(s, w, 2, 99, NULL, GSCALE_ENAME, "99");
  gscale_knobs k = {.v = {-1, 64}};
  refused(s, w, 2, poll, &k, GSCALE_EDOMAIN, "proact-poll.chunk");
  k = (gscale_knobs){.v = {4096, 132 * 2048}};
  refused(s, w, 2, poll, &k, GSCALE_EDOMAIN, "none");
  gscale_system_set_shape(s, gscale_system_about(s).fabric, 8, false, 0, NULL);
  refused(s, w, 9, memcpy_, NULL, GSCALE_ESIZE, "no rule to grow");
  gscale_workload_free(w);

  f.groups = 0;
  w = one_phase(f);
  refused(s, w, 2, async, NULL, GSCALE_ENEED, "blocks that make a face");
  gscale_workload_free(w);

  f.footprint = 300e9; /* 141 GB each: three are needed */
  w = one_phase(f);
  refused(s, w, 2, memcpy_, NULL, GSCALE_ESIZE, "memory");
  const gscale_prediction p = predicted(s, w, 3, "infinite", NULL);
  gsl_test_rel(p.speedup, 3, 1e-12, "the baseline is the smallest that fits");
  gscale_workload_free(w);

  f.footprint = f.flop = f.bytes = 0;
  w = one_phase(f);
  const gscale_param t = {1, 0, GSCALE_MEASURED, "", GSCALE_BY_ORIGIN};
  gscale_workload_set_single(w, t, NULL);
  refused(s, w, 1, memcpy_, NULL, GSCALE_ENEED, "flop or bytes");
  gscale_workload_free(w);
  gscale_workload_free(empty);
  gscale_system_free(s);

  s = gscale_system_new("bare");
  w = one_phase(halo_phase(64));
  refused(s, w, 1, memcpy_, NULL, GSCALE_ENEED, "link is missing");
  gscale_system_set_link(s, gscale_link_find("raw"), NULL);
  refused(s, w, 1, memcpy_, NULL, GSCALE_ENEED, "device.memory is missing");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static gscale_error errors(const gscale_system *s, const gscale_workload *w,
                           int n, const char *paradigm)
{
  gscale_error e = {0};
  gscale_diag why = {""};
  const gscale_status st =
      gscale_error_of(s, w, n, gscale_paradigm_find(paradigm), NULL, &e, &why);
  gsl_test_int((int)st, GSCALE_OK, "error of %s at %d: %s", paradigm, n,
               why.text);
  return e;
}

/* Of the number of that name. */
static gscale_influence influence(gscale_uncertainty *u, const char *name,
                                  const char *paradigm, const gscale_knobs *k)
{
  size_t i = 0;

  while (i < gscale_uncertainty_count(u) &&
         strcmp(gscale_uncertainty_number(u, i)->name, name) != 0)
    i++;
  gsl_test(i == gscale_uncertainty_count(u), "%s is a number", name);
  return gscale_uncertainty_influence(u, i, gscale_paradigm_find(paradigm), k);
}

/* Elasticities are taken on one plan where a parameter is no part of it: they
 * must be those of a plan made anew. */
static void elasticities(void)
{
  rng r = {7};

  for (int k = 0; k < 40; k++) {
    gscale_system *s = random_system(&r);
    gscale_workload *w = random_workload(&r);
    const size_t paradigm = (size_t)pick(&r, 29); /* past the end: a gap */
    const char *name = paradigm < gscale_paradigm_count()
                           ? gscale_paradigm_at(paradigm)->name
                           : "";
    gscale_uncertainty *u = NULL;
    gscale_plan *p = NULL;

    if (gscale_plan_new(s, w, 4, &p, NULL) != GSCALE_OK ||
        gscale_plan_needs(p, paradigm, NULL) != GSCALE_OK) {
      gscale_plan_free(p);
      gscale_system_free(s);
      gscale_workload_free(w);
      continue;
    }
    gscale_plan_free(p);
    const gscale_prediction was = predicted(s, w, 4, name, NULL);
    gscale_uncertainty_new(s, w, 4, true, &u, NULL);
    for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
      const gscale_param_info *info = gscale_param_info_at(id);
      const gscale_param old = *gscale_system_get(s, (gscale_param_id)id);
      if (!(old.val > 0) || !(1.01 * old.val <= info->most) ||
          id == GSCALE_DEVICE_MEMORY || isinf(old.val))
        continue;
      const double e = influence(u, info->name, name, &was.knobs).elasticity;
      set(s, info->name, 1.01 * old.val, 0);
      const double t = predicted(s, w, 4, name, &was.knobs).time;
      gsl_test_abs(e, (t / was.time - 1) / 0.01, 1e-9, "%s, %s", name,
                   info->name);
      gscale_system_set(s, (gscale_param_id)id, &old, NULL);
    }
    gscale_uncertainty_free(u);
    gscale_system_free(s);
    gscale_workload_free(w);
  }
}

static void propagation(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_error e = errors(s, w, 4, "memcpy");
  double sum = 0;

  gscale_uncertainty *u = NULL;
  const gscale_prediction p = predicted(s, w, 4, "memcpy", NULL);
  gscale_uncertainty_new(s, w, 4, true, &u, NULL);
  gscale_influence f = influence(u, "copy.initiation", "memcpy", &p.knobs);
  /* two copies: twice the error of one initiation */
  gsl_test_rel(f.err, 0.2e-6, 1e-9, "initiation");
  gsl_test_rel(f.elasticity, 3.4e-6 / p.time, 1e-6, "elasticity of initiation");
  f = influence(u, "store.rate", "memcpy", &p.knobs);
  gsl_test_abs(f.err, 0, 0, "stores do not matter");
  for (size_t i = 0; i < gscale_uncertainty_count(u); i++)
    sum += pow(gscale_uncertainty_influence(
                   u, i, gscale_paradigm_find("memcpy"), &p.knobs)
                   .err,
               2);
  gsl_test_rel(e.time, sqrt(sum), 1e-12, "in quadrature");
  gscale_uncertainty_free(u);
  gsl_test_int((int)e.applicability, GSCALE_INSIDE, "inside");

  e = errors(s, w, 6, "memcpy");
  gsl_test_int((int)e.applicability, GSCALE_EXTRAPOLATED, "6 GPUs, 4 measured");
  gsl_test(!strstr(e.reason, "4 were measured"), "because: %s", e.reason);
  gscale_system_set_copy_range(s, 1e6, 1e9, NULL);
  e = errors(s, w, 4, "memcpy");
  gsl_test(!strstr(e.reason, "copies of 6.4e+05 B"), "because: %s", e.reason);
  e = errors(s, w, 4, "inline");
  gsl_test_int((int)e.applicability, GSCALE_INSIDE, "inline copies nothing");

  gscale_param guess = *gscale_system_get(s, GSCALE_DEVICE_MEMBW);
  guess.origin = GSCALE_ASSUMED;
  gscale_system_set(s, GSCALE_DEVICE_MEMBW, &guess, NULL);
  e = errors(s, w, 4, "inline");
  gsl_test_int((int)e.applicability, GSCALE_BY_ASSUMPTION, "by assumption");
  gsl_test(strcmp(e.reason, "device.membw"), "because of %s", e.reason);

  const gscale_param t = {500e-6, 10e-6, GSCALE_MEASURED, "test",
                          GSCALE_BY_ORIGIN};
  gscale_workload_set_single(w, t, NULL);
  e = errors(s, w, 4, "infinite");
  gsl_test_rel(e.of_workload, 2.5e-6, 1e-9,
               "a quarter of the single run's error");
  gsl_test(gscale_name(GSCALE_APPLICABILITY_NAMES, GSCALE_APPLICABILITY_END) !=
               NULL,
           "past the end");
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* Device time that does not shrink: the same on any number of GPUs, within the
 * measured step too. */
static void fixed_time(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase p = gather_phase(1.2e9, 10);
  double t[2][2];

  for (int fixed = 0; fixed < 2; fixed++) {
    p.fixed = fixed * 1e-3;
    gscale_workload *w = one_phase(p);
    for (int i = 0; i < 2; i++)
      t[fixed][i] = predicted(s, w, i ? 4 : 1, "infinite", NULL).time;
    gscale_workload_free(w);
  }
  for (int i = 0; i < 2; i++)
    gsl_test_rel(t[1][i] - t[0][i], 1e-3, 1e-9, "1 ms more on any N");

  gscale_workload *w = one_phase(p);
  const gscale_param t1 = {t[0][0], 0, GSCALE_MEASURED, "test",
                           GSCALE_BY_ORIGIN};
  gscale_workload_set_single(w, t1, NULL);
  gsl_test_rel(predicted(s, w, 1, "infinite", NULL).time, t[0][0], 1e-12,
               "with a measured step it is part of it");
  gsl_test_rel(predicted(s, w, 4, "infinite", NULL).time - t[0][1], 0.75e-3,
               1e-2, "and the rest of it divides");
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  fixed_time();
  memcpy_by_hand();
  losses_by_hand();
  staged_by_hand();
  staged_routes();
  split_by_hand();
  stores_by_hand();
  ingress_by_hand();
  agent_by_hand();
  other_agents();
  slowed_by_hand();
  prefetched_by_hand();
  launched_by_hand();
  hardware_by_hand();
  loads_by_hand();
  loads_of_their_own();
  apart_by_hand();
  barrier_by_hand();
  slow_kernel_by_hand();
  from_an_array_by_hand();
  gathered_by_hand();
  last_copy_by_hand();
  no_kernel_by_hand();
  kernels_in_a_row();
  cut_to_few_blocks();
  chunks_of_a_pattern();
  faults_by_hand();
  pages_go_back_once();
  broadcast_by_hand();
  queues_in_order();
  queues_rewritten();
  profiling_costs();
  queues_scattered();
  precisions();
  bus_and_threads();
  patterns();
  imbalance();
  counts_of_n();
  orders();
  packing_and_calls();
  norm_of_flops();
  generations();
  root_complex();
  single_gpu_time();
  ct_of_the_dissertation();
  every_bound();
  best_knobs();
  knobs_that_tie();
  refusals();
  elasticities();
  propagation();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
