/* trace.c - options, the trace's file, and the run of a program.
 *
 * The file is little endian: a head of 32 B, "gscaletr", version, GPUs, number
 * of records (0: until the end), 0; then records of 16 B, see record in
 * machine.h, in the order in which they are issued. */

#define _XOPEN_SOURCE 700 /* realpath() */

#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *me = "trace";
static char *unfinished; /* a file that goes if the program ends early */
static bool refuted;     /* a check failed */

/* ---- the end ------------------------------------------------------------- */

void quit(int status, const char *fmt, ...)
{
  va_list args;

  if (unfinished) unlink(unfinished);
  fprintf(stderr, "%s: ", me);
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fputc('\n', stderr);
  exit(status);
}

static void interrupted(int signal_number)
{
  if (unfinished) unlink(unfinished);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void catch_signals(void)
{
  static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (signal(numbers[i], interrupted) == SIG_IGN) signal(numbers[i], SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* too large a file is a failed write, */
  signal(SIGPIPE, SIG_IGN); /* and so is a closed pipe */
}

void *need(size_t n, size_t size)
{
  void *p = calloc(n ? n : 1, size);
  if (!p) quit(EXIT_INTERNAL, "no memory");
  return p;
}

void check(bool holds, const char *claim, double value)
{
  printf("%s  %s: %.6g\n", holds ? "ok  " : "FAIL", claim, value);
  if (!holds) refuted = true;
}

/* ---- files, whole or not at all ------------------------------------------ */

typedef struct file {
  FILE *f;
  const char *name; /* to show */
  char *path;       /* it will have; NULL: written in place */
} file;

static char *text_of(const char *first, const char *second)
{
  char *text = need(strlen(first) + strlen(second) + 1, 1);
  return strcat(strcpy(text, first), second);
}

/* The file that a link leads to. */
static char *target_of(const char *path)
{
  char *real = realpath(path, NULL);
  return real ? real : text_of(path, "");
}

/* Nobody is left to read about a closed pipe. */
static _Noreturn void quit_io(const char *name)
{
  if (errno == EPIPE) exit(EXIT_IO);
  quit(EXIT_IO, "%.200s: %s", name, strerror(errno));
}

/* Its own mode, or what is usual for a new one. */
static int open_beside(const char *path, const struct stat *old)
{
  const mode_t mask = umask(0);
  int fd;

  umask(mask);
  unfinished = text_of(path, ".XXXXXX");
  fd = mkstemp(unfinished);
  if (fd < 0) {
    free(unfinished);
    unfinished = NULL;
  } else if (fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask) != 0) {
    return -1;
  }
  return fd;
}

/* `path` NULL or "-": standard output. */
static file file_open(const char *path)
{
  file out = {.f = stdout, .name = path};
  struct stat old;
  int fd;

  if (!path || strcmp(path, "-") == 0) {
    out.name = "standard output";
    return out;
  }
  const bool exists = stat(path, &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    quit_io(path);
  }
  if (exists && access(path, W_OK) != 0) quit_io(path);
  if (exists && !S_ISREG(old.st_mode)) { /* a device, a pipe */
    out.f = fopen(path, "wb");
  } else {
    out.path = target_of(path);
    fd = open_beside(out.path, exists ? &old : NULL);
    out.f = fd < 0 ? NULL : fdopen(fd, "wb");
  }
  if (!out.f) quit_io(path);
  return out;
}

static void file_close(file *out)
{
  if (ferror(out->f) || fflush(out->f) != 0) quit_io(out->name);
  if (out->f != stdout && fclose(out->f) != 0) quit_io(out->name);
  if (!out->path) return;
  if (rename(unfinished, out->path) != 0) quit_io(out->name);
  free(unfinished);
  free(out->path);
  unfinished = NULL;
}

/* ---- records ------------------------------------------------------------- */

enum {
  HEAD = 32,
  RECORD = 16,
  RECORDS_AT = 16 /* in the head */
};

struct sink {
  file out;
  bool csv;
  uint64_t records;
};

static void put(unsigned char *at, uint64_t value, int bytes)
{
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static void write_bytes(sink *s, const void *bytes, size_t n)
{
  if (fwrite(bytes, 1, n, s->out.f) != n) quit_io(s->out.name);
}

static void write_head(sink *s, int gpus)
{
  unsigned char head[HEAD] = "gscaletr";

  if (s->csv) {
    fputs("gpu,kind,address,size_B,dst,group\n", s->out.f);
    return;
  }
  put(head + 8, 1, 4);
  put(head + 12, (uint64_t)gpus, 4);
  write_bytes(s, head, sizeof head);
}

static void write_csv(sink *s, const record *r)
{
  static const char *const kind[] = {"store",  "load",  "atomic",
                                     "system", "fence", "phase"};
  char dst[8] = "all";

  if (r->dst != ALL) snprintf(dst, sizeof dst, "%u", r->dst);
  if (fprintf(s->out.f, "%u,%s,%llu,%u,%s,%lu\n", r->gpu, kind[r->kind],
              (unsigned long long)r->address, r->size, dst,
              (unsigned long)r->group) < 0)
    quit_io(s->out.name);
}

void sink_write(sink *s, const record *r)
{
  unsigned char bytes[RECORD];

  s->records++;
  if (s->csv) {
    write_csv(s, r);
    return;
  }
  put(bytes, r->address, 8);
  put(bytes + 8, r->group, 4);
  bytes[12] = r->size;
  bytes[13] = r->gpu;
  bytes[14] = r->dst;
  bytes[15] = r->kind;
  write_bytes(s, bytes, sizeof bytes);
}

/* What could be a pipe leaves the number of records open. */
static void sink_close(sink *s)
{
  unsigned char records[8];

  if (s->out.path && !s->csv) {
    put(records, s->records, 8);
    if (fseek(s->out.f, RECORDS_AT, SEEK_SET) != 0) quit_io(s->out.name);
    write_bytes(s, records, sizeof records);
  }
  file_close(&s->out);
}

/* ---- options ------------------------------------------------------------- */

typedef enum mode {
  TRACE,
  COUNT,
  CHECK
} mode;

enum {
  GPUS,
  SEED,
  INPUT,
  RESIDENT,
  COMMON
};
static const choice common[COMMON] = {
    {"gpus", "GPUs", 4, 1, GPUS_MAX},
    {"seed", "seed of the order in which blocks and warps run", 1, 0, LONG_MAX},
    {"input", "seed of the input", 1, 0, LONG_MAX},
    {"resident", "blocks that a GPU runs at a time", 64, 1, 65536},
};

typedef struct options {
  choice own[CHOICES_MAX], common[COMMON];
  mode mode;
  bool in_order, loads, touches, csv, help;
  const char *output;
} options;

static void print_choices(const choice *c, size_t n)
{
  for (size_t i = 0; i < n && c[i].name; i++)
    printf("  --%-12s%s [%ld]\n", c[i].name, c[i].help, c[i].value);
}

static void print_help(const program *p)
{
  printf("usage: %s [OPTION]...\n\n%s.\n\noptions, of numbers\n", p->name,
         p->summary);
  print_choices(p->choices, CHOICES_MAX);
  print_choices(common, COMMON);
  fputs("others\n"
        "  --order O     of blocks and warps: in-order or shuffled [shuffled]\n"
        "  --loads       also the loads of what other GPUs make\n"
        "  --touches     the first of these in each 4 KiB and kernel\n"
        "  --csv         the trace as CSV\n"
        "  --count       no trace: facts that are counted, as CSV\n"
        "  --check       no trace: is the result right?\n"
        "  -o FILE       write to FILE, whole or not at all; -: standard "
        "output [-]\n",
        stdout);
}

static choice *find_choice(choice *c, size_t n, const char *option)
{
  for (size_t i = 0; i < n && c[i].name; i++)
    if (strncmp(option, "--", 2) == 0 && strcmp(c[i].name, option + 2) == 0)
      return &c[i];
  return NULL;
}

static void choose(choice *c, const char *text)
{
  char *end;

  errno = 0;
  const long v = strtol(text, &end, 10);
  if (end == text || *end || errno || v < c->least || v > c->most)
    quit(EXIT_USAGE, "--%s: '%.100s' is not a whole number from %ld to %ld",
         c->name, text, c->least, c->most);
  c->value = v;
}

static void choose_order(options *o, const char *text)
{
  o->in_order = strcmp(text, "in-order") == 0;
  if (!o->in_order && strcmp(text, "shuffled") != 0)
    quit(EXIT_USAGE, "--order: '%.100s' is neither in-order nor shuffled",
         text);
}

static void set_mode(options *o, mode new)
{
  if (o->mode != TRACE && o->mode != new)
    quit(EXIT_USAGE, "either --count or --check");
  o->mode = new;
}

/* True if `word` is an option without a value. */
static bool take_flag(options *o, const char *word)
{
  if (strcmp(word, "--loads") == 0)
    o->loads = true;
  else if (strcmp(word, "--touches") == 0)
    o->loads = o->touches = true;
  else if (strcmp(word, "--csv") == 0)
    o->csv = true;
  else if (strcmp(word, "--count") == 0)
    set_mode(o, COUNT);
  else if (strcmp(word, "--check") == 0)
    set_mode(o, CHECK);
  else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    o->help = true;
  else
    return false;
  return true;
}

/* An option and its value: `word` is -o, --name or --name=value; true if the
 * value is `next`. */
static bool take_value(options *o, const char *word, const char *next)
{
  const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
  const char *value = equals ? equals + 1 : next;
  char name[32];

  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  choice *c = find_choice(o->own, CHOICES_MAX, name);
  if (!c) c = find_choice(o->common, COMMON, name);
  const bool order = strcmp(name, "--order") == 0;
  if (!c && !order && strcmp(word, "-o") != 0)
    quit(EXIT_USAGE, "no option '%.100s'; see --help", word);
  if (!value) quit(EXIT_USAGE, "%s needs a value", word);
  if (c)
    choose(c, value);
  else if (order)
    choose_order(o, value);
  else
    o->output = value;
  return !equals;
}

static void check_options(const options *o)
{
  if (o->mode == CHECK && o->output)
    quit(EXIT_USAGE, "--check writes no file: leave -o out");
  if (o->mode != TRACE && (o->csv || o->loads))
    quit(EXIT_USAGE, "--csv and --loads are for traces");
  if (o->mode == TRACE && !o->csv && !o->output && isatty(STDOUT_FILENO))
    quit(EXIT_USAGE, "a trace is not for terminals: -o FILE or --csv");
}

static void parse(options *o, const program *p, int argc, char **argv)
{
  memcpy(o->own, p->choices, sizeof o->own);
  memcpy(o->common, common, sizeof o->common);
  for (int i = 1; i < argc; i++) {
    if (!take_flag(o, argv[i]) && take_value(o, argv[i], argv[i + 1])) i++;
  }
  if (!o->help) check_options(o);
}

/* ---- the run ------------------------------------------------------------- */

static void iterate(const program *p, void *self, machine *m, const options *o)
{
  const int iterations = (int)o->own[1].value;

  for (int i = 1; i <= iterations; i++) {
    if (m->count) count_iteration(m->count);
    p->iterate(self, m);
    if (o->mode == CHECK) p->verify(self, i, i == iterations);
  }
}

static void run(const program *p, const options *o)
{
  const long *chosen[COMMON];
  sink out = {.csv = o->csv};

  for (int i = 0; i < COMMON; i++) chosen[i] = &o->common[i].value;
  machine m = {.gpus = (int)*chosen[GPUS],
               .shuffled = !o->in_order,
               .resident = (uint32_t)*chosen[RESIDENT],
               .random = {(uint64_t)*chosen[SEED]},
               .end = ARRAYS_AT,
               .loads = o->loads};
  rng input = {(uint64_t)*chosen[INPUT]};
  if (o->mode == COUNT) m.count = count_new(m.gpus);
  void *self = p->prepare(&m, o->own, &input);
  if (o->touches) note_touches(&m);

  if (o->mode != CHECK) out.out = file_open(o->output);
  if (o->mode == TRACE) {
    m.sink = &out;
    write_head(&out, m.gpus);
  }
  iterate(p, self, &m, o);
  p->dispose(self);
  if (o->mode == COUNT) count_print(m.count, out.out.f);
  if (o->mode == COUNT) file_close(&out.out);
  if (o->mode == TRACE) sink_close(&out);
  count_free(m.count);
  free(m.touched);
}

int trace_main(const program *p, int argc, char **argv)
{
  options o = {.mode = TRACE};

  me = p->name;
  catch_signals();
  parse(&o, p, argc, argv);
  if (o.help)
    print_help(p);
  else
    run(p, &o);
  if (fflush(stdout) != 0 || ferror(stdout)) quit_io("standard output");
  return refuted ? EXIT_NO : EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
