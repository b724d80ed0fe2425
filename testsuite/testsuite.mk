# SPDX-License-Identifier: GPL-3.0-or-later
# The tests: every unit/check_*.c (a Check program), every NAME.test, a script.
#
# A unit test says in its first lines what it is linked with:
#     /* links: rt/os/text.c mlprof.a -lelf */
# These sources are compiled again for the tests, with SANFLAGS and the assertions of
# rt/os/sys.h. mlprof.a provides the objects of mlprof/ that the linker needs. A word
# that starts with - is a linker option.
#
# A subfolder may have its own fragment.

TESTSUITE_OBJ := $(O)/obj/testsuite
# The longest tests start first, so that none of them runs alone at the end.
TESTSUITE_LONG := $(addprefix testsuite/,unit/check_mlprof_fuzz.c unit/check_round_trip.c \
    plugin/same-code-subset.test kinds/kinds-forms.test labels/truth.test)
testsuite_sorted = $(filter $(1),$(TESTSUITE_LONG)) $(filter-out $(TESTSUITE_LONG),$(1))
TESTSUITE_UNITS := $(call testsuite_sorted,$(wildcard testsuite/unit/check_*.c))
TESTSUITE_PROGRAMS := $(TESTSUITE_UNITS:testsuite/unit/%.c=$(TESTSUITE_OBJ)/%)
TESTSUITE_SCRIPTS := $(call testsuite_sorted,$(wildcard testsuite/*/*.test))
ifeq ($(SAN),thread)
TESTSUITE_PROGRAMS := $(filter $(TESTSUITE_OBJ)/check_rt_%,$(TESTSUITE_PROGRAMS))
TESTSUITE_SCRIPTS :=
endif
# run.sh runs each test under this program.
TESTSUITE_LIMIT := $(TESTSUITE_OBJ)/limit
# Programs that the scripts need.
TESTSUITE_TOOLS :=

# Expanded late, because `make check` may install Check first.
TESTSUITE_CHECK_LIBS = $(shell pkg-config --libs check)

# $(call testsuite_links,FILE): the words of its links: comments.
testsuite_links = $(shell awk 'NR > 14 { exit } /links:/ { on = 1; sub(/.*links:/, "") } \
    on { ends = sub(/\*\/.*/, ""); gsub(/\*/, ""); print } ends { on = ends = 0 }' $(1))

# As for the programs, independently of CFLAGS.
$(TESTSUITE_OBJ)/mlprof/%: TESTSUITE_NEVER := -fno-lto
$(TESTSUITE_OBJ)/rt/%: TESTSUITE_NEVER := $(RT_NEVER)
$(TESTSUITE_OBJ)/testsuite/%: TESTSUITE_NEVER := -fno-lto

$(TESTSUITE_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(CC) -std=gnu11 -I. -DCCPROF_ASSERT $(DEPFLAGS) $(CPPFLAGS) $(CFLAGS) $(TESTSUITE_NEVER) $(CWARN) $(SANFLAGS) -c $< -o $@

# Without mlprof's main and the code that only main calls.
TESTSUITE_MLPROF := $(filter-out mlprof/main.c $(wildcard $(addsuffix /*.c,mlprof/options mlprof/input mlprof/commands)),$(MLPROF_SOURCES))
$(TESTSUITE_OBJ)/mlprof.a: $(TESTSUITE_MLPROF:%.c=$(TESTSUITE_OBJ)/%.o)
	$(call say,AR  ,$@)$(Q)rm -f $@ && $(AR) qcs $@ $^

$(TESTSUITE_LIMIT): $(TESTSUITE_OBJ)/testsuite/limit.o
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@

define testsuite_unit
$(TESTSUITE_OBJ)/$(1): $(TESTSUITE_OBJ)/testsuite/unit/$(1).o \
    $(patsubst %.c,$(TESTSUITE_OBJ)/%.o,$(filter %.c,$(2))) $(addprefix $(TESTSUITE_OBJ)/,$(filter %.a,$(2)))
	$$(call say,LINK,$$@)$$(Q)$$(CC) $$(LDFLAGS) $$(SANFLAGS) $$^ $(filter -%,$(2)) $$(if $$(filter %/mlprof.a,$$^),-lgsl -lgslcblas -lm -lZydis -lncursesw $$(MLPROF_DEMANGLER)) $$(TESTSUITE_CHECK_LIBS) -o $$@
endef
$(foreach u,$(TESTSUITE_UNITS),$(eval $(call testsuite_unit,$(basename $(notdir $u)),$(call testsuite_links,$u))))

include $(wildcard testsuite/*/*.mk)
-include $(shell find $(TESTSUITE_OBJ) -name '*.d' 2>/dev/null)

# The environment of a test.
TESTSUITE_ENV = SRC='$(CURDIR)' O='$(abspath $(O))' CC='$(CC)' CXX='$(CXX)' FC='$(FC)' \
    GNATMAKE='$(GNATMAKE)' PLUGIN='$(abspath $(O))/ccprof.so' $(TESTSUITE_MLPROF_ENV) \
    BIN='$(abspath $(TESTSUITE_OBJ))' READERS='$(abspath $(testsuite_o))/readers' JOBS='$(JOBS)' MAKE='$(MAKE)' SAN='$(SAN)' ROWS='$(ROWS)' COVERAGE='$(COVERAGE)' \
    $(if $(SAN),TIMEOUT=2700)

# If MLPROF_BEFORE names another mlprof, the outputs of both are compared (unchanged/both.sh).
TESTSUITE_MLPROF_ENV = $(if $(MLPROF_BEFORE),MLPROF='$(CURDIR)/testsuite/unchanged/both.sh' \
    MLPROF_BEFORE='$(MLPROF_BEFORE)' MLPROF_AFTER='$(abspath $(O))/mlprof',MLPROF='$(abspath $(O))/mlprof')

FC := $(if $(filter default,$(origin FC)),gfortran,$(FC))
GNATMAKE ?= gnatmake
JOBS ?= $(shell nproc)
# The rows of the tests' tables that run (rows in lib.sh). Named tests run completely.
ROWS ?= $(if $(TESTS),all,check)

include testsuite/compiles.mk

# With the name of a target as argument, installs the packages of this target.
TESTSUITE_PACKAGES = CC='$(CC)' CXX='$(CXX)' FC='$(FC)' GNATMAKE='$(GNATMAKE)' PLUGIN_GCC='$(PLUGIN_GCC)' \
    testsuite/packages.sh

# O without the sanitizers' suffix, for a nested make.
testsuite_o = $(if $(SAN),$(patsubst %-$(subst $(comma),-,$(SAN)),%,$(O)),$(O))

# $(call tested,TARGET,WITH,NARROWED): writes the result of the command behind it into doc/tested.md, unless
# the verification is narrowed.
tested = $(if $(strip $(3)),,'$(CURDIR)/testsuite/tested.sh' '$(1)' '$(2)')
tested_gcc = GCC $(shell $(CC) -dumpfullversion), $(shell $(CC) -dumpmachine)

# Run as many tests at a time as there are processors, unless make got -j.
testsuite_j = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

# The tests of the list that TESTS names; all tests if TESTS is empty.
# strip removes the spaces that foreach leaves; $(if) would treat them as true.
testsuite_named = $(strip $(if $(TESTS),$(foreach t,$(1),$(if $(filter $(basename $(notdir $t)),$(TESTS)),$t)),$(1)))

# Installs packages first, because the build needs them. If all tests pass and the sources are those of a commit,
# writes this commit to $(O)/checked.
check:
	@$(TESTSUITE_ENV) TESTS='$(TESTS)' testsuite/run.sh --about $(TESTSUITE_PROGRAMS) $(TESTSUITE_SCRIPTS)
	@$(TESTSUITE_PACKAGES) check
	@testsuite/readers.sh '$(testsuite_o)/readers'
	@commit=$$($(testsuite_commit)); \
	$(call tested,check,$(tested_gcc),$(TESTS)$(SAN)$(filter gcc,$(CC))) \
	    $(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' run-tests && \
	$(if $(TESTS)$(SAN),:,if [ "$$commit" ] && [ "$$commit" = "$$($(testsuite_commit))" ]; then \
	    echo "$$commit" >'$(testsuite_o)/checked'; \
	fi)

# Prints the commit of the sources; nothing if they were changed. Changes of doc/tested.md are ignored, because long
# verifications make them.
testsuite_commit = git status --porcelain -- . ':!doc/tested.md' 2>&1 | grep -q . || git rev-parse HEAD

# All checks, including those that `make check' leaves out. After a failure the remaining checks still run.
# check-cross runs for each processor of CROSS whose compiler is installed. The shell looks for it only in check-all.
CHECK_ALL = check-format check-shell 'check ROWS=all' kinds 'random PROGRAMS=20' 'stress SECONDS=60' \
    $(FUZZ_READERS:%='fuzz READER=% SECONDS=20') \
    'check-unit SAN=address,undefined' 'check-unit SAN=thread' check-clang \
    $(foreach target,$(CROSS),$(if $(shell command -v $(target)-gcc-$(call gcc_major,$(CC))),'check-cross CROSS=$(target)'))
check-all:
	@red=; \
	for what in $(CHECK_ALL); do \
	    echo "make $$what"; \
	    $(MAKE) --no-print-directory O='$(testsuite_o)' $$what || red="$$red, $$what"; \
	done; \
	[ ! "$$red" ] || { echo "check-all: red: $${red#, }" >&2; exit 1; }

# The unit tests and the scripts named in testsuite/fast.
check-fast:
	@$(MAKE) --no-print-directory O='$(testsuite_o)' check \
	    TESTS='$(notdir $(TESTSUITE_PROGRAMS)) $(shell sed 's/#.*//' testsuite/fast)'

# Only the unit tests. With SAN, the plugin is not built.
check-unit:
	@$(MAKE) --no-print-directory O='$(testsuite_o)' check TESTS='$(basename $(notdir $(TESTSUITE_PROGRAMS)))'

# The unit tests of mlprof, compiled by clang. Its UBSan reports faults that GCC's UBSan does not, such as 0 added to a
# null pointer. The sources are written for GCC's warnings, so clang's are off. The unit tests of the runtime are left
# out, because some of them depend on GCC's machine code.
testsuite_of_mlprof = $(foreach u,$(TESTSUITE_UNITS), \
    $(if $(filter mlprof.a mlprof/%,$(call testsuite_links,$u)),$(basename $(notdir $u))))
check-clang:
	@testsuite/packages.sh fuzz
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)/clang' CC='$(FUZZ_CC)' PLUGIN_GCC='$(PLUGIN_GCC)' \
	    SAN=address,undefined CWARN=-w TESTS='$(or $(TESTS),$(testsuite_of_mlprof))' run-tests

.PHONY: check-all check-clang check-fast check-unit run-tests
run-tests: $(TESTSUITE_LIMIT) $(if $(TESTS),,$(COMPILES_STAMPS) $(PLUGIN_ODR)) \
    $(if $(call testsuite_named,$(TESTSUITE_SCRIPTS)),all $(TESTSUITE_TOOLS)) $(call testsuite_named,$(TESTSUITE_PROGRAMS))
	@$(TESTSUITE_ENV) TESTS='$(TESTS)' testsuite/run.sh $(TESTSUITE_PROGRAMS) $(TESTSUITE_SCRIPTS)

# Installs the packages that demo and check need.
deps:
	@for what in demo check; do \
	    $(TESTSUITE_PACKAGES) $$what || exit; \
	done
	@testsuite/readers.sh '$(testsuite_o)/readers'
