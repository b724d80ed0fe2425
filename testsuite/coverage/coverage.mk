# SPDX-License-Identifier: GPL-3.0-or-later
# make coverage: runs the tests, TESTS only these, with all three programs compiled with --coverage, in a build folder
# of their own, writes which test executes which function into $(O)/coverage.map (coverage.py), and prints how many
# lines and branches of each room are executed. Tests that ask for the runtime's or the plugin's own code to be
# as it is installed are red there: what they executed counts all the same.
# make check-changed SINCE=COMMIT: the tests that execute what has changed since then (HEAD), in full, by that map.

COVERAGE_O = $(testsuite_o)/coverage
COVERAGE_FLAGS := -O1 -g --coverage
# all, or check: what of the tables of tests is run.
COVERAGE_ROWS ?= all

.PHONY: coverage check-changed
coverage:
	@$(TESTSUITE_PACKAGES) check
	@testsuite/readers.sh '$(COVERAGE_O)/readers'
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(COVERAGE_O)' CFLAGS='$(COVERAGE_FLAGS)' CXXFLAGS='$(COVERAGE_FLAGS)' \
	    LDFLAGS=--coverage ROWS='$(COVERAGE_ROWS)' COVERAGE='$(CURDIR)/testsuite/coverage/coverage.py' run-tests || :
	@testsuite/coverage/coverage.py map '$(COVERAGE_O)' '$(COVERAGE_O)/testsuite/.coverage' '$(testsuite_o)/coverage.map'
	@testsuite/coverage/coverage.py table '$(COVERAGE_O)' '$(COVERAGE_O)/testsuite/.coverage'

SINCE ?= HEAD
check-changed:
	@tests=$$(testsuite/coverage/changed.py '$(testsuite_o)/coverage.map' '$(SINCE)') && \
	    if [ "$$tests" ]; then $(MAKE) --no-print-directory O='$(testsuite_o)' check TESTS="$$tests"; fi
