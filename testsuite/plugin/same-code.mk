# SPDX-License-Identifier: GPL-3.0-or-later
# `make same-code`: every test program of GCC's, one to two hours on two cores;
# SAMPLE=10 takes every tenth.

OBJDIFF := $(TESTSUITE_OBJ)/objdiff
TESTSUITE_TOOLS += $(OBJDIFF)

$(OBJDIFF): $(TESTSUITE_OBJ)/verify/objdiff.o $(TESTSUITE_OBJ)/verify/object.o
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -lelf -o $@

.PHONY: run-same-code
same-code:
	@$(TESTSUITE_PACKAGES) same-code
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-same-code

run-same-code: all $(OBJDIFF)
	@$(TESTSUITE_ENV) OBJDIFF='$(abspath $(OBJDIFF))' SAMPLE='$(SAMPLE)' SETS='$(SETS)' \
	    LEVELS='$(LEVELS)' $(call tested,same-code,$(tested_gcc),$(SAMPLE)$(SETS)$(LEVELS)) testsuite/plugin/same-code.sh
