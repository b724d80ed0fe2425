# SPDX-License-Identifier: GPL-3.0-or-later
# make unchanged BEFORE=FOLDER: shows that a change of the sources changes nothing of what is made:
# FOLDER is a checkout of the state before, built. SETS: some of testsuite, lua, zstd and tests, of
# which the first takes an hour of one processor, and the last ten minutes of two.

SETS_UNCHANGED := testsuite lua zstd tests
UNCHANGED ?= $(abspath $(O))/unchanged

.PHONY: unchanged run-unchanged
unchanged:
	@[ -n '$(BEFORE)' ] || { echo 'make unchanged BEFORE=FOLDER, a checkout that is built'; exit 1; }
	@$(TESTSUITE_PACKAGES) check
	$(if $(filter-out testsuite tests,$(or $(SETS),all)),@testsuite/packages.sh realworld)
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' run-unchanged

# Paths are in what is made: these are the same for all that is compared.
run-unchanged: REALWORLD = $(abspath $(UNCHANGED))/src
run-unchanged: all $(TESTSUITE_TOOLS)
	$(if $(filter-out testsuite tests,$(or $(SETS),all)),@testsuite/realworld/fetch.sh '$(REALWORLD)' lua5.4 libzstd)
	@$(TESTSUITE_ENV) BEFORE='$(abspath $(BEFORE))' FOLDER='$(abspath $(UNCHANGED))' \
	    REALWORLD='$(REALWORLD)' testsuite/unchanged/unchanged.sh $(or $(SETS),$(SETS_UNCHANGED))
