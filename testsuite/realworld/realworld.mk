# SPDX-License-Identifier: GPL-3.0-or-later
# make check-markers: the checker after every pass, on the programs of the testsuite, on
# Lua and on zstd.
check-markers:
	@testsuite/packages.sh realworld
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-check-markers

.PHONY: check-markers run-check-markers
run-check-markers: REALWORLD = $(abspath $(O))/realworld/src
run-check-markers: all
	@testsuite/realworld/fetch.sh '$(REALWORLD)' lua5.4 libzstd
	@$(TESTSUITE_ENV) REALWORLD='$(REALWORLD)' testsuite/check-markers.sh -O1 -O2 -O3 -- tests lua zstd
