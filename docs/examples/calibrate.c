/* calibrate.c BASE FILE... - a system with what measurements say of it, and
 * what that does to a program's time: cc calibrate.c $(pkg-config --cflags
 * --libs gpuscale-lua gpuscale) -o calibrate */
#include <gpuscale.h>

#include <stdio.h>

/* Our own CSV, or what another tool printed. */
static gscale_status read_file(gscale_measurements *m, const char *path,
                               gscale_diag *why)
{
  const gscale_status st = gscale_import(m, path, NULL, NULL, why);

  return st == GSCALE_ENAME ? gscale_measurements_read(m, path, why) : st;
}

int main(int argc, char **argv)
{
  gscale_measurements *m = gscale_measurements_new();
  gscale_system *s = NULL;
  gscale_diag why = {""};
  gscale_status st;
  int i;

  if (argc < 3 || !m) return 2;
  st = gscale_load_system(argv[1], NULL, 0, &s, &why);
  for (i = 2; st == GSCALE_OK && i < argc; i++)
    st = read_file(m, argv[i], &why);
  if (st == GSCALE_OK) st = gscale_calibrate(s, m, NULL, &why);
  if (st == GSCALE_OK) {
    const gscale_param *p =
        gscale_system_get(s, gscale_param_find("copy.efficiency"));

    printf("copy.efficiency %.3f +/- %.3f, %s\n", p->val, p->err, p->source);
  } else {
    fprintf(stderr, "%s\n", *why.text ? why.text : gscale_strerror(st));
  }
  gscale_measurements_free(m);
  gscale_system_free(s);
  return st != GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
