/* forms.c - the schedules of a plan, compiled: one for what the host waits for
 * at once by each paradigm, shared by those that are alike and with the plan
 * that this one is made after. */

#include "describe/program.h"
#include "predict/step.h"

#include <stdlib.h>

/* What a phase's schedule depends on: phases that agree share it. */
typedef struct gscale__shape {
  void (*launch)(gscale__emit *);
  void (*publish)(gscale__emit *);
  int kernels, copies, launches; /* 0, 1, or 2: more */
  double times;                  /* that it is written down */
  bool computes, exchanges, calls, norm, streamed;
  bool ideal; /* a program's schedule without what serves other GPUs */
  bool posts; /* the host sends to other nodes */
  bool faces;
  gscale__arrangement grid; /* of these */
} shape;

bool gscale__calls_more(const gscale__phase_plan *f)
{
  return f->calls.launches + f->calls.copies + f->calls.events > 0.0;
}

static int few(double n)
{
  return n > 1.0 ? 2 : n > 0.0;
}

/* Of a plan of several nodes a paradigm has two: with messages that its hosts
 * send, and without. */
static size_t variants(const gscale_plan *p)
{
  return p->nodes > 1 ? 2 : 1;
}

static shape shape_of(const gscale_plan *p, size_t paradigm, bool by_device,
                      size_t phase)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const gscale__phase_plan *f = &p->phase[phase];
  const bool sends = f->out > 0.0;

  return (shape){.launch = sends ? m->launch : NULL,
                 .publish = gscale__publishes(m, f) ? m->publish : NULL,
                 .kernels =
                     few(f->kernels + (m->packs ? f->pack_launches : 0.0)),
                 .copies = sends && m->publish ? few(f->copies) : 0,
                 .launches = f->calls.launches >= 1.0,
                 .times = gscale__times_of(p, phase),
                 .faces = f->to == GSCALE_TO_NEIGHBOURS,
                 .grid = f->grid,
                 .computes = f->kernels > 0.0,
                 .exchanges = gscale__exchanges(p, m, f),
                 .calls = gscale__calls_more(f),
                 .streamed = gscale__streamed(p, m),
                 .ideal = p->published && m->ideal,
                 .posts = f->far.out > 0.0 && !m->joined && !by_device,
                 .norm = phase + 1 == p->phases && p->host.norm.copy > 0.0};
}

static bool same_grid(const gscale__arrangement *a,
                      const gscale__arrangement *b)
{
  bool same = a->active == b->active && a->periodic == b->periodic;

  for (int d = 0; d < GSCALE_DIMS_MAX; d++)
    same = same && a->gpus[d] == b->gpus[d];
  return same;
}

static bool alike(const shape *a, const shape *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (a[i].launch != b[i].launch || a[i].publish != b[i].publish ||
        a[i].kernels != b[i].kernels || a[i].copies != b[i].copies ||
        a[i].launches != b[i].launches || a[i].faces != b[i].faces ||
        a[i].times < b[i].times || a[i].times > b[i].times ||
        a[i].exchanges != b[i].exchanges || a[i].calls != b[i].calls ||
        a[i].norm != b[i].norm || a[i].streamed != b[i].streamed ||
        a[i].posts != b[i].posts || a[i].computes != b[i].computes ||
        a[i].ideal != b[i].ideal || !same_grid(&a[i].grid, &b[i].grid))
      return false;
  return true;
}

/* All that shapes are made of, whatever the paradigm: plans of one host and
 * number of GPUs that agree in these have the same. */
typedef struct gscale__trait {
  double kernels, packing, copies, repeats;
  gscale_calls calls;
  gscale_waits waits;
  gscale_pattern to;
  bool out, far, norm;
  gscale__arrangement grid;
} trait;

static trait trait_of(const gscale_plan *p, size_t phase)
{
  const gscale__phase_plan *f = &p->phase[phase];

  return (trait){.kernels = f->kernels,
                 .packing = f->pack_launches,
                 .copies = f->copies,
                 .repeats = f->repeats,
                 .calls = f->calls,
                 .waits = p->host.waits,
                 .to = f->to,
                 .out = f->out > 0.0,
                 .far = f->far.out > 0.0,
                 .norm = p->host.norm.copy > 0.0,
                 .grid = f->grid};
}

static bool same_trait(const trait *a, const trait *b)
{
  const double of[2][7] = {
      {a->kernels, a->packing, a->copies, a->repeats, a->calls.launches,
       a->calls.copies, a->calls.events},
      {b->kernels, b->packing, b->copies, b->repeats, b->calls.launches,
       b->calls.copies, b->calls.events}};

  for (int i = 0; i < 7; i++)
    if (of[0][i] < of[1][i] || of[0][i] > of[1][i]) return false;
  return a->waits == b->waits && a->to == b->to && a->out == b->out &&
         a->far == b->far && a->norm == b->norm &&
         same_grid(&a->grid, &b->grid);
}

static bool same_traits(const gscale__forms *a, const gscale__forms *b,
                        size_t phases)
{
  if (a->n != b->n || !a->trait || !b->trait) return false;
  for (size_t i = 0; i < phases; i++)
    if (!same_trait(&a->trait[i], &b->trait[i])) return false;
  return true;
}

/* What the host waits for at once, and how many phases that is. */
static size_t pieces(const gscale_plan *p)
{
  return p->host.waits == GSCALE_WAITS_PHASE ? p->phases : 1;
}

static size_t phases_in(const gscale_plan *p)
{
  return p->host.waits == GSCALE_WAITS_PHASE ? 1 : p->phases;
}

size_t gscale__step_span(const gscale_plan *p, size_t paradigm)
{
  return gscale__streamed(p, gscale__paradigm_at(paradigm)) ? p->phases
                                                            : phases_in(p);
}

const gscale__form *gscale__form_at(const gscale_plan *p, size_t paradigm,
                                    bool by_device, size_t phase)
{
  const size_t which = paradigm * variants(p) + by_device;

  return p->forms.form[which * pieces(p) + phase];
}

const gscale__form *gscale__form_nth(const gscale_plan *p, size_t paradigm,
                                     size_t i)
{
  const size_t all = variants(p) * pieces(p);

  return i < all ? p->forms.form[paradigm * all + i] : NULL;
}

/* The k-th form: one of those before, or its own.  A paradigm in a stream has
 * one for all its pieces. */
static gscale_status form_of(const gscale_plan *p, const gscale__forms *f,
                             size_t k, gscale_diag *diag)
{
  const size_t in = phases_in(p), piece = k % pieces(p), which = k / pieces(p),
               paradigm = which / variants(p);
  const bool by_device = which % variants(p) > 0;

  if (f->shape[k * in].streamed) {
    if (piece == 0)
      return gscale__form_new(p, paradigm, 0, p->phases, by_device, &f->form[k],
                              diag);
    f->form[k] = f->form[k - 1];
    return GSCALE_OK;
  }
  for (size_t i = 0; i < k; i++)
    if (alike(f->shape + k * in, f->shape + i * in, in)) {
      f->form[k] = f->form[i];
      return GSCALE_OK;
    }
  return gscale__form_new(p, paradigm, piece * in, in, by_device, &f->form[k],
                          diag);
}

static bool fill_shapes(const gscale_plan *p, gscale__forms *f)
{
  const size_t in = phases_in(p);

  f->shape = malloc(f->n * in * sizeof *f->shape);
  for (size_t k = 0; f->shape && k < f->n; k++)
    for (size_t i = 0; i < in; i++)
      f->shape[k * in + i] =
          shape_of(p, k / pieces(p) / variants(p),
                   k / pieces(p) % variants(p) > 0, k % pieces(p) * in + i);
  return f->shape != NULL;
}

static bool fill_traits(const gscale_plan *p, gscale__forms *f)
{
  f->trait = malloc(p->phases * sizeof *f->trait);
  for (size_t i = 0; f->trait && i < p->phases; i++)
    f->trait[i] = trait_of(p, i);
  return f->trait != NULL;
}

static void borrow(gscale__forms *f, const gscale__forms *like)
{
  f->form = like->form;
  f->borrowed = true;
}

void gscale__forms_close(gscale__forms *f)
{
  for (size_t k = 0; f->form && k < f->n && !f->borrowed; k++) {
    bool shared = false;
    for (size_t i = 0; i < k; i++) shared = shared || f->form[i] == f->form[k];
    if (!shared) gscale__form_free(f->form[k]);
  }
  if (!f->borrowed) free(f->form);
  free(f->shape);
  free(f->trait);
  *f = (gscale__forms){0};
}

gscale_status gscale__step_open(gscale_plan *p, size_t paradigms,
                                const gscale__forms *like, gscale_diag *diag)
{
  gscale__forms *f = &p->forms;

  *f = (gscale__forms){.n = paradigms * variants(p) * pieces(p),
                       .published = p->published};
  if (like && like->published != p->published) like = NULL;
  bool ok = fill_traits(p, f);
  if (ok && like && same_traits(f, like, p->phases)) {
    borrow(f, like);
    return GSCALE_OK;
  }
  ok = ok && fill_shapes(p, f);
  if (ok && like && like->shape && like->n == f->n &&
      alike(f->shape, like->shape, f->n * phases_in(p))) {
    borrow(f, like);
    return GSCALE_OK;
  }
  f->form = calloc(f->n, sizeof *f->form);
  ok = ok && f->form;
  gscale_status st =
      ok ? GSCALE_OK
         : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  for (size_t k = 0; st == GSCALE_OK && k < f->n; k++)
    st = form_of(p, f, k, diag);
  if (st != GSCALE_OK) gscale__forms_close(f);
  return st;
}

void gscale__step_close(gscale_plan *p)
{
  gscale__forms_close(&p->forms);
  gscale__forms_close(&p->single);
}
