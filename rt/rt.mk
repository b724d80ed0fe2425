# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and installs the runtime: libccprof.so.1, which the stub in each object loads;
# libccprof.a for programs linked with -static -lccprof; libccprof_api.a for programs in
# Fortran and Ada that call the runtime; and the stub's text, which becomes a part of each
# plugin.

OBJCOPY ?= $(RT_TOOLS)objcopy
RT_AR = $(RT_TOOLS)$(AR)

RT_CPU := $(firstword $(subst -, ,$(shell $(RT_CC) -dumpmachine 2>/dev/null)))
RT_CFLAGS := -std=gnu11 -I. -fvisibility=hidden -ftls-model=initial-exec -fdata-sections -ffunction-sections \
    $(CWARN)
# Undefined behaviour traps: the runtime is a guest in the program, where nothing can report it.
RT_CFLAGS += $(if $(findstring undefined,$(SAN)),-fsanitize=undefined -fsanitize-undefined-trap-on-error)

# Atomic operations are instructions: the handler calls no code of others, not even of libgcc.
RT_CFLAGS_aarch64 := -mno-outline-atomics
RT_CFLAGS += $(RT_CFLAGS_$(RT_CPU))

# Flags that undo CFLAGS: link-time optimization does not see what is written in assembly, and the checked functions
# of fortified headers (bits/setjmp2.h) end programs that do nothing wrong. -Wp,-U undoes a definition behind -Wp.
RT_NEVER := -fno-lto -U_FORTIFY_SOURCE -Wp,-U_FORTIFY_SOURCE

# No floating point: the program may trap its exceptions and read its flags, and code that calls rt/regions may need its
# vector registers afterwards (regions-inside.h). GCC has no such flag for riscv64; the test rt-unchanged looks there.
RT_NEVER += $(if $(filter x86_64 aarch64,$(RT_CPU)),-mgeneral-regs-only)

# The modules by room. Each room uses only rooms before it.
RT_MODULES := \
    os/file os/lock os/memory os/notes os/proc os/settings os/signals os/text os/timer \
    unwind/fold unwind/guess unwind/guess-$(RT_CPU) unwind/outer unwind/sharedword unwind/stack unwind/unwind \
    unwind/unwind-rules unwind/unwind-tables \
    unwind/cpu-$(RT_CPU) unwind/store-$(if $(wildcard rt/unwind/store-$(RT_CPU).c),$(RT_CPU),none) \
    samples/modules samples/modules-maps samples/overflow samples/overflow-file samples/tags samples/samples samples/times \
    regions/regions regions/regions-cost regions/regions-events regions/regions-monotonic \
    regions/regions-pool regions/regions-slices regions/regions-slow regions/regions-write \
    regions/regions-counter-$(if $(wildcard rt/regions/regions-counter-$(RT_CPU).c),$(RT_CPU),none) \
    sampler/engine sampler/engine-task-clock sampler/engine-timer sampler/sampler sampler/threads \
    count/counts count/counts-accounting count/counts-modules count/counts-storage count/called count/inclusive \
    count/targets count/targets-first \
    heap/blocks heap/changes heap/heap heap/held heap/reach heap/roots heap/sampling heap/slots heap/stacks heap/times \
    heap/tree heap/walk heap/write \
    wait/files wait/held wait/parallelism wait/points wait/slice wait/threads wait/wait wait/write \
    symbolize/chain symbolize/elf-file symbolize/symbolize symbolize/symbolize-decode symbolize/trace \
    output/datafile output/filelabels output/mlmon output/output output/slice \
    process/children process/choices process/exit process/gate process/request process/request-number process/run \
    process/sigprof process/unregistered process/write \
    entry/api entry/dormant entry/hooks-calls entry/hooks-masks entry/jump-$(RT_CPU) entry/start entry/strict entry/thread-create
RT_SHARED := $(patsubst %,$(O)/rt/shared/%.o,$(RT_MODULES) \
    entry/hooks-got entry/hooks-module entry/wait-files entry/wait-locks entry/wait-openmp entry/wait-others \
    os/libc-shared heap/allocator)
# What the counters of --coverage need (make coverage).
RT_GCOV := $(if $(findstring --coverage,$(CFLAGS)),-lgcov)
RT_STATIC := $(patsubst %,$(O)/rt/static/%.o,$(RT_MODULES) \
    entry/hooks-static os/libc-static sampler/threads-static)

RT_PRODUCTS := $(O)/rt/libccprof.so.1 $(O)/rt/libccprof.so $(O)/rt/libccprof.a \
    $(O)/rt/libccprof_api.a

.PHONY: runtime
runtime: $(RT_PRODUCTS)
all: runtime

# Whatever CFLAGS say, the functions that stand in front of libc's syscall (entry/strict.c), dlopen and dlsym
# (entry/hooks-got.c, entry/hooks-module.c) jump there, and those of functions that wait (entry/wait-*.c) leave no frame.
$(patsubst %,$(O)/rt/shared/entry/%.o,strict hooks-got hooks-module wait-files wait-locks wait-others): RT_NEVER += -O2

# -fplt, whatever CFLAGS say: the runtime's calls of libc go through slots of its own (os/libc-shared.c).
$(O)/rt/shared/%.o: rt/%.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(RT_CC) $(RT_CFLAGS) $(CFLAGS) $(RT_NEVER) -fPIC -fplt $(DEPFLAGS) -c $< -o $@

$(O)/rt/static/%.o: rt/%.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(RT_CC) $(RT_CFLAGS) $(CFLAGS) $(RT_NEVER) -fPIE $(DEPFLAGS) -c $< -o $@

# The runtime's code is in one piece, so that samples in it are recognized (os/notes.h).
$(O)/rt/shared.o: $(RT_SHARED) rt/rt.ld
	$(Q)$(RT_CC) -r -nostdlib -Wl,-T,rt/rt.ld $(RT_SHARED) -o $@

# Linked without CFLAGS: for -Ofast, GCC 12 would add start code that changes the program's arithmetic (crtfastmath.o).
$(O)/rt/libccprof.so.1: $(O)/rt/shared.o rt/rt.map rt/shared.ld
	$(call say,LINK,$@)$(Q)$(RT_CC) $(LDFLAGS) -shared -nostartfiles -Wl,-soname,$(@F) -Wl,--version-script,rt/rt.map \
	    -Wl,-z,defs,-z,now,-z,relro,-z,nodelete,-z,noseparate-code,--discard-locals,-T,rt/shared.ld $< -o $@

$(O)/rt/libccprof.so: $(O)/rt/libccprof.so.1
	$(Q)ln -sf libccprof.so.1 $@

# libccprof.a is one object and no archive, from which the stub's weak reference would take
# nothing. Linkers go by the content of the file, not by its name.
$(O)/rt/libccprof.a: $(RT_STATIC) rt/rt.ld
	$(call say,LINK,$@)$(Q)$(RT_CC) -r -nostdlib -Wl,-T,rt/rt.ld $(RT_STATIC) $(RT_GCOV) -o $@
	$(Q)$(OBJCOPY) --localize-hidden $@

# The functions of ccprof.h for other languages, for programs with either form of the runtime.
$(O)/rt/libccprof_api.a: $(O)/rt/shared/fortran.o
	$(call say,AR  ,$@)$(Q)rm -f $@ && $(RT_AR) rcs $@ $<

# The stub's text, made by each compiler that a plugin is built for. The text must say
# nothing about the file that it is put into.
RT_STUB_CFLAGS := -std=gnu11 -I. -Os -g0 -fPIC -ffreestanding -fno-exceptions \
    -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector \
    -fno-jump-tables -fno-tree-loop-distribute-patterns -fno-section-anchors \
    $(CWARN)
RT_STUB_CFLAGS_x86_64 := -fcf-protection=branch
RT_STUB_CFLAGS_aarch64 := -mbranch-protection=bti

# $(call rt_cpu,COMPILER): the processor that COMPILER compiles for.
rt_cpu = $(firstword $(subst -, ,$(shell $(1) -dumpmachine 2>/dev/null)))

# $(call rt_stub,COMPILER,MAJOR)
define rt_stub
$(O)/plugin/$(2)/attach.s: rt/attach.c rt/ccprof.h rt/format.h rt/attach.awk rt/rt.mk
	@mkdir -p $$(@D)
	$$(call say,STUB,$$@)$$(Q)$(1) $(RT_STUB_CFLAGS) $(RT_STUB_CFLAGS_$(call rt_cpu,$(1))) -S $$< -o $$@.gcc
	$$(Q)awk -v cpu=$(call rt_cpu,$(1)) -f rt/attach.awk $$@.gcc >$$@
endef
$(foreach gcc,$(PLUGIN_GCC),$(eval $(call rt_stub,$(gcc),$(call gcc_major,$(gcc)))))

# The text as C string literals, one for each line.
%/attach.inc: %/attach.s
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@

RT_STUBS := $(foreach gcc,$(PLUGIN_GCC),$(O)/plugin/$(call gcc_major,$(gcc))/attach.inc)
all: $(RT_STUBS)

-include $(RT_SHARED:.o=.d) $(RT_STATIC:.o=.d) $(O)/rt/shared/fortran.d

INSTALL_FOLDERS += '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(INCLUDEDIR)'

.PHONY: install-rt uninstall-rt
install: install-rt
install-rt: $(RT_PRODUCTS)
	$(MAKE_FOLDERS) '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(INCLUDEDIR)'
	$(INSTALL) -m 755 $(O)/rt/libccprof.so.1 '$(DESTDIR)$(LIBDIR)/libccprof.so.1'
	ln -sf libccprof.so.1 '$(DESTDIR)$(LIBDIR)/libccprof.so'
	$(INSTALL) -m 644 $(O)/rt/libccprof.a $(O)/rt/libccprof_api.a '$(DESTDIR)$(LIBDIR)'
	$(INSTALL) -m 644 rt/ccprof.h rt/ccprof.f90 rt/ccprof.ads rt/ccprof.adb '$(DESTDIR)$(INCLUDEDIR)'

uninstall: uninstall-rt
uninstall-rt:
	rm -f $(foreach file,$(notdir $(RT_PRODUCTS)),'$(DESTDIR)$(LIBDIR)/$(file)') \
	  $(foreach file,ccprof.h ccprof.f90 ccprof.ads ccprof.adb,'$(DESTDIR)$(INCLUDEDIR)/$(file)')
