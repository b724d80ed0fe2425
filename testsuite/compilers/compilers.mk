# SPDX-License-Identifier: GPL-3.0-or-later
# make compilers: every test with every compiler, a quarter of an hour and more for each;
# COMPILERS, CHROOTS, MIRROR and TESTS narrow or change it (compilers.sh).

COMPILERS ?= bookworm:12 trixie:13 trixie:14 sid:15 sid:16
CHROOTS ?= $(abspath $(O))/chroots

.PHONY: compilers
compilers:
	@SRC='$(CURDIR)' CHROOTS='$(CHROOTS)' COMPILERS='$(COMPILERS)' $(if $(MIRROR),MIRROR='$(MIRROR)') \
	    TESTS='$(TESTS)' JOBS='$(JOBS)' \
	    $(call tested,compilers,$(COMPILERS),$(TESTS)) testsuite/compilers/compilers.sh
