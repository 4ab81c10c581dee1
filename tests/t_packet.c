/* t_packet.c - packet.c against the formats and every row of its table. */

#include "gpuscale/all.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
      {"pcie6", 128e9},
      {"pcie7", 256e9},
      {"nvlink1", 80e9},
      {"nvlink2", 154.6875e9},
      {"nvlink3", 300e9},
      {"nvlink4", 450e9},
      {"nvlink5", 900e9},
      {"pcie3x8", 7.876923076923077e9},
      {"pcie4x8", 15.753846153846154e9},
      {"pcie5x8", 31.507692307692308e9},
      {"pcie3-root", 15.753846153846154e9},
      {"pcie4-root", 31.507692307692308e9},
      {"pcie5-root", 63.015384615384615e9},
      {"pcie3-acs", 15.753846153846154e9},
      {"pcie4-acs", 31.507692307692308e9},
      {"pcie5-acs", 63.015384615384615e9},
      {"nvlink1x1", 20e9},
      {"nvlink2x1", 25.78125e9},
      {"nvlink2x2", 51.5625e9},
      {"nvlink3x4", 100e9},
      {"nvlink4x12", 300e9},
  };
  const size_t n = sizeof row / sizeof *row;

  for (size_t i = 0; i < n; i++) {
    const gscale_link *l = gscale_link_find(row[i].name);
    gsl_test(!l, "%s exists", row[i].name);
    if (l) gsl_test_rel(l->rate, row[i].rate, 1e-14, "%s rate", row[i].name);
  }
  size_t all = 0, between = 0; /* those are in t_network.c */
  for (; gscale_link_at(all); all++)
    between += gscale_link_between(gscale_link_at(all));
  gsl_test_int((int)(all - between), (int)n + 1, "all links tested");
  gsl_test(!isnan(gscale_link_find("raw")->rate), "raw has no rate");
  gsl_test_rel(
      gscale_goodput(gscale_link_find("pcie4-root"), GSCALE_COPY, 4096, false),
      64.0 / 88.0, 1e-12, "a root complex cuts peers' packets");
  gsl_test_rel(gscale_link_find("pcie4-acs")->hop, 230e-9, 1e-12,
               "twice through the switch more");
  gsl_test(gscale_link_find("pcie9") != NULL, "unknown link");
  gsl_test(gscale_link_at(all + 1) != NULL, "past the end");
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
  gsl_test_rel(goodput("nvlink1", 4, false), 4.0 / 48, 1e-15,
               "a word of 4 B fills no flit of data: masked");
  gsl_test_rel(goodput("nvlink2", 96, false), 96.0 / 112, 1e-15, "full 96 B");
  gsl_test_rel(goodput("nvlink2", 96, true), 0.75, 1e-15, "masked 96 B");
  gsl_test_rel(copied("nvlink1", 256), 16.0 / 17, 1e-15, "nvlink1 copy");
  gsl_test_rel(copied("nvlink3", 256), 16.0 / 17, 1e-15, "nvlink3 copy");
  gsl_test_rel(copied("nvlink4", 256), 16.0 / 18, 1e-15, "nvlink4 copy");
  gsl_test_rel(copied("nvlink5", 256), 16.0 / 18, 1e-15, "nvlink5 copy");
  gsl_test_rel(goodput("nvlink4", 64, false), 0.8, 1e-15, "nvlink4 64 B");
  gsl_test_rel(goodput("nvlink4", 128, false), 8.0 / 9, 1e-15, "nvlink4 128 B");
  gsl_test_rel(goodput("nvlink4", 128, true), 0.8, 1e-15, "nvlink4 masked");
  for (int gen = 3; gen <= 5; gen += 2) {
    char name[] = "nvlink0";
    name[6] = (char)('0' + gen);
    gsl_test_rel(goodput(name, 128, false), 0.8, 1e-15, "%s 128 B", name);
    gsl_test_rel(goodput(name, 128, true), 0.8, 1e-15, "%s masked", name);
    gsl_test_rel(goodput(name, 4, true), 4.0 / 48, 1e-15, "%s 4 B", name);
  }
}

/* A store's goodput on a link with other options or extra flits. */
static double varied(const char *name, double payload, bool ecrc,
                     bool short_address, double bytes, bool masked)
{
  gscale_link l = *gscale_link_find(name);
  const gscale_link_options o = {payload, 0, ecrc, short_address};

  gsl_test_int((int)gscale_link_change(&l, &o, NULL), GSCALE_OK, "%s changed",
               name);
  return gscale_goodput(&l, GSCALE_COPY, bytes, masked);
}

/* The sheet prints four decimals. */
static void printed(double got, double want, const char *what, double bytes)
{
  gsl_test_abs(got, want, 0.5e-4 + 1e-12, "%s, %g B", what, bytes);
}

static void pcie_sheet(void)
{
  static const double size[] = {4, 8, 16, 32, 64, 128, 256, 512, 4096};
  static const double row[5][9] = {
      {.1429, .2500, .4000, .5714, .7273, .8421, .9143, .9552, .9942},
      {.1667, .2857, .4444, .6154, .7619, .8649, .9275, .9624, .9951},
      {.1250, .2222, .3636, .5333, .6957, .8205, .9014, .9481, .9932},
      {.1844, .3073, .4609, .6146, .7375, .8194, .8676, .8939, .9183},
      {.1536, .2634, .4097, .5673, .7024, .7973, .8551, .8872, .9174},
  };

  for (int i = 0; i < 9; i++) {
    printed(varied("pcie4", 4096, false, false, size[i], false), row[0][i],
            "64-bit address", size[i]);
    printed(varied("pcie1", 4096, false, true, size[i], false), row[1][i],
            "32-bit address", size[i]);
    printed(varied("pcie5", 4096, true, false, size[i], false), row[2][i],
            "with ECRC", size[i]);
    printed(varied("pcie6", 4096, false, false, size[i], false), row[3][i],
            "flit mode", size[i]);
    printed(varied("pcie7", 4096, false, false, size[i], true), row[4][i],
            "flit mode, byte enables", size[i]);
  }
}

static void pcie_rates_sheet(void)
{
  /* GB/s on 16 lanes, three digits as printed. */
  static const double size[] = {4, 8, 16, 32, 64, 128, 256, 512, 4096};
  static const double row[7][9] = {
      {.571, 1, 1.6, 2.29, 2.91, 3.37, 3.66, 3.82, 3.98},
      {1.14, 2, 3.2, 4.57, 5.82, 6.74, 7.31, 7.64, 7.95},
      {2.25, 3.94, 6.3, 9, 11.5, 13.3, 14.4, 15, 15.7},
      {4.5, 7.88, 12.6, 18, 22.9, 26.5, 28.8, 30.1, 31.3},
      {9, 15.8, 25.2, 36, 45.8, 53.1, 57.6, 60.2, 62.6},
      {23.6, 39.3, 59, 78.7, 94.4, 105, 111, 114, 118},
      {47.2, 78.7, 118, 157, 189, 210, 222, 229, 235},
  };

  for (int gen = 1; gen <= 7; gen++)
    for (int i = 0; i < 9; i++) {
      char name[] = "pcie0";
      name[4] = (char)('0' + gen);
      const double got = gscale_link_find(name)->rate / 1e9 *
                         varied(name, 4096, false, false, size[i], false);
      gsl_test_rel(got, row[gen - 1][i], 0.006, "%s %g B: %g GB/s", name,
                   size[i], row[gen - 1][i]);
      char three[16];
      snprintf(three, sizeof three, "%.3g", got);
      gsl_test_abs(atof(three), row[gen - 1][i], 1e-9, "%s %g B to the digit",
                   name, size[i]);
    }
}

static void nvlink_sheet(void)
{
  /* header only; + address extension; + byte enables; the same with data in
   * sectors of 32 B; both extensions */
  static const double size[] = {4, 8, 16, 32, 64, 96, 128, 256};
  static const struct {
    const char *what;
    double extra, unit, goodput[8];
  } row[] = {
      {"full", 0, 16, {.1250, .2500, .5, .6667, .8, .8571, .8889, .9412}},
      {"+AE", 16, 16, {.0833, .1667, .3333, .5, .6667, .75, .8, .8889}},
      {"+BE", 16, 16, {.0833, .1667, .3333, .5, .6667, .75, .8, -1}},
      {"+BE, sectors", 16, 32, {.0625, .125, .25, .5, .6667, .75, .8, -1}},
      {"+AE+BE", 32, 16, {.0625, .125, .25, .4, .5714, .6667, .7273, -1}},
  };

  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 8; i++) {
      gscale_link l = *gscale_link_find("nvlink1");
      l.copy_extra = row[k].extra;
      l.unit = row[k].unit;
      if (row[k].goodput[i] > 0)
        printed(gscale_goodput(&l, GSCALE_COPY, size[i], false),
                row[k].goodput[i], row[k].what, size[i]);
    }
}

static void alignment(void)
{
  /* 8 B from byte 2 of a word: 3 words, one packet: 24 + 12.  128 B from byte
   * 64 of a 128 B payload: two packets: 48 + 128. */
  const gscale_link *l = gscale_link_find("pcie4");

  gsl_test_rel(gscale_wire_bytes_at(l, GSCALE_STORE, 2, 8, false), 36, 1e-15,
               "8 B across three words");
  gsl_test_rel(gscale_wire_bytes_at(l, GSCALE_STORE, 64, 128, false), 176,
               1e-15, "128 B across two packets");
  gsl_test_rel(gscale_wire_bytes_at(l, GSCALE_STORE, 0, 300, false),
               gscale_wire_bytes(l, GSCALE_STORE, 300, false), 0, "offset 0");
  gsl_test(!isnan(gscale_wire_bytes_at(l, GSCALE_STORE, 128, 1, false)),
           "offset beyond a payload");
  gsl_test(!isnan(gscale_wire_bytes_at(l, GSCALE_STORE, -1, 1, false)),
           "offset < 0");
}

static void options(void)
{
  gscale_link l = *gscale_link_find("pcie4");
  gscale_diag why;
  gscale_link_options o = {.lanes = 8};

  gsl_test_int((int)gscale_link_change(&l, &o, &why), GSCALE_OK, "8 lanes");
  gsl_test_rel(l.rate, gscale_link_find("pcie4")->rate / 2, 1e-15, "half");
  o.lanes = 16;
  gsl_test_int((int)gscale_link_change(&l, &o, &why), GSCALE_EDOMAIN, "%s",
               why.text);
  o = (gscale_link_options){.payload = 300};
  gsl_test_int((int)gscale_link_change(&l, &o, &why), GSCALE_EDOMAIN, "%s",
               why.text);
  l = *gscale_link_find("nvlink3");
  o = (gscale_link_options){.ecrc = true};
  gsl_test_int((int)gscale_link_change(&l, &o, &why), GSCALE_EDOMAIN, "%s",
               why.text);
  o = (gscale_link_options){.payload = 64, .lanes = 6};
  gsl_test_int((int)gscale_link_change(&l, &o, &why), GSCALE_OK, "nvlink");
  gsl_test_rel(gscale_goodput(&l, GSCALE_STORE, 128, false), 128.0 / 192, 1e-15,
               "two packets of 64 B");
}

static void mixtures(void)
{
  /* Half of the stores 4 B, half 128 B, on nvlink4: 66 B mean; 48 + 144 B on
   * the wire for 132; on pcie 28 + 152. */
  const gscale_stores s = {2, {4, 128}, {0.5, 0.5}, {false, false}};
  const gscale_stores wide = {1, {256}, {1}, {false}};

  gsl_test_rel(gscale_stores_mean(&s), 66, 1e-15, "mean");
  gsl_test_rel(gscale_stores_ratio(&s, gscale_link_find("nvlink4")),
               192.0 / 132, 1e-14, "nvlink: small stores are masked");
  gsl_test_rel(gscale_stores_ratio(&s, gscale_link_find("nvlink1")),
               (48.0 + 144) / 132, 1e-14, "nvlink1: only those");
  gsl_test_rel(gscale_stores_ratio(&s, gscale_link_find("pcie3")), 180.0 / 132,
               1e-14, "pcie");
  gsl_test_rel(gscale_stores_packets(&s, gscale_link_find("pcie3"), INFINITY),
               1.0 / 66, 1e-14, "a packet each");
  gsl_test_rel(gscale_stores_packets(&s, gscale_link_find("pcie3"), 64),
               0.5 / 66, 1e-14, "but one that fills a line");
  gsl_test_rel(
      gscale_stores_packets(&wide, gscale_link_find("pcie3"), INFINITY),
      2.0 / 256, 1e-14, "two packets of 128 B");
  gsl_test_rel(gscale_stores_wide(&s, gscale_link_find("pcie3"), INFINITY),
               0.5 / 66, 1e-14, "one of them of a wide word");
  gsl_test_abs(gscale_stores_wide(&s, gscale_link_find("pcie3"), 64), 0, 0,
               "which fills a line");
}

/* Single words of 8 B, as data/h200x2/micro/store.csv has them. */
static void words(void)
{
  const gscale_stores word = {1, {8}, {1}, {false}};

  gsl_test_rel(gscale_stores_ratio(&word, gscale_link_find("nvlink4")), 4,
               1e-15, "nvlink4: 8 B in two flits");
  gsl_test_rel(gscale_stores_ratio(&word, gscale_link_find("nvlink2")), 6,
               1e-15, "nvlink2: and one of byte enables");
  gsl_test(!gscale_store_masked(gscale_link_find("nvlink4"), 4), "4 B");
  gsl_test(gscale_store_masked(gscale_link_find("pcie5"), 4),
           "PCIe: in the header");
}

static void laws(void)
{
  for (size_t i = 0; gscale_link_at(i); i++) {
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

static void packet_counts(void)
{
  const gscale_link *l = gscale_link_find("pcie4");

  gsl_test_abs(gscale_packets_at(l, GSCALE_STORE, 0, 300), 3, 0, "300 B: 3");
  gsl_test_abs(gscale_packets_at(l, GSCALE_COPY, 0, 300), 2, 0, "copied: 2");
  gsl_test_abs(gscale_packets_at(l, GSCALE_STORE, 127, 2), 2, 0, "across: 2");
  gsl_test_abs(gscale_packets_at(l, GSCALE_STORE, 7, 0), 0, 0, "nothing: 0");
  gsl_test_abs(gscale_packets_at(gscale_link_find("raw"), GSCALE_COPY, 9, 1e9),
               1, 0, "raw: 1");
  gsl_test(!isnan(gscale_packets_at(l, GSCALE_STORE, 128, 4)), "offset");
  gsl_test(!isnan(gscale_packets_at(l, GSCALE_STORE, -1, 4)), "below 0");
  gsl_test(!isnan(gscale_packets_at(l, GSCALE_STORE, 0, -4)), "bytes below 0");
  gsl_test(!isnan(gscale_packets_at(l, GSCALE_ACCESS_END, 0, 4)), "access");
}

int main(void)
{
  packet_counts();
  published();
  rates();
  pcie_sizes();
  nvlink_sizes();
  pcie_sheet();
  pcie_rates_sheet();
  nvlink_sheet();
  alignment();
  options();
  mixtures();
  words();
  laws();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
