/* nvbandwidth.c - matrices of nvbandwidth in JSON form. */

#include "import/import.h"

#include <string.h>

static bool is_hole(const json_t *cell)
{
  const char *const text = json_string_value(cell);
  return text && strcmp(text, "N/A") == 0;
}

static gscale_status read_matrix(gscale__source *s, gscale__item matrix,
                                 const gscale__copies *t)
{
  const size_t n = json_array_size(matrix.is);
  gscale_status st = GSCALE_OK;
  double bandwidth;

  if (!json_is_array(matrix.is))
    return gscale__bad(s, matrix.at, "bandwidth_matrix: not a matrix");
  for (gscale__item row = gscale__json_first(matrix); row.is;
       row = gscale__json_next(matrix, row)) {
    const size_t columns = json_array_size(row.is);
    if (!json_is_array(row.is) || (t->bench && !t->host && columns != n))
      return gscale__bad(s, row.at, "%zu columns in a matrix of %zu rows",
                         columns, n);
    for (gscale__item cell = gscale__json_first(row);
         cell.is && st == GSCALE_OK; cell = gscale__json_next(row, cell)) {
      if (is_hole(cell.is)) continue;
      st = gscale__json_number(s, cell, "bandwidth", &bandwidth);
      if (st == GSCALE_OK)
        st = gscale__add_copy(s, cell.at, t, row.index, cell.index, columns,
                              bandwidth);
    }
  }
  return st;
}

static const char *text_of(gscale__item object, const char *key)
{
  return json_string_value(json_object_get(object.is, key));
}

static gscale_status read_test(gscale__source *s, gscale__item testcase)
{
  const char *const name = text_of(testcase, "name");
  const char *const about = text_of(testcase, "bandwidth_description");
  const char *const status = text_of(testcase, "status");
  const gscale__item matrix = gscale__json_member(testcase, "bandwidth_matrix");
  gscale__copies t = {.bench = NULL};

  if (!name || !status)
    return gscale__bad(s, testcase.at, "a test without name, status");
  if (!matrix.is) return GSCALE_OK; /* the test did not run */
  if (about && strcmp(status, "Passed") == 0)
    t = gscale__classify((gscale__part){name, strlen(name)},
                         (gscale__part){about, strlen(about)});
  return read_matrix(s, matrix, &t);
}

static gscale_status read_tests(gscale__source *s, gscale__item root)
{
  const gscale__item tests = gscale__json_member(
      gscale__json_member(root, "nvbandwidth"), "testcases");
  gscale_status st = GSCALE_OK;

  if (!json_is_array(tests.is))
    return gscale__bad(s, tests.at, "no list of testcases");
  for (gscale__item i = gscale__json_first(tests); i.is && st == GSCALE_OK;
       i = gscale__json_next(tests, i))
    st = read_test(s, i);
  return st;
}

static gscale_status read_json(gscale__source *s)
{
  return gscale__read_json(s, read_tests);
}

const gscale__format gscale__format_nvbandwidth_json = {
    "nvbandwidth-json", "\"nvbandwidth\"", "", true, read_json};

/* SPDX-License-Identifier: GPL-3.0-or-later */
