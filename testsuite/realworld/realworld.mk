# SPDX-License-Identifier: GPL-3.0-or-later
# make realworld: Lua and zstd, fetched, built with the plugin, and profiled.

realworld:
	@testsuite/packages.sh realworld
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-realworld

.PHONY: run-realworld
run-realworld: all
	@CC='$(CC)' O='$(abspath $(O))' JOBS='$(JOBS)' testsuite/realworld/realworld.sh
