/* records.c - records of a run, where each distinct description is stored
 * once. */

#include "import/profile/profile.h"

#include <stdlib.h>
#include <string.h>

gscale_status gscale__unread(gscale__reading *r, gscale_status st,
                             const char *fmt, ...)
{
  char text[GSCALE_TEXT_MAX];
  va_list args;

  va_start(args, fmt);
  gscale__vprint(text, sizeof text, fmt, args);
  va_end(args);
  return gscale__fail(r->diag, st, "%.100s: %.200s", r->path, text);
}

gscale_status gscale__record_lost(gscale__reading *r)
{
  return gscale__unread(r, GSCALE_ENOMEM, "no memory for its records");
}

gscale_recorded_what gscale__nothing(gscale_recorded_kind kind)
{
  return (gscale_recorded_what){.kind = kind,
                                .process = -1,
                                .thread = -1,
                                .gpu = -1,
                                .stream = -1,
                                .src = -1,
                                .dst = -1,
                                .name = ""};
}

gscale_recorded_copy gscale__copy_in(const char *name)
{
  return strstr(name, "HtoD")   ? GSCALE_RECORDED_H2D
         : strstr(name, "DtoH") ? GSCALE_RECORDED_D2H
         : strstr(name, "PtoP") ? GSCALE_RECORDED_P2P
         : strstr(name, "DtoD") ? GSCALE_RECORDED_D2D
                                : GSCALE_RECORDED_OTHER;
}

void gscale__note(gscale_recording *p, const char *fmt, ...)
{
  char text[sizeof *p->note];
  va_list args;

  va_start(args, fmt);
  gscale__vprint(text, sizeof text, fmt, args);
  va_end(args);
  for (size_t i = 0; i < p->notes; i++)
    if (strcmp(p->note[i], text) == 0) return;
  void *const v =
      gscale_reserve(p->note, &p->note_room, p->notes + 1, sizeof *p->note);
  if (!v) return;
  p->note = v;
  memcpy(p->note[p->notes++], text, sizeof text);
}

/* Returns the FNV-1a hash of bytes. */
static uint64_t hash(const void *at, size_t size)
{
  const unsigned char *const c = at;
  uint64_t h = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++) h = (h ^ c[i]) * 0x100000001b3;
  return h ^ h >> 29;
}

static void put_slot(gscale__set *s, uint64_t h, uint32_t index)
{
  size_t i = (size_t)h & (s->slots - 1);
  while (s->slot[i]) i = (i + 1) & (s->slots - 1);
  s->slot[i] = index + 1;
}

/* Grows a set, at most half full, for one more item.  `of` is the hash of an
 * item by index. */
static bool grow(gscale__set *s, uint64_t (*of)(const void *p, size_t i),
                 const void *p)
{
  if (2 * (s->n + 1) <= s->slots) return true;
  const size_t slots = s->slots ? 2 * s->slots : 256;
  uint32_t *const slot = calloc(slots, sizeof *slot);
  if (!slot) return false;
  free(s->slot);
  s->slot = slot;
  s->slots = slots;
  for (size_t i = 0; i < s->n; i++) put_slot(s, of(p, i), (uint32_t)i);
  return true;
}

static uint64_t hash_name(const void *of, size_t i)
{
  const gscale_recording *p = of;
  return hash(p->name[i], strlen(p->name[i]));
}

static uint64_t hash_what(const void *of, size_t i)
{
  const gscale_recording *p = of;
  return hash(&p->what[i], sizeof *p->what);
}

static uint64_t hash_id(const void *of, size_t i)
{
  const gscale__ids *v = of;
  return hash(v->key[i], sizeof v->key[i]);
}

const char *gscale__intern(gscale_recording *p, const char *text)
{
  const size_t size = strlen(text);
  if (!grow(&p->name_set, hash_name, p)) return NULL;
  const uint64_t h = hash(text, size);
  const gscale__set *const s = &p->name_set;
  for (size_t i = (size_t)h & (s->slots - 1); s->slot[i];
       i = (i + 1) & (s->slots - 1))
    if (strcmp(p->name[s->slot[i] - 1], text) == 0)
      return p->name[s->slot[i] - 1];
  void *const v =
      gscale_reserve(p->name, &p->name_room, p->names + 1, sizeof *p->name);
  if (!v) return NULL;
  p->name = v;
  char *const copy = malloc(size + 1);
  if (!copy) return NULL;
  p->name[p->names] = memcpy(copy, text, size + 1);
  put_slot(&p->name_set, h, (uint32_t)p->names++);
  p->name_set.n++;
  return copy;
}

const char *gscale__intern_range(gscale_recording *p, const char *text)
{
  char plain[128];
  size_t n = 0;
  for (const char *c = text; *c && n + 1 < sizeof plain; c++) {
    const bool digit = *c >= '0' && *c <= '9';
    if (digit && n > 0 && plain[n - 1] == '#') continue;
    plain[n++] = digit ? '#' : *c;
  }
  plain[n] = '\0';
  return gscale__intern(p, plain);
}

/* Returns x, or 0 if x is no valid count. */
static double counted(double x)
{
  return isfinite(x) && x > 0.0 ? x : 0.0;
}

/* Returns the index of a description, or UINT32_MAX if there is no memory. */
static uint32_t intern_what(gscale_recording *p, const gscale_recorded_what *w)
{
  gscale_recorded_what key;
  memset(&key, 0, sizeof key); /* also clears padding */
  key.kind = w->kind, key.copy = w->copy, key.pageable = w->pageable;
  key.process = w->process, key.thread = w->thread;
  key.gpu = w->gpu, key.stream = w->stream;
  key.src = w->src, key.dst = w->dst, key.ranks = w->ranks;
  key.name = w->name, key.bytes = counted(w->bytes);
  key.blocks = counted(w->blocks), key.threads = counted(w->threads);
  key.registers = counted(w->registers), key.shared = counted(w->shared);
  if (!grow(&p->what_set, hash_what, p)) return UINT32_MAX;
  const uint64_t h = hash(&key, sizeof key);
  const gscale__set *const s = &p->what_set;
  for (size_t i = (size_t)h & (s->slots - 1); s->slot[i];
       i = (i + 1) & (s->slots - 1))
    if (memcmp(&p->what[s->slot[i] - 1], &key, sizeof key) == 0)
      return s->slot[i] - 1;
  void *const v =
      gscale_reserve(p->what, &p->what_room, p->whats + 1, sizeof *p->what);
  if (!v) return UINT32_MAX;
  p->what = v;
  memcpy(&p->what[p->whats], &key, sizeof key);
  put_slot(&p->what_set, h, (uint32_t)p->whats++);
  p->what_set.n++;
  return (uint32_t)p->whats - 1;
}

int gscale__id(gscale__ids *v, int64_t a, int64_t b)
{
  const int64_t key[] = {a, b};
  const uint64_t h = hash(key, sizeof key);
  if (!grow(&v->set, hash_id, v)) return -1;
  for (size_t s = (size_t)h & (v->set.slots - 1), i; v->set.slot[s];
       s = (s + 1) & (v->set.slots - 1)) {
    i = v->set.slot[s] - 1;
    if (memcmp(v->key[i], key, sizeof key) == 0) return (int)i;
  }
  void *const at = gscale_reserve(v->key, &v->room, v->n + 1, sizeof *v->key);
  if (!at) return -1;
  v->key = at;
  memcpy(v->key[v->n], key, sizeof key);
  put_slot(&v->set, h, (uint32_t)v->n);
  v->set.n++;
  return (int)v->n++;
}

int64_t gscale__pair(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a << 32 | ((uint64_t)b & UINT32_MAX));
}

static int64_t clamp_time(int64_t ns)
{
  const int64_t most = (int64_t)1 << 61;
  return ns > most ? most : ns < -most ? -most : ns;
}

static bool has_duration(gscale_recorded_kind k)
{
  return k != GSCALE_RECORDED_EVENT && k != GSCALE_RECORDED_WAIT &&
         k != GSCALE_RECORDED_SYNC;
}

bool gscale__record(gscale_recording *p, const gscale_recorded_what *w,
                    int64_t start, int64_t end, uint32_t correlation)
{
  const bool other = w->kind > GSCALE_RECORDED_MEMSET;
  p->seen[other] += has_duration(w->kind);
  if (has_duration(w->kind) && (start == INT64_MIN || end < start)) {
    p->damaged[other]++;
    return true;
  }
  const uint32_t what = w->name ? intern_what(p, w) : UINT32_MAX;
  void *const v =
      gscale_reserve(p->record, &p->room, p->n + 1, sizeof *p->record);
  if (v) p->record = v;
  if (what == UINT32_MAX || !v) return false;
  p->record[p->n++] = (gscale_recorded_record){
      clamp_time(start), clamp_time(end), what, correlation};
  return true;
}

/* Returns true if another process of the file uses the same GPU number.  The
 * number then means a different GPU for each process. */
static bool is_shared(const gscale_recording *p, int process, int raw)
{
  for (size_t i = 0; i < p->gpu.n; i++)
    if (p->gpu.key[i][0] != process && p->gpu.key[i][1] == raw &&
        p->process.key[p->gpu.key[i][0]][0] == p->process.key[process][0])
      return true;
  return false;
}

static int gpu_of(const gscale_recording *p, int process, int raw)
{
  for (size_t i = 0; i < p->gpu.n; i++)
    if (p->gpu.key[i][0] == process && p->gpu.key[i][1] == raw) return (int)i;
  return -1;
}

/* Returns the other GPU of a copy if the process, or a single process of the
 * file, uses this GPU. */
static int partner_of(const gscale_recording *p, int process, int raw)
{
  const int own = gpu_of(p, process, raw);
  if (own >= 0 || raw < 0) return own;
  for (size_t i = 0; i < p->gpu.n; i++)
    if (p->gpu.key[i][1] == raw && !is_shared(p, (int)p->gpu.key[i][0], raw))
      return (int)i;
  return -1;
}

static bool on_gpu(const gscale_recorded_what *w)
{
  return w->kind <= GSCALE_RECORDED_MEMSET && w->gpu >= 0;
}

/* Returns true if GPU a comes before GPU b in the order of files, numbers and
 * processes. */
static bool before(const gscale_recording *p, int a, int b)
{
  const int64_t *const x = p->gpu.key[a], *const y = p->gpu.key[b];
  const int64_t *const of_x = p->process.key[x[0]], *const of_y =
                                                        p->process.key[y[0]];
  const int64_t key[] = {of_x[0] - of_y[0], x[1] - y[1], of_x[1] - of_y[1]};
  return key[0] != 0 ? key[0] < 0 : key[1] != 0 ? key[1] < 0 : key[2] < 0;
}

static int rank_of(const gscale_recording *p, int gpu)
{
  int rank = 0;
  for (int i = 0; gpu >= 0 && i < (int)p->gpu.n; i++) rank += before(p, i, gpu);
  return gpu < 0 ? -1 : rank;
}

/* Returns the GPU of a stream's context, which is the high half of the stream's
 * key. */
static int gpu_of_context(const gscale_recording *p,
                          const gscale_recorded_what *w)
{
  for (size_t i = 0; w->stream >= 0 && i < p->whats; i++) {
    const gscale_recorded_what *const o = &p->what[i];
    if (on_gpu(o) && o->process == w->process && o->stream >= 0 &&
        p->stream.key[o->stream][1] >> 32 == p->stream.key[w->stream][1] >> 32)
      return o->gpu;
  }
  return -1;
}

static void number(gscale_recording *p, gscale_recorded_what *w)
{
  w->src = rank_of(p, partner_of(p, w->process, w->src));
  w->dst = rank_of(p, partner_of(p, w->process, w->dst));
  w->gpu = rank_of(p, gpu_of(p, w->process, w->gpu));
  if (w->copy == GSCALE_RECORDED_P2P && w->src >= 0 && w->src == w->dst)
    w->copy = GSCALE_RECORDED_D2D;
}

static gscale_status number_gpus(gscale_recording *p, gscale_diag *diag)
{
  for (size_t i = 0; i < p->whats; i++)
    if (on_gpu(&p->what[i]) &&
        gscale__id(&p->gpu, p->what[i].process, p->what[i].gpu) < 0)
      return gscale__fail(diag, GSCALE_ENOMEM, "no memory for GPUs");
  p->gpus = (int)p->gpu.n;
  if (p->gpus > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "%d GPUs: more than %d", p->gpus,
                        GSCALE__GPUS_MAX);
  for (size_t i = 0; i < p->whats; i++)
    if (on_gpu(&p->what[i])) number(p, &p->what[i]);
  for (size_t i = 0; i < p->whats; i++) {
    gscale_recorded_what *const w = &p->what[i];
    if (w->kind <= GSCALE_RECORDED_MEMSET) continue;
    const int known = rank_of(p, gpu_of(p, w->process, w->gpu));
    w->gpu = known >= 0 ? known : gpu_of_context(p, w);
  }
  return GSCALE_OK;
}

/* Returns true for names of communication kernels of NCCL, RCCL, NVSHMEM,
 * PyTorch's symmetric memory, vLLM, FlashInfer, TensorRT-LLM and DeepEP. */
static bool communicates(const gscale_recorded_what *w)
{
  static const char *const words[] = {"nccl",
                                      "rccl",
                                      "nvshmem",
                                      "multimem_",
                                      "one_shot_all",
                                      "two_shot_all",
                                      "cross_device_reduce",
                                      "quickreduce",
                                      "custom_all_reduce",
                                      "allreduce_fusion",
                                      "oneShotAllReduce",
                                      "twoShotAllReduce",
                                      "lamport",
                                      "moeAllToAll",
                                      "moe_alltoall",
                                      "deep_ep::",
                                      "deepep"};
  if (w->kind != GSCALE_RECORDED_KERNEL) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(w->name, words[i])) return true;
  return w->bytes > 0.0 || w->ranks > 0;
}

static bool less(const gscale_recording *p, const gscale_recorded_record *a,
                 const gscale_recorded_record *b)
{
  const gscale_recorded_kind k = p->what[a->what].kind,
                             l = p->what[b->what].kind;
  if (k != l) return k < l;
  if (a->start != b->start) return a->start < b->start;
  if (a->correlation != b->correlation) return a->correlation < b->correlation;
  return a->what < b->what;
}

static void swap(gscale_recorded_record *a, gscale_recorded_record *b)
{
  const gscale_recorded_record t = *a;
  *a = *b;
  *b = t;
}

static void sift(const gscale_recording *p, size_t at, size_t n)
{
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    gscale_recorded_record *const r = p->record;
    if (child + 1 < n && less(p, &r[child], &r[child + 1])) child++;
    if (!less(p, &r[at], &r[child])) return;
    swap(&r[at], &r[child]);
  }
}

/* Sorts by heapsort, which needs no copy of millions of records. */
static void sort(gscale_recording *p)
{
  size_t sorted = 1;
  while (sorted < p->n && !less(p, &p->record[sorted], &p->record[sorted - 1]))
    sorted++;
  if (sorted >= p->n) return;
  for (size_t i = p->n / 2; i-- > 0;) sift(p, i, p->n);
  for (size_t n = p->n; n-- > 1;) {
    swap(&p->record[0], &p->record[n]);
    sift(p, 0, n);
  }
}

static void find_firsts(gscale_recording *p)
{
  size_t i = 0;
  for (int k = 0; k <= GSCALE_RECORDED_KIND_END; k++) {
    while (i < p->n && (int)p->what[p->record[i].what].kind < k) i++;
    p->first[k] = i;
  }
}

/* Makes all times relative to the start of the first work. */
static void shift(gscale_recording *p)
{
  int64_t zero = INT64_MAX;
  for (size_t i = 0; i < p->n; i++)
    if (has_duration(p->what[p->record[i].what].kind) &&
        p->record[i].start < zero)
      zero = p->record[i].start;
  for (size_t i = 0; i < p->n; i++) {
    p->record[i].start -= zero;
    if (has_duration(p->what[p->record[i].what].kind)) p->record[i].end -= zero;
  }
}

gscale_status gscale_recording_finish(gscale_recording *p, gscale_diag *diag)
{
  const gscale_status st = number_gpus(p, diag);
  if (st != GSCALE_OK) return st;
  for (size_t i = 0; i < p->whats; i++)
    p->what[i].collective = communicates(&p->what[i]);
  shift(p);
  sort(p);
  find_firsts(p);
  return GSCALE_OK;
}

/* Reduces names such as "void sweep<float>(float *, int)" and "_Z5sweepPfi" to
 * "sweep". */
void gscale_recorded_short_name(const char *name, char *out, size_t size)
{
  static const char nowhere[] = "(anonymous namespace)::";
  size_t n = 0;

  if (strncmp(name, "void ", 5) == 0) name += 5;
  if (strncmp(name, "_Z", 2) == 0) {
    char *end;
    const char *at = name + 2 + (name[2] == 'N');
    size_t length = strtoul(at, &end, 10);
    for (at = end; length > 0 && strlen(at) > length;) {
      const size_t more = strtoul(at + length, &end, 10);
      if (more == 0 || strlen(end) < more)
        break; /* the last part of the name
                * counts */
      at = end;
      length = more;
    }
    if (length > 0) {
      snprintf(out, size, "%.*s", (int)length, at);
      return;
    }
  }
  for (const char *in;
       (in = strstr(name, nowhere)) && in < name + strcspn(name, "<");)
    name = in + sizeof nowhere - 1;
  const size_t whole = strcspn(name, "<(");
  const char *from = name;
  for (size_t i = 0; i + 1 < whole; i++)
    if (name[i] == ':' && name[i + 1] == ':') from = name + i + 2;
  while (n + 1 < size && from + n < name + whole) {
    out[n] = from[n];
    n++;
  }
  out[n] = '\0';
}

gscale_recording *gscale_recording_new(void)
{
  return calloc(1, sizeof(gscale_recording));
}

static void free_ids(gscale__ids *v)
{
  free(v->key);
  free(v->set.slot);
}

void gscale_recording_free(gscale_recording *p)
{
  if (!p) return;
  for (size_t i = 0; i < p->names; i++) free(p->name[i]);
  free_ids(&p->process);
  free_ids(&p->thread);
  free_ids(&p->gpu);
  free_ids(&p->stream);
  free(p->what_set.slot);
  free(p->name_set.slot);
  free(p->name);
  free(p->what);
  free(p->record);
  free(p->note);
  free(p->work);
  free(p);
}

const gscale_recorded_record *gscale_recording_at(const gscale_recording *p,
                                                  size_t i)
{
  return i < p->n ? &p->record[i] : NULL;
}

size_t gscale_recording_first(const gscale_recording *p, gscale_recorded_kind k)
{
  return (unsigned)k <= GSCALE_RECORDED_KIND_END ? p->first[k] : p->n;
}

const gscale_recorded_what *gscale_recording_what(const gscale_recording *p,
                                                  size_t i)
{
  return i < p->whats ? &p->what[i] : NULL;
}

int gscale_recording_file(const gscale_recording *p, int process)
{
  return process >= 0 && (size_t)process < p->process.n
             ? (int)p->process.key[process][0]
             : -1;
}

gscale_recording_facts gscale_recording_about(const gscale_recording *p)
{
  return (gscale_recording_facts){
      p->n,     p->whats, p->gpus, (int)p->process.n,
      p->world, p->sms,   p->fake, p->memory};
}

const char *gscale_recording_note(const gscale_recording *p, size_t i)
{
  return i < p->notes ? p->note[i] : NULL;
}

/* Compares short names, because tools print types and spaces of a signature
 * differently. */
static bool is_same_kernel(const char *a, const char *b)
{
  char x[96], y[96];

  if (a == b) return true;
  gscale_recorded_short_name(a, x, sizeof x);
  gscale_recorded_short_name(b, y, sizeof y);
  return strcmp(x, y) == 0;
}

bool gscale_recording_work(const gscale_recording *p,
                           const gscale_recorded_what *w, double *flop,
                           double *bytes)
{
  for (size_t i = 0; i < p->works; i++) {
    const gscale__kernel_work *const k = &p->work[i];
    if (fabs(k->blocks - w->blocks) > 0.5 || !is_same_kernel(k->name, w->name))
      continue;
    *flop = k->flop / k->launches;
    *bytes = k->bytes / k->launches;
    return true;
  }
  return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
