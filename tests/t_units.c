/* t_units.c - units.c and status.c: every unit, every refusal, any locale. */

#include "ground/ground.h"

#include <errno.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------- */

static const struct {
  const char *text;
  gscale_dim dim;
  double factor;
} all[] = {
    {"", GSCALE_COUNT, 1.0},
    {"%", GSCALE_COUNT, 0.01},
    {"ps", GSCALE_TIME, 1e-12},
    {"ns", GSCALE_TIME, 1e-9},
    {"us", GSCALE_TIME, 1e-6},
    {"ms", GSCALE_TIME, 1e-3},
    {"s", GSCALE_TIME, 1.0},
    {"min", GSCALE_TIME, 60.0},
    {"h", GSCALE_TIME, 3600.0},
    {"B", GSCALE_BYTES, 1.0},
    {"kB", GSCALE_BYTES, 1e3},
    {"MB", GSCALE_BYTES, 1e6},
    {"GB", GSCALE_BYTES, 1e9},
    {"TB", GSCALE_BYTES, 1e12},
    {"PB", GSCALE_BYTES, 1e15},
    {"KiB", GSCALE_BYTES, 1024.0},
    {"MiB", GSCALE_BYTES, 1048576.0},
    {"GiB", GSCALE_BYTES, 1073741824.0},
    {"TiB", GSCALE_BYTES, 1099511627776.0},
    {"B/s", GSCALE_BYTERATE, 1.0},
    {"kB/s", GSCALE_BYTERATE, 1e3},
    {"MB/s", GSCALE_BYTERATE, 1e6},
    {"GB/s", GSCALE_BYTERATE, 1e9},
    {"TB/s", GSCALE_BYTERATE, 1e12},
    {"PB/s", GSCALE_BYTERATE, 1e15},
    {"KiB/s", GSCALE_BYTERATE, 1024.0},
    {"MiB/s", GSCALE_BYTERATE, 1048576.0},
    {"GiB/s", GSCALE_BYTERATE, 1073741824.0},
    {"TiB/s", GSCALE_BYTERATE, 1099511627776.0},
    {"flop", GSCALE_FLOP, 1.0},
    {"kflop", GSCALE_FLOP, 1e3},
    {"Mflop", GSCALE_FLOP, 1e6},
    {"Gflop", GSCALE_FLOP, 1e9},
    {"Tflop", GSCALE_FLOP, 1e12},
    {"Pflop", GSCALE_FLOP, 1e15},
    {"flop/s", GSCALE_FLOPRATE, 1.0},
    {"kflop/s", GSCALE_FLOPRATE, 1e3},
    {"Mflop/s", GSCALE_FLOPRATE, 1e6},
    {"Gflop/s", GSCALE_FLOPRATE, 1e9},
    {"Tflop/s", GSCALE_FLOPRATE, 1e12},
    {"Pflop/s", GSCALE_FLOPRATE, 1e15},
    {"1/s", GSCALE_RATE, 1.0},
    {"k/s", GSCALE_RATE, 1e3},
    {"M/s", GSCALE_RATE, 1e6},
    {"G/s", GSCALE_RATE, 1e9},
    {"fs/B", GSCALE_TIME_PER_BYTE, 1e-15},
    {"ps/B", GSCALE_TIME_PER_BYTE, 1e-12},
    {"ns/B", GSCALE_TIME_PER_BYTE, 1e-9},
    {"us/B", GSCALE_TIME_PER_BYTE, 1e-6},
    {"s/B", GSCALE_TIME_PER_BYTE, 1.0},
    {"mW", GSCALE_POWER, 1e-3},
    {"W", GSCALE_POWER, 1.0},
    {"kW", GSCALE_POWER, 1e3},
    {"MW", GSCALE_POWER, 1e6},
    {"uJ", GSCALE_ENERGY, 1e-6},
    {"mJ", GSCALE_ENERGY, 1e-3},
    {"J", GSCALE_ENERGY, 1.0},
    {"kJ", GSCALE_ENERGY, 1e3},
    {"MJ", GSCALE_ENERGY, 1e6},
    {"pJ/B", GSCALE_ENERGY_PER_BYTE, 1e-12},
    {"nJ/B", GSCALE_ENERGY_PER_BYTE, 1e-9},
    {"uJ/B", GSCALE_ENERGY_PER_BYTE, 1e-6},
    {"J/B", GSCALE_ENERGY_PER_BYTE, 1.0},
};

enum {
  ALL = sizeof all / sizeof all[0]
};

static double parse(const char *text, gscale_dim dim)
{
  double x = -12345.0;
  gsl_test_int((int)gscale_parse_quantity(text, dim, &x, NULL), GSCALE_OK,
               "parse: '%s' is accepted", text);
  return x;
}

static void every_unit(void)
{
  for (size_t i = 0; i < ALL; i++) {
    char apart[32], joined[32];
    const char *const digits = "73.0193";
    snprintf(apart, sizeof apart, "%s \t%s", digits, all[i].text);
    gsl_test_rel(parse(apart, all[i].dim), 73.0193 * all[i].factor, 1e-15,
                 "parse: %s apart", all[i].text);

    if (strcmp(all[i].text, "1/s") == 0) continue; /* 73.01931/s */
    snprintf(joined, sizeof joined, "%s%s", digits, all[i].text);
    gsl_test_rel(parse(joined, all[i].dim), 73.0193 * all[i].factor, 1e-15,
                 "parse: %s joined", all[i].text);
  }
}

static void every_unit_elsewhere(void)
{
  for (size_t i = 1; i < ALL; i++) {
    char text[32];
    snprintf(text, sizeof text, "73.0193 %s", all[i].text);
    for (int dim = 0; dim < GSCALE_DIM_END; dim++) {
      double x = 0.625;
      if (dim == (int)all[i].dim) continue;
      gsl_test_int((int)gscale_parse_quantity(text, (gscale_dim)dim, &x, NULL),
                   GSCALE_EUNIT, "parse: %s is not of dimension %d", text, dim);
      gsl_test_abs(x, 0.625, 0.0, "parse: output untouched");
    }
  }
}

static void numbers(void)
{
  gsl_test_abs(parse("2.5 us", GSCALE_TIME), 2.5e-6, 0.0,
               "number: one rounding");
  gsl_test_abs(parse("7.3 ns", GSCALE_TIME), 7.3e-9, 0.0,
               "number: one rounding");
  gsl_test_abs(parse("+4.5e2GB/s", GSCALE_BYTERATE), 450e9, 0.0,
               "number: sign and exponent");
  gsl_test_abs(parse("-1.25E-3", GSCALE_COUNT), -1.25e-3, 0.0,
               "number: negative, capital exponent");
  gsl_test_abs(parse("0", GSCALE_BYTERATE), 0.0, 0.0, "number: a bare 0");
  gsl_test_abs(parse("0.00", GSCALE_TIME), 0.0, 0.0, "number: a bare 0.00");
  gsl_test_abs(parse("1e-400", GSCALE_COUNT), 0.0, 0.0, "number: underflow");
  gsl_test(parse("4.9406564584124654e-324", GSCALE_COUNT) != 0x1p-1074,
           "number: the smallest"); /* gsl_test_abs fails for subnormals */
  gsl_test_abs(parse("1.7976931348623157e308 s", GSCALE_TIME),
               1.7976931348623157e308, 0.0, "number: the largest");
  gsl_test_abs(parse("12345678901234567890123456789 B", GSCALE_BYTES),
               12345678901234567890123456789.0, 0.0, "number: many digits");
}

static const struct {
  const char *text;
  gscale_dim dim;
  gscale_status status;
  const char *why;
} refused[] = {
    {"450 Gb/s", GSCALE_BYTERATE, GSCALE_EUNIT,
     "'450 Gb/s': unknown unit 'Gb/s'; there are B/s, kB/s, MB/s, GB/s, TB/s, "
     "PB/s, KiB/s, MiB/s, GiB/s, "
     "TiB/s"},
    {"450", GSCALE_BYTERATE, GSCALE_EUNIT,
     "'450': no unit; expected e.g. GB/s"},
    {"450", GSCALE_TIME, GSCALE_EUNIT, "'450': no unit; expected e.g. us"},
    {"450", GSCALE_BYTES, GSCALE_EUNIT, "'450': no unit; expected e.g. KiB"},
    {"450", GSCALE_FLOP, GSCALE_EUNIT, "'450': no unit; expected e.g. Gflop"},
    {"450", GSCALE_FLOPRATE, GSCALE_EUNIT,
     "'450': no unit; expected e.g. Tflop/s"},
    {"450", GSCALE_RATE, GSCALE_EUNIT, "'450': no unit; expected e.g. M/s"},
    {"450", GSCALE_TIME_PER_BYTE, GSCALE_EUNIT,
     "'450': no unit; expected e.g. ps/B"},
    {"450 GB", GSCALE_BYTERATE, GSCALE_EUNIT,
     "'450 GB': a size where a rate (B/s) is needed"},
    {"450 GB/s", GSCALE_BYTES, GSCALE_EUNIT,
     "'450 GB/s': a rate where a size (B) is needed"},
    {"3 Mflop", GSCALE_FLOPRATE, GSCALE_EUNIT,
     "'3 Mflop': a number of operations where a speed (flop/s) is needed"},
    {"3 Mflop/s", GSCALE_FLOP, GSCALE_EUNIT,
     "'3 Mflop/s': a speed where a number of operations (flop) is needed"},
    {"3 ps/B", GSCALE_TIME, GSCALE_EUNIT,
     "'3 ps/B': a time per byte where a time (s) is needed"},
    {"3 h", GSCALE_TIME_PER_BYTE, GSCALE_EUNIT,
     "'3 h': a time where a time per byte (s/B) is needed"},
    {"3 %", GSCALE_RATE, GSCALE_EUNIT,
     "'3 %': a count or fraction where a frequency (1/s) is needed"},
    {"3 k/s", GSCALE_COUNT, GSCALE_EUNIT,
     "'3 k/s': a frequency where a count or fraction is needed"},
    {"0 Gb", GSCALE_BYTES, GSCALE_EUNIT,
     "'0 Gb': unknown unit 'Gb'; there are B, kB, MB, GB, TB, PB, KiB, MiB, "
     "GiB, TiB"},
    {"1e GB", GSCALE_BYTES, GSCALE_EUNIT,
     "'1e GB': unknown unit 'e GB'; there are B, kB, MB, GB, TB, PB, KiB, MiB, "
     "GiB, TiB"},
    {"1 GB ", GSCALE_BYTES, GSCALE_EUNIT,
     "'1 GB ': unknown unit 'GB '; there are B, kB, MB, GB, TB, PB, KiB, MiB, "
     "GiB, TiB"},
    {"", GSCALE_BYTES, GSCALE_EPARSE, "'': not a finite decimal number"},
    {" 1 B", GSCALE_BYTES, GSCALE_EPARSE,
     "' 1 B': not a finite decimal number"},
    {"GB", GSCALE_BYTES, GSCALE_EPARSE, "'GB': not a finite decimal number"},
    {"-", GSCALE_COUNT, GSCALE_EPARSE, "'-': not a finite decimal number"},
    {".5", GSCALE_COUNT, GSCALE_EPARSE, "'.5': not a finite decimal number"},
    {"5.", GSCALE_COUNT, GSCALE_EPARSE, "'5.': not a finite decimal number"},
    {"1,5 s", GSCALE_TIME, GSCALE_EPARSE,
     "'1,5 s': not a finite decimal number"},
    {"1_000", GSCALE_COUNT, GSCALE_EPARSE,
     "'1_000': not a finite decimal number"},
    {"1'000", GSCALE_COUNT, GSCALE_EPARSE,
     "'1'000': not a finite decimal number"},
    {"1.2.3", GSCALE_COUNT, GSCALE_EPARSE,
     "'1.2.3': not a finite decimal number"},
    {"nan", GSCALE_COUNT, GSCALE_EPARSE, "'nan': not a finite decimal number"},
    {"inf", GSCALE_COUNT, GSCALE_EPARSE, "'inf': not a finite decimal number"},
    {"0x10", GSCALE_COUNT, GSCALE_EPARSE,
     "'0x10': not a finite decimal number"},
    {"1e999", GSCALE_COUNT, GSCALE_EPARSE,
     "'1e999': not a finite decimal number"},
    {"1e300 PB", GSCALE_BYTES, GSCALE_EPARSE, "'1e300 PB': too large"},
    {"1", GSCALE_DIM_END, GSCALE_EDOMAIN, "no dimension 11"},
};

static void refusals(void)
{
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    double x = 0.625;
    gscale_diag diag = {""};
    gsl_test_int(
        (int)gscale_parse_quantity(refused[i].text, refused[i].dim, &x, &diag),
        (int)refused[i].status, "refuse: status of '%s'", refused[i].text);
    gsl_test_str(diag.text, refused[i].why, "refuse: words");
    gsl_test_abs(x, 0.625, 0.0, "refuse: output untouched");
  }
}

static void long_text_is_cut(void)
{
  char text[100000];
  double x;
  gscale_diag diag = {""};
  memset(text, 'x', sizeof text);
  text[0] = '1';
  text[sizeof text - 1] = '\0';
  gscale_parse_quantity(text, GSCALE_BYTES, &x, &diag);
  gsl_test_int(
      (int)strlen(diag.text),
      60 + 60 +
          (int)strlen("'': unknown unit ''; there are B, kB, MB, GB, TB, "
                      "PB, KiB, MiB, GiB, TiB"),
      "refuse: a long text is cut");
}

static void number_alone(void)
{
  const char *const text = "-6.25e1GB";
  const char *end = NULL;
  double x = 0.0;
  gsl_test_int((int)gscale__parse_number(text, &end, &x), GSCALE_OK,
               "number: status");
  gsl_test_abs(x, -62.5, 0.0, "number: value");
  gsl_test_str(end, "GB", "number: end");
  gsl_test_int((int)gscale__parse_number("e5", &end, &x), GSCALE_EPARSE,
               "number: none");
  gsl_test_str(end, "GB", "number: end untouched");
}

/* ---- writing ------------------------------------------------------------- */

static const struct {
  double si;
  gscale_dim dim;
  const char *text;
} written[] = {
    {449.6e9, GSCALE_BYTERATE, "449.6 GB/s"},
    {449.64e9, GSCALE_BYTERATE, "449.6 GB/s"},
    {4.8e12, GSCALE_BYTERATE, "4.8 TB/s"},
    {64.0, GSCALE_BYTERATE, "64 B/s"},
    {65536.0, GSCALE_BYTERATE, "65.54 kB/s"},
    {0.25, GSCALE_BYTERATE, "0.25 B/s"},
    {2e18, GSCALE_BYTERATE, "2000 PB/s"},
    {2.31e-6, GSCALE_TIME, "2.31 us"},
    {2.3114e-3, GSCALE_TIME, "2.311 ms"},
    {187e-9, GSCALE_TIME, "187 ns"},
    {3e-13, GSCALE_TIME, "0.0003 ns"},
    {7200.4, GSCALE_TIME, "7200 s"},
    {86400.0, GSCALE_TIME, "86400 s"},
    {1.23456e9, GSCALE_TIME, "1.235e+09 s"},
    {0.9999e-3, GSCALE_TIME, "999.9 us"},
    {0.99996e-3, GSCALE_TIME, "1 ms"},
    {-2.31e-6, GSCALE_TIME, "-2.31 us"},
    {0.0, GSCALE_TIME, "0 ns"},
    {-0.0, GSCALE_TIME, "0 ns"},
    {65536.0, GSCALE_BYTES, "64 KiB"},
    {1024.0, GSCALE_BYTES, "1 KiB"},
    {1024000.0, GSCALE_BYTES, "1000 KiB"},
    {1.5 * 0x1p30, GSCALE_BYTES, "1.5 GiB"},
    {80.0 * 0x1p40, GSCALE_BYTES, "80 TiB"},
    {1264197632.0, GSCALE_BYTES, "1.177 GiB"},
    {10e9, GSCALE_BYTES, "10 GB"},
    {141e9, GSCALE_BYTES, "141 GB"},
    {1e15, GSCALE_BYTES, "1 PB"},
    {1000.0, GSCALE_BYTES, "1 kB"},
    {48.0, GSCALE_BYTES, "48 B"},
    {0.0, GSCALE_BYTES, "0 B"},
    {67e12, GSCALE_FLOPRATE, "67 Tflop/s"},
    {2.5e9, GSCALE_FLOP, "2.5 Gflop"},
    {3.3e7, GSCALE_RATE, "33 M/s"},
    {5.0, GSCALE_RATE, "5 1/s"},
    {2.2e-12, GSCALE_TIME_PER_BYTE, "2.2 ps/B"},
    {4e-17, GSCALE_TIME_PER_BYTE, "0.04 fs/B"},
    {0.8312, GSCALE_COUNT, "0.8312"},
    {1.23456e-5, GSCALE_COUNT, "1.235e-05"},
    {16384.0, GSCALE_COUNT, "16384"},
    {2e6, GSCALE_COUNT, "2e+06"},
    {NAN, GSCALE_TIME, "-"},
    {NAN, GSCALE_BYTES, "-"},
    {INFINITY, GSCALE_BYTERATE, "inf PB/s"},
    {-INFINITY, GSCALE_COUNT, "-inf"},
    {INFINITY, GSCALE_BYTES, "inf PB"},
    {1.0, GSCALE_DIM_END, "-"},
};

static void formats(void)
{
  for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
    char buf[64];
    gscale_format_quantity(written[i].si, written[i].dim, buf, sizeof buf);
    gsl_test_str(buf, written[i].text, "format: %.6g of dimension %d",
                 written[i].si, (int)written[i].dim);
  }
}

static void format_cuts(void)
{
  char buf[8] = "1234567";
  gscale_format_quantity(449.6e9, GSCALE_BYTERATE, buf, 6);
  gsl_test_str(buf, "449.6", "format: cut to the buffer");
  gsl_test_int(buf[6], '7', "format: nothing beyond the buffer");
  gscale_format_quantity(449.6e9, GSCALE_BYTERATE, NULL, 0);
}

/* Whatever is written is read back within half of the fourth digit. */
static void round_trip(void)
{
  gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 20260131);
  for (int i = 0; i < 4000; i++) {
    const gscale_dim dim = (gscale_dim)(i % GSCALE_DIM_END);
    const double x = pow(10.0, -9.0 + 24.0 * gsl_rng_uniform(rng));
    const double si = dim == GSCALE_BYTES && i % 3 == 0 ? 1024 * ceil(x) : x;
    char buf[64];
    gscale_format_quantity(si, dim, buf, sizeof buf);
    gsl_test_rel(parse(buf, dim), si, 5.1e-4, "format: %.17g and back", si);
  }
  gsl_rng_free(rng);
}

/* ---- locales ------------------------------------------------------------- */

/* Puts the process into a locale with a decimal comma: the system's, or one
 * that is compiled into `dir`.  False if there is neither. */
static bool decimal_comma(const char *dir)
{
  char command[640];
  if (setlocale(LC_ALL, "de_DE.UTF-8")) return true;
  snprintf(command, sizeof command,
           "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >%s/log 2>&1", dir,
           dir);
  if (system(command) != 0) return false;
  setenv("LOCPATH", dir, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void same_with_comma(void)
{
  char buf[64];
  double x;
  gscale_diag diag = {""};

  snprintf(buf, sizeof buf, "%.1f", 2.5);
  gsl_test_str(buf, "2,5", "locale: the process has a decimal comma");

  formats();
  numbers();
  refusals();
  gscale__fail(&diag, GSCALE_OK, "%.2f", 1.75);
  gsl_test_str(diag.text, "1.75", "locale: diag");
  gsl_test_int((int)gscale_parse_quantity("2,5 us", GSCALE_TIME, &x, NULL),
               GSCALE_EPARSE, "locale: 2,5 stays refused");

  snprintf(buf, sizeof buf, "%.1f", 2.5);
  gsl_test_str(buf, "2,5", "locale: the process keeps it");
}

static void locales(void)
{
  const char *const tmp = getenv("TMPDIR");
  char dir[256], command[300];
  snprintf(dir, sizeof dir, "%s/t_units.XXXXXX", tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) {
    gsl_test(1, "locale: a directory in %s", tmp ? tmp : "/tmp");
    return;
  }
  if (decimal_comma(dir)) same_with_comma();
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  gsl_test_int(system(command), 0, "locale: directory removed");
}

static void thread_locale_is_kept(void)
{
  const locale_t mine = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const locale_t before = uselocale(mine);
  parse("2.5 us", GSCALE_TIME);
  gscale__fail(&(gscale_diag){""}, GSCALE_OK, "%g", 2.5);
  gsl_test(uselocale(before) != mine, "locale: the thread's own is kept");
  freelocale(mine);
}

/* ---- status -------------------------------------------------------------- */

static void status_words(void)
{
  for (int a = 0; a < GSCALE_STATUS_END; a++) {
    const char *const text = gscale_strerror((gscale_status)a);
    gsl_test(!text || !*text, "strerror: %d has words", a);
    for (int b = 0; b < a; b++)
      gsl_test(strcmp(text, gscale_strerror((gscale_status)b)) == 0,
               "strerror: %d and %d differ", a, b);
  }
  gsl_test_str(gscale_strerror(GSCALE_OK), "success", "strerror: OK");
  gsl_test_str(gscale_strerror(GSCALE_ENOMEM), "out of memory",
               "strerror: ENOMEM");
  gsl_test_str(gscale_strerror(GSCALE_STATUS_END), "unknown status",
               "strerror: past the last");
  gsl_test_str(gscale_strerror((gscale_status)-1), "unknown status",
               "strerror: before the first");
}

static void origin_names(void)
{
  static const char *const names[] = {"spec",    "measured", "projected",
                                      "assumed", "counted",  "derived",
                                      "fitted",  "inherited"};
  for (int i = 0; i < GSCALE_ORIGIN_END; i++)
    gsl_test_str(gscale_name(GSCALE_ORIGIN_NAMES, (gscale_origin)i), names[i],
                 "origin: %d", i);
  gsl_test(gscale_name(GSCALE_ORIGIN_NAMES, GSCALE_ORIGIN_END) != NULL,
           "origin: past the last");
  gsl_test(gscale_name(GSCALE_ORIGIN_NAMES, (gscale_origin)-1) != NULL,
           "origin: before the first");
}

static void failing(void)
{
  gscale_diag diag = {"kept"};
  char text[1000];
  errno = ENOSPC;

  gsl_test_int((int)gscale__fail(NULL, GSCALE_EDATA, "%d", 1), GSCALE_EDATA,
               "fail: no diag");
  gsl_test_int(
      (int)gscale__fail(&diag, GSCALE_ENEED, "x: %s %d", diag.text, 37),
      GSCALE_ENEED, "fail: returns its status");
  gsl_test_str(diag.text, "x: kept 37", "fail: the old text as an argument");
  gsl_test_int(errno, ENOSPC, "fail: errno is kept");

  memset(text, 'y', sizeof text);
  text[sizeof text - 1] = '\0';
  gscale__fail(&diag, GSCALE_EDATA, "%s", text);
  gsl_test_int((int)strlen(diag.text), GSCALE_TEXT_MAX - 1, "fail: cut");
}

static void digits(void)
{
  static const struct {
    double si;
    gscale_dim dim;
    int digits;
    const char *text;
  } of[] = {
      {4106842879360.644, GSCALE_BYTERATE, 6, "4.10684 TB/s"},
      {1.5365599849999996e-06, GSCALE_TIME, 6, "1.53656 us"},
      {4.8709445149573525e-13, GSCALE_TIME_PER_BYTE, 6, "487.094 fs/B"},
      {6877212588.5705585, GSCALE_RATE, 6, "6.87721 G/s"},
      {0.96860306704419097, GSCALE_COUNT, 6, "0.968603"},
      {0.96860306704419097, GSCALE_COUNT, 0, "0.968603067044191"},
      {0.0, GSCALE_TIME, 6, "0 ns"},
      {0.0, GSCALE_COUNT, 0, "0"},
      {268435456.0, GSCALE_BYTES, 0, "256 MiB"},
      {10e9, GSCALE_BYTES, 0, "10 GB"},
      {4.0, GSCALE_BYTES, 0, "4 B"},
      {2048.0, GSCALE_COUNT, 0, "2048"},
      {154.6875e9, GSCALE_BYTERATE, 0, "154.6875 GB/s"},
      {-1.5e-6, GSCALE_TIME, 6, "-1.5 us"},
      {HUGE_VAL, GSCALE_TIME, 6, "-"},
      {(double)NAN, GSCALE_TIME, 0, "-"},
      {1.0, GSCALE_DIM_END, 6, "-"},
  };
  char buf[64];

  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    gscale_format_digits(of[i].si, of[i].dim, of[i].digits, buf, sizeof buf);
    gsl_test_str(buf, of[i].text, "digits: %.6g", of[i].si);
  }
  gscale_format_digits(449.6e9, GSCALE_BYTERATE, 6, buf, 4);
  gsl_test_str(buf, "449", "digits: cut to the buffer");
}

/* Any number, in any dimension: the same bits, or six digits of them. */
static void digits_and_back(void)
{
  gsl_rng *const r = gsl_rng_alloc(gsl_rng_mt19937);
  int other = 0;
  double worst = 0.0;
  char buf[64];

  for (int i = 0; i < 20000; i++) {
    const gscale_dim dim = (gscale_dim)gsl_rng_uniform_int(r, GSCALE_DIM_END);
    const double si = pow(10.0, 36.0 * gsl_rng_uniform(r) - 18.0);

    double back = 0.0;

    gscale_format_digits(si, dim, 0, buf, sizeof buf);
    gscale_parse_quantity(buf, dim, &back, NULL);
    other += back < si || back > si;
    gscale_format_digits(si, dim, 6, buf, sizeof buf);
    gscale_parse_quantity(buf, dim, &back, NULL);
    worst = fmax(worst, fabs(back / si - 1.0));
  }
  gsl_rng_free(r);
  gsl_test_int(other, 0, "digits: the same bits");
  gsl_test(worst > 5.0000001e-6, "digits: six of them, worst %g", worst);
}

int main(void)
{
  every_unit();
  every_unit_elsewhere();
  numbers();
  refusals();
  long_text_is_cut();
  number_alone();
  formats();
  format_cuts();
  digits();
  digits_and_back();
  round_trip();
  locales();
  thread_locale_is_kept();
  status_words();
  origin_names();
  failing();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
