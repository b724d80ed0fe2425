// Common parts of the views that draw: colours, hatching, canvases with the resolution of the
// screen, and ranges that are chosen with the mouse.

import {draw, make} from './elements.js';

// Returns the colour for a share (0 to 1) of the greatest value.
export const heat_colour = share =>
    share > 0 ? 'rgba(var(--hot), ' + (0.06 + 0.55 * share).toFixed(3) + ')' : '';

// Returns a colour that is always the same for a name. Colours differ in lightness, too.
export function name_colour(text, dark) {
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++)
        hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
    hash >>>= 0;
    const lightness = dark ? 20 + (hash % 5) * 3 : 68 + (hash % 5) * 4;
    return 'hsl(' + (20 + (hash % 37)) + ',' + (dark ? 45 : 75) + '%,' + lightness + '%)';
}

// Returns a pattern for adjacent areas: COLOUR with lines or dots in INK. NUMBER selects the lines
// or dots. The patterns help readers with colour blindness to distinguish the areas.
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
        rising: [
            [-1, 5, 5, -1],
            [3, 9, 9, 3],
        ],
        falling: [
            [3, -1, 9, 5],
            [-1, 3, 5, 9],
        ],
        level: [
            [0, 2.5, 8, 2.5],
            [0, 6.5, 8, 6.5],
        ],
        upright: [
            [2.5, 0, 2.5, 8],
            [6.5, 0, 6.5, 8],
        ],
    };
    for (const way of [
        [],
        ['rising'],
        ['falling'],
        ['level'],
        ['upright'],
        ['rising', 'falling'],
        ['level', 'upright'],
        [],
    ][number % 8])
        for (const [x0, y0, x1, y1] of lines[way]) {
            tile_pen.beginPath();
            tile_pen.moveTo(x0, y0);
            tile_pen.lineTo(x1, y1);
            tile_pen.stroke();
        }
    if (number % 8 === 7)
        for (const place of [1, 5])
            tile_pen.fillRect(place, place, 2, 2);
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
        faint: colour('never'),
        link: colour('link'),
    };
}

// The width of the names of tracks in page.css.
export const TRACK_NAME = 190;

export const track_make = (attributes, canvas, ...name) =>
    make('div', {class: 'track', ...attributes},
        make('div', {class: 'track-name'}, ...name),
        canvas
    );

// Returns an area with TRACKS. Above them are a TEXT and a RULER. range_drag shows the range in it.
export const tracks_area = (text, title, ruler, ...tracks) =>
    make('div', {id: 'time'},
        make('div', {id: 'ruler'}, make('span', {class: 'faint', title: title}, text), ruler),
        ...tracks,
        make('div', {id: 'span', hidden: true})
    );

// Returns a square for a legend. FILL returns its colour for a canvas. It is drawn from TOP with
// the height HIGH.
export function swatch_make(fill, top, high) {
    const canvas = canvas_make({width: 16}, 16);
    canvas.element.className = 'swatch';
    canvas.pen.fillStyle = fill(canvas);
    canvas.pen.fillRect(0, top || 0, 16, high || 16);
    return canvas.element;
}

// Returns the function of a logarithmic axis: the place of a value, from START for LEAST to END for
// MOST.
export const axis_log = (least, most, start, end) => value =>
    start + ((end - start) * Math.log(value / least)) / Math.log(most / least);

// Returns the ticks of a logarithmic axis: the FACTORS times powers of ten.
export function axis_ticks(least, most, factors) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++)
        for (const factor of factors)
            ticks.push(Number((factor * 10 ** power).toPrecision(3)));
    return ticks.filter(value => value >= least && value <= most);
}

// Returns a line of a picture.
export const line_make = ([x1, y1], [x2, y2], kind) =>
    draw('line', {x1: x1, y1: y1, x2: x2, y2: y2, class: kind});

// Returns an axis of COUNT buckets with a width of WIDTH pixels.
export const axis_make = (count, width) => ({
    width: width,
    count: count,
    x: bucket => (bucket / count) * width,
    bucket: x => Math.max(0, Math.min(count, (x / width) * count)),
});

// Fades the area outside a range and draws its ends. Without a range, draws the cursor.
export function range_mask(axis, canvas, height, range, cursor) {
    const {pen} = canvas;
    const clip = bucket => Math.max(0, Math.min(axis.width, axis.x(bucket)));
    pen.fillStyle = canvas.ground;
    pen.globalAlpha = 0.72;
    if (range) {
        pen.fillRect(0, 0, clip(range.start), height);
        pen.fillRect(clip(range.end), 0, axis.width - clip(range.end), height);
    }
    pen.globalAlpha = 1;
    pen.fillStyle = canvas.link;
    for (const bucket of range ? [range.start, range.end] : cursor >= 0 ? [cursor] : [])
        if (axis.x(bucket) === clip(bucket))
            pen.fillRect(Math.min(axis.width - 1, axis.x(bucket)), 0, 1, height);
}

const RULER = 22;

// Draws a ruler from START to END nanoseconds. Its marks are at steps of 1, 2 or 5 times a power of
// 10 and at least ROOM pixels apart. RANGE and CURSOR are in units of the axis.
export function ruler_make(axis, start, end, room, range, cursor) {
    const canvas = canvas_make(axis, RULER);
    const {pen} = canvas;
    const least = ((end - start) * room) / axis.width;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * ([1, 2, 5, 10].find(times => times * power >= least) || 10);
    const [unit, divisor] = end >= 1e8 ? ['s', 1e9] : end >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    pen.textBaseline = 'top';
    pen.fillStyle = canvas.ink;
    for (let i = Math.ceil(start / step); i * step < end; i++) {
        const x = ((i * step - start) / (end - start)) * axis.width;
        const text = i ? Number(((i * step) / divisor).toFixed(12)) + ' ' + unit : '0';
        if (x + 3 + pen.measureText(text).width <= axis.width)
            pen.fillText(text, x + 3, 3);
        pen.fillRect(x, 0, 1, RULER);
    }
    range_mask(axis, canvas, RULER, range, cursor);
    return canvas.element;
}

// Handles a key for a cursor and a range of buckets. COUNT is the number of buckets; RANGE may be
// null. Arrows move the cursor or the range by STEP. With Shift they start a range or move its end.
// Escape removes the range. Calls MOVE with the new cursor, and CHOOSE with both ends (0 and 0 for
// no range) and whether an arrow was used. Returns whether the key was handled.
export function range_keys(event, count, step, range, cursor, choose, move) {
    const distance = {ArrowLeft: -step, ArrowRight: step, Home: -count, End: count}[event.key];
    const limit = bucket => Math.max(0, Math.min(count, bucket));
    if (event.key === 'Escape' && range)
        choose(0, 0);
    else if (distance === undefined)
        return false;
    else if (range && event.shiftKey)
        choose(range.start, Math.max(range.start + 1, limit(range.end + distance)), true);
    else if (range) {
        const moved = Math.max(-range.start, Math.min(count - range.end, distance));
        choose(range.start + moved, range.end + moved, true);
    } else {
        const start = Math.max(0, cursor);
        const end = limit(start + distance);
        move(end);
        if (event.shiftKey)
            choose(Math.min(start, end), Math.max(start, end), true);
        else
            choose(0, 0, true);
    }
    return true;
}

// Follows the mouse in AREA from press to release. The axis starts to the right of the names. The
// range is displayed when it is at least LEAST pixels wide. On release, calls CHOSEN with both
// positions. If the positions are less than 3 pixels apart, calls CLICKED with the first
// position instead.
export function range_drag(axis, area, event, least, chosen, clicked) {
    const left = area.getBoundingClientRect().left + TRACK_NAME;
    const x_of = mouse => Math.max(0, Math.min(axis.width, mouse.clientX - left));
    const start = x_of(event);
    const span = area.querySelector('#span');
    if (event.button || event.clientX < left)
        return;
    event.preventDefault();
    function move(mouse) {
        span.hidden = Math.abs(x_of(mouse) - start) < least;
        span.style.left = TRACK_NAME + Math.min(start, x_of(mouse)) + 'px';
        span.style.width = Math.abs(x_of(mouse) - start) + 'px';
    }
    function end(mouse) {
        document.removeEventListener('mousemove', move);
        document.removeEventListener('mouseup', end);
        span.hidden = true;
        const [low, high] = [start, x_of(mouse)].sort((a, b) => a - b);
        if (high - low < 3)
            clicked(low);
        else
            chosen(low, high);
    }
    document.addEventListener('mousemove', move);
    document.addEventListener('mouseup', end);
}

// Like range_drag, for buckets. ROUND has two functions that round the ends of the range. Calls
// CHOOSE with the ends. A click removes the range and calls MOVE with the position of the click.
export function range_mouse(axis, area, event, round, choose, move) {
    range_drag(
        axis,
        area,
        event,
        0,
        (...ends) => {
            const [start, end] = ends.map((x, i) => round[i](axis.bucket(x)));
            const first = Math.min(axis.count - 1, start);
            choose(first, Math.max(first + 1, end));
        },
        x => {
            move(Math.floor(axis.bucket(x)));
            choose(0, 0);
        }
    );
}
