# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin, once for each compiler of PLUGIN_GCC: $(O)/plugin/MAJOR/ccprof.so.

PLUGIN_SOURCES := ccprof options filter markers name mark scopes flow infer charge check \
	label points names emit attach encode part unit intern memory
# As GCC itself is built, or tables in its headers come out differently (GCC bug
# 108634); its headers do not pass our warnings, so they are system headers.
PLUGIN_FLAGS := -std=gnu++14 -fno-rtti -fno-exceptions -fPIC -fvisibility=hidden \
	-fno-asynchronous-unwind-tables $(filter-out -Wundef,$(WARN)) -Wno-shadow
PLUGIN_MAJORS :=

# $(1): a compiler, $(2): its major version
define plugin_rules
PLUGIN_MAJORS += $(2)
$(O)/plugin/$(2)/%.o: plugin/%.cc plugin/plugin.mk
	@mkdir -p $$(@D)
	$$(CXX) $$(CXXFLAGS) $$(PLUGIN_FLAGS) $$(DEPFLAGS) -DCCPROF_VERSION='"$(VERSION)"' \
	  -DCCPROF_RT_INSTALLED='"$$(RT_INSTALLED)"' -DCCPROF_RT_BITS=64 \
	  -isystem $$(shell $(1) -print-file-name=plugin)/include -I$$(@D) -c $$< -o $$@
$(O)/plugin/$(2)/attach.o: $(O)/plugin/$(2)/attach.inc
$(O)/plugin/$(2)/ccprof.so: $(PLUGIN_SOURCES:%=$(O)/plugin/$(2)/%.o) plugin/plugin.map
	$$(CXX) -shared -static-libgcc -Wl,--version-script=plugin/plugin.map -Wl,-z,relro,-z,now \
	  -o $$@ $$(filter %.o,$$^)
-include $(wildcard $(O)/plugin/$(2)/*.d)
endef

PLUGIN_MAJOR_OF = $(firstword $(subst ., ,$(shell $(1) -dumpversion)))
$(foreach gcc,$(PLUGIN_GCC),$(eval $(call plugin_rules,$(gcc),$(call PLUGIN_MAJOR_OF,$(gcc)))))

all: $(PLUGIN_MAJORS:%=$(O)/plugin/%/ccprof.so) $(O)/ccprof.so

$(O)/ccprof.so: $(O)/plugin/$(firstword $(PLUGIN_MAJORS))/ccprof.so
	ln -sf plugin/$(firstword $(PLUGIN_MAJORS))/ccprof.so $@
