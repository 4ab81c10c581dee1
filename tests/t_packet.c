/* t_packet.c - packet.c against the formats and every row of its table. */

#include "gpuscale.h"

#include <gsl/gsl_test.h>
#include <math.h>

static double goodput(const char *link, double bytes, bool masked)
{
  return gscale_goodput(gscale_link_find(link), GSCALE_STORE, bytes, masked);
}

static double copied(const char *link, double bytes)
{
  return gscale_goodput(gscale_link_find(link), GSCALE_COPY, bytes, false);
}

static void published(void)
{
  /* [Proact21] fig. 2: 4 B stores, 14 % on PCIe and 8 % on NVLink; from the
   * formats: 4/28 and, header + byte enables + data, 4/48. */
  gsl_test_rel(goodput("pcie3", 4, false), 4.0 / 28.0, 1e-15, "pcie 4 B");
  gsl_test_abs(goodput("pcie3", 4, false), 0.14, 0.005, "pcie 4 B: 14 %%");
  gsl_test_rel(goodput("nvlink1", 4, true), 4.0 / 48.0, 1e-15, "nvlink 4 B");
  gsl_test_abs(goodput("nvlink1", 4, true), 0.08, 0.005, "nvlink 4 B: 8 %%");
}

static void rates(void)
{
  /* 16 lanes after line coding, and links x rate of one link. */
  static const struct {
    const char *name;
    double rate;
  } row[] = {
      {"pcie1", 4e9},
      {"pcie2", 8e9},
      {"pcie3", 15.753846153846154e9},
      {"pcie4", 31.507692307692308e9},
      {"pcie5", 63.015384615384615e9},
      {"nvlink1", 80e9},
      {"nvlink2", 154.6875e9},
      {"nvlink3", 300e9},
      {"nvlink4", 450e9},
      {"nvlink5", 900e9},
  };
  const size_t n = sizeof row / sizeof *row;

  for (size_t i = 0; i < n; i++) {
    const gscale_link *l = gscale_link_find(row[i].name);
    gsl_test(!l, "%s exists", row[i].name);
    if (l) gsl_test_rel(l->rate, row[i].rate, 1e-14, "%s rate", row[i].name);
  }
  gsl_test_int((int)gscale_link_count(), (int)n + 1, "all links tested");
  gsl_test(!isnan(gscale_link_find("raw")->rate), "raw has no rate");
  gsl_test(gscale_link_find("pcie9") != NULL, "unknown link");
  gsl_test(gscale_link_at(gscale_link_count()) != NULL, "past the end");
}

static void pcie_sizes(void)
{
  /* s/(s+24), generations 1 to 5 alike; 256 B payloads for copies, 128 B for
   * stores: 300 B = 3 packets = 372 B on the wire as stores, 348 as a copy. */
  static const double size[] = {8, 16, 32, 64, 128};

  for (int gen = 1; gen <= 5; gen++) {
    char name[] = "pcie0";
    name[4] = (char)('0' + gen);
    for (size_t i = 0; i < 5; i++)
      gsl_test_rel(goodput(name, size[i], false), size[i] / (size[i] + 24),
                   1e-15, "%s %g B", name, size[i]);
    const gscale_link *l = gscale_link_find(name);
    gsl_test_rel(gscale_wire_bytes(l, GSCALE_STORE, 300, false), 372, 1e-15,
                 "%s 300 B as stores", name);
    gsl_test_rel(gscale_wire_bytes(l, GSCALE_COPY, 300, false), 348, 1e-15,
                 "%s 300 B as a copy", name);
    gsl_test_rel(gscale_wire_bytes(l, GSCALE_STORE, 5, true), 32, 1e-15,
                 "%s 5 B take two words", name);
    gsl_test_rel(copied(name, 1e9), 256.0 / 280.0, 1e-6, "%s long copy", name);
  }
}

static void nvlink_sizes(void)
{
  /* Flits of 16 B: header + data, + byte enables as packet.c's rule says. */
  gsl_test_rel(goodput("nvlink1", 4, false), 0.125, 1e-15, "header only, 4 B");
  gsl_test_rel(goodput("nvlink2", 96, false), 96.0 / 112, 1e-15, "full 96 B");
  gsl_test_rel(goodput("nvlink2", 96, true), 0.75, 1e-15, "masked 96 B");
  gsl_test_rel(copied("nvlink1", 256), 16.0 / 17, 1e-15, "nvlink1 copy");
  gsl_test_rel(copied("nvlink3", 256), 16.0 / 17, 1e-15, "nvlink3 copy");
  gsl_test_rel(copied("nvlink4", 256), 16.0 / 18, 1e-15, "nvlink4 copy");
  gsl_test_rel(copied("nvlink5", 256), 16.0 / 18, 1e-15, "nvlink5 copy");
  for (int gen = 3; gen <= 5; gen++) {
    char name[] = "nvlink0";
    name[6] = (char)('0' + gen);
    gsl_test_rel(goodput(name, 128, false), 0.8, 1e-15, "%s 128 B", name);
    gsl_test_rel(goodput(name, 128, true), 0.8, 1e-15, "%s masked", name);
    gsl_test_rel(goodput(name, 4, true), 4.0 / 48, 1e-15, "%s 4 B", name);
  }
}

static void laws(void)
{
  for (size_t i = 0; i < gscale_link_count(); i++) {
    const gscale_link *l = gscale_link_at(i);
    double before = 0.0;
    int falls = 0, above_one = 0;
    for (double b = 1; b < 5000; b += 7) {
      const double wire = gscale_wire_bytes(l, GSCALE_STORE, b, true);
      falls += wire < before;
      above_one += gscale_goodput(l, GSCALE_COPY, b, false) > 1.0;
      before = wire;
    }
    gsl_test_int(falls, 0, "%s: more bytes, not less wire", l->name);
    gsl_test_int(above_one, 0, "%s: goodput at most 1", l->name);
    gsl_test_abs(gscale_wire_bytes(l, GSCALE_COPY, 0, false), 0, 0,
                 "%s: nothing costs nothing", l->name);
    gsl_test(!isnan(gscale_wire_bytes(l, GSCALE_COPY, -1, false)),
             "%s: negative", l->name);
    gsl_test(!isnan(gscale_wire_bytes(l, GSCALE_ACCESS_END, 1, false)),
             "%s: access", l->name);
    gsl_test(!isnan(gscale_goodput(l, GSCALE_COPY, 0, false)), "%s: 0/0",
             l->name);
  }
  gsl_test_rel(goodput("raw", 3.7, true), 1.0, 0, "raw has no framing");
}

int main(void)
{
  published();
  rates();
  pcie_sizes();
  nvlink_sizes();
  laws();
  return gsl_test_summary();
}
