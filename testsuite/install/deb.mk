# SPDX-License-Identifier: GPL-3.0-or-later
# make deb-check: builds Debian's packages from this commit, twice, and tries them, in clean systems of
# these releases; RELEASES, CHROOTS and MIRROR narrow or change it (deb.sh). For root.

RELEASES ?= bookworm trixie sid

# A recipe that names MAKE itself is executed by make -n, too.
DEB_MAKE = $(MAKE)

.PHONY: deb-check
deb-check:
	@SRC='$(CURDIR)' VERSION='$(VERSION)' MAKE='$(DEB_MAKE)' CHROOTS='$(CHROOTS)' RELEASES='$(RELEASES)' \
	    MIRROR='$(MIRROR)' JOBS='$(JOBS)' $(if $(STEPS),STEPS='$(STEPS)') $(if $(PACKAGES),PACKAGES='$(PACKAGES)') \
	    $(call tested,deb-check,$(RELEASES),$(STEPS)$(PACKAGES)) testsuite/install/deb.sh

# make fresh: README's commands in systems with git and make alone; CHROOTS, MIRROR and TESTS narrow or
# change it (fresh.sh). For root.

FRESH ?= bookworm trixie

.PHONY: fresh
fresh:
	@SRC='$(CURDIR)' CHROOTS='$(CHROOTS)' FRESH='$(FRESH)' MIRROR='$(MIRROR)' TESTS='$(TESTS)' JOBS='$(JOBS)' \
	    $(call tested,fresh,$(FRESH),$(TESTS)) testsuite/install/fresh.sh
