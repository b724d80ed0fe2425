# SPDX-License-Identifier: GPL-3.0-or-later
# The generator of programs in which it is known what each instruction belongs to.

TESTSUITE_TOOLS += $(TESTSUITE_OBJ)/generate

$(TESTSUITE_OBJ)/generate: $(patsubst %,$(TESTSUITE_OBJ)/testsuite/truth/%.o,generate body statement loop simple term text constant)
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@
