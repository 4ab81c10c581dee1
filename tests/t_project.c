/* t_project.c - numbers of a GPU that nobody measured: rules, their errors, the
 * curve of the memory. */

#include "cases.h"

#include <gsl/gsl_test.h>

#include <stdio.h>
#include <string.h>

static const char sheets_text[] = "# sheets\n"
                                  "device,entry,value,source,date,address\n"
                                  "old,chip,X1,a,2026-01-01,b\n"
                                  "old,memory,10 GB,a,2026-01-01,b\n"
                                  "old,membw,1 TB/s,a,2026-01-01,b\n"
                                  "old,sms,50,a,2026-01-01,b\n"
                                  "old,clock,1.5 G/s,a,2026-01-01,b\n"
                                  "old,threads,2048,a,2026-01-01,b\n"
                                  "old,flops,10 Tflop/s,a,2026-01-01,b\n"
                                  "new,chip,X2,a,2026-01-01,b\n"
                                  "new,memory,30 GB,a,2026-01-01,b\n"
                                  "new,membw,2.5 TB/s,a,2026-01-01,b\n"
                                  "new,sms,70,a,2026-01-01,b\n"
                                  "new,clock,1.8 G/s,a,2026-01-01,b\n"
                                  "new,threads,2048,a,2026-01-01,b\n"
                                  "new,flops,30 Tflop/s,a,2026-01-01,b\n";

/* device.start by 1.2, 1/1.2 and 1; device.latency by 2; a copy is none. */
static const char trials_text[] = "parameter,chips,log_ratio\n"
                                  "device.start,other,0.2\n"
                                  "device.start,other,-0.2\n"
                                  "device.start,other,0\n"
                                  "cdp.latency,other,0.7\n"
                                  "cdp.latency,copy,9\n"
                                  "no.such,other,9\n";

static const char *write_text(const char *name, const char *text)
{
  FILE *f = fopen(name, "w");

  if (!f) return "";
  fputs(text, f);
  fclose(f);
  return name;
}

static void rules(const gscale_sheet *old, const gscale_sheet *new)
{
  const gscale_dim rate = GSCALE_RATE, time = GSCALE_TIME;

  gsl_test_rel(
      gscale_rule_factor(GSCALE_RULE_MEMORY, GSCALE_BYTERATE, old, new, 1, 1),
      2.5, 1e-12, "bandwidth grows with that of the sheet");
  gsl_test_rel(gscale_rule_factor(GSCALE_RULE_MEMORY, GSCALE_TIME_PER_BYTE, old,
                                  new, 1, 1),
               0.4, 1e-12, "time per byte shrinks with it");
  gsl_test_rel(gscale_rule_factor(GSCALE_RULE_CORES, rate, old, new, 1, 1),
               70 * 1.8 / (50 * 1.5), 1e-12, "a rate of all SMs");
  gsl_test_rel(gscale_rule_factor(GSCALE_RULE_CLOCK, time, old, new, 1, 1),
               1.5 / 1.8, 1e-12, "cycles");
  gsl_test_rel(
      gscale_rule_factor(GSCALE_RULE_LINK, GSCALE_BYTERATE, old, new, 3, 7),
      7.0 / 3.0, 1e-12, "the link");
  gsl_test_rel(gscale_rule_factor(GSCALE_RULE_HOST, time, NULL, new, 3, 7), 1,
               1e-12, "a host needs no sheet");
  gsl_test(!isnan(gscale_rule_factor(GSCALE_RULE_SHEET, rate, old, new, 1, 1)),
           "what the sheet says has no factor");
  gsl_test(!isnan(gscale_rule_factor(GSCALE_RULE_CLOCK, time, NULL, new, 1, 1)),
           "no sheet, no factor");
}

/* usual = sqrt(rms of the one * rms of the other), times that stay. */
static void errors(const gscale_trials *t)
{
  const double one = sqrt(0.08 / 3.0), usual = sqrt(one * 0.7);
  size_t pairs;

  gsl_test_rel(
      gscale_trials_error(t, gscale_param_find("device.start"), false, &pairs),
      sqrt((0.08 + 2 * usual * usual) / 5.0), 1e-12, "three trials and usual");
  gsl_test_int((int)pairs, 3, "three trials");
  gsl_test_rel(
      gscale_trials_error(t, gscale_param_find("copy.latency"), false, &pairs),
      usual, 1e-12, "no trial: as its like");
  gsl_test_int((int)pairs, 0, "none");
  gsl_test_rel(
      gscale_trials_error(t, gscale_param_find("device.start"), true, NULL),
      0.25, 1e-12, "nothing of the same chip");
  gsl_test_rel(
      gscale_trials_error(NULL, gscale_param_find("host.launch"), false, NULL),
      0.5, 1e-12, "nothing at all");
}

static void say(gscale_system *s, const char *name, double val, double err,
                gscale_origin o)
{
  const gscale_param p = {
      .val = val, .err = err, .origin = o, .source = "a test"};
  gscale_system_set(s, gscale_param_find(name), &p, NULL);
}

static gscale_system *machine(double start)
{
  gscale_system *s = gscale_system_new("m");
  gscale_curve c = {.n = 4, .x = {1, 2, 3, 9}, .y = {1, 3, 1.5, 0.9}};

  gscale_system_set_link(s, gscale_link_find("nvlink3"), NULL);
  say(s, "device.membw", 0.8e12, 8e9, GSCALE_MEASURED);
  say(s, "device.start", start, 0.1e-6, GSCALE_MEASURED);
  say(s, "host.launch", 3e-6, 0.1e-6, GSCALE_MEASURED);
  say(s, "copy.efficiency", 0.9, 0.1, GSCALE_ASSUMED);
  gscale_system_set_membw_curve(s, &c, NULL);
  return s;
}

static void numbers(const gscale_sheet *old, const gscale_sheet *new,
                    const gscale_trials *t)
{
  gscale_system *a = machine(1e-6), *b = machine(4e-6);
  gscale_origin_machine of[] = {{a, old, true, true}, {b, old, true, false}};
  gscale_param p = {0};

  gsl_test(!gscale_project_number(gscale_param_find("device.membw"), of, 2, new,
                                  1, t, &p),
           "bandwidth");
  gsl_test_rel(p.val, 2e12, 1e-12, "0.8 of the sheet, as there");
  gsl_test_int((int)p.origin, GSCALE_PROJECTED, "projected");
  gscale_project_number(gscale_param_find("device.start"), of, 2, new, 1, t,
                        &p);
  gsl_test_rel(p.val, 2e-6, 1e-12, "the geometric mean of two");
  const double sigma =
      gscale_trials_error(t, gscale_param_find("device.start"), false, NULL);
  gsl_test_rel(p.err, 2e-6 * sqrt((0.01 + 0.000625) / 2 / 2 + sigma * sigma),
               1e-9, "theirs, and of the rule");
  gscale_project_number(gscale_param_find("copy.efficiency"), of, 2, new, 1, t,
                        &p);
  gsl_test_int((int)p.origin, GSCALE_ASSUMED, "assumed there, assumed here");
  gsl_test(
      gscale_project_number(gscale_param_find("cdp.gap"), of, 2, new, 1, t, &p),
      "nobody knows it");
  gsl_test(gscale_project_number(gscale_param_find("device.l1"), of, 2, new, 1,
                                 t, &p),
           "the sheet does not say it");
  gscale_system_free(a);
  gscale_system_free(b);
}

/* The cache's bandwidth grows with SMs and clock by 1.68, that of the memory by
 * 2.5: 3 times the memory's becomes 2.016 times.  1.5 there is as many hits as
 * 1.3377 here. */
static void curves(const gscale_sheet *old, const gscale_sheet *new,
                   const gscale_trials *t)
{
  static const bool nothing[GSCALE_PARAMS_MAX];
  gscale_system *a = machine(1e-6), *s = gscale_system_new("s");
  const gscale_origin_machine of = {a, old, true, true};
  gscale_diag diag = {{0}};

  gscale_system_set_link(s, gscale_link_find("nvlink3"), NULL);
  gsl_test_int((int)gscale_project(s, &of, 1, new, t, nothing, &diag),
               GSCALE_OK, "a machine: %s", diag.text);
  const gscale_curve *c = gscale_system_about(s).membw;
  gsl_test_rel(c->y[0], 1.68 / 2.5, 1e-9, "small footprints");
  gsl_test_rel(c->y[1], 3 * 1.68 / 2.5, 1e-9, "in the cache");
  gsl_test_rel(c->y[2], 1 / (0.5 / 2.016 + 0.5), 1e-9, "half of it hits");
  gsl_test_rel(c->y[3], 0.9, 1e-9, "beyond");
  gsl_test_rel(gscale_system_get(s, gscale_param_find("device.sms"))->val, 70,
               1e-12, "of the sheet");
  const gscale_origin_machine host = {a, old, false, true};
  gsl_test_int((int)gscale_project(s, &host, 1, new, t, nothing, &diag),
               GSCALE_ENEED, "nobody gives the GPU");
  gscale_system_free(a);
  gscale_system_free(s);
}

static void mistakes(void)
{
  static const char *const text[] = {
      "device,entry,value,source\nx,weight,3,a\n",
      "device,entry,value,source\nx,sms,3,a\nx,sms,4,a\n",
      "device,entry,value,source\nx,membw,3 GB,a\n"};
  static const char *const said[] = {"no entry 'weight'", "sms is said twice",
                                     "membw"};
  gscale_sheets *s = NULL;
  gscale_diag diag;

  for (size_t i = 0; i < 3; i++) {
    gsl_test(gscale_sheets_read(write_text("bad.csv", text[i]), &s, &diag) ==
                 GSCALE_OK,
             "mistake %zu is seen", i);
    gsl_test(!strstr(diag.text, said[i]) || !strstr(diag.text, "bad.csv:"),
             "mistake %zu: %s", i, diag.text);
  }
  remove("bad.csv");
}

int main(void)
{
  gscale_sheets *sheets = NULL;
  gscale_trials *trials = NULL;
  gscale_diag diag = {{0}};

  gsl_test((int)gscale_sheets_read(write_text("sheets.csv", sheets_text),
                                   &sheets, &diag),
           "sheets: %s", diag.text);
  gsl_test((int)gscale_trials_read(write_text("trials.csv", trials_text),
                                   &trials, &diag),
           "trials: %s", diag.text);
  const gscale_sheet *old = gscale_sheets_find(sheets, "old"),
                     *new = gscale_sheets_find(sheets, "new");
  rules(old, new);
  errors(trials);
  numbers(old, new, trials);
  curves(old, new, trials);
  mistakes();
  gscale_trials_free(trials);
  gscale_sheets_free(sheets);
  remove("sheets.csv");
  remove("trials.csv");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
