/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the test count-predicted expects: predictors as doc/measuring.md describes them. */

#ifdef __cplusplus
extern "C" {
#endif

/* The condition NUMBER, which comes to OUTCOME, or the switch, to VALUE, 3 and more alike;
   of each condition in its order. The predictor is the calling thread's. */
void expect_condition(int number, int outcome);
void expect_switch(int number, int value);

/* Prints `NUMBER MISPREDICTIONS' for each of all threads. */
void expect_print(void);

#ifdef __cplusplus
}
#endif
