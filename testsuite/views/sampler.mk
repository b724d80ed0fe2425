# SPDX-License-Identifier: GPL-3.0-or-later
# An independent sampler, for demo.test.

TESTSUITE_TOOLS += $(TESTSUITE_OBJ)/sampler

$(TESTSUITE_OBJ)/sampler: $(TESTSUITE_OBJ)/testsuite/views/sampler.o
	$(call say,LINK,$@)$(Q)$(CC) $(LDFLAGS) $(SANFLAGS) $^ -o $@
