# SPDX-License-Identifier: GPL-3.0-or-later
# The generator of programs in which it is known what each instruction belongs to.
# make truth: asked of several programs at all levels, about ten minutes on two cores;
# SEEDS and LEVELS (truth.sh) narrow it.

TESTSUITE_TOOLS += $(TESTSUITE_OBJ)/generate

TRUTH := generate body statement loop simple term text constant memory accessor
$(TESTSUITE_OBJ)/generate: $(TRUTH:%=$(TESTSUITE_OBJ)/testsuite/labels/%.o)
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@

.PHONY: truth run-truth
truth:
	@$(TESTSUITE_PACKAGES) check
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-truth

run-truth: all $(TESTSUITE_OBJ)/generate
	$(Q)rm -rf '$(O)/truth' && mkdir -p '$(O)/truth'
	$(Q)cd '$(O)/truth' && $(TESTSUITE_ENV) GENERATE='$(abspath $(TESTSUITE_OBJ))/generate' \
	    SEEDS='$(SEEDS)' LEVELS='$(LEVELS)' \
	    $(call tested,truth,$(tested_gcc),$(SEEDS)$(LEVELS)) '$(CURDIR)/testsuite/labels/truth.sh'
