// How things are shown in all views: elements, numbers, the tip under the pointer.

// An element with attributes, and children that are elements or texts; never markup.
page.make = function (tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name === 'on') for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
        else if (value === true) element.setAttribute(name, '');
        else if (value !== false && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== undefined && child !== null));
    return element;
};

// A number with so many decimals, rounded as C does: what is just between two goes to the even one,
// which toFixed does not know.
page.fixed = function (value, digits) {
    const text = value.toFixed(digits), exact = value.toFixed(digits + 60), tie = /50{59}$/.test(exact);
    return tie && (text.charCodeAt(text.length - 1) & 1) ? exact.slice(0, digits ? -60 : -61) : text;
};

page.number = value => value.toLocaleString('en-US');
page.percent = (part, total) => total ? page.fixed(100 * part / total, 1) + '%' : '-';

page.amount = function (model, value) {
    if (model.data.measure === 'samples') return page.fixed(model.seconds(value), 2) + ' s';
    return page.number(value) + ' ' + model.data.measure;
};

// The time of one call in a unit in which it has three digits, as mlprof has it.
page.each = function (model, samples, calls) {
    if (!(calls > 0) || !samples) return '-';
    let value = model.seconds(samples) / calls;
    for (const unit of ['s', 'ms', 'us', 'ns', 'ps']) {
        if (value >= 1 || unit === 'ps') return value.toPrecision(3) + ' ' + unit;
        value *= 1000;
    }
};

// The same with how far chance may have moved it, as mlprof's tables have it (mlprof/rows/cost.c).
page.cost = function (model, samples, calls) {
    if (!(calls > 0) || !samples) return '-';
    const seconds = model.seconds(samples) / calls, units = [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']];
    const [unit, name] = units.find(([size]) => seconds >= size) || units[3], value = seconds / unit;
    return page.fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) + name + ' +-' + page.fixed(100 * 1.96 / Math.sqrt(samples), 0) + '%';
};

page.tip = function (event, text) {
    const tip = document.getElementById('tip');
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + 'px';
    tip.style.top = Math.max(0, Math.min(event.clientY + 16, innerHeight - box.height - 8)) + 'px';
};

// The colour of a share of the most that there is.
page.heat = share => share > 0 ? 'rgba(var(--hot), ' + (0.06 + 0.55 * share).toFixed(3) + ')' : '';

// A colour that stays the same for a name, told apart by lightness too.
page.colour = function (text, dark) {
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    hash >>>= 0;
    const lightness = dark ? 20 + hash % 5 * 3 : 68 + hash % 5 * 4;
    return 'hsl(' + (20 + hash % 37) + ',' + (dark ? 45 : 75) + '%,' + lightness + '%)';
};

// What matches what is typed: a part of the name, or between slashes a regular expression.
page.matcher = function (typed) {
    if (!typed) return () => true;
    const between = /^\/(.*?)\/?$/.exec(typed);
    if (between) {
        try {
            const pattern = new RegExp(between[1]);
            return name => pattern.test(name);
        } catch (error) {
            return () => false;
        }
    }
    const lower = typed.toLowerCase();
    return name => name.toLowerCase().includes(lower);
};

// What is wrong with a regular expression that is typed; empty if it is right, or none.
page.matcher_wrong = function (typed) {
    const between = /^\/(.*?)\/?$/.exec(typed);
    try {
        if (between) new RegExp(between[1]);
        return '';
    } catch (error) {
        return 'nothing matches: ' + error.message.replace(/^Invalid regular expression: /, '');
    }
};

// To the clipboard; where that is not allowed, as a file.
page.copy = function (text, name) {
    const save = function () {
        const link = page.make('a', {href: URL.createObjectURL(new Blob([text])), download: name || 'ccprof.csv'});
        link.click();
        URL.revokeObjectURL(link.href);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(save);
    else save();
};

// A name in so many characters: without the arguments of its templates, then without what it
// stands in, and only then cut.
page.shorten = function (name, room) {
    if (name.length <= room) return name;
    let bare = '', depth = 0;
    for (const part of name.split(/(operator(?:<=>|<<=?|>>=?|<=?|>=?|->\*?)|[<>])/)) {
        if (part === '<') depth++;
        else if (part === '>') depth = Math.max(0, depth - 1);
        else if (!depth) bare += part;
    }
    if (!bare) bare = name;
    // As much of where it stands as there is room for, from its end on; `.' is Fortran's and Ada's `::'.
    for (const between of ['::', '.'])
        for (let at; bare.length > room && (at = bare.replace(/\(.*/, '').indexOf(between)) >= 0;) {
            const rest = bare.slice(at + between.length);
            if (!/^[A-Za-z_]/.test(rest) && between === '.' || /^lambda\b/.test(rest)) break;
            // Of operators it tells more than their name does.
            if (rest.startsWith('operator') && room >= rest.length + 5)
                return '\u2026' + bare.slice(1 - room);
            bare = rest;
        }
    return bare.length <= room ? bare : bare.slice(0, Math.max(1, room - 1)) + '\u2026';
};

// Where the function's own name begins in NAME, and where what is behind it does.
page.own_name = function (name) {
    let at = 0, depth = 0, start = 0, end = -1;
    for (const part of name.split(/(operator(?:\(\)|<=>|<<=?|>>=?|<=?|>=?|->\*?)|::|[<>()])/)) {
        if (!depth && part === '::') [start, end] = [at + 2, -1];
        else if (part === '<' || part === '(') {
            if (!depth++ && end < 0) end = at;
        } else if (part === '>' || part === ')') depth = Math.max(0, depth - 1);
        at += part.length;
    }
    return [start, end < 0 ? name.length : end];
};

// The end of a name in so many characters; null if its own name is not in there.
page.shorten_front = (name, room) => name.length <= room ? name
    : page.own_name(name)[0] >= name.length - (room - 1) ? '\u2026' + name.slice(name.length - (room - 1)) : null;

// A name in so many characters of which are left its own name and what begins at FROM.
page.shorten_around = function (name, room, from) {
    if (name.length <= room) return name;
    const [start, end] = page.own_name(name), own = name.slice(start, end), before = from < start;
    while (from > 0 && /\w/.test(name[from - 1])) from--;
    const rest = before ? name.slice(from, start - 2) : name.slice(Math.max(from, end)), dots = '\u2026';
    const left = room - own.length - (before ? 4 : 2), part = rest.length <= left ? rest : rest.slice(0, left) + dots;
    if (left < 2) return page.shorten(name, room);
    return before ? (from ? dots : '') + part + '::' + own : own + (from > end ? dots : '') + part;
};

// Names that are seen together, each in so many characters as ROOMS has at its place: where two would
// look alike, they keep what tells them apart, as long as there is room for it beside their own names.
page.shorten_all = function (names, rooms) {
    const shown = names.map((name, i) => page.shorten(name, rooms[i]));
    function apart(group, most) {
        const alike = new Map();
        for (const i of group) alike.set(shown[i], (alike.get(shown[i]) || []).concat(i));
        for (const same of alike.values()) {
            const differ = Array.from(new Set(same.map(i => names[i]))).sort();
            if (differ.length < 2 || same.length >= most) continue;
            const ends = same.map(i => page.shorten_front(names[i], rooms[i]));
            const enough = !ends.includes(null) && new Set(ends).size === differ.length;
            const first = differ[0], last = differ[differ.length - 1];
            let from = 0;
            while (from < first.length && first[from] === last[from]) from++;
            same.forEach((i, k) => shown[i] = enough ? ends[k] : page.shorten_around(names[i], rooms[i], from));
            if (!enough) apart(same, same.length);
        }
    }
    apart(names.map((_, i) => i), Infinity);
    return shown;
};

// What fills areas of which several kinds lie side by side: COLOUR, and on it lines or dots in INK by a
// number from 0 on, for those who do not tell the colours apart.
page.hatch = function (pen, number, colour, ink) {
    const SIDE = 8, tile = document.createElement('canvas'), draw = tile.getContext('2d');
    tile.width = tile.height = SIDE;
    draw.fillStyle = colour;
    draw.fillRect(0, 0, SIDE, SIDE);
    draw.strokeStyle = draw.fillStyle = ink;
    draw.globalAlpha = 0.4;
    const lines = {up: [[-1, 5, 5, -1], [3, 9, 9, 3]], down: [[3, -1, 9, 5], [-1, 3, 5, 9]], across: [[0, 2.5, 8, 2.5], [0, 6.5, 8, 6.5]],
        along: [[2.5, 0, 2.5, 8], [6.5, 0, 6.5, 8]]};
    for (const way of [[], ['up'], ['down'], ['across'], ['along'], ['up', 'down'], ['across', 'along'], []][number % 8])
        for (const [x0, y0, x1, y1] of lines[way]) {
            draw.beginPath();
            draw.moveTo(x0, y0);
            draw.lineTo(x1, y1);
            draw.stroke();
        }
    if (number % 8 === 7) for (const at of [1, 5]) draw.fillRect(at, at, 2, 2);
    return pen.createPattern(tile, 'repeat');
};

// Names of functions that do not fit into their cells are shortened by what tells least; the whole one is
// in the tip then.  A place behind a name goes first.  Of what has nothing to give up the end is cut by the style.
page.fit_names = function (root) {
    const range = document.createRange(), cells = [];
    for (const cell of root.querySelectorAll('td.function')) {
        const text = cell.firstChild, place = text && text.nextSibling, room = cell.clientWidth;
        if (!text || text.nodeType !== Node.TEXT_NODE || cell.childElementCount > (place ? 1 : 0)) continue;
        const wide = cell.scrollWidth > room;
        if (wide) range.selectNodeContents(text);
        const whole = !wide ? 0 : place ? range.getBoundingClientRect().width + 20 : cell.scrollWidth;
        cells.push({cell: cell, text: text, place: place, name: text.data, room: whole > room && /::|[<(.]/.test(text.data)
            ? Math.max(4, Math.floor(text.data.length * (room - 20) / (whole - 10))) : Infinity});
    }
    let wide = cells.filter(of => of.room < of.name.length);
    for (let tries = 0; wide.length && tries < 4; tries++) {
        const shown = page.shorten_all(cells.map(of => of.name), cells.map(of => of.room));
        cells.forEach(function (of, i) {
            if (of.room === Infinity) return;
            if (!of.cell.title) of.cell.title = of.name;
            if (of.place) of.place.hidden = true;
            of.text.data = shown[i];
        });
        // Letters differ in width.
        wide = wide.filter(of => of.cell.scrollWidth > of.cell.clientWidth);
        for (const of of wide) of.room = Math.max(4, of.room - 1 - tries);
    }
};

// The same as page.make of a picture's elements.
page.draw = function (tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
};
