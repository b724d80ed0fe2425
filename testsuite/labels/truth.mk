# SPDX-License-Identifier: GPL-3.0-or-later
# make truth: asks several generated programs at all levels, about ten minutes on two cores;
# SEEDS and LEVELS (truth.sh) narrow it.

.PHONY: truth run-truth
truth:
	@$(TESTSUITE_PACKAGES) check
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-truth

run-truth: all
	$(Q)rm -rf '$(O)/truth' && mkdir -p '$(O)/truth'
	$(Q)cd '$(O)/truth' && $(TESTSUITE_ENV) SEEDS='$(SEEDS)' LEVELS='$(LEVELS)' \
	    $(call tested,truth,$(tested_gcc),$(SEEDS)$(LEVELS)) '$(CURDIR)/testsuite/labels/truth.sh'
