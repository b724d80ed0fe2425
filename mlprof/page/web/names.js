// Names of functions: matches them with the filter, and shortens them if there is no room.

// Returns the typed regular expression, or null if TYPED is none. A wrong one throws an error.
function matcher_pattern(typed) {
    const slashed = /^\/(.*?)\/?$/.exec(typed);
    return slashed && new RegExp(slashed[1]);
}

// Returns a function that returns whether a name matches TYPED. TYPED is a substring of the name
// or, between slashes, a regular expression.
export function matcher(typed) {
    if (matcher_wrong(typed))
        return () => false;
    const pattern = matcher_pattern(typed);
    const lower = typed.toLowerCase();
    return name => (pattern ? pattern.test(name) : name.toLowerCase().includes(lower));
}

// Returns the error in a typed regular expression, or '' if there is none.
export function matcher_wrong(typed) {
    try {
        matcher_pattern(typed);
        return '';
    } catch (error) {
        return 'nothing matches: ' + error.message.replace(/^Invalid regular expression: /, '');
    }
}

// Returns the filter text that matches exactly one name.
export function matcher_exact(name) {
    return '/^' + name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$/';
}

// Shortens a name to ROOM characters: omits template arguments first, then scopes, and cuts the
// name last. The name of a branch ends with `.<case 1>', which are no arguments.
export function shorten(name, room) {
    if (name.length <= room)
        return name;
    const parts = /(\.<case .*?>(?= \(|$)|operator(?:<=>|<<=?|>>=?|<=?|>=?|->\*?)|[<>])/;
    let bare = '',
        depth = 0;
    for (const part of name.split(parts)) {
        if (part === '<')
            depth++;
        else if (part === '>')
            depth = Math.max(0, depth - 1);
        else if (!depth)
            bare += part;
    }
    if (!bare)
        bare = name;
    // Omit scopes, the outermost first, until the name fits. Fortran and Ada use `.' instead of
    // `::'.
    const unnamed = /\(anonymous namespace\)/g;
    const scopes = text =>
        text.replace(unnamed, part => '_'.repeat(part.length)).replace(/\(.*/, '');
    for (const separator of ['::', '.'])
        for (let place; bare.length > room && (place = scopes(bare).indexOf(separator)) >= 0;) {
            const rest = bare.slice(place + separator.length);
            if ((!/^[A-Za-z_]/.test(rest) && separator === '.') || /^lambda\b/.test(rest))
                break;
            // For an operator, the scope is more useful than the name.
            if (rest.startsWith('operator') && room >= rest.length + 5)
                return '\u2026' + bare.slice(1 - room);
            bare = rest;
        }
    return bare.length <= room ? bare : bare.slice(0, Math.max(1, room - 1)) + '\u2026';
}

// Returns the start and the end of the function's own name in NAME.
function own_name(name) {
    let length = 0,
        depth = 0,
        start = 0,
        end = -1;
    for (const part of name.split(/(operator(?:\(\)|<=>|<<=?|>>=?|<=?|>=?|->\*?)|::|[<>()])/)) {
        if (!depth && part === '::')
            [start, end] = [length + 2, -1];
        else if (part === '<' || part === '(') {
            if (!depth++ && end < 0)
                end = length;
        } else if (part === '>' || part === ')')
            depth = Math.max(0, depth - 1);
        length += part.length;
    }
    return [start, end < 0 ? name.length : end];
}

// Returns the end of a name in ROOM characters, or null if the function's own name does not fit.
const shorten_front = (name, room) =>
    name.length <= room
        ? name
        : own_name(name)[0] >= name.length - (room - 1)
          ? '\u2026' + name.slice(name.length - (room - 1))
          : null;

// Shortens a name to ROOM characters: keeps the function's own name and the part that starts at
// PLACE.
function shorten_around(name, room, place) {
    if (name.length <= room)
        return name;
    const [start, end] = own_name(name);
    const last = name.slice(start, end);
    const before = place < start;
    while (place > 0 && /\w/.test(name[place - 1]))
        place--;
    const rest = before ? name.slice(place, start - 2) : name.slice(Math.max(place, end));
    const dots = '\u2026';
    const left = room - last.length - (before ? 4 : 2);
    const part = rest.length <= left ? rest : rest.slice(0, left) + dots;
    if (left < 2)
        return shorten(name, room);
    return before
        ? (place ? dots : '') + part + '::' + last
        : last + (place > end ? dots : '') + part;
}

// Shortens a name to ROOM characters by omitting its middle: first the middle of the longer of the
// two parts before and after the function's own name, then of both.
export function shorten_middle(name, room) {
    if (name.length <= room)
        return name;
    const dots = '\u2026';
    const [start, end] = own_name(name);
    const without = function (text, start, end) {
        const kept = end - start - (text.length + 1 - room);
        const front = Math.ceil(kept / 2);
        return kept < 2
            ? null
            : text.slice(0, start + front) + dots + text.slice(end - (kept - front));
    };
    const parts = [
        [0, start],
        [end, name.length],
    ].sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
    for (const [start, end] of parts) {
        const cut = without(name, start, end);
        if (cut)
            return cut;
    }
    // First omit text of the longer part. Of the other part, omit only as much as necessary.
    const rest = parts[0][0] ? name.slice(0, end) + dots : dots + name.slice(start);
    const cut = parts[0][0]
        ? without(rest, 0, start)
        : without(rest, 1 + end - start, rest.length);
    if (rest.length <= room || cut)
        return rest.length <= room ? rest : cut;
    // A name without scopes, for example in C.
    return start || end < name.length ? shorten(name, room) : without(name, 0, end) || name;
}

// Shortens names that are displayed together. Name i gets ROOMS[i] characters and is shortened by
// the function HOW[i]. If different names would look the same, keeps the part in which they differ,
// provided that there is room for this part and for the function's own name.
export function shorten_all(names, rooms, how) {
    const shown = names.map((name, i) => (how ? how[i] : shorten)(name, rooms[i]));
    function apart(group, most) {
        const alike = new Map();
        for (const i of group)
            alike.set(shown[i], (alike.get(shown[i]) || []).concat(i));
        for (const same of alike.values()) {
            const differ = Array.from(new Set(same.map(i => names[i]))).sort();
            if (differ.length < 2 || same.length >= most)
                continue;
            const ends = same.map(i => shorten_front(names[i], rooms[i]));
            const enough = !ends.includes(null) && new Set(ends).size === differ.length;
            const first = differ[0];
            const last = differ[differ.length - 1];
            let common = 0;
            while (common < first.length && first[common] === last[common])
                common++;
            same.forEach(
                (i, k) => (shown[i] = enough ? ends[k] : shorten_around(names[i], rooms[i], common))
            );
            if (!enough)
                apart(same, same.length);
        }
    }
    apart(
        names.map((_, i) => i),
        Infinity
    );
    return shown;
}

// Shortens the names of functions that do not fit into their cells; the tip shows the whole name. A
// place after a name is omitted first. In a tree, the indentation precedes the name. The style
// sheet cuts off the end of texts that cannot be shortened.
export function fit_names(root) {
    const range = document.createRange();
    const width = function (node) {
        range.selectNodeContents(node);
        return range.getBoundingClientRect().width;
    };
    const cells = [];
    for (const cell of root.querySelectorAll('td.function')) {
        const before = cell.classList.contains('tree') ? cell.firstChild : null;
        const text = before ? before.nextSibling : cell.firstChild;
        const place = text && text.nextSibling;
        if (!text || text.nodeType !== Node.TEXT_NODE || cell.childElementCount > (place ? 1 : 0))
            continue;
        const wide = cell.scrollWidth > cell.clientWidth;
        const indented = wide && before ? width(before) : 0;
        const room = cell.clientWidth - indented;
        const whole = !wide ? 0 : place ? width(text) + 20 : cell.scrollWidth - indented;
        const middle = cell.classList.contains('middle');
        cells.push({
            cell: cell,
            text: text,
            place: place,
            name: text.data,
            how: middle ? shorten_middle : shorten,
            room:
                whole > room && (middle || /::|[<(.]/.test(text.data))
                    ? Math.max(4, Math.floor((text.data.length * (room - 20)) / (whole - 10)))
                    : Infinity,
        });
    }
    let wide = cells.filter(item => item.room < item.name.length);
    for (let tries = 0; wide.length && tries < 4; tries++) {
        const shown = shorten_all(
            cells.map(item => item.name),
            cells.map(item => item.room),
            cells.map(item => item.how)
        );
        cells.forEach(function (item, i) {
            if (item.room === Infinity)
                return;
            if (!item.cell.title)
                item.cell.title = item.name;
            if (item.place)
                item.place.hidden = true;
            item.text.data = shown[i];
        });
        // Because the widths of letters differ, some names may still be too wide.
        wide = wide.filter(item => item.cell.scrollWidth > item.cell.clientWidth);
        for (const item of wide)
            item.room = Math.max(4, item.room - 1 - tries);
    }
}
