// Fortran's statements and comments by the text of the source: gfortran's positions are the end of
// a statement's last line, a comment included, or column 72.

const FORTRAN_FIXED = /\.(f|for|ftn|fpp)$/i;

export const fortran_is = path =>
    FORTRAN_FIXED.test(path) || /\.(f90|f95|f03|f08|f18)$/i.test(path);

// Where the code of a line begins and ends: without a label, a sign of continuation, a comment and,
// in the old form, what stands behind the column LAST. Both are 0 if the line has none. `goes_on'
// says that the next line belongs to the statement, `goes_back' that the one before does.
function fortran_line(text, fixed, last) {
    const none = {from: 0, to: 0, goes_on: false, goes_back: false};
    if (fixed && /^[C*!]/i.test(text))
        return none;
    const margin = fixed ? /^(?:[ \d]{5}[^ 0\t]|[ \d]*\t[1-9])/.exec(text) : /^\s*&/.exec(text);
    let to = fixed && !text.includes('\t') ? Math.min(last, text.length) : text.length;
    // Signs of a comment in texts are none.
    const parts = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|!/g;
    parts.lastIndex = margin ? margin[0].length : 0;
    for (let part; (part = parts.exec(text)) && part.index < to;)
        if (part[0] === '!')
            to = part.index;
    let code = text.slice(0, to).trimEnd();
    const goes_on = !fixed && code.endsWith('&');
    if (goes_on)
        code = code.slice(0, -1).trimEnd();
    const front = margin ? margin[0].length : /^(?:\s*\d+\s(?=\s*[a-z]))?/i.exec(code)[0].length;
    const from = front + code.slice(front).search(/\S|$/);
    return from < code.length
        ? {from: from, to: code.length, goes_on: goes_on, goes_back: Boolean(fixed && margin)}
        : Object.assign(none, {goes_on: goes_on});
}

// The parts of the statement that a line is of: line, from, to. In the old form, code ends with the
// column LAST.
export function fortran_statement(path, texts, line, last) {
    const fixed = FORTRAN_FIXED.test(path);
    const of = at => fortran_line(texts[at - 1], fixed, last || 72);
    const part = at => Object.assign({line: at}, of(at));
    // The next line with code on one side; none: 0.
    function next(at, step) {
        do
            at += step;
        while (at > 0 && at <= texts.length && !of(at).to && !of(at).goes_on);
        return at <= texts.length ? at : 0;
    }
    const parts = [part(line)];
    for (;;) {
        const above = next(parts[0].line, -1);
        if (!above || !(parts[0].goes_back || of(above).goes_on))
            break;
        parts.unshift(part(above));
    }
    for (;;) {
        const end = parts[parts.length - 1];
        const below = next(end.line, 1);
        if (!below || !(end.goes_on || of(below).goes_back))
            return parts.filter(({to}) => to);
        parts.push(part(below));
    }
}

// Whether the PARTS of a statement are those of one that allocates or deallocates, perhaps behind a
// condition.
export const fortran_allocates = (parts, texts) =>
    /^(?:if\b.*\)\s*)?(?:de)?allocate\s*\(/i.test(
        parts.map(({line, from, to}) => texts[line - 1].slice(from, to)).join(' ')
    );

// The code of a line in which a statement ends; empty: it has none, or goes on in another line,
// which has the machine code of both.
export function fortran_own(path, texts, line) {
    const end = fortran_statement(path, texts, line).at(-1);
    return end && end.line === line ? texts[line - 1].slice(end.from, end.to) : '';
}
