/* write.c - writes the description of a profile as a program to edit. */

#include "describe/body.h"
#include "describe/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text --------------------------------------------------------------- */

static const char *base_name(const char *path)
{
  const char *const slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

/* Writes at most `most` bytes of text in double quotes of Lua. */
void put_text(FILE *f, const char *text, size_t most)
{
  for (size_t i = 0; text[i] && i < most; i++)
    if ((unsigned char)text[i] >= ' ' && text[i] != '"' && text[i] != '\\')
      putc(text[i], f);
}

/* Uses the file's name up to the first dot as the program's name. */
void put_name(FILE *f, const char *path)
{
  const char *const name = base_name(path);
  const size_t n = strcspn(name, ".");

  for (size_t i = 0; i < n && i < 40; i++)
    putc(strchr("\"\\ \t", name[i]) ? '-' : name[i], f);
}

/* ---- the schedule ------------------------------------------------------- */

/* Finds lines from `at` that repeat immediately, and the number of repeats. */
static void find_loop(const body *b, size_t at, size_t end, size_t *length,
                      size_t *times)
{
  size_t saved = 0;

  *length = *times = 1;
  for (size_t n = 1; n <= 128 && at + 2 * n <= end; n++) {
    size_t again = 1;
    for (bool same = true; same && at + (again + 1) * n <= end;) {
      for (size_t i = 0; same && i < n; i++)
        same = strcmp(b->line[at + i], b->line[at + again * n + i]) == 0;
      again += same;
    }
    if (again < 2 || n * (again - 1) <= saved) continue;
    saved = n * (again - 1);
    *length = n;
    *times = again;
  }
}

static void put_lines(FILE *f, const body *b, size_t at, size_t end, int indent)
{
  while (at < end) {
    size_t length, times;
    find_loop(b, at, end, &length, &times);
    if (times > 1 && length * times > 2) {
      fprintf(f, "%*sfor _ = 1, %zu do\n", indent, "", times);
      put_lines(f, b, at, at + length, indent + 2);
      fprintf(f, "%*send\n", indent, "");
    } else {
      length = times = 1;
      fprintf(f, "%*s%s\n", indent, "", b->line[at]);
    }
    at += length * times;
  }
}

/* ---- schedule parts ----------------------------------------------------- */

static bool exchanges(const body *b)
{
  return b->chosen != PARTNERS_END;
}

/* Returns true for a run on one GPU. A run on one GPU has no copies to other
 * GPUs, so that the sizes of copies are knobs. */
static bool is_alone(const body *b)
{
  return b->gpus < 1.5;
}

/* Returns true if ncu counted flop or bytes. */
static bool knows_work(const body *b)
{
  for (size_t i = 0; i < b->phases; i++)
    if (b->phase[i].flop > 0.0 || b->phase[i].bytes > 0.0) return true;
  return false;
}

static void put_origin(FILE *f, const profile *p, int gpu)
{
  char time[48], err[48];

  gscale_format_quantity(p->period, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(p->period_err, GSCALE_TIME, err, sizeof err);
  fputs("-- A program as a profile shows it: ", f);
  put_text(f, base_name(p->path[0]), 60);
  fprintf(f, ".\n--\n-- %zu step%s (%s) on %d GPU%s; one takes %s +/- %s.\n",
          p->gpu[gpu].steps, PLURAL(p->gpu[gpu].steps), p->period_from, p->gpus,
          PLURAL(p->gpus), time, err);
  fputs("-- A number whose knob says \"guess\" is not in the profile.\n\n"
        "local gs = require \"gpuscale\"\n"
        "local measured, counted, assumed = gs.measured, gs.counted, "
        "gs.assumed\n\n",
        f);
  fprintf(f, "local N = %.0f -- GPUs of the profile\nlocal file = \"",
          gpus_of_run(p));
  put_text(f, base_name(p->path[0]), 90);
  fputs("\"\n\n", f);
}

static void put_rules(FILE *f, const body *b)
{
  if (!exchanges(b) && !is_alone(b)) return;
  fputs("-- To whom GPU g of n copies.\nlocal rules = {\n", f);
  for (int r = 0; r < PARTNERS_END; r++)
    if (b->rule[r]) fputs(partners_lua((partner_rule)r), f);
  fputs("}\n\n", f);
}

static void put_partner_knobs(FILE *f, const body *b)
{
  const partner_rule r = exchanges(b) ? b->chosen : PARTNERS_NEIGHBOURS;
  const char *comma = "";

  fprintf(f, "    partners = gs.knob { default = \"%s\", words = { ",
          partners_name(r));
  for (int i = 0; i < PARTNERS_END; i++)
    if (b->rule[i]) {
      fprintf(f, "%s\"%s\"", comma, partners_name((partner_rule)i));
      comma = ", ";
    }
  fprintf(f, " },\n      doc = \"to whom a GPU copies; %s\" },\n",
          is_alone(b) ? "a guess: one GPU does not show it"
                      : "those named agree with all GPUs seen");
  if (b->growth_known) {
    fprintf(
        f,
        "    growth = gs.knob { default = counted(%g), least = 0, most = 3,"
        "\n      doc = \"a copy is as (N / n) ^ growth; by the profiles\" },"
        "\n",
        b->growth);
    return;
  }
  fprintf(f,
          "    growth = gs.knob { default = assumed(%g, { 0, %g }, \"guess\"), "
          "least = 0, most = 3,\n      doc = \"a copy is as (N / n) ^ "
          "growth\" },\n",
          partners_growth(r),
          partners_growth(r) > 0.0 ? 2 * partners_growth(r) : 0.5);
}

static void put_size_knobs(FILE *f, const body *b)
{
  for (size_t i = 0; i < b->places; i++)
    fprintf(f,
            "    bytes%zu = gs.knob { default = counted(\"0 B\"), unit = "
            "\"bytes\",\n      doc = \"to each partner behind %s; a guess: one "
            "GPU does not show it\" },\n",
            i + 1, b->phase[b->place[i]].name);
  for (size_t i = 0; i < b->sizes; i++)
    fprintf(f,
            "    bytes%zu = gs.knob { default = counted(\"%.0f B\"), unit = "
            "\"bytes\", doc = \"a copy\" },\n",
            i + 1, b->size[i]);
}

/* Returns the readers of a phase for `ways=any`. NULL: no paradigm has them. */
static const char *published_to(const body *b)
{
  switch (b->chosen) {
  case PARTNERS_NEIGHBOURS:
  case PARTNERS_RING:
  case PARTNERS_GRID:
    return "neighbours";
  case PARTNERS_ALL:
    return "all";
  default:
    return NULL;
  }
}

void put_guessed_serial(FILE *f)
{
  fputs("    serial = gs.knob { default = assumed(0, { 0, 0.1 }, \"guess\"), "
        "least = 0, most = 1,\n      doc = \"share of each kernel's time that "
        "more GPUs do not shrink\" },\n",
        f);
}

static void put_serial_knob(FILE *f, const body *b)
{
  if (b->serial_known)
    fprintf(f,
            "    serial = gs.knob { default = measured(0, %.2g, file), "
            "least = -1, most = 1,\n      doc = \"beside what each kernel's "
            "time does not shrink by\" },\n",
            b->serial_err);
  else
    put_guessed_serial(f);
}

/* Writes knobs of other paradigms, which copies do not show. */
static void put_paradigm_knobs(FILE *f)
{
  fputs("    face = gs.knob { default = assumed(0.001, { 0.0001, 0.01 }, "
        "\"guess\"), least = 0, most = 0.5,\n      doc = \"ways=any: share of "
        "the kernel that makes what one neighbour gets\" },\n"
        "    store = gs.knob { default = assumed(\"128 B\", { \"8 B\", \"128 "
        "B\" }, \"guess\"), unit = \"bytes\",\n      doc = \"ways=any: a store "
        "of the kernel to another GPU\" },\n",
        f);
}

static void put_knobs(FILE *f, const body *b)
{
  fputs("  knobs = {\n", f);
  put_serial_knob(f, b);
  fputs(
      "    start = gs.knob { default = assumed(\"1.54 us\", { \"1.2 us\", "
      "\"1.9 us\" }, \"guess: as H200\"),\n      unit = \"time\", doc = \"what "
      "the shortest kernel takes\" },\n"
      "    speed = gs.knob { default = 1, least = 0.01,\n      doc = \"of this "
      "GPU's kernels, over that of the profile\" },\n",
      f);
  if (is_alone(b) || !b->one_thread)
    fprintf(f,
            "    threads = gs.knob { default = \"per gpu\", words = { \"per "
            "gpu\", \"one\" },\n      doc = \"host threads%s\" },\n",
            is_alone(b) ? "; a guess: one GPU does not show it" : "");
  if (exchanges(b) && published_to(b))
    fputs("    ways = gs.knob { default = \"recorded\", words = { "
          "\"recorded\", \"any\" },\n      doc = \"its own copies, or any way "
          "of moving what they carry\" },\n",
          f);
  if (knows_work(b))
    fputs("    kernels = gs.knob { default = \"timed\", words = { \"timed\", "
          "\"counted\" },\n      doc = \"as long as in the profile, or as a "
          "GPU's "
          "flop/s and bandwidth let those of ncu take\" },\n",
          f);
  if (b->guessed_barrier)
    fputs("    meets = gs.knob { default = \"last\", words = { \"never\", "
          "\"last\", \"each\" },\n      doc = \"behind which of their waits "
          "host threads meet; a guess\" },\n",
          f);
  if (exchanges(b) && published_to(b)) put_paradigm_knobs(f);
  if (exchanges(b) || is_alone(b)) put_partner_knobs(f, b);
  put_size_knobs(f, b);
  fputs("  },\n\n", f);
}

/* Writes the serial share of each kernel from other runs. */
static void put_serial(FILE *f, const body *b)
{
  fputs("    -- Of a kernel's time on each of N, what more GPUs do not shrink: "
        "by\n    --",
        f);
  for (size_t i = 0; i < b->others; i++) {
    fputs(i ? ", " : " ", f);
    put_text(f, base_name(*b->other[i].p.path), 40);
  }
  fputs(".\n    local serial = {\n", f);
  for (size_t i = 0; i < b->phases; i++)
    fprintf(f, "      [\"%s\"] = %.4g,%s\n", b->phase[i].name,
            b->phase[i].serial,
            b->phase[i].serial_known ? "" : " -- the mean of the others");
  fputs("    }\n", f);
}

/* Writes the shrinking of kernels. A kernel with serial < 0 gains from caches,
 * but only up to the largest measured N. */
static void put_shrinking(FILE *f, const body *b)
{
  const bool known = b->serial_known;
  double most = b->gpus;

  for (size_t i = 0; i < b->others; i++) most = fmax(most, b->other[i].gpus);
  if (known) put_serial(f, b);
  fprintf(f,
          "    -- A kernel's time on each of n GPUs over that on each of N%s\n"
          "    local function shrunk(n%s)\n",
          known ? "; a gain from\n    -- caches, serial < 0, only as far as it "
                  "was seen."
                : ".",
          known ? ", name" : "");
  if (known)
    fprintf(f,
            "      local s = k.serial + serial[name]\n"
            "      local m = s < 0 and math.min(n, %g) or n\n"
            "      return (s + (1 - s) * N / m) * m / n\n",
            most);
  else
    fputs("      return k.serial + (1 - k.serial) * N / n\n", f);
  fputs("    end\n", f);
}

/* Writes a function that copies to all partners, to some, or to one side. */
static void put_send(FILE *f, bool sided)
{
  fputs("    local function partners(g, n) return rules[k.partners](g, n) "
        "end\n",
        f);
  if (sided)
    fputs("    -- Where `to` is from GPU g, in a line or a ring.\n"
          "    local function side_of(g, n, to)\n"
          "      local down, up = (g - to) % n, (to - g) % n\n"
          "      return (down < up or down == up and to < g) and \"before\" or "
          "\"behind\"\n"
          "    end\n",
          f);
  fprintf(f,
          "    local function send(g, n, bytes, stream, most%s)\n"
          "      for i, to in ipairs(partners(g, n)) do\n"
          "        local size = bytes * (N / n) ^ k.growth\n"
          "        if size >= 1 and i <= (most or n)%s then\n"
          "          gs.copy { to = to, bytes = size, stream = stream }\n"
          "        end\n"
          "      end\n"
          "    end\n",
          sided ? ", side" : "",
          sided ? "\n          and (not side or side_of(g, n, to) == side)"
                : "");
}

static void put_functions(FILE *f, const body *b)
{
  const char *const named = b->serial_known ? ", name" : "";

  static const char by_count[] =
      "      if k.kernels == \"counted\" and (flop > 0 or bytes > 0) then\n"
      "        return gs.phase { name = name, flop = N * flop, bytes = N * "
      "bytes,\n"
      "          footprint = N * bytes } -- from memory, ncu counts\n"
      "      end\n";
  const bool counted = knows_work(b);

  put_shrinking(f, b);
  fprintf(
      f,
      "    -- A kernel on one GPU, from its time on each of N.\n"
      "    local function kernel(name, time, err%s)\n"
      "      local one = shrunk(1%s)\n"
      "      local work = math.max(time - k.start, 0) / k.speed\n"
      "%s"
      "      return gs.phase { name = name, compute = {\n"
      "        fixed = measured(one * work, one * err, file) } }\n"
      "    end\n"
      "    -- Of that, on each of n.\n"
      "    local function share(n%s)\n"
      "      return shrunk(n%s) / shrunk(1%s)\n"
      "    end\n"
      "    local function part(n) return N / n end -- of what is dealt out\n",
      counted ? ", flop, bytes" : "", named, counted ? by_count : "", named,
      named, named);
  if (exchanges(b) || is_alone(b)) put_send(f, b->sided);
  if (b->guessed_barrier)
    fputs("    local function meet(last)\n"
          "      if k.meets == \"each\" or last and k.meets == \"last\" then "
          "gs.barrier() end\n"
          "    end\n",
          f);
  fputs("\n", f);
}

static void put_phases(FILE *f, const body *b)
{
  for (size_t i = 0; i < b->phases; i++) {
    fprintf(f, "      kernel(\"%s\", %.6g, %.2g", b->phase[i].name,
            b->phase[i].time, b->phase[i].err);
    if (knows_work(b))
      fprintf(f, ", %.6g, %.6g", b->phase[i].flop, b->phase[i].bytes);
    fputs("),\n", f);
  }
  if (b->phases == 0)
    fputs("      gs.phase { name = \"none\" }, -- the profile has no kernel\n",
          f);
}

/* ---- other paradigms ---------------------------------------------------- */

enum {
  STRETCHES = 16
};

/* The kernels before an exchange, and the bytes for each partner. */
typedef struct stretch_of_step {
  double time, err, kernels, bytes;
} stretch_of_step;

static double count_partners(const body *b)
{
  bool to[1024];
  double n = 0.0;

  partners_of(b->chosen, b->gpu, b->p->gpus, to);
  for (int i = 0; i < b->p->gpus; i++) n += to[i];
  return n;
}

/* Finds the stretches of a step, and merges them if there are too many. */
static size_t find_stretches(const body *b, stretch_of_step *v)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  const double partners = count_partners(b);
  size_t n = 1, wanted = 1;

  for (size_t pass = 0; pass < 2; pass++) {
    const bool one = wanted > STRETCHES;
    n = wanted = 1;
    v[0] = (stretch_of_step){0};
    for (size_t j = 0; j < g->slots; j++) {
      const gscale_recorded_what *const w =
          gscale_recording_what(b->p->r, g->slot[j].what);
      stretch_of_step *s = &v[n - 1];
      if (b->phase_of[j] != NONE) {
        if (s->bytes > 0.0 && !one && ++wanted <= STRETCHES)
          v[n++] = (stretch_of_step){0}, s = &v[n - 1];
        s->time += g->slot[j].time;
        s->err += g->slot[j].spread;
        s->kernels++;
      } else if (w->copy == GSCALE_RECORDED_P2P) {
        s->bytes += w->bytes / partners;
      }
    }
    if (wanted <= STRETCHES) break;
  }
  return n;
}

/* Writes the readers of a phase, of which each gets all bytes or a part. */
static void put_readers(FILE *f, const body *b)
{
  const bool parts = b->growth_known && b->growth > 1.5;

  fprintf(
      f,
      "      local all = { to = \"%s\", publish = %s }\n"
      "      local near = { to = \"neighbours\", publish = 1 }\n"
      "      local readers = ({ all = all, neighbours = near, ring = near, "
      "grid = near })[k.partners]\n"
      "        or error(\"ways=any: with partners that neighbour, or all\")\n",
      parts ? "partition" : "all", parts ? "N * N" : "N");
}

/* Writes the program for any paradigm: each phase has the kernels before one
 * exchange, whose bytes go to the partners of the copies. */
static void put_any_paradigm(FILE *f, const body *b)
{
  stretch_of_step v[STRETCHES];
  double time = 0.0, err = 0.0;

  if (!published_to(b)) return;
  const size_t n = find_stretches(b, v);
  for (size_t i = 0; i < n; i++) time += v[i].time, err += v[i].err;
  fprintf(f,
          "    if k.ways == \"any\" then\n"
          "      -- A phase of the kernels up to each exchange; what copies "
          "carried it publishes.\n"
          "      local serial = math.min(1, math.max(0, k.serial + %.4g))\n"
          "      local alone = serial + N * (1 - serial) -- on one, over that "
          "on N\n",
          b->serial);
  put_readers(f, b);
  fputs("      local function phase(name, time, kernels, bytes)\n"
        "        local p = { name = name, units = 4096, host = { kernels = "
        "kernels },\n"
        "          bytes = 1e12 * alone * time, compute = { serial = serial / "
        "alone } }\n"
        "        if bytes > 0 then\n"
        "          p.to, p.publish, p.store = readers.to, readers.publish * "
        "bytes, k.store\n"
        "          if k.partners == \"ring\" then p.grid = { periodic = true } "
        "end\n"
        "          if k.partners == \"grid\" then p.grid = { gpus = { 0, 0 } } "
        "end\n"
        "          -- Neighbours get a face, made first; all get what all "
        "blocks make.\n"
        "          p.blocks = { readers == near and\n"
        "            { share = k.face, per = \"face\", publishes = 1 } or\n"
        "            { share = 1, per = \"sent\", publishes = 1 }, {} }\n"
        "        end\n"
        "        return gs.phase(p)\n"
        "      end\n"
        "      return {\n",
        f);
  fprintf(f,
          "        t1 = measured(alone * %.6g / k.speed + %g, alone * %.2g + "
          "%g, file),\n"
          "        host = { threads = %s },\n",
          time, 6e-6 * (double)n, err, 3e-6 * (double)n,
          b->one_thread ? "1" : "k.threads == \"one\" and 1 or 0");
  for (size_t i = 0; i < n; i++)
    fprintf(f, "        phase(\"work%zu\", %.6g, %.0f, %.0f),\n", i + 1,
            v[i].time, fmax(1.0, v[i].kernels), v[i].bytes);
  fputs("      }\n    end\n\n", f);
}

static void put_schedule(FILE *f, const body *b)
{
  fputs("      schedule = function (g, n, i)\n", f);
  if (!b->serial_known) fputs("        local share = share(n)\n", f);
  put_lines(f, b, 0, b->lines, 8);
  fputs("      end,\n", f);
}

/* Writes the profiled step with the system that the user named. A repeated run
 * would differ by some 1 %, as in learn/posterior. */
static void put_own_run(FILE *f, double gpus, double step, double err,
                        const char *system)
{
  fprintf(f,
          "      -- What a prediction of this very step is seen to be off.\n"
          "      run = k.speed == 1 and { gpus = %.0f, on = \"",
          gpus);
  put_text(f, system, 100);
  fprintf(f, "\", time = measured(%.6g, %.2g, file) } or nil,\n", step,
          hypot(err, 0.01 * step));
}

static void put_program(FILE *f, const body *b, const options *o)
{
  put_origin(f, b->p, b->gpu);
  put_rules(f, b);
  fputs("return gs.workload {\n  name = \"", f);
  put_name(f, b->p->path[0]);
  fputs("\",\n  summary = \"described from a profile, ", f);
  put_text(f, base_name(b->p->path[0]), 60);
  fputs("\",\n\n", f);
  put_knobs(f, b);
  fputs("  step = function (k)\n", f);
  put_functions(f, b);
  put_any_paradigm(f, b);
  fputs("    return {\n", f);
  if (o->system)
    put_own_run(f, b->gpus, b->p->period, b->p->period_err, o->system);
  put_phases(f, b);
  fprintf(f, "      host = { threads = %s, streams = { ",
          is_alone(b) || !b->one_thread ? "k.threads" : "\"one\"");
  for (size_t i = 0; i < b->streams; i++)
    fprintf(f, "%s\"%s\"", i ? ", " : "", b->stream_name[i]);
  fputs(" } },\n", f);
  put_schedule(f, b);
  fputs("    }\n  end,\n}\n", f);
}

/* Refuses a description with too small a share of the kernel time. */
static int check_carried(const profile *p, double carried, double kernels,
                         failure *why)
{
  return carried >= 0.9 * kernels
             ? EXIT_OK
             : fail(why, EXIT_DATA,
                    "%s: the description would carry %.0f%% of the time of "
                    "kernels in a step: no step is typical",
                    *p->path, 100.0 * carried / kernels);
}

/* Checks --parallel. ddp is derived from a training step, whereas fsdp and tp
 * must be recorded to show where in a step their collectives are. */
static int check_parallel(const profile *p, const traced_step *t,
                          const char *name, failure *why)
{
  const bool ddp = strcmp(name, "ddp") == 0;

  if (!ddp && strcmp(name, "fsdp") != 0 && strcmp(name, "tp") != 0)
    return fail(why, EXIT_USAGE, "--parallel: none of ddp, fsdp, tp");
  if (ddp ? t->training : t->collectives > 0) return EXIT_OK;
  return fail(why, EXIT_DATA, "%s: --parallel %s: no %s", *p->path, name,
              ddp ? "training step in it"
                  : "collective in it; profile the wrapped program, on one GPU "
                    "under PyTorch's process group 'fake'");
}

/* Writes the pieces of a step. Without `calls`, uses only the GPU's work, as it
 * does if the description with calls misses the step's time. */
static int write_traced(const profile *p, bool calls, const options *o,
                        failure *why)
{
  traced_step t;
  output out;
  int st = trace_step(&t, p, calls, why);

  /* A GPU with collectives but without ranks is not the only GPU. */
  if (st == EXIT_OK && t.collectives > 0 && gpus_of_run(p) < 1.5 && !o->ranks)
    st = fail(why, EXIT_DATA,
              "%s: collectives, and nothing says of how many GPUs: --ranks N "
              "does",
              *p->path);
  if (st == EXIT_OK && t.fake && t.collectives == 0)
    st = fail(why, EXIT_DATA,
              "%s: the collectives of its process group 'fake' have no sizes: "
              "profile with record_shapes=True",
              *p->path);
  if (st == EXIT_OK && o->parallel)
    st = check_parallel(p, &t, o->parallel, why);
  const double kernels = st == EXIT_OK ? kernels_of_step(p, t.gpu) : 0.0;
  if (st == EXIT_OK) st = check_carried(p, t.carried, kernels, why);
  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st == EXIT_OK) {
    put_origin(out.f, p, t.gpu);
    put_traced(out.f, &t, o);
    st = output_close(&out, why);
  }
  const bool off =
      st == EXIT_OK &&
      say_carried(p,
                  &(carried_step){t.carried, kernels, t.bytes, t.step,
                                  t.collectives, true, t.calls},
                  o, !t.calls);
  calls = t.calls;
  traced_free(&t);
  return off && calls ? write_traced(p, false, o, why) : st;
}

int write_description(const profile *p, const other_run *other, size_t others,
                      const options *o, failure *why)
{
  host_calls h = {0};
  body b = {0};
  output out;

  if (!o->show && needs_trace(p)) return write_traced(p, true, o, why);
  if (o->parallel)
    return fail(why, EXIT_DATA, "%s: --parallel: no training step in it",
                *p->path);
  int st = find_host(p, &h, why);
  if (st == EXIT_OK) st = body_make(&b, p, &h, other, others, why);
  const double kernels = st == EXIT_OK ? kernels_of_step(p, b.gpu) : 0.0;
  const bool apart = !has_copies(p, false) && others == 0;
  bool lost = apart && b.carried < 0.95 * kernels;
  if (st == EXIT_OK && !lost && !o->show) {
    st = check_carried(p, b.carried, kernels, why);
    if (st == EXIT_OK) st = output_open(&out, o->output, why);
    if (st == EXIT_OK) {
      put_program(out.f, &b, o);
      st = output_close(&out, why);
    }
  }
  if (st == EXIT_OK) say_others(&b);
  if (st == EXIT_OK && !lost && !o->show)
    lost = say_carried(
        p, &(carried_step){b.carried, kernels, 0.0, p->period, 0, false, false},
        o, !apart || !has_copies(p, true));
  if (st == EXIT_OK && lost && !o->show) st = write_traced(p, false, o, why);
  body_free(&b);
  host_free(&h);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
