# SPDX-License-Identifier: GPL-3.0-or-later
# make demo: profiles the ray tracer in this folder and prints its table.

demo:
	@testsuite/packages.sh demo
	@$(MAKE) --no-print-directory $(testsuite_j) O='$(testsuite_o)' run-demo

.PHONY: run-demo
run-demo: all
	@CC='$(CC)' O='$(O)' testsuite/demo/demo.sh
