# SPDX-License-Identifier: GPL-3.0-or-later
# `make heap-same-runs`: GCC's own tests run as without the heap, some hours on two cores; SAMPLE=10 takes every
# tenth.

.PHONY: heap-same-runs run-heap-same-runs
heap-same-runs:
	@$(TESTSUITE_PACKAGES) same-code
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-heap-same-runs

run-heap-same-runs: all
	@$(TESTSUITE_ENV) SAMPLE='$(SAMPLE)' SETS='$(SETS)' \
	    $(call tested,heap-same-runs,$(tested_gcc),$(SAMPLE)$(SETS)) testsuite/heap/same_runs.py
