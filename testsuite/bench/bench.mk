# SPDX-License-Identifier: GPL-3.0-or-later
# make bench: what profiling costs. ROUNDS, COMPILE_ROUNDS: how often each thing is measured; PARTS: only
# some of papers, kinds, short, compile, heap, regions, waits, pgo, report, page; PROGRAMS: only some of the programs
# of kinds, compile, pgo or heap.

bench:
	@testsuite/packages.sh bench
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-bench

.PHONY: run-bench
run-bench: all
	@CC='$(CC)' O='$(abspath $(O))' $(foreach v,ROUNDS COMPILE_ROUNDS PARTS PROGRAMS,$(if $($v),$v='$($v)')) \
	    testsuite/bench/bench.sh
