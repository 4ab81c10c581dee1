/* xml.c - the topology of NCCL_TOPO_DUMP_FILE, read with expat.  The elements
 * are
 *
 *   <system> <cpu> <pci switch> <pci busid> <gpu dev> <nvlink target count>.
 *
 * `dev` is the number of a GPU, so that the file must describe one node. */

#include "import/import.h"

#include <expat.h>
#include <string.h>

enum {
  DEPTH_MAX = 32,
  LINKS_MAX = 1024,
  BUS_MAX = 24,
  BLOCK = 1 << 20 /* B per expat call */
};

/* The PCI classes of the other end of an NVLink. */
static const char SWITCH_CLASS[] = "0x068000", GPU_CLASS[] = "0x0302";

typedef struct link {
  int gpu, count;
  bool to_switch;
  char target[BUS_MAX];
  const char *at;
} link;

typedef struct reader {
  gscale__source *s;
  XML_Parser parser;
  gscale_status status; /* status of the first error */
  int depth;
  int slot; /* number of the PCIe device below a CPU */
  int pci;  /* depth of the outermost open <pci> */
  int gpu;  /* the open <gpu>, or -1 */
  int gpu_depth;
  bool is_system;
  char bus[BUS_MAX]; /* bus of the innermost <pci> */
  int gpus;
  bool seen[GSCALE__LINKED_MAX];
  char gpu_bus[GSCALE__LINKED_MAX][BUS_MAX];
  int gpu_slot[GSCALE__LINKED_MAX];
  size_t links;
  link link[LINKS_MAX];
} reader;

/* Returns the index in the text.  Since expat 2.9 the 64-bit function exists
 * everywhere, and the older function is deprecated. */
static int64_t index_of(XML_Parser parser)
{
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
  return XML_GetCurrentByteIndex64(parser);
#else
  return XML_GetCurrentByteIndex(parser);
#endif
}

static const char *place(const reader *r)
{
  const int64_t at = index_of(r->parser);
  const size_t n = at > 0 ? (size_t)at : 0;
  return r->s->text + (n < r->s->size ? n : r->s->size);
}

static void refuse(reader *r, const char *what)
{
  if (r->status != GSCALE_OK) return;
  r->status = gscale__bad(r->s, place(r), "%s", what);
  XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **pairs, const char *name)
{
  for (size_t i = 0; pairs[i]; i += 2)
    if (strcmp(pairs[i], name) == 0) return pairs[i + 1];
  return "";
}

/* Returns an attribute that is a whole number <= most, or -1. */
static int whole(const XML_Char **pairs, const char *name, int most)
{
  const char *const text = attribute(pairs, name);
  double number;
  if (!gscale__is_number((gscale__part){text, strlen(text)}, &number) ||
      number < 0.0 || number > most || number != (double)(int)number)
    return -1;
  return (int)number;
}

static void copy_bus(reader *r, char *out, const char *text)
{
  if (*text == '\0' || strlen(text) >= BUS_MAX)
    refuse(r, "no bus id");
  else
    strcpy(out, text);
}

static void start_pci(reader *r, const XML_Char **pairs)
{
  if (r->pci == 0) {
    r->pci = r->depth;
    r->slot++;
  }
  copy_bus(r, r->bus, attribute(pairs, "busid"));
}

static void start_gpu(reader *r, const XML_Char **pairs)
{
  const int dev = whole(pairs, "dev", GSCALE__LINKED_MAX - 1);
  if (r->pci == 0) {
    refuse(r, "a <gpu> that is in no <pci>");
  } else if (dev < 0) {
    refuse(r, "gpu: dev: not 0 .. 63");
  } else if (r->seen[dev]) {
    refuse(r, "gpu: dev: given twice; is this file of several nodes?");
  } else {
    r->seen[dev] = true;
    r->gpus++;
    r->gpu = dev;
    r->gpu_depth = r->depth;
    r->gpu_slot[dev] = r->slot;
    memcpy(r->gpu_bus[dev], r->bus, BUS_MAX);
  }
}

static void start_link(reader *r, const XML_Char **pairs)
{
  const char *const class = attribute(pairs, "tclass");
  const bool to_switch = strcmp(class, SWITCH_CLASS) == 0;
  const int count = whole(pairs, "count", 64);

  if (r->gpu < 0) return; /* an NVLink of a switch or CPU */
  if (!to_switch && strncmp(class, GPU_CLASS, strlen(GPU_CLASS)) != 0)
    return; /* an NVLink to a CPU */
  if (count < 1) {
    refuse(r, "nvlink: count: not 1 .. 64");
  } else if (r->links == LINKS_MAX) {
    refuse(r, "more than 1024 NVLinks");
  } else {
    link *const l = &r->link[r->links++];
    *l = (link){
        .gpu = r->gpu, .count = count, .to_switch = to_switch, .at = place(r)};
    copy_bus(r, l->target, attribute(pairs, "target"));
  }
}

static void XMLCALL on_start(void *data, const XML_Char *name,
                             const XML_Char **pairs)
{
  reader *const r = data;
  if (r->status != GSCALE_OK) return;
  if (++r->depth > DEPTH_MAX) {
    refuse(r, "nested too deeply");
  } else if (r->depth == 1) {
    r->is_system = strcmp(name, "system") == 0;
    if (!r->is_system) refuse(r, "not a <system>");
  } else if (strcmp(name, "pci") == 0) {
    start_pci(r, pairs);
  } else if (strcmp(name, "gpu") == 0) {
    start_gpu(r, pairs);
  } else if (strcmp(name, "nvlink") == 0) {
    start_link(r, pairs);
  }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
  reader *const r = data;
  (void)name;
  if (r->status != GSCALE_OK) return;
  if (r->depth == r->pci) r->pci = 0;
  if (r->depth == r->gpu_depth) {
    r->gpu = -1;
    r->gpu_depth = 0;
  }
  r->depth--;
}

/* Refuses a document type, which NCCL does not write, and which could define
 * entities of unlimited size. */
static void XMLCALL on_doctype(void *data, const XML_Char *name,
                               const XML_Char *system, const XML_Char *public,
                               int internal)
{
  (void)name, (void)system, (void)public, (void)internal;
  refuse(data, "a document type");
}

static gscale_status parse(reader *r)
{
  gscale__source *const s = r->s;
  enum XML_Status st = XML_STATUS_OK;

  for (size_t at = 0; st == XML_STATUS_OK;) {
    const size_t n = s->size - at < BLOCK ? s->size - at : BLOCK;
    const bool last = at + n == s->size;
    st = XML_Parse(r->parser, s->text + at, (int)n, last);
    at += n;
    if (last) break;
  }
  if (r->status != GSCALE_OK) return r->status;
  if (st == XML_STATUS_OK) return GSCALE_OK;
  const enum XML_Error error = XML_GetErrorCode(r->parser);
  if (error == XML_ERROR_NO_MEMORY)
    return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
  return gscale__bad(s, place(r), "XML: %.100s", XML_ErrorString(error));
}

static int gpu_at(const reader *r, const char *bus)
{
  for (int i = 0; i < r->gpus; i++)
    if (strcmp(r->gpu_bus[i], bus) == 0) return i;
  return -1;
}

static gscale_status join(const reader *r, gscale__links *out)
{
  int switched[GSCALE__LINKED_MAX] = {0};

  for (size_t k = 0; k < r->links; k++) {
    const link *const l = &r->link[k];
    const int j = gpu_at(r, l->target);
    if (l->to_switch)
      switched[l->gpu] += l->count;
    else if (j == l->gpu)
      return gscale__bad(r->s, l->at, "an NVLink from a GPU to itself");
    else if (j >= 0) /* otherwise a GPU is unused */
      out->nvlinks[l->gpu][j] += l->count;
  }
  out->switched = r->gpus > 1 && switched[0] > 0;
  for (int i = 0; i < r->gpus; i++)
    if (switched[i] != switched[0])
      return gscale__bad(r->s, r->s->text,
                         "GPU %d has %d NVLinks to switches, GPU 0 has %d", i,
                         switched[i], switched[0]);
  return GSCALE_OK;
}

static gscale_status relate(const reader *r, gscale__links *out)
{
  out->gpus = r->gpus;
  if (r->gpus == 0) return gscale__bad(r->s, r->s->text, "no <gpu>");
  for (int i = 0; i < GSCALE__LINKED_MAX; i++)
    if (r->seen[i] != (i < r->gpus))
      return gscale__bad(r->s, r->s->text,
                         "devices are not numbered 0, 1, 2 ...");
  const gscale_status st = join(r, out);
  if (st != GSCALE_OK) return st;
  for (int i = 0; i < r->gpus; i++)
    for (int j = 0; j < r->gpus; j++)
      out->near[i][j] = r->gpu_slot[i] == r->gpu_slot[j];
  return GSCALE_OK;
}

static bool detect(const gscale__source *s)
{
  return s->text[strspn(s->text, " \t\n")] == '<' && gscale__has(s, "<system");
}

static gscale_status read(gscale__source *s, gscale__links *out)
{
  reader r = {.s = s, .gpu = -1};
  r.parser = XML_ParserCreate(NULL);
  if (!r.parser)
    return gscale__fail(s->diag, GSCALE_ENOMEM, "%s: no memory", s->path);
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, on_start, on_end);
  XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
  const gscale_status st = parse(&r);
  XML_ParserFree(r.parser);
  return st == GSCALE_OK ? relate(&r, out) : st;
}

const gscale__topology gscale__topology_nccl_xml = {detect, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
