/* smi.c - the matrix of `nvidia-smi topo -m`. */

#include "import/import.h"

typedef struct matrix {
  gscale__source *s;
  gscale__links *links;
  int rows;
} matrix;

/* Returns true if the word is "GPU<index>". */
static bool is_gpu(gscale__part word, int index)
{
  double number;
  if (!gscale__begins(word, "GPU")) return false;
  const gscale__part digits = {word.at + 3, word.size - 3};
  return gscale__is_number(digits, &number) && number == (double)index;
}

/* Returns the number of GPUs in the header, before NICs and affinities. */
static int header_gpus(const gscale__part *word, size_t n)
{
  int gpus = 0;
  for (size_t i = 0; i < n; i++)
    if (is_gpu(word[i], gpus)) gpus++;
  return gpus;
}

static gscale_status read_cell(matrix *m, gscale__part cell, int i, int j)
{
  /* The first two mean a PCIe switch, the others longer paths through a root
   * complex or a socket.  Other cells are NVLinks. */
  static const char *const paths[] = {"PIX",  "PXB", "PHB",
                                      "NODE", "SYS", "SOC"};
  gscale__part digits;
  double number;

  if (i == j)
    return gscale__is(cell, "X")
               ? GSCALE_OK
               : gscale__bad(m->s, cell.at, "the diagonal is not X");
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
    if (gscale__is(cell, paths[k])) {
      m->links->near[i][j] = k < 2;
      return GSCALE_OK;
    }
  if (!gscale__begins(cell, "NV"))
    return gscale__bad(m->s, cell.at,
                       "neither X, NV#, PIX, PXB, PHB, NODE nor "
                       "SYS");
  digits = (gscale__part){cell.at + 2, cell.size - 2};
  if (!gscale__is_number(digits, &number) || number < 1.0 || number > 64.0 ||
      number != (double)(int)number)
    return gscale__bad(m->s, cell.at, "not a number of NVLinks");
  m->links->nvlinks[i][j] = (int)number;
  return GSCALE_OK;
}

static gscale_status read_row(matrix *m, gscale__part line,
                              const gscale__part *word, size_t n)
{
  const int gpus = m->links->gpus, i = m->rows;
  gscale_status st = GSCALE_OK;

  if (n < (size_t)gpus + 1 || !gscale__whole(m->s, line))
    return gscale__bad(m->s, line.at, "a row of fewer than %d cells", gpus);
  for (int j = 0; j < gpus && st == GSCALE_OK; j++)
    st = read_cell(m, word[j + 1], i, j);
  m->rows++;
  return st;
}

static gscale_status read_line(void *reader, gscale__part line,
                               const gscale__part *word, size_t n)
{
  matrix *const m = reader;

  if (m->links->gpus == 0) {
    m->links->gpus = header_gpus(word, n);
    if (m->links->gpus > GSCALE__LINKED_MAX)
      return gscale__bad(m->s, line.at, "more than %d GPUs",
                         (int)GSCALE__LINKED_MAX);
    return GSCALE_OK;
  }
  if (m->rows == m->links->gpus || n == 0) return GSCALE_OK;
  if (!is_gpu(word[0], m->rows))
    return gscale__bad(m->s, line.at, "the row of GPU%d is expected", m->rows);
  return read_row(m, line, word, n);
}

static bool detect(const gscale__source *s)
{
  return gscale__has(s, "GPU0") &&
         (gscale__has(s, "\nGPU0") || gscale__has(s, "CPU Affinity"));
}

static gscale_status read(gscale__source *s, gscale__links *out)
{
  matrix m = {.s = s, .links = out};
  const gscale_status st =
      gscale__read_lines(s, GSCALE__TOKENS_MAX, read_line, &m);

  if (st != GSCALE_OK) return st;
  return m.rows == 0 || m.rows < out->gpus
             ? gscale__cut(s, "before the last GPU's row")
             : GSCALE_OK;
}

const gscale__topology gscale__topology_smi = {detect, read};

/* SPDX-License-Identifier: GPL-3.0-or-later */
