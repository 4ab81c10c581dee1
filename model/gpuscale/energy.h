/*
 * energy.h - joules of a step, from what its parts draw in each state.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_ENERGY_H
#define GSCALE_ENERGY_H

#ifdef __cplusplus
extern "C" {
#endif

/** What one GPU and its share of a node draw, W, >= 0.  NaN: not known. */
typedef struct gscale_power {
  double gpu_busy;      /* a GPU that computes */
  double gpu_idle;      /* a GPU that waits */
  double host_busy;     /* processors whose thread controls or polls */
  double host_asleep;   /* processors that wait for the GPU alone */
  double memory_busy;   /* the host's memory in the first case */
  double memory_asleep; /* and in the second */
} gscale_power;

/** Energy of a step of one GPU and its share of a node.
 *
 *    gpu_busy t_busy + gpu_idle (t - t_busy)
 *    + (host_busy + memory_busy) t_host + (host_asleep + memory_asleep)
 *      (t - t_host)
 *
 *  Given    t       s, the step, >= 0
 *           busy    s of it in which the GPU computes, 0 .. t
 *           host    s of it in which the host is awake, 0 .. t
 *  Returns  J; NaN outside the domain, or if a number of p is not known
 *  Limits   all asleep, nothing computed: idle power times t
 *  Omits    the network card, whose draw hardly depends on traffic ([Oden14]
 *           appendix A), fans and power supplies
 *  Source   ours; by state, as [Oden14] 5.8.5 prints them
 */
double gscale_energy(const gscale_power *p, double t, double busy, double host);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_ENERGY_H */
