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
// in the tip then.  Of what has nothing to give up the end is cut by the style.
page.fit_names = function (root) {
    const wide = Array.from(root.querySelectorAll('td.function'), cell => [cell, cell.clientWidth, cell.scrollWidth])
        .filter(([cell, room, whole]) => whole > room && !cell.childElementCount && /::|[<(.]/.test(cell.textContent));
    for (const [cell, room, whole] of wide) {
        const name = cell.textContent;
        if (!cell.title) cell.title = name;
        cell.textContent = page.shorten(name, Math.max(4, Math.floor(name.length * (room - 20) / (whole - 10))));
    }
};

// The same as page.make of a picture's elements.
page.draw = function (tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
};
