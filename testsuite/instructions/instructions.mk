# SPDX-License-Identifier: GPL-3.0-or-later
# stepcount, the judge of the kind instructions; only on the processors that it has a file for.

TESTSUITE_STEPCOUNT := $(TESTSUITE_OBJ)/stepcount
TESTSUITE_STEPCPU := $(wildcard testsuite/instructions/stepcpu-$(shell uname -m).c)
ifneq ($(TESTSUITE_STEPCPU),)
TESTSUITE_TOOLS += $(TESTSUITE_STEPCOUNT)

$(TESTSUITE_STEPCOUNT): $(patsubst %.c,$(TESTSUITE_OBJ)/%.o,$(addprefix testsuite/instructions/,stepcount.c stepfree.c stepmaps.c) $(TESTSUITE_STEPCPU))
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@
endif

# stepcalls, the judge of inclusive instructions.
ifeq ($(shell uname -m),x86_64)
TESTSUITE_STEPCALLS := $(TESTSUITE_OBJ)/stepcalls
TESTSUITE_TOOLS += $(TESTSUITE_STEPCALLS)

$(TESTSUITE_STEPCALLS): $(TESTSUITE_OBJ)/testsuite/instructions/stepcalls.o
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@
endif
