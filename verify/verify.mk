# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof-verify: compares what is compiled with the plugin and without it.

VERIFY_OBJECTS := $(O)/obj/verify/objdiff.o $(O)/obj/verify/object.o

all: $(O)/objdiff $(O)/ccprof-verify

$(O)/obj/verify/%.o: verify/%.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(CC) -std=gnu11 -I. $(DEPFLAGS) $(CPPFLAGS) $(CFLAGS) $(CWARN) $(SANFLAGS) -c $< -o $@

$(O)/objdiff: $(VERIFY_OBJECTS)
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -lelf -o $@

-include $(VERIFY_OBJECTS:.o=.d)

# $(call verify_script,PLUGIN,OBJDIFF): for the plugin and the comparer at these paths.
verify_script = sed 's|@PLUGIN@|$(1)|; s|@OBJDIFF@|$(2)|; s|@VERSION@|$(VERSION)|' verify/ccprof-verify.sh

$(O)/ccprof-verify: verify/ccprof-verify.sh Makefile verify/verify.mk
	$(call say,SED ,$@)$(Q)$(call verify_script,$(abspath $(O))/ccprof.so,$(abspath $(O))/objdiff) >$@ && chmod +x $@

VERIFY_LIBDIR = $(LIBDIR)/ccprof-verify
VERIFY_FOLDERS = '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(VERIFY_LIBDIR)' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)'
INSTALL_FOLDERS += $(VERIFY_FOLDERS)

.PHONY: install-verify uninstall-verify
install: install-verify
install-verify: $(O)/objdiff
	$(MAKE_FOLDERS) $(VERIFY_FOLDERS)
	$(INSTALL) -m 755 $(O)/objdiff '$(DESTDIR)$(VERIFY_LIBDIR)/objdiff'
	$(call verify_script,$(call plugin_written,$(firstword $(PLUGIN_GCC))),$(VERIFY_LIBDIR)/objdiff) >$(O)/ccprof-verify.installed
	$(INSTALL) -m 755 $(O)/ccprof-verify.installed '$(DESTDIR)$(BINDIR)/ccprof-verify'
	$(INSTALL) -m 644 verify/ccprof-verify.bash-completion '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/ccprof-verify'

uninstall: uninstall-verify
uninstall-verify:
	rm -f '$(DESTDIR)$(BINDIR)/ccprof-verify' '$(DESTDIR)$(VERIFY_LIBDIR)/objdiff' \
	  '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/ccprof-verify'
