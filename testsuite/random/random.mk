# SPDX-License-Identifier: GPL-3.0-or-later
# make random: calls and executed lines of random programs, a few minutes; PROGRAMS in each language,
# other ones each time, or those from FIRST on.

# Not PROGRAMS itself: make bench has one, too.
random_programs = $(or $(PROGRAMS),20)
FIRST ?= $(shell date +%s)

.PHONY: random run-random
random:
	@$(TESTSUITE_PACKAGES) check
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-random

run-random: all
	$(Q)rm -rf '$(O)/random' && mkdir -p '$(O)/random'
	$(Q)cd '$(O)/random' && first='$(FIRST)' && last=$$((first + $(random_programs) - 1)) && \
	    echo "make random FIRST=$$first PROGRAMS=$(random_programs)" && \
	    $(TESTSUITE_ENV) '$(CURDIR)/testsuite/random/compare.py' --odd --jobs '$(JOBS)' \
	        "c:$$first-$$last" "c++:$$first-$$last"
