/* replay.c - gpuscale replay: computes the bytes that a trace of stores sends
 * over a link through each kind of write queue. */

#include "common/cli.h"

#include <math.h>
#include <string.h>

enum {
  BLOCK = 4096 /* records read at a time */
};

/* A machine and its result. */
typedef struct machine {
  gscale_replay_options o;
  gscale_replay *r;
  gscale_replay_result result;
} machine;

typedef struct study {
  const options *o;
  const gscale_link *links[LINKS_MAX];
  size_t link_count;
  machine v[GSCALE_QUEUE_END];
  size_t n;
} study;

/* ---- options ------------------------------------------------------------- */

static int add_queue(const char *word, void *closure, failure *why)
{
  study *const s = closure;
  const char *names[GSCALE_QUEUE_END];
  const char *near;

  for (int q = 0; q < GSCALE_QUEUE_END; q++) {
    names[q] = gscale_name(GSCALE_QUEUE_NAMES, (gscale_queue)q);
    if (strcmp(word, names[q]) != 0) continue;
    for (size_t i = 0; i < s->n; i++)
      if (s->v[i].o.queue == (gscale_queue)q) return EXIT_OK;
    gscale_replay_options_init(&s->v[s->n++].o, (gscale_queue)q);
    return EXIT_OK;
  }
  near = nearest(word, names, GSCALE_QUEUE_END);
  if (near)
    return fail(why, EXIT_USAGE, "--queue: no '%s'; did you mean '%s'?", word,
                near);
  return fail(why, EXIT_USAGE,
              "--queue: '%s' is not one of sm, plain, gps, finepack, bulk",
              word);
}

/* Sets a machine's options from the command line. The library checks values. */
static int set_options(gscale_replay_options *m, const options *o, int gpus,
                       failure *why)
{
  const struct {
    const char *option, *text;
    int *to;
  } row[] = {
      {"--capacity", o->capacity, &m->capacity},
      {"--watermark", o->watermark, &m->watermark},
      {"--profile", o->profile, &m->profile},
      {"--tlb", o->tlb, &m->tlb},
      {"--subheader", o->subheader, &m->subheader},
      {"--windows", o->windows, &m->windows},
      {"--atomics", o->atomics, &m->merge},
  };
  int st = EXIT_OK, timeout = 0;

  m->gpus = gpus;
  for (size_t i = 0; st == EXIT_OK && i < LENGTH(row); i++)
    if (row[i].text)
      st =
          parse_whole(row[i].option, row[i].text, 0, INT32_MAX, row[i].to, why);
  if (st == EXIT_OK && o->timeout)
    st = parse_whole("--timeout", o->timeout, 0, INT32_MAX, &timeout, why);
  m->timeout = (uint64_t)timeout;
  m->configured = o->config_packets;
  if (o->page > 0.0) m->page = (uint64_t)o->page;
  if (o->payload > 0.0) m->payload = (int)fmin(o->payload, INT32_MAX);
  return st;
}

static int read_options(study *s, failure *why)
{
  const options *const o = s->o;
  int st = need_arguments(o, 1, "TRACE", why);

  if (st == EXIT_OK)
    st =
        each_word("--queue", o->queue ? o->queue : "sm,plain,gps,finepack,bulk",
                  add_queue, s, why);
  if (st == EXIT_OK)
    st =
        parse_links(o->link ? o->link : "pcie4", s->links, &s->link_count, why);
  return st;
}

/* ---- replaying ----------------------------------------------------------- */

static int build(study *s, int gpus, failure *why)
{
  gscale_diag diag;
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < s->n; i++) {
    machine *const m = &s->v[i];
    st = set_options(&m->o, s->o, gpus, why);
    if (st != EXIT_OK) break;
    const gscale_status made = gscale_replay_new(&m->o, &m->r, &diag);
    if (made == GSCALE_EDOMAIN)
      st = fail(why, EXIT_USAGE, "%s: %s",
                gscale_name(GSCALE_QUEUE_NAMES, m->o.queue), diag.text);
    else if (made != GSCALE_OK)
      st = fail_gscale(why, made, &diag);
  }
  return st;
}

/* Pushes a block of records through all machines. */
static gscale_status push(study *s, const gscale_record *v, size_t n,
                          gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < s->n; i++)
    st = gscale_replay_push(s->v[i].r, v, n, diag);
  return st;
}

static gscale_status finish(study *s, gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < s->n; i++)
    st = gscale_replay_finish(s->v[i].r, &s->v[i].result, diag);
  return st;
}

static int replay(study *s, gscale_trace *t, failure *why)
{
  static gscale_record v[BLOCK];
  gscale_diag diag;
  gscale_status st;
  size_t n;

  do {
    n = 0;
    st = gscale_trace_read(t, v, BLOCK, &n, &diag);
    if (st == GSCALE_OK) st = push(s, v, n, &diag);
  } while (st == GSCALE_OK && n > 0);
  if (st == GSCALE_OK) st = finish(s, &diag);
  return check_gscale(why, st, &diag);
}

static int replay_file(study *s, failure *why)
{
  gscale_trace *t = NULL;
  gscale_diag diag;
  int gpus = 0, st = EXIT_OK;

  if (s->o->gpus)
    st = parse_whole("--gpus", s->o->gpus, 1, GSCALE_REPLAY_GPUS_MAX, &gpus,
                     why);
  if (st != EXIT_OK) return st;
  const gscale_status opened =
      gscale_trace_open(s->o->argument[0], gpus, &t, &diag);
  if (opened == GSCALE_EDATA && gpus == 0)
    return fail(why, EXIT_USAGE, "%s; give --gpus", diag.text);
  if (opened != GSCALE_OK) return fail_gscale(why, opened, &diag);
  st = build(s, gscale_trace_gpus(t), why);
  if (st == EXIT_OK) st = replay(s, t, why);
  gscale_trace_close(t);
  return st;
}

/* ---- rows ---------------------------------------------------------------- */

enum {
  QUEUE,
  STAGE,
  LINK,
  GPUS,
  STORES,
  PACKETS,
  WIRE,
  GOODPUT,
  USEFUL,
  PROTOCOL,
  REDUNDANT,
  UNUSED,
  PER_PACKET,
  HITS,
  TLB_HITS,
  RECORDS,
  INSTRUCTIONS,
  STORE_BYTES,
  SECTORS,
  LOCAL,
  ATOMICS,
  DIRECT,
  ENTRIES,
  SUBPACKETS,
  SPLITS,
  LOADS,
  LOADS_REMOTE,
  LOADS_QUEUED,
  COLLAPSED,
  SUBSCRIBERS,
  FLUSHES,
  REWRITES = FLUSHES + GSCALE_FLUSH_END,
  COLUMNS
};

/* A share that a table omits if no machine has it. */
#define RATIO(name, heading)                                                   \
  {                                                                            \
    name, heading, GSCALE_COUNT, COLUMN_PERCENT, true                          \
  }

static const column columns[COLUMNS] = {
    [QUEUE] = TEXT("queue", "queue"),
    [STAGE] = TEXT("stage", "stage"),
    [LINK] = TEXT("link", "link"),
    [GPUS] = INTEGER("gpus", NULL),
    [STORES] = INTEGER("stores", "stores"),
    [PACKETS] = INTEGER("packets", "packets"),
    [WIRE] = NUMBER("wire_B", "wire", GSCALE_BYTES),
    [GOODPUT] = PERCENT("goodput", "goodput"),
    [USEFUL] = NUMBER("useful_B", "useful", GSCALE_BYTES),
    [PROTOCOL] = NUMBER("protocol_B", "protocol", GSCALE_BYTES),
    [REDUNDANT] = NUMBER("redundant_B", "redundant", GSCALE_BYTES),
    [UNUSED] = NUMBER("unused_B", "unused", GSCALE_BYTES),
    [PER_PACKET] = NUMBER("stores_per_packet", "per packet", GSCALE_COUNT),
    [HITS] = RATIO("hit_rate", "hits"),
    [TLB_HITS] = RATIO("tlb_hit_rate", "TLB hits"),
    [RECORDS] = INTEGER("records", NULL),
    [INSTRUCTIONS] = INTEGER("instructions", NULL),
    [STORE_BYTES] = NUMBER("store_B", NULL, GSCALE_BYTES),
    [SECTORS] = INTEGER("sectors", NULL),
    [LOCAL] = INTEGER("local", NULL),
    [ATOMICS] = INTEGER("atomics", NULL),
    [DIRECT] = INTEGER("direct", NULL),
    [ENTRIES] = INTEGER("entries", NULL),
    [SUBPACKETS] = INTEGER("subpackets", NULL),
    [SPLITS] = INTEGER("splits", NULL),
    [LOADS] = INTEGER("loads", NULL),
    [LOADS_REMOTE] = INTEGER("loads_remote", NULL),
    [LOADS_QUEUED] = INTEGER("loads_queued", NULL),
    [COLLAPSED] = INTEGER("collapsed_pages", NULL),
    [SUBSCRIBERS] = TEXT("pages_by_subscribers", NULL),
    [FLUSHES + GSCALE_FLUSH_WATERMARK] = INTEGER("flush_watermark", NULL),
    [FLUSHES + GSCALE_FLUSH_WINDOW] = INTEGER("flush_window", NULL),
    [FLUSHES + GSCALE_FLUSH_ENTRIES] = INTEGER("flush_entries", NULL),
    [FLUSHES + GSCALE_FLUSH_PAYLOAD] = INTEGER("flush_payload", NULL),
    [FLUSHES + GSCALE_FLUSH_TIMEOUT] = INTEGER("flush_timeout", NULL),
    [FLUSHES + GSCALE_FLUSH_LOAD] = INTEGER("flush_load", NULL),
    [FLUSHES + GSCALE_FLUSH_ATOMIC] = INTEGER("flush_atomic", NULL),
    [FLUSHES + GSCALE_FLUSH_SYSTEM] = INTEGER("flush_system", NULL),
    [FLUSHES + GSCALE_FLUSH_FENCE] = INTEGER("flush_fence", NULL),
    [FLUSHES + GSCALE_FLUSH_PHASE] = INTEGER("flush_phase", NULL),
    [REWRITES] = NUMBER("rewrites", NULL, GSCALE_COUNT),
};

static double ratio(uint64_t part, uint64_t whole)
{
  return (double)part / (double)whole; /* 0/0 is NaN: no ratio */
}

/* Returns the stores per packet, or per line of a gps queue. */
static double per_packet(const gscale_replay_options *o,
                         const gscale_replay_counts *n)
{
  return ratio(n->queued, o->queue == GSCALE_QUEUE_GPS ? n->entries
                                                       : n->sends - n->direct);
}

static void fill_counts(cell *c, const gscale_replay_counts *n)
{
  c[STORES].number = (double)n->stores;
  c[HITS].number = ratio(n->hits, n->queued);
  c[TLB_HITS].number = ratio(n->tlb_hits, n->tlb_lookups);
  c[RECORDS].number = (double)n->records;
  c[INSTRUCTIONS].number = (double)n->instructions;
  c[STORE_BYTES].number = (double)n->store_bytes;
  c[SECTORS].number = (double)n->sectors;
  c[LOCAL].number = (double)n->local;
  c[ATOMICS].number = (double)n->atomics;
  c[DIRECT].number = (double)n->direct;
  c[ENTRIES].number = (double)n->entries;
  c[SUBPACKETS].number = (double)n->subpackets;
  c[SPLITS].number = (double)n->splits;
  c[LOADS].number = (double)n->loads;
  c[LOADS_REMOTE].number = (double)n->loads_remote;
  c[LOADS_QUEUED].number = (double)n->loads_queued;
  for (int f = 0; f < GSCALE_FLUSH_END; f++)
    c[FLUSHES + f].number = (double)n->flushes[f];
}

static void fill_bytes(cell *c, const machine *m, gscale_stage stage,
                       const gscale_link *l)
{
  double packets;
  const gscale_bytes b = gscale_replay_bytes(m->r, stage, l, &packets);

  c[PACKETS].number = packets;
  c[WIRE].number = b.wire;
  c[USEFUL].number = b.useful;
  c[PROTOCOL].number = b.protocol;
  c[REDUNDANT].number = b.redundant;
  c[UNUSED].number = b.unused;
  c[GOODPUT].number = b.useful / b.wire; /* 0/0 is NaN: nothing was sent */
  c[REWRITES].number = (b.useful + b.redundant) / b.useful;
}

/* Writes "1:12;4:3" for 12 pages with one subscriber and 3 pages with four. */
static void print_subscribers(char *text, size_t size, const uint64_t *pages)
{
  bool fits = true;

  *text = '\0';
  for (int n = 1; n <= GSCALE_REPLAY_GPUS_MAX && fits; n++)
    if (pages[n] > 0)
      fits = gscale_append(text, size, "%s%d:%llu", *text ? ";" : "", n,
                           (unsigned long long)pages[n]);
  if (!fits) memcpy(text + size - sizeof "...", "...", sizeof "...");
}

static void add_row(rows *r, const machine *m, gscale_stage stage,
                    const gscale_link *l)
{
  const gscale_replay_counts *const n = &m->result.stage[stage];
  cell *const c = rows_add(r);

  set_text(&c[QUEUE], gscale_name(GSCALE_QUEUE_NAMES, m->o.queue));
  set_text(&c[STAGE], gscale_name(GSCALE_STAGE_NAMES, stage));
  set_text(&c[LINK], l->name);
  c[GPUS].number = m->o.gpus;
  fill_counts(c, n);
  fill_bytes(c, m, stage, l);
  if (n->queued > 0) c[PER_PACKET].number = per_packet(&m->o, n);
  c[COLLAPSED].number = (double)m->result.collapsed;
  print_subscribers(c[SUBSCRIBERS].text, sizeof c[SUBSCRIBERS].text,
                    m->result.pages);
}

/* Returns whether a stage has a row: it has records or is the only stage. */
static bool happened(const machine *m, gscale_stage stage)
{
  return m->result.stage[stage].records > 0 ||
         (stage == GSCALE_STAGE_STEADY && m->o.profile == 0);
}

static void add_rows(rows *r, const study *s)
{
  for (size_t i = 0; i < s->n; i++)
    for (int stage = 0; stage < GSCALE_STAGE_END; stage++)
      for (size_t l = 0; l < s->link_count; l++)
        if (happened(&s->v[i], (gscale_stage)stage))
          add_row(r, &s->v[i], (gscale_stage)stage, s->links[l]);
}

/* ---- notes --------------------------------------------------------------- */

static void print_flushes(FILE *f, const machine *m, gscale_stage stage)
{
  const uint64_t *const n = m->result.stage[stage].flushes;
  const char *between = "";

  fprintf(f, "%s, %s: left by ", gscale_name(GSCALE_QUEUE_NAMES, m->o.queue),
          gscale_name(GSCALE_STAGE_NAMES, stage));
  for (int i = 0; i < GSCALE_FLUSH_END; i++) {
    if (n[i] == 0) continue;
    fprintf(f, "%s%s %llu", between,
            gscale_name(GSCALE_FLUSH_NAMES, (gscale_flush)i),
            (unsigned long long)n[i]);
    between = ", ";
  }
  fprintf(f, "%s\n", *between ? "" : "nothing");
}

static void print_pages(FILE *f, const machine *m)
{
  const uint64_t *const n = m->result.pages;
  const char *between = "pages with ";

  fprintf(f, "%s: ", gscale_name(GSCALE_QUEUE_NAMES, m->o.queue));
  for (int i = 1; i <= GSCALE_REPLAY_GPUS_MAX; i++) {
    if (n[i] == 0) continue;
    fprintf(f, "%s%d subscriber%s %llu", between, i, i > 1 ? "s" : "",
            (unsigned long long)n[i]);
    between = ", ";
  }
  fprintf(f, "%s\n", *between == ',' ? "" : "no page that GPUs share");
}

static void print_notes(FILE *f, const study *s)
{
  fprintf(f, "\n");
  for (size_t i = 0; i < s->n; i++) {
    const machine *const m = &s->v[i];
    for (int stage = 0; stage < GSCALE_STAGE_END; stage++)
      if (m->result.stage[stage].queued > 0)
        print_flushes(f, m, (gscale_stage)stage);
    if (m->o.queue == GSCALE_QUEUE_GPS) print_pages(f, m);
  }
}

/* Returns the bytes on the first link per useful byte, or NaN if no byte is
 * useful. */
static double sent_for(const study *s, const machine *m)
{
  double packets;
  const gscale_bytes b =
      gscale_replay_bytes(m->r, GSCALE_STAGE_STEADY, s->links[0], &packets);

  return b.wire / b.useful;
}

/* States which queue sends the fewest bytes. */
static void claim_least(claim *c, const study *s)
{
  size_t least = 0, most = 0;

  claim_begin(c);
  for (size_t i = 1; i < s->n; i++) {
    if (sent_for(s, &s->v[i]) < sent_for(s, &s->v[least])) least = i;
    if (sent_for(s, &s->v[i]) > sent_for(s, &s->v[most])) most = i;
  }
  const double x = sent_for(s, &s->v[least]), y = sent_for(s, &s->v[most]);

  if (!isfinite(x)) return;
  c->value = x;
  claim_say(c, "Through %s %s carries %.2f B for each that is needed",
            gscale_name(GSCALE_QUEUE_NAMES, s->v[least].o.queue),
            s->links[0]->name, x);
  if (isfinite(y) && y > x)
    claim_say(c, ", through %s %.2f",
              gscale_name(GSCALE_QUEUE_NAMES, s->v[most].o.queue), y);
  claim_say(c, ".");
}

static int print(const study *s, failure *why)
{
  claim said;
  rows *r;
  output out;
  int st = output_open(&out, s->o->output, why);

  if (st != EXIT_OK) return st;
  r = rows_new("gpuscale.replay/1", columns, COLUMNS);
  add_rows(r, s);
  claim_least(&said, s);
  if (*said.text) rows_answer(r, &said);
  if (*said.text && s->o->format == FORMAT_TABLE) {
    claim_put(out.f, &said);
    putc('\n', out.f);
  }
  st = rows_end(st, r, s->o->format, &out, why);
  if (s->o->format == FORMAT_TABLE) print_notes(out.f, s);
  return output_end(st, &out, why);
}

static int replay_main(options *o, failure *why)
{
  static study s; /* too large for the stack */
  int st;

  s.o = o;
  st = read_options(&s, why);
  if (st == EXIT_OK) st = replay_file(&s, why);
  if (st == EXIT_OK) st = print(&s, why);
  for (size_t i = 0; i < s.n; i++) gscale_replay_free(s.v[i].r);
  return st;
}

const verb verb_replay = {
    .place = 90,
    .name = "replay",
    .usage = "TRACE [--queue LIST] [options]",
    .summary = "bytes that the stores of a trace put on a link, by write queue",
    .examples =
        "gpuscale replay jacobi.trace --link pcie4,nvlink4\n"
        "gpuscale replay jacobi.trace --queue gps --capacity 64 --page 4KiB\n"
        "gpuscale replay jacobi.csv --gpus 4 --queue finepack --format csv\n",
    .accepts = "gpus link payload queue capacity watermark page profile tlb "
               "subheader windows timeout config-packets atomics format "
               "output",
    .run = replay_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
