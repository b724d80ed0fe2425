# SPDX-License-Identifier: GPL-3.0-or-later
# make check-cross: builds for other machines and runs there, under qemu, the tests that
# testsuite/cross/tests names. CROSS: these machines only; TESTS: these tests only.

CROSS ?= aarch64-linux-gnu

.PHONY: check-cross deps-cross run-cross
deps-cross:
	@CC='$(CC)' CROSS='$(CROSS)' testsuite/packages.sh cross
	@$(foreach target,$(CROSS),testsuite/cross/qemu.sh '$(target)' &&) :

check-cross: deps-cross
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' all $(OBJDIFF) $(TESTSUITE_LIMIT)
	@$(foreach target,$(CROSS),$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' TARGET='$(target)' all &&) :
	@$(foreach target,$(CROSS),$(TESTSUITE_ENV) TESTS='$(TESTS)' \
	    $(call tested,check-cross,$(tested_gcc) for $(target),$(TESTS)) testsuite/cross/cross.sh '$(target)' &&) :
