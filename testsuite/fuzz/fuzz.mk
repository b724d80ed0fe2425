# SPDX-License-Identifier: GPL-3.0-or-later
# `make fuzz READER=mlmon SECONDS=60`: random bytes for a reader of mlprof or ccprof-live, by clang's libFuzzer
# under sanitizers. What it found and the inputs that reached something new stay in
# $(O)/fuzz/READER. The unit test check_mlprof_fuzz needs no clang.

FUZZ_CC ?= clang
FUZZ_READERS := mlmon elf tables formula map keep gate route
FUZZ_OBJ := $(O)/obj/fuzz
FUZZ_SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_SOURCES := $(wildcard testsuite/fuzz/*.c) testsuite/unit/make_elf.c live/route.c \
    $(filter-out mlprof/live/%,$(TESTSUITE_MLPROF))

$(FUZZ_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC  ,$@)$(Q)$(FUZZ_CC) -std=gnu11 -I. -DCCPROF_ASSERT $(DEPFLAGS) $(CPPFLAGS) -O1 -g \
	    -fno-omit-frame-pointer -fsanitize=fuzzer-no-link $(FUZZ_SANFLAGS) -c $< -o $@

$(O)/fuzz/fuzz: $(FUZZ_SOURCES:%.c=$(FUZZ_OBJ)/%.o)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(Q)$(FUZZ_CC) -fsanitize=fuzzer $(FUZZ_SANFLAGS) $^ $(MLPROF_LIBS) -o $@

-include $(FUZZ_SOURCES:%.c=$(FUZZ_OBJ)/%.d)

fuzz:
	@testsuite/packages.sh fuzz
	@$(MAKE) --no-print-directory O='$(testsuite_o)' run-fuzz

.PHONY: run-fuzz
run-fuzz: all $(O)/fuzz/fuzz
	@$(TESTSUITE_ENV) READER='$(READER)' DURATION='$(or $(SECONDS),60)' testsuite/fuzz/fuzz.sh
