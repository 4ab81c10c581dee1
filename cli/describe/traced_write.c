/* traced_write.c - writes the program of a traced step: a table of the pieces,
 * and the lines of Lua that run them. */

#include "describe/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const phases[TRACED_PHASES] = {
    "kernels", "forward", "backward", "optimizer",
    "copies",  "group",   "idle",     "collective"};

static void put_stream(FILE *f, int stream)
{
  if (stream > 0)
    fprintf(f, "\"stream%d\"", stream + 1);
  else
    fputs("\"main\"", f);
}

static void put_piece(FILE *f, const traced_piece *p)
{
  const char *comma = ", waits = { ";

  fprintf(f, "  { %.4g, \"%s\", ", 1e6 * p->host,
          p->kind ? p->kind : phases[p->phase]);
  if (p->kind && p->phase == TRACED_COLLECTIVE)
    fprintf(f, "%.0f, took = %.4g", p->bytes, 1e6 * p->time);
  else
    fprintf(f, "%.6g", 1e6 * p->time);
  if (p->stream > 0) fputs(", stream = ", f), put_stream(f, p->stream);
  for (int s = 0; s < TRACED_STREAMS; s++)
    if (p->waits & 1u << s) fputs(comma, f), put_stream(f, s), comma = ", ";
  if (p->waits) fputs(" }", f);
  if (p->synchronizes) fputs(", sync = true", f);
  if (p->gradients > 0) fprintf(f, ", grads = %zu", p->gradients);
  if (p->gradient_B > 0.0) fprintf(f, ", of = %.0f", p->gradient_B);
  fputs(" },\n", f);
}

/* Writes the pieces. Collectives of groups have a time but no bytes. */
static void put_table(FILE *f, const traced_step *t)
{
  fputs("-- In the order of the calls: us of the host before, what, us of the "
        "GPU or bytes\n-- of a collective, which `took` us. `waits`: for the "
        "work of these streams;\n-- `sync`: the host waits for the GPU; "
        "`grads`: gradients ready behind it, `of` bytes.\nlocal calls = {\n",
        f);
  for (size_t i = 0; i < t->pieces; i++) {
    traced_piece p = t->piece[i];
    if (p.phase == TRACED_GROUP) p.kind = NULL;
    put_piece(f, &p);
  }
  fputs("}\n\n", f);
}

static bool can_ddp(const traced_step *t)
{
  return t->training && gpus_of_run(t->p) < 1.5;
}

static int streams_of(const traced_step *t)
{
  int most = 0;

  for (size_t i = 0; i < t->pieces; i++)
    if (t->piece[i].stream > most) most = t->piece[i].stream;
  return most + 1;
}

static const char knobs_of_all[] =
    "    start = gs.knob { default = assumed(\"1.54 us\", { \"1.2 us\", \"1.9 "
    "us\" }, \"guess: as H200\"),\n      unit = \"time\", doc = \"what the "
    "shortest kernel takes\" },\n"
    "    speed = gs.knob { default = 1, least = 0.01,\n      doc = \"of this "
    "GPU's kernels, over that of the profile\" },\n"
    "    collectives = gs.knob { default = \"priced\", words = { \"priced\", "
    "\"recorded\" },\n      doc = \"by the system, or as long as they took\" "
    "},\n"
    "    collective_rate = gs.knob { default = assumed(\"100 GB/s\", { \"20 "
    "GB/s\", \"300 GB/s\" }, \"guess\"),\n      unit = \"bytes/s\", doc = "
    "\"of collectives of unknown bytes\" },\n";

static const char knobs_of_training[] =
    "    batch = gs.knob { default = 1, least = 0.001,\n      doc = \"samples "
    "of a GPU, over those of the profile; t1 is of as many\" },\n"
    "    replicas = gs.knob { default = 1, least = 1,\n      doc = \"GPUs, "
    "each with a batch\" },\n";

static const char knobs_of_ddp[] =
    "    grad = gs.knob { default = counted(4), least = 1, most = 8, doc = "
    "\"bytes of a gradient's element\" },\n"
    "    bucket = gs.knob { default = counted(\"25 MiB\"), unit = \"bytes\", "
    "doc = \"gradients reduced together\" },\n"
    "    first = gs.knob { default = counted(\"1 MiB\"), unit = \"bytes\", doc "
    "= \"the first bucket\" },\n"
    "    view = gs.knob { default = \"no\", words = { \"no\", \"yes\" }, doc = "
    "\"gradient_as_bucket_view\" },\n"
    "    hook = gs.knob { default = assumed(\"9 us\", { \"4 us\", \"14 us\" }, "
    "\"PyTorch 2.11\"),\n      unit = \"time\", doc = \"of the host for a "
    "gradient, profiled\" },\n"
    "    reduce = gs.knob { default = assumed(\"115 us\", { \"80 us\", \"150 "
    "us\" }, \"PyTorch 2.11\"),\n      unit = \"time\", doc = \"of the host "
    "for a bucket, profiled\" },\n";

/* Writes the number of parameters. Without recorded shapes or --params the
 * number is estimated from the optimizer: AdamW moves 28 B per parameter at 4
 * TB/s. */
static void put_params(FILE *f, const traced_step *t, const options *o)
{
  const double guess = t->time[TRACED_OPTIMIZER] * 4e12 / 28.0;
  double sizes = 0.0;

  for (size_t i = 0; i < t->pieces; i++) sizes += t->piece[i].gradient_B;
  const bool known = o->params > 0.0 || sizes > 0.0;
  const double n = fmax(1.0, o->params > 0.0 ? o->params
                             : known         ? sizes / 4.0
                                             : guess);
  fprintf(f,
          "    params = gs.knob { default = assumed(%.9g, { %.9g, %.9g }, "
          "\"%s\"), least = 1, doc = \"of the model\" },\n",
          n, known ? n : 0.6 * n, known ? n : 1.2 * n,
          known ? "counted" : "guess: by the optimizer");
}

static void put_knobs(FILE *f, const traced_step *t, const options *o)
{
  fputs("  knobs = {\n", f);
  fputs(knobs_of_all, f);
  if (t->calls)
    fputs("    host = gs.knob { default = assumed(0.75, { 0.53, 1 }, \"guess\")"
          ", least = 0, most = 2,\n      doc = \"the host's time without the "
          "profiler, over that with it; t1 bounds it\" },\n",
          f);
  if (t->training)
    fputs(knobs_of_training, f);
  else
    put_guessed_serial(f);
  if (can_ddp(t)) {
    fprintf(f,
            "    parallel = gs.knob { default = \"%s\", words = { \"one\", "
            "\"ddp\" }, doc = \"paradigm of training\" },\n",
            o->parallel ? o->parallel : "one");
    put_params(f, t, o);
    fputs(knobs_of_ddp, f);
  }
  fputs("  },\n\n", f);
}

static const char sums[] =
    "    local us, sum, gpu, host = 1e-6, { recorded = 0 }, 0, rest\n"
    "    for _, c in ipairs(calls) do\n"
    "      host = host + c[1]\n"
    "      local what = c.took and \"recorded\" or c[2]\n"
    "      sum[what] = (sum[what] or 0) + math.max((c.took or c[3]) - k.start "
    "/ "
    "us, 1e-3)\n"
    "      if not c.took and not c.stream then gpu = gpu + c[3] end\n"
    "    end\n";

static const char t1_of_training[] =
    "    -- An unprofiled step bounds the host, and says what another batch "
    "takes the kernels.\n"
    "    local t1, fixed = k.t1 / us, (sum.optimizer or 0) + (sum.idle or 0)\n"
    "    local more = t1 <= 0 and k.batch or k.batch == 1 and math.min(1, t1 / "
    "gpu) or\n"
    "      math.max(0.01, (t1 - fixed) / math.max(1e-9, gpu - fixed))\n";

static const char schedule[] =
    "      schedule = function (g, n)\n"
    "        local share = share(n)\n"
    "%s"
    "        for i, c in ipairs(calls) do\n"
    "          if c.sync then gs.synchronize {} end\n"
    "          if c[1] > 0 then gs.host(c[1] * us * by) end\n"
    "          for _, s in ipairs(c.waits or {}) do\n"
    "            gs.record(s, { stream = s })\n"
    "            gs.wait(s, { stream = c.stream or \"main\" })\n"
    "          end\n"
    "          local time = math.max((c.took or c[3]) - k.start / us, 1e-3)\n"
    "          if not c.took then\n"
    "            local part = time / sum[c[2]] * (shrinks[c[2]] and share or "
    "1)\n"
    "            gs.launch(c[2], { share = part, stream = c.stream })\n"
    "          elseif n > 1 and k.collectives == \"recorded\" then\n"
    "            gs.launch(\"recorded\", { share = time / sum.recorded, stream "
    "= c.stream })\n"
    "          elseif n > 1 then\n"
    "            gs.collective { kind = c[2], stream = c.stream,\n"
    "              bytes = c[3] > 0 and c[3] or c.took * us * "
    "k.collective_rate "
    "}\n"
    "          end\n"
    "%s"
    "        end\n"
    "%s"
    "        if rest > 0 then gs.host(rest * us * by) end\n"
    "      end,\n";

/* Fills buckets by a kernel for each gradient. Buckets are reduced beside later
 * kernels, and copied back after the last kernel. */
static const char ddp_before[] =
    "        local ddp, all = k.parallel == \"ddp\" and n > 1, k.params * "
    "k.grad\n"
    "        local left, size, cap = grads, 0, k.first\n"
    "        local function fill(bytes)\n"
    "          if k.view == \"yes\" then return end\n"
    "          gs.launch(\"bucket\", { share = math.min(1, bytes / all) })\n"
    "          gs.copy { to = g, bytes = bytes }\n"
    "        end\n"
    "        local function reduce()\n"
    "          fill(size)\n"
    "          gs.host(k.reduce * by)\n"
    "          gs.record(\"ready\")\n"
    "          gs.wait(\"ready\", { stream = \"nccl\" })\n"
    "          gs.collective { kind = \"all-reduce\", bytes = size, stream = "
    "\"nccl\" }\n"
    "          size, cap = 0, k.bucket\n"
    "        end\n";

static const char ddp_behind[] =
    "          for _ = 1, ddp and c.grads or 0 do\n"
    "            size = size + (c.of and c.of / c.grads / given or 1 / grads) "
    "* "
    "all\n"
    "            gs.host(k.hook * by)\n"
    "            left = left - 1\n"
    "            if size >= cap or left == 0 then reduce() end\n"
    "          end\n"
    "          if ddp and c.grads and left == 0 then\n"
    "            gs.record(\"reduced\", { stream = \"nccl\" })\n"
    "            gs.wait(\"reduced\")\n"
    "            fill(all)\n"
    "          end\n";

static void put_phase(FILE *f, const traced_step *t, int i)
{
  const bool batch = i == TRACED_FORWARD || i == TRACED_BACKWARD;

  fprintf(f,
          "      gs.phase { name = \"%s\", compute = { fixed = measured(%s * "
          "sum.%s * us, %.2g, file)",
          phases[i],
          batch                                 ? "more / k.speed"
          : t->training || i > TRACED_OPTIMIZER ? "1"
                                                : "shrunk(1) / k.speed",
          phases[i], 0.005 * t->time[i]);
  if (t->beside[i] > 1.0)
    fprintf(f, " }, blocks = { residents = { 0, %.4g }", t->beside[i]);
  fputs(" } },\n", f);
}

static void put_phases(FILE *f, const traced_step *t)
{
  for (int i = 0; i < TRACED_COLLECTIVE; i++) {
    bool any = false;
    for (size_t k = 0; k < t->pieces; k++) any |= (int)t->piece[k].phase == i;
    if (any) put_phase(f, t, i);
  }
  fputs("      gs.phase { name = \"recorded\", compute = { fixed = "
        "measured(sum.recorded * us, 0, file) } },\n",
        f);
  if (can_ddp(t))
    fprintf(f,
            "      gs.phase { name = \"bucket\", compute = { fixed = "
            "assumed(grads * %.3g, { 0, grads * %.3g }, \"guess\") } },\n",
            t->gap + 1.5e-6, 2.0 * (t->gap + 1.5e-6));
}

static void put_share(FILE *f, const traced_step *t)
{
  if (t->training)
    fputs("    local shrinks, share = {}, function () return 1 end\n", f);
  else
    fputs("    local shrinks = { kernels = true }\n"
          "    local function shrunk(n) return k.serial + (1 - k.serial) * N / "
          "n end\n"
          "    local function share(n) return shrunk(n) / shrunk(1) end\n",
          f);
}

void put_traced(FILE *f, const traced_step *t, const options *o)
{
  const bool ddp = can_ddp(t);
  double given = 0.0;

  put_table(f, t);
  fprintf(f, "local rest = %.4g -- us of the host behind the last\n\n",
          1e6 * t->rest);
  fputs("return gs.workload {\n  name = \"", f);
  put_name(f, t->p->path[0]);
  fputs("\",\n  summary = \"described from a profile\",\n\n", f);
  put_knobs(f, t, o);
  if (t->training)
    fputs("  weak = function (k) return { replicas = 1, t1 = 0 } end,\n\n", f);
  fputs("  step = function (k)\n", f);
  fputs(sums, f);
  fputs(t->training ? t1_of_training : "    local t1 = k.t1 / us\n", f);
  fputs(t->calls ? "    local by = t1 > 0 and math.min(k.host, t1 / host) or "
                   "k.host\n"
                 : "    local by = 1\n",
        f);
  put_share(f, t);
  for (size_t i = 0; i < t->pieces; i++) given += t->piece[i].gradient_B;
  if (ddp)
    fprintf(f, "    local grads, given = %zu, %.0f\n", t->gradients, given);
  fputs("    return {\n      t1 = false,\n", f);
  if (o->system) put_own_run(f, gpus_of_run(t->p), t->step, 0.0, o->system);
  put_phases(f, t);
  fputs("      host = { threads = \"per gpu\", streams = { ", f);
  for (int s = 0; s < streams_of(t); s++)
    fputs(s ? ", " : "", f), put_stream(f, s);
  fprintf(f, "%s } },\n", ddp ? ", \"nccl\"" : "");
  fprintf(f, schedule, ddp ? ddp_before : "", ddp ? ddp_behind : "",
          t->synchronizes ? "        gs.synchronize {}\n" : "");
  fputs("    }\n  end,\n}\n", f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
