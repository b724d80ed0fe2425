# SPDX-License-Identifier: MIT
# Turns GCC's assembly of attach.c into text that can be inserted anywhere into another
# assembly file. All sections are in the COMDAT group ccprof_attach, and the
# text ends in the section in which it begins. No directive affects the whole
# file, and no local label has a name that the file may use, too. An unknown
# section stops the build.

function leave() {
    if (open)
        print "\t.popsection"
    open = 0
}

# Begins a section. TYPE follows a %, since some assemblers do not accept @.
function enter(name, flags, type) {
    leave()
    printf "\t.pushsection %s,\"%sG\",%%%s,ccprof_attach,comdat\n", name, flags, type
    open = 1
}

function fail(what) {
    print "attach.awk: " what > "/dev/stderr"
    failed = 1
    exit 1
}

BEGIN {
    # If a file contains the text twice, the second copy is skipped.
    print "\t.ifndef ccprof_attach"
    if (cpu == "x86_64") {
        # The file may be in Intel's syntax.
        print "\t.att_syntax prefix"
    }
    if (cpu == "riscv64") {
        # Only newer assemblers support distances in code that the linker may shorten.
        print "\t.if .gasversion. < 24100"
        print "\t.error \"ccprof needs GNU as 2.41 or later on riscv64\""
        print "\t.endif"
        print "\t.option push"
    }
}

skip && !/^\t\.(section|text)/ { next }

{ skip = 0 }

/^\t\.(file|ident|text|arch|cpu|attribute|addrsig)/ { next }

# The plugin replaces the path, so its size is not known here.
/^\t\.size\tccprof_attach_path,/ { next }

$1 == ".section" {
    split($2, part, ",")
    name = part[1]
    if (name ~ /^\.text\.ccprof/) {
        enter(name, "ax", "progbits")
        if (!begun++)
            print ".Lccprof_attach_begin:"
    } else if (name ~ /^\.rodata\.ccprof/)
        enter(name, "a", "progbits")
    else if (name ~ /^\.data\.ccprof/)
        enter(name, "aw", "progbits")
    else if (name ~ /^\.note\.ccprof/)
        enter(name, "a", "note")
    else if (name ~ /^\.init_array\./)
        enter(name, "aw", "init_array")
    else if (name ~ /^\.note\.(GNU-stack|gnu\.property)$/) {
        leave()
        skip = 1
    } else
        fail("what is the section " name "?")
    next
}

{
    gsub(/\.L/, ".Lccprof_attach_")
    sub(/1128484939/, "@CCPROF_KIND@")
    sub(/1128484940/, ".Lccprof_attach_begin-.")
    sub(/1128484941/, ".Lccprof_attach_finish-.Lccprof_attach_begin")
    print
}

END {
    if (failed)
        exit 1
    enter(".text.ccprof_attach", "ax", "progbits")
    print ".Lccprof_attach_finish:"
    leave()
    if (cpu == "riscv64")
        print "\t.option pop"
    print "\t.endif"
}
