# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: what profiling costs.  ROUNDS, COMPILE_ROUNDS: how often each thing is
# measured; PARTS: only some of run-time, stack-cost, count-cost, kinds, short, papers,
# compile-time, compile-kinds, report-time, report-large, report-merge, page, run-memory,
# regions, pgo; and where they are named kinds-forms, the last part of kinds, heap and
# heap-intervals.  FORMS: only some of kinds-forms' tables; PROGRAMS: only some of the
# programs of compile-kinds, pgo or heap; RUNS, SIZES: how many runs of heap-intervals, and
# of which sizes the samples are.

bench:
	@testsuite/packages.sh bench
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-bench

.PHONY: run-bench
run-bench: all
	@CC='$(CC)' O='$(abspath $(O))' $(foreach v,ROUNDS COMPILE_ROUNDS PARTS FORMS PROGRAMS RUNS SIZES,$(if $($v),$v='$($v)')) \
	    testsuite/bench/bench.sh
