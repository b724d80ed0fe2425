# SPDX-License-Identifier: GPL-3.0-or-later
# make kinds: every kind in every form that code is compiled in, on the ray tracer, a C++ and a
# Fortran program, Lua and zstd; what the programs print is compared with the plain ones'.
# KINDS: which of them, PROGRAM/FORMS/KINDS as testsuite/kinds/kinds.sh says.

KINDS ?= demo/all/all words/all/all grid/all/all lua/all/all \
    zstd/fPIC,O3-flto-fPIC,O3-static-pie-g/all

kinds:
	@testsuite/packages.sh realworld
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' run-kinds

.PHONY: kinds run-kinds
run-kinds: REALWORLD = $(abspath $(O))/realworld/src
run-kinds: all
	@testsuite/realworld/fetch.sh '$(REALWORLD)' lua5.4 libzstd
	@$(TESTSUITE_ENV) O='$(abspath $(O))' REALWORLD='$(REALWORLD)' \
	    testsuite/kinds/kinds.sh '$(abspath $(O))/kinds' $(KINDS)
