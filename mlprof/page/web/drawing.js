// What the views that are drawn have in common: colours, hatching, canvases as sharp as the screen,
// and ranges that are chosen with the mouse.

import {make} from './elements.js';

// The colour of a share, 0 to 1, of the greatest value.
export const heat_colour = share =>
    share > 0 ? 'rgba(var(--hot), ' + (0.06 + 0.55 * share).toFixed(3) + ')' : '';

// A colour that stays the same for a name. Colours differ in lightness, too.
export function name_colour(text, dark) {
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++)
        hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    hash >>>= 0;
    const lightness = dark ? 20 + (hash % 5) * 3 : 68 + (hash % 5) * 4;
    return 'hsl(' + (20 + (hash % 37)) + ',' + (dark ? 45 : 75) + '%,' + lightness + '%)';
}

// A pattern for areas of several kinds side by side: COLOUR, and on it lines or dots in INK, which
// differ by NUMBER, for readers who do not tell the colours apart.
export function hatch(pen, number, colour, ink) {
    const SIDE = 8;
    const tile = document.createElement('canvas');
    const tile_pen = tile.getContext('2d');
    tile.width = tile.height = SIDE;
    tile_pen.fillStyle = colour;
    tile_pen.fillRect(0, 0, SIDE, SIDE);
    tile_pen.strokeStyle = tile_pen.fillStyle = ink;
    tile_pen.globalAlpha = 0.4;
    const lines = {
        up: [
            [-1, 5, 5, -1],
            [3, 9, 9, 3],
        ],
        down: [
            [3, -1, 9, 5],
            [-1, 3, 5, 9],
        ],
        across: [
            [0, 2.5, 8, 2.5],
            [0, 6.5, 8, 6.5],
        ],
        along: [
            [2.5, 0, 2.5, 8],
            [6.5, 0, 6.5, 8],
        ],
    };
    for (const way of [
        [],
        ['up'],
        ['down'],
        ['across'],
        ['along'],
        ['up', 'down'],
        ['across', 'along'],
        [],
    ][number % 8])
        for (const [x0, y0, x1, y1] of lines[way]) {
            tile_pen.beginPath();
            tile_pen.moveTo(x0, y0);
            tile_pen.lineTo(x1, y1);
            tile_pen.stroke();
        }
    if (number % 8 === 7)
        for (const at of [1, 5])
            tile_pen.fillRect(at, at, 2, 2);
    return pen.createPattern(tile, 'repeat');
}

export function canvas_make(axis, height) {
    const ratio = devicePixelRatio || 1;
    const dark = document.body.classList.contains('dark');
    const style = getComputedStyle(document.body);
    const element = make('canvas', {width: axis.width * ratio, height: height * ratio});
    const pen = element.getContext('2d');
    element.style.width = axis.width + 'px';
    element.style.height = height + 'px';
    pen.scale(ratio, ratio);
    pen.font = '11px system-ui, sans-serif';
    const colour = name => style.getPropertyValue('--' + name).trim();
    return {
        element: element,
        pen: pen,
        dark: dark,
        letter: pen.measureText('n').width,
        ink: colour('ink'),
        line: colour('line'),
        ground: colour('ground'),
        link: colour('link'),
    };
}

// An axis of COUNT buckets that is WIDTH pixels wide.
export const axis_make = (count, width) => ({
    width: width,
    count: count,
    at: bucket => (bucket / count) * width,
    bucket: x => Math.max(0, Math.min(count, (x / width) * count)),
});

// Greys what is outside of a range, and draws its ends or, without one, the cursor.
export function range_mask(axis, canvas, height, range, cursor) {
    const {pen} = canvas;
    const clip = at => Math.max(0, Math.min(axis.width, axis.at(at)));
    pen.fillStyle = canvas.ground;
    pen.globalAlpha = 0.72;
    if (range) {
        pen.fillRect(0, 0, clip(range.from), height);
        pen.fillRect(clip(range.to), 0, axis.width - clip(range.to), height);
    }
    pen.globalAlpha = 1;
    pen.fillStyle = canvas.link;
    for (const at of range ? [range.from, range.to] : cursor >= 0 ? [cursor] : [])
        if (axis.at(at) === clip(at))
            pen.fillRect(Math.min(axis.width - 1, axis.at(at)), 0, 1, height);
}

const RULER = 22;

// A ruler of the nanoseconds from FROM to TO, with marks at steps of 1, 2
// or 5 times a power of 10, at least ROOM pixels apart. The range and the cursor are places on the
// axis.
export function ruler_make(axis, from, to, room, range, cursor) {
    const canvas = canvas_make(axis, RULER);
    const {pen} = canvas;
    const least = ((to - from) * room) / axis.width;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * ([1, 2, 5, 10].find(times => times * power >= least) || 10);
    const [unit, of] = to >= 1e8 ? ['s', 1e9] : to >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    pen.textBaseline = 'top';
    pen.fillStyle = canvas.ink;
    for (let i = Math.ceil(from / step); i * step < to; i++) {
        const x = ((i * step - from) / (to - from)) * axis.width;
        const text = i ? Number(((i * step) / of).toFixed(12)) + ' ' + unit : '0';
        if (x + 3 + pen.measureText(text).width <= axis.width)
            pen.fillText(text, x + 3, 3);
        pen.fillRect(x, 0, 1, RULER);
    }
    range_mask(axis, canvas, RULER, range, cursor);
    return canvas.element;
}

// Handles keys for a range of buckets, COUNT in all, or null, and a cursor: arrows by STEP move the
// cursor, or the range; with Shift they make a range, or move its end; Escape leaves none. MOVE is
// called with the cursor, and CHOOSE with both ends, 0 and 0 for none, and whether arrows did it.
export function range_keys(event, count, step, range, cursor, choose, move) {
    const by = {ArrowLeft: -step, ArrowRight: step, Home: -count, End: count}[event.key];
    const within = at => Math.max(0, Math.min(count, at));
    if (event.key === 'Escape' && range)
        choose(0, 0);
    else if (by === undefined)
        return false;
    else if (range && event.shiftKey)
        choose(range.from, Math.max(range.from + 1, within(range.to + by)), true);
    else if (range) {
        const moved = Math.max(-range.from, Math.min(count - range.to, by));
        choose(range.from + moved, range.to + moved, true);
    } else {
        const from = Math.max(0, cursor);
        const to = within(from + by);
        move(to);
        if (event.shiftKey)
            choose(Math.min(from, to), Math.max(from, to), true);
        else
            choose(0, 0, true);
    }
    return true;
}

// Follows the mouse from where it is pressed in AREA, whose axis begins NAME pixels behind its left
// edge, to where it is let go. Shows the range as soon as it has LEAST pixels. Then calls CHOSEN
// with both places or, if they are less than 3 pixels apart, CLICKED with the first.
export function range_drag(axis, area, event, name, least, chosen, clicked) {
    const left = area.getBoundingClientRect().left + name;
    const at = of => Math.max(0, Math.min(axis.width, of.clientX - left));
    const start = at(event);
    const span = area.querySelector('#span');
    if (event.button || event.clientX < left)
        return;
    event.preventDefault();
    function move(to) {
        span.hidden = Math.abs(at(to) - start) < least;
        span.style.left = name + Math.min(start, at(to)) + 'px';
        span.style.width = Math.abs(at(to) - start) + 'px';
    }
    function end(to) {
        document.removeEventListener('mousemove', move);
        document.removeEventListener('mouseup', end);
        span.hidden = true;
        const [from, until] = [start, at(to)].sort((a, b) => a - b);
        if (until - from < 3)
            clicked(from);
        else
            chosen(from, until);
    }
    document.addEventListener('mousemove', move);
    document.addEventListener('mouseup', end);
}

// The same for buckets, which ROUND makes of the ends; CHOOSE is called with them, and MOVE with
// the place of a click, which leaves no range.
export function range_mouse(axis, area, event, name, round, choose, move) {
    range_drag(
        axis,
        area,
        event,
        name,
        0,
        (...ends) => {
            const [from, to] = ends.map((x, i) => round[i](axis.bucket(x)));
            const first = Math.min(axis.count - 1, from);
            choose(first, Math.max(first + 1, to));
        },
        at => {
            move(Math.floor(axis.bucket(at)));
            choose(0, 0);
        }
    );
}
