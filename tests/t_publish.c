/* t_publish.c - schedules that publish: what the short form of a host says,
 * said call by call, is predicted as the short form is; what is refused. */

#include "gpuscale/all.h"

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>

/* ---- schedules -------------------------------------------------------------
 */

enum {
  GPUS_MAX = 6,
  PHASES = 3,
  ROOM = 4096
};

/* Work 2 i launches phase i, 2 i + 1 publishes it.  Each GPU has one stream and
 * two events, done by turns. */
typedef struct draft {
  gscale_action action[ROOM];
  size_t actions;
  gscale_work work[2 * PHASES];
  int stream_gpu[GPUS_MAX];
  gscale_program p;
} draft;

static void begin(draft *d, int gpus, int threads)
{
  d->actions = 0;
  for (int i = 0; i < 2 * PHASES; i++)
    d->work[i] = (gscale_work){.kind = i % 2 ? GSCALE_PUBLISH : GSCALE_LAUNCH,
                               .phase = (size_t)i / 2,
                               .share = 1};
  for (int g = 0; g < gpus; g++) d->stream_gpu[g] = g;
  d->p = (gscale_program){.schedule = {.gpus = gpus,
                                       .threads = threads,
                                       .streams = gpus,
                                       .events = 2 * gpus,
                                       .durations = 2 * PHASES,
                                       .stream_gpu = d->stream_gpu,
                                       .action = d->action},
                          .work = d->work};
}

static void put(draft *d, gscale_action a)
{
  if (d->actions == ROOM) abort();
  d->action[d->actions++] = a;
  d->p.schedule.actions = d->actions;
}

/* A host in short form, written down as model/predict/action_list.c does. */
typedef struct writer {
  draft *d;
  const gscale_workload *w;
  const gscale_host *h;
  int gpus, threads;
  gscale_parity parity;
  size_t phases, phase, turn;
} writer;

static const gscale_phase *phase_at(const writer *o, size_t i)
{
  return gscale_workload_phase(o->w, i % o->phases);
}

static bool sends(const writer *o, size_t i)
{
  const gscale_phase *p = phase_at(o, i);

  return o->gpus > 1 && (p->reduce > 0 || (p->to != GSCALE_TO_NONE));
}

static void call(writer *o, int g, gscale_action a)
{
  a.parity = o->parity;
  a.thread = g % o->threads;
  if (a.kind != GSCALE_SET_DEVICE) a.stream = g;
  put(o->d, a);
}

static void turn_to(writer *o, int g)
{
  if (o->threads < o->gpus)
    call(o, g, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = g});
}

/* Those that the phase before exchanged data with: in a line, or all. */
static void wait_for_others(writer *o, int g)
{
  const size_t before = o->phase + o->phases - 1;

  if (o->h->waits == GSCALE_WAITS_PHASE || !sends(o, before)) return;
  if (o->h->waits == GSCALE_WAITS_STEP && o->phase == 0) return;
  for (int j = 0; j < o->gpus; j++)
    if (j != g &&
        (phase_at(o, before)->to != GSCALE_TO_NEIGHBOURS || abs(j - g) == 1))
      call(o, g,
           (gscale_action){.kind = GSCALE_WAIT,
                           .event = 2 * j + (int)((o->turn + 1) % 2)});
}

static void launch(writer *o, int g)
{
  turn_to(o, g);
  wait_for_others(o, g);
  call(o, g,
       (gscale_action){.kind = GSCALE_LAUNCH, .length = 2 * (int)o->phase});
}

static void publish(writer *o, int g)
{
  const bool last = o->phase + 1 == o->phases;

  if (phase_at(o, o->phase)->reduce > 0 ||
      phase_at(o, o->phase)->to != GSCALE_TO_NONE)
    call(o, g,
         (gscale_action){.kind = GSCALE_PUBLISH,
                         .length = 2 * (int)o->phase + 1});
  if (o->h->waits == GSCALE_WAITS_PHASE || !sends(o, o->phase)) return;
  if (o->h->waits == GSCALE_WAITS_STEP && last) return;
  call(o, g,
       (gscale_action){.kind = GSCALE_RECORD,
                       .event = 2 * g + (int)(o->turn % 2)});
}

static void settle(writer *o)
{
  for (int g = 0; g < o->gpus; g++)
    call(o, g, (gscale_action){.kind = GSCALE_SYNC_STREAM});
}

static void meet(writer *o)
{
  for (int t = 0; t < o->threads; t++)
    call(o, t, (gscale_action){.kind = GSCALE_BARRIER});
}

static void write_phase(writer *o)
{
  const bool apart = o->h->barriers > 1 || o->h->order == GSCALE_ORDER_PHASE;

  for (int g = 0; g < o->gpus; g++) {
    launch(o, g);
    if (!apart) publish(o, g);
  }
  if (o->h->barriers > 1) {
    settle(o);
    meet(o);
  }
  for (int g = 0; apart && g < o->gpus; g++) {
    turn_to(o, g);
    publish(o, g);
  }
  if (o->h->barriers == 3) meet(o);
  o->turn++;
  if (o->h->waits != GSCALE_WAITS_PHASE) return;
  settle(o);
  meet(o);
}

static void write_host(draft *d, const gscale_workload *w, const gscale_host *h,
                       int gpus)
{
  const bool by_turns = h->waits == GSCALE_WAITS_NEVER;
  const int threads = h->threads > 0 && h->threads < gpus ? h->threads : gpus;
  writer o = {d, w, h, gpus, threads, GSCALE_EVERY_STEP, 0, 0, 0};

  begin(d, gpus, threads);
  d->p.schedule.depth = by_turns ? 1024 : 0;
  o.phases = gscale_workload_about(w).phases;
  d->p.schedule.durations = 2 * (int)o.phases;
  for (int odd = 0; odd < (by_turns ? 2 : 1); odd++) {
    if (by_turns) o.parity = odd ? GSCALE_ODD_STEPS : GSCALE_EVEN_STEPS;
    for (o.phase = 0; o.phase < o.phases; o.phase++) write_phase(&o);
    if (h->waits != GSCALE_WAITS_STEP) continue;
    settle(&o);
    meet(&o);
  }
}

/* ---- the short form --------------------------------------------------------
 */

/* A phase of one run in a step, to neighbours in a line. */
static gscale_phase some_phase(rng *r)
{
  gscale_phase p = random_phase(r);

  p.repeats = 1;
  p.units = fmax(p.units, 64); /* all GPUs have some */
  p.footprint = fmin(p.footprint, 1e10);
  if (pick(r, 6) == 0) {
    p.to = GSCALE_TO_NONE;
    p.reduce = spread(r, 1e3, 1e8);
  }
  if (!(p.publish > 0)) p.to = GSCALE_TO_NONE;
  return p;
}

static gscale_host some_host(rng *r)
{
  gscale_host h = gscale_host_default;

  h.threads = pick(r, 2) ? 0 : 1 + pick(r, 3);
  h.order = (gscale_order)pick(r, GSCALE_ORDER_END);
  h.waits = (gscale_waits)pick(r, GSCALE_WAITS_END);
  if (h.waits == GSCALE_WAITS_PHASE && h.threads != 1)
    h.barriers = 1 + pick(r, 3);
  return h;
}

static bool close_to(double a, double b)
{
  return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fmax(a, b);
}

/* Library streams are ordered otherwise where the host does not wait for each
 * phase: by the collectives, and by the program's events. */
static bool comparable(const gscale_workload *w, const gscale_host *h,
                       size_t paradigm)
{
  return paradigm != gscale_paradigm_find("nccl") ||
         (gscale_workload_about(w).phases == 1 &&
          h->waits == GSCALE_WAITS_PHASE);
}

/* What is off in one case: times, whether it runs at all, bytes, parts. */
typedef struct wrong {
  int time, runs, bytes, parts, cases, run;
} wrong;

static void compare(const gscale_plan *a, const gscale_plan *b, size_t paradigm,
                    wrong *bad)
{
  /* infinite as it is measured: the bound waits once, whatever is written */
  const gscale_knobs k = {.v = {65536, 2048},
                          .as_run =
                              paradigm == gscale_paradigm_find("infinite")};
  gscale_prediction p, q;

  const gscale_status st = gscale_predict(a, paradigm, &k, &p, NULL);
  const gscale_status same = gscale_predict(b, paradigm, &k, &q, NULL);
  bad->cases++;
  bad->runs += st != same;
  if (st != GSCALE_OK || same != GSCALE_OK) return;
  bad->run++;
  bad->time += !close_to(p.time, q.time);
  bad->bytes += !close_to(p.bytes.wire, q.bytes.wire) ||
                !close_to(p.bytes.useful, q.bytes.useful);
  double sum = 0;
  for (int i = 0; i < GSCALE_PART_END; i++) sum += q.part[i];
  bad->parts += !close_to(sum, q.time);
}

static gscale_workload *phases_of(rng *r, double single)
{
  gscale_workload *w = gscale_workload_new("some");
  const int n = 1 + pick(r, PHASES);

  for (int i = 0; i < n; i++) {
    const gscale_phase p = some_phase(r);
    gscale_workload_add(w, &p, NULL);
  }
  const gscale_param t = {single, 0, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  if (single > 0) gscale_workload_set_single(w, t, NULL);
  return w;
}

static void add_schedules(gscale_workload *w, const gscale_host *h, int n)
{
  static draft d;
  gscale_diag why = {""};

  for (int gpus = 1; gpus <= n; gpus++) {
    write_host(&d, w, h, gpus);
    gsl_test(gscale_workload_add_program(w, &d.p, &why) != GSCALE_OK,
             "on %d: %s", gpus, why.text);
  }
}

/* Random programs, written both ways. */
static void as_the_short_form(void)
{
  wrong bad = {0};
  rng r = {21};

  for (int i = 0; i < 400; i++) {
    gscale_system *s = random_system(&r);
    const double single = pick(&r, 2) ? spread(&r, 1e-5, 1e-1) : 0;
    rng again = r;
    gscale_workload *short_form = phases_of(&r, single);
    gscale_workload *own = phases_of(&again, single);
    const gscale_host h = some_host(&r);
    const int n = 1 + pick(&r, GPUS_MAX);
    gscale_plan *a = NULL, *b = NULL;
    bool publishes = false;

    for (size_t k = 0; k < gscale_workload_about(own).phases; k++) {
      const gscale_phase *p = gscale_workload_phase(own, k);
      publishes = publishes || p->to != GSCALE_TO_NONE || p->reduce > 0;
    }
    gscale_workload_set_host(short_form, &h, NULL);
    if (publishes) add_schedules(own, &h, n);
    if (publishes && gscale_plan_new(s, short_form, n, &a, NULL) == GSCALE_OK &&
        gscale_plan_new(s, own, n, &b, NULL) == GSCALE_OK)
      for (size_t k = 0; k < gscale_paradigm_count(); k++)
        if (comparable(own, &h, k) && k != gscale_paradigm_find("schedule"))
          compare(a, b, k, &bad);
    gscale_plan_free(a);
    gscale_plan_free(b);
    gscale_workload_free(short_form);
    gscale_workload_free(own);
    gscale_system_free(s);
  }
  gsl_test_int(bad.time, 0, "times of %d predictions", bad.run);
  gsl_test_int(bad.runs, 0, "what runs of %d", bad.cases);
  gsl_test_int(bad.bytes, 0, "bytes");
  gsl_test_int(bad.parts, 0, "parts");
  gsl_test(bad.run < 2000, "%d of %d run", bad.run, bad.cases);
}

/* ---- what is refused -------------------------------------------------------
 */

static gscale_workload *two_phases(void)
{
  gscale_workload *w = gscale_workload_new("two");
  gscale_phase p = gather_phase(1e6, 10), q = p;

  q.to = GSCALE_TO_NONE;
  strcpy(q.name, "quiet");
  gscale_workload_add(w, &p, NULL);
  gscale_workload_add(w, &q, NULL);
  return w;
}

enum {
  ONE,
  PUBLISH_ONE,
  TWO,
  PUBLISH_TWO,
  COPY,
  FETCH,
  SUM
};

static gscale_work works[] = {
    [ONE] = {.kind = GSCALE_LAUNCH, .share = 1},
    [PUBLISH_ONE] = {.kind = GSCALE_PUBLISH, .share = 1},
    [TWO] = {.kind = GSCALE_LAUNCH, .phase = 1, .share = 1},
    [PUBLISH_TWO] = {.kind = GSCALE_PUBLISH, .phase = 1, .share = 1},
    [COPY] = {.kind = GSCALE_COPY_D2D, .bytes = 4096},
    [FETCH] = {.kind = GSCALE_COPY_D2H, .bytes = 4},
    [SUM] = {.kind = GSCALE_COLLECTIVE,
             .coll = GSCALE_COLL_ALL_REDUCE,
             .bytes = 4,
             .algorithm = GSCALE_COLL_ALGORITHM_END,
             .protocol = GSCALE_COLL_PROTOCOL_END}};

/* What GPU 0 and GPU 1 do, by letters: of phase one L launch, P publish; of two
 * l, p; c copy to the other, f to the host, s sum, w wait for the stream, b
 * barrier. */
static gscale_status said(const char *zero, const char *one, gscale_diag *why)
{
  static draft d;
  const char *const list[] = {zero, one};
  static const struct {
    char letter;
    gscale_action a;
  } letters[] = {{'L', {.kind = GSCALE_LAUNCH, .length = ONE}},
                 {'P', {.kind = GSCALE_PUBLISH, .length = PUBLISH_ONE}},
                 {'l', {.kind = GSCALE_LAUNCH, .length = TWO}},
                 {'p', {.kind = GSCALE_PUBLISH, .length = PUBLISH_TWO}},
                 {'c', {.kind = GSCALE_COPY_D2D, .length = COPY}},
                 {'f', {.kind = GSCALE_COPY_D2H, .length = FETCH}},
                 {'s', {.kind = GSCALE_COLLECTIVE, .length = SUM}},
                 {'w', {.kind = GSCALE_SYNC_STREAM}},
                 {'b', {.kind = GSCALE_BARRIER}}};
  gscale_workload *w = two_phases();

  begin(&d, 2, 2);
  d.p.schedule.durations = sizeof works / sizeof *works;
  d.p.work = works;
  for (int g = 0; g < 2; g++)
    for (const char *c = list[g]; *c; c++) {
      size_t i = 0;
      while (letters[i].letter != *c) i++;
      gscale_action a = letters[i].a;
      a.thread = a.stream = g;
      a.peer = 1 - g;
      put(&d, a);
    }
  const gscale_status st = gscale_workload_add_program(w, &d.p, why);
  gsl_test((st == GSCALE_OK) != gscale_workload_publishes(w, 2),
           "%s %s publishes", zero, one);
  gscale_workload_free(w);
  return st;
}

static void are_refused(void)
{
  static const struct {
    const char *zero, *one, *why;
  } all[] = {
      {"LPwb", "LPwb", NULL},
      {"LwbPwb", "LwbPwb", NULL},
      {"LPlfwb", "LPlwb", NULL}, /* what nobody needs is not published */
      {"LPLPwb", "LPLPwb", NULL},
      {"PLwb", "PLwb",
       "action 0 (publish, thread 0, stream 0): 'produce' is not launched "
       "before, in that stream"},
      {"LPPwb", "LPPwb",
       "action 2 (publish, thread 0, stream 0): 'produce' is not launched "
       "before, in that stream"},
      {"LLPwb", "LLPwb",
       "action 1 (launch, thread 0, stream 0): 'produce' is launched again "
       "before it is published"},
      {"LPLwb", "LPLwb",
       "action 2 (launch, thread 0, stream 0): 'produce' is not published "
       "behind it"},
      {"lpwb", "lpwb",
       "action 1 (publish, thread 0, stream 0): 'quiet' has nothing that "
       "others need"},
      {"LPwb", "wb",
       "schedule: GPU 1 publishes 0 times in a step, GPU 0 1 "
       "times"},
      {"wb", "LPwb",
       "action 3 (publish, thread 1, stream 1): 'produce' is not what GPU 0 "
       "publishes there"},
      {"LPcwb", "LPwb",
       "action 2 (copy-d2d, thread 0, stream 0): the schedule publishes: "
       "the paradigm defines the transfers"},
      {"LPswb", "LPswb",
       "action 2 (collective, thread 0, stream 0): the schedule publishes: "
       "the paradigm defines the transfers"},
      {"LPwb", "LPw", "action 3 (barrier, thread 0): "}};

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    gscale_diag why = {""};
    const gscale_status st = said(all[i].zero, all[i].one, &why);

    if (!all[i].why) {
      gsl_test(st != GSCALE_OK, "%s %s: %s", all[i].zero, all[i].one, why.text);
      continue;
    }
    gsl_test_int((int)st, GSCALE_EDATA, "%s %s", all[i].zero, all[i].one);
    gsl_test(strncmp(why.text, all[i].why, strlen(all[i].why)) != 0,
             "says %s, not %s", all[i].why, why.text);
  }
}

/* A share, a phase that is not there, streams of one GPU among another's. */
static void are_refused_too(void)
{
  gscale_diag why = {""};
  static draft d;

  works[ONE].share = 0.5;
  gsl_test_int((int)said("LPwb", "LPwb", &why), GSCALE_EDATA, "half of it");
  gsl_test(!strstr(why.text, "is launched whole"), "says %s", why.text);
  works[ONE].share = 1;
  works[PUBLISH_ONE].phase = 2;
  gsl_test_int((int)said("LPwb", "LPwb", &why), GSCALE_ENAME, "%s", why.text);
  works[PUBLISH_ONE].phase = 0;

  gscale_workload *w = two_phases();
  const int mixed[] = {0, 1, 0, 1};
  begin(&d, 2, 2);
  d.p.schedule.streams = 4;
  d.p.schedule.stream_gpu = mixed;
  d.p.schedule.durations = 4;
  put(&d, (gscale_action){.kind = GSCALE_LAUNCH});
  put(&d, (gscale_action){.kind = GSCALE_PUBLISH, .length = 1});
  gsl_test_int((int)gscale_workload_add_program(w, &d.p, &why), GSCALE_EDATA,
               "%s", why.text);
  gscale_workload_free(w);
}

/* ---- what else is in it -----------------------------------------------------
 */

/* GPUs that launch, publish, and do something of their own. */
static gscale_workload *with_more(gscale_work more, int n)
{
  gscale_workload *w = one_phase(gather_phase(1e6, 10));
  gscale_work list[] = {works[ONE], works[PUBLISH_ONE], more};

  for (int gpus = 1; gpus <= n; gpus += n - 1) {
    static draft d;
    begin(&d, gpus, gpus);
    d.p.schedule.durations = 3;
    d.p.work = list;
    for (int g = 0; g < gpus; g++) {
      const gscale_action all[] = {{.kind = GSCALE_LAUNCH},
                                   {.kind = GSCALE_PUBLISH, .length = 1},
                                   {.kind = more.kind, .length = 2, .peer = g},
                                   {.kind = GSCALE_SYNC_STREAM},
                                   {.kind = GSCALE_BARRIER}};
      for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        gscale_action a = all[i];
        a.thread = a.stream = g;
        put(&d, a);
      }
    }
    gsl_test_int((int)gscale_workload_add_program(w, &d.p, NULL), GSCALE_OK,
                 "on %d", gpus);
  }
  return w;
}

static double time_by(const gscale_system *s, const gscale_workload *w,
                      const char *paradigm, gscale_prediction *p)
{
  const gscale_knobs k = {.v = {65536, 2048}};
  gscale_plan *plan = NULL;
  gscale_diag why = {""};

  gscale_status st = gscale_plan_new(s, w, 4, &plan, &why);
  if (st == GSCALE_OK)
    st = gscale_predict(plan, gscale_paradigm_find(paradigm), &k, p, &why);
  gsl_test(st != GSCALE_OK, "%s: %s", paradigm, why.text);
  gscale_plan_free(plan);
  return st == GSCALE_OK ? p->time : (double)NAN;
}

static void own_work_adds(void)
{
  static const char *const by[] = {"infinite", "memcpy", "inline", "nccl",
                                   "memcpy-async"};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_work more[] = {{.kind = GSCALE_HOST_WORK, .time = 0},
                              {.kind = GSCALE_HOST_WORK, .time = 50e-6},
                              {.kind = GSCALE_MEMSET, .bytes = 1e9},
                              {.kind = GSCALE_COPY_D2D, .bytes = 1e9},
                              {.kind = GSCALE_COPY_D2H, .bytes = 1e6}};

  for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
    double least = 0;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
      gscale_workload *w = with_more(more[i], 4);
      gscale_prediction p = {0};
      double sum = 0;
      const double t = time_by(s, w, by[k], &p);
      if (i == 0) least = t;
      gsl_test(!(t >= least), "%s and %s", by[k],
               gscale_action_name(more[i].kind));
      if (i == 2 || i == 3) /* written; read and written */
        gsl_test(!(t > least + (double)(i - 1) * 1e9 / 4.1e12), "all of it");
      for (int m = 0; m < GSCALE_PART_END; m++) sum += p.part[m];
      gsl_test_rel(sum, t, 1e-12, "parts");
      gscale_workload_free(w);
    }
  }
  gscale_system_free(s);
}

/* All errors together are those of the short form. */
static void errs_as_the_short_form(void)
{
  static const char *const by[] = {"infinite", "memcpy",    "inline",
                                   "um",       "proact-hw", "memcpy-async"};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_curve c = {.n = 3, .x = {1e5, 1e7, 1e9}, .y = {1.5, 1.25, 1}};
  const gscale_host h = gscale_host_default;
  gscale_workload *w[2] = {one_phase(halo_phase(512)),
                           one_phase(halo_phase(512))};
  const gscale_knobs k = {.v = {65536, 2048}};

  gscale_system_set_membw_curve(s, &c, NULL);
  add_schedules(w[1], &h, 4);
  for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
    gscale_error e[2] = {{.time = 0}, {.time = 0}};
    for (int own = 0; own < 2; own++)
      gsl_test_int((int)gscale_error_of(s, w[own], 4,
                                        gscale_paradigm_find(by[i]), &k,
                                        &e[own], NULL),
                   GSCALE_OK, "%s", by[i]);
    gsl_test_rel(e[1].of_system, e[0].of_system, 1e-9, "%s: of the system",
                 by[i]);
    gsl_test_rel(e[1].time, e[0].time, 1e-9, "%s: in all", by[i]);
  }
  gscale_workload_free(w[0]);
  gscale_workload_free(w[1]);
  gscale_system_free(s);
}

/* What numbers of the system do to it is what a system with others does. */
static void moves_with_numbers(void)
{
  static const char *const names[] = {"copy.initiation", "host.launch",
                                      "device.membw",    "host.sync",
                                      "copy.efficiency", "device.start"};
  const gscale_work fetch = {.kind = GSCALE_COPY_D2H, .bytes = 4};
  gscale_workload *w = with_more(fetch, 4);
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  gscale_uncertainty *u;
  gscale_prediction p;
  const double t = time_by(s, w, "memcpy", &p);

  gsl_test_int((int)gscale_uncertainty_new(s, w, 4, true, &u, NULL), GSCALE_OK,
               "its errors");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const gscale_param_id id = gscale_param_find(names[i]);
    gscale_system *other = some_system(GSCALE_SWITCH, "nvlink4");
    const double was = gscale_system_get(s, id)->val;
    size_t k = 0;

    set(other, names[i], was * 1.01, 0);
    const double moved = (time_by(other, w, "memcpy", &p) / t - 1) / 0.01;
    while (strcmp(gscale_uncertainty_number(u, k)->name, names[i]) != 0) k++;
    const gscale_influence e =
        gscale_uncertainty_influence(u, k, memcpy_, &p.knobs);
    gsl_test_abs(e.elasticity, moved, 1e-9, "%s", names[i]);
    gscale_system_free(other);
  }
  gscale_uncertainty_free(u);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  as_the_short_form();
  are_refused();
  are_refused_too();
  own_work_adds();
  errs_as_the_short_form();
  moves_with_numbers();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
