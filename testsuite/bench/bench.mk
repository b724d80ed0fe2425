# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: what profiling costs.  ROUNDS, COMPILE_ROUNDS: how often each thing is
# measured; PARTS: only some of run-time, stack-cost, count-cost, kinds, short, papers,
# compile-time, compile-kinds, report-time, report-large, report-merge, page, run-memory,
# regions, pgo, or kinds-forms, the last part of kinds; FORMS: only some of its tables;
# PROGRAMS: only some of compile-kinds' or pgo's programs.

bench:
	@testsuite/packages.sh bench
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-bench

.PHONY: run-bench
run-bench: all
	@CC='$(CC)' O='$(abspath $(O))' $(foreach v,ROUNDS COMPILE_ROUNDS PARTS FORMS PROGRAMS,$(if $($v),$v='$($v)')) \
	    testsuite/bench/bench.sh
