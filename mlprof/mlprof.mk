# SPDX-License-Identifier: GPL-3.0-or-later
# The report tool.
MLPROF_SOURCES := $(wildcard mlprof/*.c mlprof/*/*.c)
MLPROF_OBJECTS := $(MLPROF_SOURCES:mlprof/%.c=$(O)/obj/mlprof/%.o)

# Assertions are checked only with sanitizers, and in the unit tests, which compile these
# sources separately.
MLPROF_NDEBUG := $(if $(SAN),,-DNDEBUG)

# Only one object of libsupc++ is linked: the demangler, which does not need the others.
MLPROF_DEMANGLER = -l:libsupc++.a
MLPROF_LIBS = -lelf -lmd -lz -lgsl -lgslcblas -lm -lZydis -lncursesw $(MLPROF_DEMANGLER)

all: $(O)/mlprof

$(O)/obj/mlprof/%.o: mlprof/%.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(CC) -std=gnu11 -I. $(DEPFLAGS) -DCCPROF_VERSION='"$(VERSION)"' $(MLPROF_NDEBUG) $(CPPFLAGS) $(CFLAGS) \
	    $(MLPROF_NEVER) $(CWARN) $(SANFLAGS) -c $< -o $@

$(O)/mlprof: $(MLPROF_OBJECTS)
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ $(MLPROF_LIBS) -o $@

# Modules that embed files other than C sources (EMBED of base/files.h). EMBED uses assembly code, which
# link-time optimization does not see.
MLPROF_EMBEDS = page/page view/flame view/callgraph
$(MLPROF_EMBEDS:%=$(O)/obj/mlprof/%.o): MLPROF_NEVER := -fno-lto

# The page's scripts, which are modules. Each one follows the modules from which it imports. In the page
# they are one module with one scope: import statements and the word export are removed.
MLPROF_PAGE_SCRIPTS = maps numbers names elements drawing times transforms arcs aggregates model rows \
    places state transformbar clipboard table heap measures summary compare growth paint marks assembly \
    callsites expression source lists boxes flame tree callers time load regions waits lanes \
    tracks difference main
$(O)/obj/page.js: $(MLPROF_PAGE_SCRIPTS:%=mlprof/page/web/%.js) mlprof/mlprof.mk
	@mkdir -p $(@D)
	$(Q)awk '/^import / { inside = 1 } !inside { sub(/^export /, ""); print } /;$$/ { inside = 0 }' \
	    $(filter %.js,$^) >$@

# The assembler reads these files whenever a module that embeds them is compiled, also for the tests.
mlprof_embedded = $(foreach o,mlprof testsuite/mlprof fuzz/mlprof,$(O)/obj/$(o)/$(1).o)
$(call mlprof_embedded,page/page): $(O)/obj/page.js \
    $(addprefix mlprof/page/web/,page.css page.html older.js)
$(call mlprof_embedded,view/flame): mlprof/view/flame.js
$(call mlprof_embedded,view/callgraph): mlprof/view/callgraph.js
$(foreach e,$(MLPROF_EMBEDS),$(call mlprof_embedded,$(e))): override CPPFLAGS += -Wa,-I$(O)/obj

-include $(MLPROF_OBJECTS:.o=.d)

MLPROF_COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions

INSTALL_FOLDERS += '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)'

.PHONY: install-mlprof uninstall-mlprof
install: install-mlprof
install-mlprof: $(O)/mlprof
	$(MAKE_FOLDERS) '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)'
	$(INSTALL) -m 755 $(O)/mlprof '$(DESTDIR)$(BINDIR)/mlprof'
	$(INSTALL) -m 644 mlprof/mlprof.bash-completion '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/mlprof'

uninstall: uninstall-mlprof
uninstall-mlprof:
	rm -f '$(DESTDIR)$(BINDIR)/mlprof' '$(DESTDIR)$(MLPROF_COMPLETIONDIR)/mlprof'
