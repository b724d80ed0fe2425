// Where functions, rows and expressions stand in source files, for the views that show the text or
// name a place in it. gfortran's positions are the end of a statement's last line, a comment
// included, or column 72. So the first part of this file finds Fortran's statements in the text.

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
function fortran_statement(path, texts, line, last) {
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
const fortran_allocates = (parts, texts) =>
    /^(?:if\b.*\)\s*)?(?:de)?allocate\s*\(/i.test(
        parts.map(({line, from, to}) => texts[line - 1].slice(from, to)).join(' ')
    );

// The code of a line in which a statement ends; empty: it has none, or goes on in another line,
// which has the machine code of both.
export function fortran_own(path, texts, line) {
    const end = fortran_statement(path, texts, line).at(-1);
    return end && end.line === line ? texts[line - 1].slice(end.from, end.to) : '';
}

// The names of source files, each with as many folders as tell it apart from the others.
export function places_names(paths) {
    const words = paths.map(path => path.split('/'));
    const counts = words.map(() => 1);
    for (;;) {
        const names = words.map((of, i) => of.slice(-counts[i]).join('/'));
        const alike = new Map();
        for (const name of names)
            alike.set(name, (alike.get(name) || 0) + 1);
        let longer = false;
        names.forEach(function (name, i) {
            if (alike.get(name) < 2 || counts[i] >= words[i].length)
                return;
            counts[i]++;
            longer = true;
        });
        if (!longer)
            return names;
    }
}

// A place without folders.
export const place_short = place => place.replace(/[^ ]*\//g, '').replace(': ', ':');

export function place_text(model, table, r) {
    if (table.place && table.place[r] >= 0)
        return place_short(model.data.texts[table.place[r]]);
    const path = model.path(table.file[r]);
    return path ? model.last(path) + (table.line[r] ? ':' + table.line[r] : '') : '';
}

// The functions of a file by the line in which they begin.
export function places_starts(model, file) {
    const starts = new Map();
    const of = model.data.functions;
    for (let f = model.count; f-- > 0;)
        if (of.file[f] === file && !of.branch[f])
            starts.set(of.line[f], f);
    return starts;
}

// Where a COLUMN of a line, which counts bytes of UTF-8 from 1, is in the text.
export function places_column(text, column) {
    if (/^[\0-\x7f]*$/.test(text))
        return column - 1;
    let bytes = 1,
        at = 0;
    for (const letter of text) {
        if (bytes >= column)
            break;
        const code = letter.codePointAt(0);
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        at += letter.length;
    }
    return at;
}

// The end of what begins at FROM in a line: a word, what is in parentheses, or a letter.
export function places_end(text, from) {
    const word = /^\w+/.exec(text.slice(from));
    if (word)
        return from + word[0].length;
    let depth = 0;
    let at = from;
    do {
        if (text[at] === '(')
            depth++;
        else if (text[at] === ')')
            depth--;
        at++;
    } while (depth > 0 && at < text.length);
    return at;
}

// By position, the parts of the Fortran statement that it stands for: one at the end of the
// statement does, where there are several that with most, and the others there have no parts; if
// there is none, the one with most does.
function places_statements(model, expressions, texts, path) {
    const at = model.data.positions;
    const best = new Map();
    const statements = new Map();
    for (const [p, {cur}] of fortran_is(path) ? expressions : []) {
        const line = at.line[p];
        const single =
            !at.start_column[p] ||
            (at.start_line[p] === at.end_line[p] && at.start_column[p] === at.end_column[p]);
        if (!single || !at.column[p] || texts[line - 1] === undefined)
            continue;
        const parts = fortran_statement(path, texts, line, at.column[p]);
        const own = parts.find(part => part.line === line);
        if (!own)
            continue;
        const found = {p: p, parts: parts, ends: at.column[p] >= own.to, cur: cur};
        if (found.ends)
            statements.set(p, []);
        const known = best.get(parts[0].line);
        if (!known || (found.ends === known.ends ? cur > known.cur : found.ends))
            best.set(parts[0].line, found);
    }
    for (const {p, parts} of best.values())
        statements.set(p, parts);
    return statements;
}

// The positions of code that gfortran puts into a statement that allocates or deallocates, and that
// is executed only if the statement fails. They stand at what is in its parentheses, which would
// seem to be never executed. EXECUTED says by position how often it was.
export function places_failures(model, executed, texts, path) {
    const at = model.data.positions;
    const failures = new Map();
    const succeeded = new Set();
    for (const [p, count] of fortran_is(path) ? executed : []) {
        const line = at.line[p];
        if (texts[line - 1] === undefined)
            continue;
        const parts = fortran_statement(path, texts, line, at.column[p]);
        const end = parts.at(-1);
        if (!end || !fortran_allocates(parts, texts))
            continue;
        if (count === 0)
            failures.set(p, parts[0].line);
        else if (line === end.line && at.column[p] >= end.to)
            succeeded.add(parts[0].line);
    }
    return new Set(Array.from(failures.keys()).filter(p => succeeded.has(failures.get(p))));
}

// By line, the parts of expressions of the file at PATH: from, to, position. Wider expressions come
// first, so that inner ones are painted over them.
export function places_ranges(model, expressions, texts, path) {
    const at = model.data.positions;
    const ranges = new Map();
    const statements = places_statements(model, expressions, texts, path);
    function put(parts, size) {
        for (const part of parts) {
            part.size = size;
            if (!ranges.has(part.line))
                ranges.set(part.line, []);
            ranges.get(part.line).push(part);
        }
    }
    for (const p of expressions.keys()) {
        const single = !at.start_column[p];
        const first = single ? at.line[p] : at.start_line[p];
        const last = single ? at.line[p] : at.end_line[p];
        if (!at.column[p] || last - first > 1000)
            continue;
        const statement = statements.get(p);
        if (statement) {
            put(
                statement.map(({line, from, to}) => ({line, from, to, position: p})),
                statement.reduce((sum, {from, to}) => sum + to - from, 0)
            );
            continue;
        }
        let size = 0;
        const parts = [];
        for (let line = first; line <= last; line++) {
            const text = texts[line - 1];
            if (text === undefined)
                continue;
            let from = places_column(
                text,
                single ? at.column[p] : line === first ? at.start_column[p] : 1
            );
            let to =
                line === last && !single ? places_column(text, at.end_column[p] + 1) : text.length;
            if (single || (first === last && to === from + 1))
                to = places_end(text, from);
            // The compiler gives the start of a macro's name as its end.
            else if (line === last)
                to += /^\w*/.exec(/\w/.test(text[to - 1] || '') ? text.slice(to) : '')[0].length;
            if (line !== first)
                from = Math.max(from, text.search(/\S|$/));
            if (to <= from)
                continue;
            parts.push({line: line, from: from, to: to, position: p});
            size += to - from;
        }
        put(parts, size);
    }
    for (const list of ranges.values())
        list.sort((a, b) => b.size - a.size || a.position - b.position);
    return ranges;
}
