# SPDX-License-Identifier: GPL-3.0-or-later
# make stress: ten minutes of what is hard for a profiler; SECONDS=60 makes it one.

SECONDS ?= 600

.PHONY: stress run-stress
stress:
	@$(TESTSUITE_PACKAGES) demo
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-stress

run-stress: all
	@rm -rf '$(O)/stress' && mkdir -p '$(O)/stress'
	@cd '$(O)/stress' && $(TESTSUITE_ENV) '$(CURDIR)/testsuite/runtime/stress.sh' '$(SECONDS)'
