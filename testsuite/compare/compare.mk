# SPDX-License-Identifier: GPL-3.0-or-later
# make certain: whether what mlprof says of its own certainty holds; some three minutes of a machine that
# does nothing else.  RUNS, TURNS, RATE, PLANTED_RUNS, FOLDER, MOST: see certain.sh.

.PHONY: certain
certain: all
	@CC='$(CC)' O='$(abspath $(O))' SRC='$(CURDIR)' \
	    $(foreach v,RUNS TURNS RATE PLANTED_RUNS FOLDER MOST,$(if $($v),$v='$($v)')) testsuite/compare/certain.sh
