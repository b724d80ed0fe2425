# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof: the targets are listed by `make help`; each folder brings a fragment.

VERSION := 0.1

# What a user may set.
PREFIX ?= /usr/local
DESTDIR ?=
O ?= build
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
# Under sanitizers -O1 is as fast, and takes two thirds of the time to compile.
CFLAGS ?= $(if $(SAN),-O1 -g1,-O2 -g)
CXXFLAGS ?= -O2 -g
# $(call gcc_major,COMPILER): its version, by which the folders of what is built for it are named.
gcc_major = $(firstword $(subst ., ,$(shell $(1) -dumpversion 2>/dev/null)))
# The machine to profile programs on, as the names of its compilers begin (aarch64-linux-gnu);
# empty: this one. Only the runtime and the plugins for such compilers are built, in a folder
# of their own; mlprof reads the profiles of all machines.
TARGET ?=
# The one of the version of CC, if it is there.
TARGET_CC ?= $(firstword $(foreach name,$(TARGET)-gcc-$(call gcc_major,$(CC)) $(TARGET)-gcc, \
    $(if $(shell command -v $(name)),$(name))) $(TARGET)-gcc)
RT_CC := $(if $(TARGET),$(TARGET_CC),$(CC))
RT_TOOLS := $(if $(TARGET),$(TARGET)-)
# The compilers to build a plugin for; the first one is used by the tests.
PLUGIN_GCC ?= $(firstword $(filter-out ccache distcc -%,$(RT_CC)))
PLUGIN_MAJORS := $(foreach gcc,$(PLUGIN_GCC),$(call gcc_major,$(gcc)))
$(if $(filter-out $(words $(PLUGIN_MAJORS)),$(words $(sort $(PLUGIN_MAJORS)))),$(error \
    two compilers of one major version in PLUGIN_GCC ($(PLUGIN_GCC)): build for one of them, with another O))
# Sanitizers: address,undefined for mlprof and all unit tests; thread for the unit tests
# of the runtime, and `make check' runs these only.  The runtime in a profiled program is
# not built with them, but under undefined it traps where it would be reported.
SAN ?=

BINDIR ?= $(PREFIX)/bin
# lib or lib64, where the loader of the system looks for what the compiler makes.
LIB := $(or $(filter lib64,$(word 2,$(subst /, ,$(shell $(RT_CC) -print-multi-os-directory 2>/dev/null)))),lib)
LIBDIR ?= $(PREFIX)/$(if $(TARGET),$(TARGET)/lib,$(LIB))
INCLUDEDIR ?= $(PREFIX)/$(if $(TARGET),$(TARGET)/)include
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/ccprof
# Where the plugins go, each in a folder of its compiler's version; empty: where the compiler
# finds them by name, or, if nothing can be written there, LIBDIR/ccprof.
PLUGINDIR ?=

# With sanitizers everything is built in a folder of its own.
comma := ,
override O := $(O)$(if $(TARGET),/$(TARGET))$(if $(SAN),-$(subst $(comma),-,$(SAN)))
# Fences are none for ThreadSanitizer, of which GCC warns.
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all $(if $(filter thread,$(SAN)),-Wno-tsan))

# Empty where another compiler than ours builds it, as in distributions.
WERROR ?= -Werror
WARN := -Wall -Wextra $(WERROR) -Wshadow -Wpointer-arith -Wwrite-strings -Wundef
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
DEPFLAGS = -MMD -MP
INSTALL := install
# What was made is written down, and uninstall removes no other folder.
MAKE_FOLDERS = ./folders.sh make $(O)/folders

# V=1 shows the commands; otherwise each is a word and its target.
Q := $(if $(V),,@)
say = $(if $(V),,$(info $(1) $(2)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all check check-format check-shell deps bench demo fuzz same-code stress install uninstall dist clean help format

all:

help:
	@echo 'make            build the plugin, the runtime, mlprof and ccprof-live in $$(O) ($(O))'
	@echo 'make demo       install what is missing, build, profile a real program'
	@echo 'make check      install what is missing, build, run the tests, seven minutes on two processors;'
	@echo '                TESTS="NAME ..." only these, in full, and builds only what they need'
	@echo 'make check-all  that in full, layout and scripts, every kind in every form, random programs and bytes, races,'
	@echo '                other processors where cross compilers are installed: an hour and more'
	@echo 'make check-changed SINCE=COMMIT  the tests that execute what has changed since then, by the map of make coverage'
	@echo 'make coverage   which test executes which function, and how much of the code is executed'
	@echo 'make check-fast the unit tests and some of the others, within a minute'
	@echo 'make check-unit the unit tests'
	@echo 'make check-clang  the unit tests of mlprof under the sanitizers of clang (FUZZ_CC=clang)'
	@echo 'make check-cross  what can be tested of other processors, with cross compilers and qemu (make deps-cross)'
	@echo 'make check-format, check-shell  whether clang-format 14 would leave the sources as they are,'
	@echo '                and what shellcheck says of the scripts, and POSIX of those in awk'
	@echo 'make deps       install what demo and check need'
	@echo 'make bench      print what profiling costs, as ratios'
	@echo 'make same-code  compare the machine code of GCC'"'"'s own tests with and without the plugin'
	@echo 'make heap-same-runs  whether GCC'"'"'s own tests run with heap=exact and heap=SIZE as they do without'
	@echo 'make truth      ask of generated programs which function and line each instruction is of'
	@echo 'make certain    whether the intervals of mlprof hold the truth and -compare finds what changed, in runs'
	@echo 'make random     whether counts of random programs are right, other programs each time; PROGRAMS=20 of each sort'
	@echo 'make compilers  every test with each GCC from 12 to 16, in chroots of Debian; as root, over an hour'
	@echo 'make deb-check  Debian packages of the last commit, built and tried in clean systems of RELEASES'
	@echo '                ("bookworm trixie sid"); as root, five minutes and more for each'
	@echo 'make fresh      the commands of README in minimal systems of FRESH ("bookworm trixie"), as root and as'
	@echo '                a user; as root, an hour and more, TESTS="NAME ..."'
	@echo 'make stress     ten minutes of threads, exceptions and unloading at 5,000 Hz; SECONDS=60'
	@echo 'make fuzz       random bytes for the readers of mlprof and ccprof-live: READER=mlmon, elf, tables, formula, map, keep, gate, route; SECONDS=60'
	@echo 'make kinds      every kind in every form of code, on programs here, Lua and zstd: they run as without'
	@echo 'make check-markers  check after every pass of GCC that the markers nest: the programs here, Lua, zstd'
	@echo 'make unchanged BEFORE=FOLDER  compare the assembly and what mlprof prints with those of a checkout'
	@echo '                of the state before, built; about an hour on two cores, SETS="testsuite lua"'
	@echo 'make pictures   make the pictures of doc/page.md and heap.md again, in a browser'
	@echo 'make install    into $$(DESTDIR)$$(PREFIX) and the folders for plugins of $$(PLUGIN_GCC);'
	@echo '                where these cannot be written, or with PLUGINDIR, into others'
	@echo 'make uninstall, dist, clean, format'
	@echo 'Variables: O PREFIX DESTDIR PLUGINDIR CC CXX CFLAGS PLUGIN_GCC V=1'
	@echo '  TARGET=aarch64-linux-gnu  build the runtime and the plugin for programs of that machine, in $$(O)/TARGET;'
	@echo '                        TARGET_CC is the compiler for it'
	@echo '  SAN=address,undefined make check with mlprof and the unit tests under these sanitizers,'
	@echo '                        and the runtime built to trap on undefined behaviour'
	@echo '  SAN=thread            the unit tests of the runtime alone, under ThreadSanitizer'

# What is missing is named before anything is built.
ifneq ($(filter all install,$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(O)/packages),)
ifneq ($(shell CC='$(CC)' CXX='$(CXX)' PLUGIN_GCC='$(PLUGIN_GCC)' testsuite/packages.sh build >&2 && \
  mkdir -p '$(O)' && touch '$(O)/packages' && echo all),all)
$(error Packages are missing)
endif
endif
endif

include rt/rt.mk
include plugin/plugin.mk
ifeq ($(TARGET),)
include mlprof/mlprof.mk
include live/live.mk
include verify/verify.mk
include doc/doc.mk
include testsuite/testsuite.mk
endif

# What to write, once everything is in place.
install:
	$(if $(DESTDIR),,@echo 'Installed. To profile a program:'; \
	  $(foreach gcc,$(PLUGIN_GCC),echo '    $(gcc) -O2 -fplugin=$(call plugin_written,$(gcc)) prog.c -o prog';) \
	  echo '    ./prog'; \
	  case ":$$PATH:" in \
	    (*:'$(BINDIR)':*) echo '    mlprof prog mlmon.out' ;; \
	    (*) echo '    $(BINDIR)/mlprof prog mlmon.out' ;; \
	  esac)

# When all files are gone.
uninstall:
	@./folders.sh remove $(O)/folders $(INSTALL_FOLDERS)

# What a distribution adds is its own; debian/ is beside it.
dist:
	git archive --prefix=ccprof-$(VERSION)/ -o ccprof-$(VERSION).tar.gz HEAD . ':!debian'

clean:
	rm -rf $(O)

# Lays out every source file as .clang-format says; but not where its lines are what is tested.
FORMATTED = $$(git ls-files '*.c' '*.h' '*.cc' ':!testsuite/count' \
                          ':!testsuite/views')
CLANG_FORMAT ?= clang-format-14

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

check-format:
	$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)

check-shell:
	git ls-files '*.sh' '*.test' .ci/run | xargs -P $(JOBS) -n 20 shellcheck -x
# Other awks refuse more than gawk does.
	if command -v gawk >/dev/null; then git ls-files '*.awk' | xargs -n 1 gawk --posix -o/dev/null -f; fi
