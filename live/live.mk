# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof-live: shows processes that run. It uses the rooms of mlprof as a library.

LIVE_SOURCES := $(wildcard live/*.c)
LIVE_OBJECTS := $(LIVE_SOURCES:live/%.c=$(O)/obj/live/%.o)
LIVE_LIBS = -lmicrohttpd -lcurl

all: $(O)/ccprof-live

$(O)/obj/live/%.o: live/%.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(CC) -std=gnu11 -I. $(DEPFLAGS) -DCCPROF_VERSION='"$(VERSION)"' $(MLPROF_NDEBUG) $(CPPFLAGS) $(CFLAGS) \
	    $(CWARN) $(SANFLAGS) -c $< -o $@

$(O)/ccprof-live: $(LIVE_OBJECTS) $(filter-out $(O)/obj/mlprof/main.o,$(MLPROF_OBJECTS))
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ $(MLPROF_LIBS) $(LIVE_LIBS) -o $@

-include $(LIVE_OBJECTS:.o=.d)

LIVE_FOLDERS = '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)'
INSTALL_FOLDERS += $(LIVE_FOLDERS)

.PHONY: install-live uninstall-live
install: install-live
install-live: $(O)/ccprof-live
	$(MAKE_FOLDERS) $(LIVE_FOLDERS)
	$(INSTALL) -m 755 $(O)/ccprof-live '$(DESTDIR)$(BINDIR)/ccprof-live'
	$(INSTALL) -m 644 live/ccprof-live.bash-completion '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/ccprof-live'

uninstall: uninstall-live
uninstall-live:
	rm -f '$(DESTDIR)$(BINDIR)/ccprof-live' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/ccprof-live'
