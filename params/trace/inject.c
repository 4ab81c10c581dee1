/* SPDX-License-Identifier: MIT
 *
 * inject.c - records what a CUDA program does, by CUPTI's activity records: a
 * library that the driver loads into it (CUDA_INJECTION64_PATH), so that the
 * program is neither changed nor linked anew.  README.md has the format.
 *
 * It is a program of its own: it includes nothing of gpuscale, and is linked
 * with the user's libcupti alone.  NVIDIA's headers and library are not part of
 * it; their terms are those of the CUDA toolkit.
 *
 * GPUSCALE_TRACE_LEAVE=event,sync leaves out those kinds of records.
 * GPUSCALE_TRACE=FILE says where to: each process writes FILE.<its number>,
 * whole or not at all, when it ends.  scripts/profile joins them. */

#include <cupti.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The records' layouts are the library's own: 13.0 knows these, 12 those. */
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
typedef CUpti_ActivityMemcpy6 copy_record;
typedef CUpti_ActivityContext3 context_record;
typedef CUpti_ActivitySynchronization2 sync_record;
typedef CUpti_ActivityCudaEvent2 event_record;
#define SYNC_ID(r)    ((unsigned long long)(r)->cudaEventSyncId)
#define EVENT_TIME(r) ((r)->deviceTimestamp)
#else
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy5 copy_record;
typedef CUpti_ActivityContext context_record;
typedef CUpti_ActivitySynchronization sync_record;
typedef CUpti_ActivityCudaEvent event_record;
#define SYNC_ID(r)    0ull
#define EVENT_TIME(r) 0ull
#endif
typedef CUpti_ActivityMemcpyPtoP4 peer_record;
typedef CUpti_ActivityMemset4 memset_record;
typedef CUpti_ActivityMarker2 marker_record;

/* ---- what was recorded, kept until the program ends ---------------------- */

enum {
  BUFFER_B = 4 << 20, /* CUPTI's advice is 1 to 10 MB */
  CONTEXTS = 256,
  RANGES = 4096 /* begun and not ended */
};

typedef struct buffer {
  struct buffer *next;
  size_t used;
  uint8_t *room;
} buffer;

static buffer *first, **last = &first;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

static void CUPTIAPI give(uint8_t **room, size_t *size, size_t *most)
{
  *most = 0; /* records: as many as fit */
  *size = BUFFER_B;
  *room = aligned_alloc(8, BUFFER_B);
  if (!*room) *size = 0;
}

/* Called by one thread of CUPTI's, and by the one that flushes in the end. */
static void CUPTIAPI take(CUcontext c, uint32_t stream, uint8_t *room,
                          size_t size, size_t used)
{
  buffer *b = used > 0 ? malloc(sizeof *b) : NULL;

  (void)c, (void)stream, (void)size;
  if (!b) {
    free(room);
    return;
  }
  *b = (buffer){NULL, used, room};
  pthread_mutex_lock(&keeping);
  *last = b;
  last = &b->next;
  pthread_mutex_unlock(&keeping);
}

/* ---- a line of the file ---------------------------------------------------
 */

/* What a record says; a field that it has not is empty. */
typedef struct {
  const char *kind, *name;
  uint64_t start, end;
  long thread, device, stream, correlation, bytes; /* -1: none */
  char src[16], dst[16], extra[160];
} line;

static FILE *out;

static line new_line(const char *kind, const char *name, uint64_t start,
                     uint64_t end)
{
  line l = {.kind = kind, .name = name, .start = start, .end = end};

  l.thread = l.device = l.stream = l.correlation = l.bytes = -1;
  return l;
}

static void put_number(long v)
{
  if (v >= 0) fprintf(out, "%ld", v);
  fputc(',', out);
}

static void put_text(const char *s)
{
  if (!strpbrk(s, ",\"\n\r")) {
    fputs(s, out);
    return;
  }
  fputc('"', out);
  for (; *s; s++) {
    if (*s == '"') fputc('"', out);
    fputc(*s == '\n' || *s == '\r' ? ' ' : *s, out);
  }
  fputc('"', out);
}

static void put(const line *l)
{
  fprintf(out, "%s,%ld,", l->kind, (long)getpid());
  put_number(l->thread);
  put_number(l->device);
  put_number(l->stream);
  fprintf(out, "%llu,%llu,", (unsigned long long)l->start,
          (unsigned long long)l->end);
  put_number(l->correlation);
  put_text(l->name ? l->name : "");
  fputc(',', out);
  put_number(l->bytes);
  fprintf(out, "%s,%s,%s\n", l->src, l->dst, l->extra);
}

static void say(char *to, size_t size, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  vsnprintf(to, size, format, args);
  va_end(args);
}
#define SAY(field, ...) say(field, sizeof(field), __VA_ARGS__)

/* ---- kinds of records ------------------------------------------------------
 */

/* Synchronisations name a context, not its device. */
static struct {
  uint32_t context, device;
} contexts[CONTEXTS];
static int n_contexts;

static void keep_context(const context_record *r)
{
  if (n_contexts == CONTEXTS) return;
  contexts[n_contexts].context = r->contextId;
  contexts[n_contexts++].device = r->deviceId;
}

static long device_of(uint32_t context)
{
  for (int i = 0; i < n_contexts; i++)
    if (contexts[i].context == context) return contexts[i].device;
  return -1;
}

static void put_kernel(const kernel_record *r)
{
  line l = new_line("kernel", r->name, r->start, r->end);

  l.device = r->deviceId;
  l.stream = r->streamId;
  l.correlation = r->correlationId;
  SAY(l.extra,
      "grid=%dx%dx%d block=%dx%dx%d registers=%u shared_B=%d graph=%u "
      "node=%llu",
      r->gridX, r->gridY, r->gridZ, r->blockX, r->blockY, r->blockZ,
      r->registersPerThread, r->staticSharedMemory + r->dynamicSharedMemory,
      r->graphId, (unsigned long long)r->graphNodeId);
  put(&l);
}

/* Where one end of a copy lies: a device's number, or the host's kind. */
static void place(char *to, size_t size, int memory, uint32_t device)
{
  if (memory == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
    say(to, size, "pageable");
  else if (memory == CUPTI_ACTIVITY_MEMORY_KIND_PINNED)
    say(to, size, "pinned");
  else if (memory == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED)
    say(to, size, "managed");
  else
    say(to, size, "%u", device);
}

static const char *direction(int kind)
{
  static const char *const names[] = {"unknown", "HtoD", "DtoH", "HtoA",
                                      "AtoH",    "AtoA", "AtoD", "DtoA",
                                      "DtoD",    "HtoH", "PtoP"};

  return kind >= 0 && kind <= 10 ? names[kind] : "unknown";
}

static void put_copy(const copy_record *r)
{
  line l = new_line("copy", direction(r->copyKind), r->start, r->end);

  l.device = r->deviceId;
  l.stream = r->streamId;
  l.correlation = r->correlationId;
  l.bytes = (long)r->bytes;
  place(l.src, sizeof l.src, r->srcKind, r->deviceId);
  place(l.dst, sizeof l.dst, r->dstKind, r->deviceId);
  SAY(l.extra, "async=%d graph=%u node=%llu",
      r->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC ? 1 : 0, r->graphId,
      (unsigned long long)r->graphNodeId);
  put(&l);
}

static void put_peer(const peer_record *r)
{
  line l = new_line("copy", direction(r->copyKind), r->start, r->end);

  l.device = r->deviceId;
  l.stream = r->streamId;
  l.correlation = r->correlationId;
  l.bytes = (long)r->bytes;
  SAY(l.src, "%u", r->srcDeviceId);
  SAY(l.dst, "%u", r->dstDeviceId);
  SAY(l.extra, "async=%d graph=%u node=%llu",
      r->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC ? 1 : 0, r->graphId,
      (unsigned long long)r->graphNodeId);
  put(&l);
}

static void put_memset(const memset_record *r)
{
  line l = new_line("memset", "", r->start, r->end);

  l.device = r->deviceId;
  l.stream = r->streamId;
  l.correlation = r->correlationId;
  l.bytes = (long)r->bytes;
  place(l.dst, sizeof l.dst, r->memoryKind, r->deviceId);
  SAY(l.extra, "graph=%u node=%llu", r->graphId,
      (unsigned long long)r->graphNodeId);
  put(&l);
}

/* An event recorded in a stream: the call of that correlation has the host's
 * time; the device's is 0, for to ask for it would add work to the stream. */
static void put_event(const event_record *r)
{
  line l = new_line("event", "", EVENT_TIME(r), EVENT_TIME(r));

  l.device = device_of(r->contextId);
  l.stream = r->streamId;
  l.correlation = r->correlationId;
#if CUPTI_API_VERSION >= 130000
  SAY(l.extra, "event=%u sync=%llu", r->eventId, SYNC_ID(r));
#else
  SAY(l.extra, "event=%u", r->eventId);
#endif
  put(&l);
}

static void put_sync(const sync_record *r)
{
  static const char *const names[] = {"unknown", "event", "wait", "stream",
                                      "device"};
  const bool waits =
      r->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  line l = new_line(waits ? "wait" : "sync", "", r->start, r->end);

  if (!waits &&
      r->type <= CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE)
    l.name = names[r->type];
  l.device = device_of(r->contextId);
  l.correlation = r->correlationId;
  if (r->streamId != (uint32_t)CUPTI_SYNCHRONIZATION_INVALID_VALUE)
    l.stream = r->streamId;
  if (r->cudaEventId != (uint32_t)CUPTI_SYNCHRONIZATION_INVALID_VALUE) {
#if CUPTI_API_VERSION >= 130000
    SAY(l.extra, "event=%u sync=%llu", r->cudaEventId, SYNC_ID(r));
#else
    SAY(l.extra, "event=%u", r->cudaEventId);
#endif
  }
  put(&l);
}

/* "cudaLaunchKernel_v7000" or "..._ptsz_v7000": the name without what follows.
 */
static const char *plain_name(const char *name, char *to, size_t size)
{
  const char *const cuts[] = {"_v", "_ptsz", "_ptds"};

  say(to, size, "%s", name);
  for (int i = 0; i < 3; i++)
    for (char *at = strstr(to, cuts[i]); at; at = strstr(at + 1, cuts[i]))
      if (i > 0 || strspn(at + 2, "0123456789") == strlen(at + 2)) {
        *at = '\0';
        break;
      }
  return to;
}

static void put_call(const CUpti_ActivityAPI *r)
{
  const bool driver = r->kind == CUPTI_ACTIVITY_KIND_DRIVER;
  const char *name = NULL;
  char plain[96];
  line l;

  cuptiGetCallbackName(driver ? CUPTI_CB_DOMAIN_DRIVER_API
                              : CUPTI_CB_DOMAIN_RUNTIME_API,
                       r->cbid, &name);
  if (!name) return;
  l = new_line("call", plain_name(name, plain, sizeof plain), r->start, r->end);
  l.thread = r->threadId;
  l.correlation = r->correlationId;
  if (r->returnValue) SAY(l.extra, "returned=%u", r->returnValue);
  put(&l);
}

/* Ranges begun, by their number. */
static struct {
  uint32_t id;
  line l;
} open_ranges[RANGES];
static int n_open;

static void put_marker(const marker_record *r)
{
  line l = new_line("range", r->name, r->timestamp, r->timestamp);

  if (r->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
    l.thread = r->objectId.pt.threadId;
  if (r->flags & CUPTI_ACTIVITY_FLAG_MARKER_START && n_open < RANGES) {
    open_ranges[n_open].id = r->id;
    open_ranges[n_open++].l = l;
  } else if (r->flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS)
    put(&l);
  else
    for (int i = n_open - 1; i >= 0; i--) {
      if (open_ranges[i].id != r->id) continue;
      open_ranges[i].l.end = r->timestamp;
      put(&open_ranges[i].l);
      open_ranges[i] = open_ranges[--n_open];
      return;
    }
}

static void put_record(const CUpti_Activity *r)
{
  const void *const any = r;

  switch (r->kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    put_kernel(any);
    break;
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    put_copy(any);
    break;
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
    put_peer(any);
    break;
  case CUPTI_ACTIVITY_KIND_MEMSET:
    put_memset(any);
    break;
  case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
    put_event(any);
    break;
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    put_sync(any);
    break;
  case CUPTI_ACTIVITY_KIND_RUNTIME:
  case CUPTI_ACTIVITY_KIND_DRIVER:
    put_call(any);
    break;
  case CUPTI_ACTIVITY_KIND_MARKER:
    put_marker(any);
    break;
  default:
    break;
  }
}

/* ---- the end ----------------------------------------------------------------
 */

static void each_record(void (*act)(const CUpti_Activity *))
{
  for (const buffer *b = first; b; b = b->next) {
    CUpti_Activity *r = NULL;

    while (cuptiActivityGetNextRecord(b->room, b->used, &r) == CUPTI_SUCCESS)
      act(r);
  }
}

static void find_context(const CUpti_Activity *r)
{
  if (r->kind == CUPTI_ACTIVITY_KIND_CONTEXT) keep_context((const void *)r);
}

static void write_records(void)
{
  size_t dropped = 0;

  cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped);
  if (dropped > 0)
    fprintf(out, "# process %ld lost %zu records\n", (long)getpid(), dropped);
  each_record(find_context);
  each_record(put_record);
}

static void finish(void)
{
  const char *const to = getenv("GPUSCALE_TRACE");
  char name[4096], begun[4104];
  bool whole;

  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  snprintf(name, sizeof name, "%s.%ld", to ? to : "gpuscale.trace",
           (long)getpid());
  snprintf(begun, sizeof begun, "%s.part", name);
  out = fopen(begun, "w");
  if (!out) {
    fprintf(stderr, "gpuscale-trace: cannot write %s\n", begun);
    return;
  }
  write_records();
  whole = !ferror(out);
  whole = fclose(out) == 0 && whole && rename(begun, name) == 0;
  if (!whole) {
    fprintf(stderr, "gpuscale-trace: cannot write %s\n", name);
    remove(begun);
  }
}

/* Calls that say nothing of what a program does, and that some make often. */
static void leave_out_calls(void)
{
  static const CUpti_CallbackId none[] = {
      CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000,
  };

  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    cuptiActivityEnableRuntimeApi(none[i], 0);
}

/* Whether a list of words, with commas, has the word. */
static bool has_word(const char *list, const char *word)
{
  const size_t n = strlen(word);

  for (const char *at = list; at && *at; at += strcspn(at, ",")) {
    at += *at == ',';
    if (strcspn(at, ",") == n && strncmp(at, word, n) == 0) return true;
  }
  return false;
}

static bool enable_all(void)
{
  static const struct {
    const char *kind;
    CUpti_ActivityKind is;
  } kinds[] = {
      {"context", CUPTI_ACTIVITY_KIND_CONTEXT},
      {"kernel", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
      {"copy", CUPTI_ACTIVITY_KIND_MEMCPY},
      {"copy", CUPTI_ACTIVITY_KIND_MEMCPY2},
      {"memset", CUPTI_ACTIVITY_KIND_MEMSET},
      {"event", CUPTI_ACTIVITY_KIND_CUDA_EVENT},
      {"call", CUPTI_ACTIVITY_KIND_RUNTIME},
      {"sync", CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
      {"range", CUPTI_ACTIVITY_KIND_MARKER},
  };
  const char *const leave = getenv("GPUSCALE_TRACE_LEAVE");

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!has_word(leave, kinds[i].kind) &&
        cuptiActivityEnable(kinds[i].is) != CUPTI_SUCCESS)
      return false;
  leave_out_calls();
  /* Programs that do not use the runtime launch by the driver. */
  if (getenv("GPUSCALE_TRACE_DRIVER"))
    return cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER) == CUPTI_SUCCESS;
  return true;
}

/* The driver calls it when it is initialised; 0 would unload the library. */
int InitializeInjection(void);
int InitializeInjection(void)
{
  if (cuptiActivityRegisterCallbacks(give, take) != CUPTI_SUCCESS ||
      !enable_all()) {
    fprintf(stderr, "gpuscale-trace: CUPTI refuses: nothing is recorded\n");
    return 1;
  }
  atexit(finish);
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
