/* OpenMP's routines for a generated program that is compiled without OpenMP. */
#ifndef GENERATOR_PLAIN_OMP_H
#define GENERATOR_PLAIN_OMP_H
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_team_num(void) { return 0; }
static inline int omp_get_num_teams(void) { return 1; }
#endif
