# SPDX-License-Identifier: GPL-3.0-or-later
# make deb-check: builds Debian's packages from this commit, twice, and tries them, in clean systems of
# these releases; RELEASES, CHROOTS and MIRROR narrow or change it (deb.sh).  For root.

RELEASES ?= bookworm trixie sid

.PHONY: deb-check
deb-check:
	@SRC='$(CURDIR)' VERSION='$(VERSION)' MAKE='$(MAKE)' CHROOTS='$(CHROOTS)' RELEASES='$(RELEASES)' \
	    MIRROR='$(MIRROR)' JOBS='$(JOBS)' $(if $(STEPS),STEPS='$(STEPS)') $(if $(PACKAGES),PACKAGES='$(PACKAGES)') \
	    testsuite/deb/deb.sh
