# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles each program of the suite, the bench and the fuzzers, without making code, before the first test runs:
# the scripts compile most of them late.

COMPILES := $(TESTSUITE_OBJ)/compiles
# Not those of other processors, of Qt, of MPI, of nlohmann's JSON library, of zstd, nor of languages that are not there: their
# tests are skipped.
COMPILES_ENDS := c cc $(if $(shell command -v $(FC)),f f90) $(if $(shell command -v $(GNATMAKE)),adb)
COMPILES_SOURCES := $(filter-out testsuite/bench/json.cc testsuite/field/begun.c testsuite/formats/kcachegrind.cc \
    testsuite/instructions/programs/zstd.c testsuite/parallel/stencil.% $(filter-out %-$(shell uname -m).c,$(wildcard testsuite/instructions/stepcpu-*.c)), \
    $(wildcard $(addprefix testsuite/,$(foreach end,$(COMPILES_ENDS),*.$(end) */*.$(end) */*/*.$(end)))))
COMPILES_STAMPS := $(COMPILES_SOURCES:%=$(COMPILES)/%.ok)

# Folders of headers in addition to the source's own folder.
COMPILES_FLAGS := -w -I. -Irt -Itestsuite -Itestsuite/runtime -Itestsuite/views -Itestsuite/alloc/paths/lib
# Macros that the test scripts define.
COMPILES_FLAGS_kinds/vectors.c := -DWITHOUT
COMPILES_FLAGS_views/hostile.cc := -DFILL=x -DEVIL_FILE='"x"'
COMPILES_FLAGS_kinds/atomic.c := -fgnu-tm
COMPILES_FLAGS_views/nested.cc := -DLOOPS=1
COMPILES_FLAGS_regions/vectors.c := -DWIDE=16

# $(call compiles,COMPILER): makes a stamp for a source if it compiles.
compiles = $(call say,TRY ,$<)$(Q)mkdir -p $(@D) && $(1) -fsyntax-only $(COMPILES_FLAGS) -I$(<D) $(COMPILES_FLAGS_$(<:testsuite/%=%)) $< && touch $@
compiles_depend = -MMD -MP -MT $@ -MF $(@:.ok=.d)

$(COMPILES)/%.c.ok: %.c
	$(call compiles,$(CC) -std=gnu11 $(compiles_depend))
$(COMPILES)/%.cc.ok: %.cc
	$(call compiles,$(CXX) -std=gnu++20 $(compiles_depend))
$(COMPILES)/%.f.ok: %.f
	$(call compiles,$(FC) -J$(COMPILES))
$(COMPILES)/%.f90.ok: %.f90
	$(call compiles,$(FC) -J$(COMPILES))
$(filter %.f90.ok,$(COMPILES_STAMPS)): $(COMPILES)/rt/ccprof.f90.ok
$(COMPILES)/%.adb.ok: %.adb
	$(call compiles,$(CC) -c -gnats)

-include $(COMPILES_STAMPS:.ok=.d)
