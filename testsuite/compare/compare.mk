# SPDX-License-Identifier: GPL-3.0-or-later
# make certain: whether what mlprof says of its own certainty holds; some eight minutes of a machine that
# does nothing else. RUNS, PAIRS, REAL, FOLDER, MOST_SECONDS: see certain.sh.

.PHONY: certain
certain: all
	@$(MAKE) --no-print-directory O='$(testsuite_o)' check TESTS=views-agree
	@CC='$(CC)' O='$(abspath $(O))' SRC='$(CURDIR)' \
	    $(foreach v,RUNS PAIRS REAL FOLDER MOST_SECONDS,$(if $($v),$v='$($v)')) testsuite/compare/certain.sh
