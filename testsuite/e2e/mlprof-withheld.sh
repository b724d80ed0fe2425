#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What an executable or a data file names is not believed: of source files only those are shown
# that are known to be what was compiled, or that the reader has asked for; and nothing but a
# regular file of a size within bounds is read.

. "$SRC/testsuite/mlprof.sh"

# Memory for what is read by mistake.
within() {
    # shellcheck disable=SC3045
    (ulimit -v 1000000 && "$@")
}

mkdir -p own elsewhere
cat >own/open.c <<'END'
int shown(int x)
{
    return x + 1; /* this may be seen */
}
END
# What the compiler cannot read has no MD5 in the tables, nor has what is too large, or without end.
{
    cat <<'END'
int shown(int);
volatile int sum;
END
    for name in secret link changed pipe sparse; do
        printf '#line 1 "%s"\nvoid from_%s(void)\n{\n    sum += 1;\n}\n' "$PWD/own/$name" "$name"
    done
    printf '#line 1 "/proc/kmsg"\nvoid from_kmsg(void)\n{\n    sum += 1;\n}\n'
    printf '#line 1 "hostile.c"\n'
    cat <<'END'
int main(void)
{
    from_secret();
    from_link();
    from_changed();
    from_pipe();
    from_sparse();
    from_kmsg();
    return shown(sum) == 0;
}
END
} >hostile.c
echo 'this was there' >own/changed
mkfifo own/pipe
truncate -s 40G own/sparse
pcc -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks hostile.c own/open.c -o hostile
./hostile
# secret NAME: what is in a file.
secret() {
    for line in 1 2 3 4; do
        echo "not for others: $1 $line"
    done
}
secret secret >own/secret
secret changed >own/changed
secret linked >elsewhere/linked
ln -s ../elsewhere/linked own/link

# shows OPTION...: neither the list, nor the page, nor what has the text for another program, has
# more of what is hidden than the file `seen' says; all have what is open; and what is said of
# files is in `told'.
shows() {
    for view in '-list .' '-html out' '-firefox out'; do
        # Words.
        # shellcheck disable=SC2086
        within "$MLPROF" -balance false $view "$@" hostile mlmon.out >printed 2>err ||
            fail "$view $*: $(cat err)"
        case $view in
        -list*) cp printed out ;;
        -html*)
            sed -n 's|.*<script type="application/gzip" id="data">\([^<]*\)<.*|\1|p' out | base64 -d | gunzip >data
            cp data out
            ;;
        esac
        has out 'this may be seen'
        grep -o 'not for others: [a-z]*' out | sort -u >of_others || :
        same of_others seen
        sort err >sorted
        sort told >want
        same sorted want
    done
}

untold='the tables do not tell what was compiled there; '
hidden='its lines are listed without text (-source-text any)'
shown='its lines may not be those that were measured'
absent='its lines are listed without text (-source-dir, -source-map)'
cat >told <<END
mlprof: $PWD/own/secret: $untold$hidden
mlprof: $PWD/own/link: $untold$hidden
mlprof: $PWD/own/sparse: $untold$hidden
mlprof: $PWD/own/changed: changed since it was compiled; $hidden
mlprof: $PWD/own/pipe: not a regular file; $absent
mlprof: /proc/kmsg: empty; $absent
END
: >seen
shows
shows -source-text same


# In a folder that the reader has named it is shown, but not through a link out of it.
absent='its lines are listed without text'
cat >told <<END
mlprof: $PWD/own/secret: $untold$shown
mlprof: $PWD/own/link: $untold$hidden
mlprof: $PWD/own/sparse: larger than 64 MB, and not read, nor is it in own; $absent
mlprof: $PWD/own/changed: changed since it was compiled; $shown
mlprof: $PWD/own/pipe: not a regular file, nor is it in own; $absent
mlprof: /proc/kmsg: empty, nor is it in own; $absent
END
printf 'not for others: %s\n' changed secret >seen
shows -source-dir own
sed "s|, nor is it in own; $absent|; $absent (-source-dir, -source-map)|" told >mapped
mv mapped told
shows -source-map /none=own

# And where any is asked for.
sed "s|own/link: .*|own/link: $untold$shown|" told >any
mv any told
printf 'not for others: %s\n' changed linked secret >seen
shows -source-text any

# Modules, and files that lie about in a folder: none is waited for, nor read without end.
mkfifo mlmon.out.pipe
cp mlmon.out first.out
for module in "$PWD/own/pipe" /proc/kmsg /dev/zero "$PWD/own/sparse"; do
    sed "s|^module 1 .*|module 1 - 0x10000000 $module|" first.out >mlmon.out
    grep -q "^module 1 .* $module\$" mlmon.out || fail 'no module was replaced'
    within "$MLPROF" hostile >out 2>err || fail "module $module: $(cat err)"
done
mkdir folder
cp first.out folder
mkfifo folder/pipe
ln -s /proc/kmsg folder/kmsg
{
    echo 'ccprof mlmon 1'
    sed 1d first.out
} >folder/sparse
truncate -s 40G folder/sparse
run 1 within "$MLPROF" hostile folder
has err '^mlprof: folder/sparse: line [0-9]*: '
within "$MLPROF" -tolerant true hostile folder >out 2>err || fail "$(cat err)"
has err '^mlprof: folder: kmsg and 1 more are no data files, and left out$'
