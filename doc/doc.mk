# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages and the other documents; nothing is built.

DOC_MAN1 := ccprof.1 ccprof-live.1 ccprof-verify.1 mlprof.1
DOC_MAN3 := ccprof.3
DOC_MAN5 := mlmon.out.5
DOC_MAN7 := $(sort $(notdir $(wildcard doc/*.7)))
DOC_OTHER := README NEWS COPYING COPYING.MIT doc/prog.c $(sort $(wildcard doc/*.schema.json)) $(sort $(wildcard doc/*.md))

DOC_FOLDERS = $(foreach section,1 3 5 7,'$(DESTDIR)$(MANDIR)/man$(section)') '$(DESTDIR)$(DOCDIR)' '$(DESTDIR)$(DOCDIR)/pictures'
INSTALL_FOLDERS += $(DOC_FOLDERS)

.PHONY: install-doc uninstall-doc
install: install-doc
install-doc:
	$(MAKE_FOLDERS) $(DOC_FOLDERS)
	$(INSTALL) -m 644 $(DOC_MAN1:%=doc/%) '$(DESTDIR)$(MANDIR)/man1'
	$(INSTALL) -m 644 $(DOC_MAN3:%=doc/%) '$(DESTDIR)$(MANDIR)/man3'
	$(INSTALL) -m 644 $(DOC_MAN5:%=doc/%) '$(DESTDIR)$(MANDIR)/man5'
	$(INSTALL) -m 644 $(DOC_MAN7:%=doc/%) '$(DESTDIR)$(MANDIR)/man7'
	$(INSTALL) -m 644 $(DOC_OTHER) '$(DESTDIR)$(DOCDIR)'
	$(INSTALL) -m 644 doc/pictures/*.webp '$(DESTDIR)$(DOCDIR)/pictures'

uninstall: uninstall-doc
uninstall-doc:
	rm -f $(DOC_MAN1:%='$(DESTDIR)$(MANDIR)/man1/%') \
	  $(DOC_MAN3:%='$(DESTDIR)$(MANDIR)/man3/%') $(DOC_MAN5:%='$(DESTDIR)$(MANDIR)/man5/%') \
	  $(DOC_MAN7:%='$(DESTDIR)$(MANDIR)/man7/%') \
	  $(foreach file,$(notdir $(DOC_OTHER)),'$(DESTDIR)$(DOCDIR)/$(file)') \
	  $(foreach file,$(notdir $(wildcard doc/pictures/*.webp)),'$(DESTDIR)$(DOCDIR)/pictures/$(file)')

# What doc/page.md shows.
.PHONY: pictures
pictures: all
	@CC='$(CC)' CXX='$(CXX)' O='$(abspath $(O))' testsuite/page/pictures.sh
