# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the plugin once for each compiler in PLUGIN_GCC: $(O)/plugin/MAJOR/ccprof.so.

# All sources except the chooser. Those in plugin/tables/ are C and do not use GCC.
PLUGIN_FOUND := $(patsubst plugin/%.cc,%,$(wildcard plugin/*.cc plugin/*/*.cc)) \
    $(patsubst plugin/%.c,%,$(wildcard plugin/*/*.c))
# Modules that have one file for each processor, and NAME-none for all other processors.
PLUGIN_BY_CPU := $(patsubst %-none,%,$(filter %-none,$(PLUGIN_FOUND)))
# $(call plugin_sources,CPU)
plugin_sources = $(filter-out $(PLUGIN_BY_CPU:=-%),$(PLUGIN_FOUND)) \
    $(foreach name,$(PLUGIN_BY_CPU),$(firstword $(filter $(name)-$(1),$(PLUGIN_FOUND)) $(name)-none))
# The flags must be those with which GCC is built, because tables in its headers depend on them (GCC bug
# 108634). GCC's headers cause our warnings, so they are system headers.
# -DNDEBUG: assertions in plugin/tables are only for the unit tests. gcc_assert stays active in the plugin.
# libstdc++ is not linked: the compiler proper contains what the plugin needs of it.
# With -flto the objects also contain their types, for -Wodr, but the plugin is linked from their code. Packages
# are built with an empty PLUGIN_TYPES, because -flto makes builds irreproducible: GCC invents names that
# differ each time, and line tables contain the folder of the build in spite of -ffile-prefix-map.
PLUGIN_TYPES = -flto -ffat-lto-objects
PLUGIN_FLAGS := -std=gnu++14 -I. -fno-rtti -fno-exceptions -fno-threadsafe-statics -fPIC -fvisibility=hidden \
	-fno-asynchronous-unwind-tables $(filter-out -Wundef -Wshadow,$(WARN)) $(or $(strip $(PLUGIN_TYPES)),-fno-lto)

# The runtime's path in the stub of an installed plugin. It is empty if the loader searches the folder
# by itself: then the name of the runtime is enough.
RT_LOADER_FOLDERS := $(foreach name,$(LIB) lib/$(shell $(RT_CC) -print-multiarch 2>/dev/null),/usr/$(name) /$(name))
RT_INSTALLED = $(if $(filter $(RT_LOADER_FOLDERS:/=),$(LIBDIR)),,$(LIBDIR)/libccprof.so.1)

# $(call plugin_dir,COMPILER): the folder where the compiler's plugin is installed.
plugin_own_dir = $(shell $(1) -print-file-name=plugin 2>/dev/null)
plugin_may_write = $(or $(DESTDIR),$(shell [ -w '$(1)' ] && echo yes))
plugin_dir = $(if $(PLUGINDIR),$(PLUGINDIR)/$(gcc_major),$(call plugin_dir_or,$(1),$(call plugin_own_dir,$(1))))
# The value of -fplugin= that a user writes.
plugin_written = $(if $(filter $(call plugin_own_dir,$(1)),$(call plugin_dir,$(1))),ccprof,$(LIBDIR)/ccprof.so)
plugin_dir_or = $(if $(call plugin_may_write,$(2)),$(2),$(LIBDIR)/ccprof/$(gcc_major))

# A stamp is rewritten whenever its text changes, so that all that depends on it is built again.
$(O)/plugin/%.stamp: FORCE
	@mkdir -p $(@D)
	@echo '$(PLUGIN_STAMP_$*)' | cmp -s - $@ || echo '$(PLUGIN_STAMP_$*)' >$@
.PHONY: FORCE
PLUGIN_STAMP_runtime = $(RT_INSTALLED)
PLUGIN_STAMP_chooser = $(CHOOSER_INSTALLED)

# $(1): a compiler, $(2): its major version
define plugin_rules
$(O)/plugin/$(2)/%.o: plugin/%.cc plugin/plugin.mk
	@mkdir -p $$(@D)
	$$(call say,CXX ,$$@)$$(Q)$$(CXX) $$(CPPFLAGS) $$(CXXFLAGS) $$(PLUGIN_FLAGS) -frandom-seed=$$< $$(DEPFLAGS) -DCCPROF_VERSION='"$(VERSION)"' \
	  -DCCPROF_RT_INSTALLED='"$$(RT_INSTALLED)"' -DCCPROF_RT_BITS=64 -DCCPROF_CPU='"$$(call rt_cpu,$(1))"' \
	  -isystem $$(shell $(1) -print-file-name=plugin)/include -I$(O)/plugin/$(2) -c $$< -o $$@
$(O)/plugin/$(2)/%.o: plugin/%.c plugin/plugin.mk
	@mkdir -p $$(@D)
	$$(call say,CC  ,$$@)$$(Q)$$(CC) -std=gnu11 -I. $$(CPPFLAGS) $$(CFLAGS) $$(CWARN) -fno-lto -fPIC -fvisibility=hidden $$(DEPFLAGS) -DNDEBUG -c $$< -o $$@
$(O)/plugin/$(2)/attach.o: $(O)/plugin/$(2)/attach.inc $(O)/plugin/runtime.stamp
$(O)/plugin/$(2)/ccprof.so: $(patsubst %,$(O)/plugin/$(2)/%.o,$(call plugin_sources,$(call rt_cpu,$(1)))) plugin/plugin.map
	$$(call say,LINK,$$@)$$(Q)$$(CC) -shared $$(CXXFLAGS) -fno-lto -static-libgcc $$(LDFLAGS) -Wl,--version-script=plugin/plugin.map -Wl,-z,relro,-z,now \
	  -o $$@ $$(filter %.o,$$^)
# Checks that no two files define different types with the same name. Only a link with types can find this.
$(O)/plugin/$(2)/odr.so: $(patsubst %,$(O)/plugin/$(2)/%.o,$(call plugin_sources,$(call rt_cpu,$(1))))
	$$(call say,ODR ,$$@)$$(Q)$$(CXX) -shared -flto=2 -O0 -g0 -Wno-alloc-size-larger-than -Werror=odr -o $$@ $$^
-include $(wildcard $(O)/plugin/$(2)/*.d $(O)/plugin/$(2)/*/*.d)
endef

$(foreach gcc,$(PLUGIN_GCC),$(eval $(call plugin_rules,$(gcc),$(call gcc_major,$(gcc)))))

all: $(PLUGIN_MAJORS:%=$(O)/plugin/%/ccprof.so) $(O)/ccprof.so

# Only for `make check'.
PLUGIN_ODR := $(PLUGIN_MAJORS:%=$(O)/plugin/%/odr.so)

$(O)/ccprof.so: $(O)/plugin/$(firstword $(PLUGIN_MAJORS))/ccprof.so
	$(Q)ln -sf plugin/$(firstword $(PLUGIN_MAJORS))/ccprof.so $@

# Pairs of major version and path, except for plugins in the compilers' own folders: the chooser finds those.
CHOOSER_INSTALLED = $(foreach gcc,$(PLUGIN_GCC),$(if $(filter $(call plugin_own_dir,$(gcc)),$(call plugin_dir,$(gcc))),, \
    {$(call gcc_major,$(gcc)),"$(call plugin_dir,$(gcc))/ccprof.so"}$(comma)))

all: $(O)/plugin/chooser/ccprof.so

$(O)/plugin/chooser/ccprof.so: plugin/chooser.c plugin/plugin.map $(O)/plugin/chooser.stamp
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(Q)$(CC) -std=gnu11 $(CPPFLAGS) $(CFLAGS) $(CWARN) -fPIC -fvisibility=hidden \
	  -DCHOOSER_INSTALLED='$(CHOOSER_INSTALLED)' -shared $(LDFLAGS) \
	  -Wl,--version-script=plugin/plugin.map $< -o $@

PLUGIN_FOLDERS = $(foreach gcc,$(PLUGIN_GCC),'$(DESTDIR)$(call plugin_dir,$(gcc))')
INSTALL_FOLDERS += $(PLUGIN_FOLDERS)

.PHONY: install-plugin uninstall-plugin
install: install-plugin
install-plugin: $(PLUGIN_MAJORS:%=$(O)/plugin/%/ccprof.so) $(O)/plugin/chooser/ccprof.so
	$(MAKE_FOLDERS) $(PLUGIN_FOLDERS) '$(DESTDIR)$(LIBDIR)'
	$(foreach gcc,$(PLUGIN_GCC),$(INSTALL) -m 755 $(O)/plugin/$(call gcc_major,$(gcc))/ccprof.so \
	    '$(DESTDIR)$(call plugin_dir,$(gcc))' &&) :
	$(INSTALL) -m 755 $(O)/plugin/chooser/ccprof.so '$(DESTDIR)$(LIBDIR)'

uninstall: uninstall-plugin
uninstall-plugin:
	rm -f $(foreach gcc,$(PLUGIN_GCC),'$(DESTDIR)$(call plugin_dir,$(gcc))/ccprof.so') \
	  '$(DESTDIR)$(LIBDIR)/ccprof.so'
