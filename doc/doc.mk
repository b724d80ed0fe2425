# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages and the other documents; nothing is built.

DOC_MAN1 := ccprof.1 mlprof.1
DOC_MAN3 := ccprof.3
DOC_MAN5 := mlmon.out.5
DOC_OTHER := README COPYING $(sort $(wildcard doc/*.md))

.PHONY: install-doc uninstall-doc
install: install-doc
install-doc:
	$(INSTALL) -d '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man3' \
	  '$(DESTDIR)$(MANDIR)/man5' '$(DESTDIR)$(DOCDIR)'
	$(INSTALL) -m 644 $(DOC_MAN1:%=doc/%) '$(DESTDIR)$(MANDIR)/man1'
	$(INSTALL) -m 644 $(DOC_MAN3:%=doc/%) '$(DESTDIR)$(MANDIR)/man3'
	$(INSTALL) -m 644 $(DOC_MAN5:%=doc/%) '$(DESTDIR)$(MANDIR)/man5'
	$(INSTALL) -m 644 $(DOC_OTHER) '$(DESTDIR)$(DOCDIR)'

# The last folder is ccprof's own.
uninstall: uninstall-doc
uninstall-doc:
	rm -f $(DOC_MAN1:%='$(DESTDIR)$(MANDIR)/man1/%') \
	  $(DOC_MAN3:%='$(DESTDIR)$(MANDIR)/man3/%') $(DOC_MAN5:%='$(DESTDIR)$(MANDIR)/man5/%') \
	  $(patsubst %,'$(DESTDIR)$(DOCDIR)/%',$(notdir $(DOC_OTHER)))
	if [ -d '$(DESTDIR)$(DOCDIR)' ]; then rmdir '$(DESTDIR)$(DOCDIR)'; fi
