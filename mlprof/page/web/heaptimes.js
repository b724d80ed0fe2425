// The heap over time: how much was alive in each bucket, and what of it is left at the end. A range
// of buckets can be chosen by mouse or keys; then all views show what was allocated there.

import {number_text, percent_text} from './numbers.js';
import {button_make, make, tip_on} from './elements.js';
import {
    axis_make,
    canvas_make,
    range_keys,
    range_mask,
    range_mouse,
    ruler_make,
} from './drawing.js';
import {cells_text} from './times.js';
import {go, profile, state} from './state.js';

const SPAN = {name: 190, alive: 90, left: 40};

// The span that the address asks for, and whether what is live is so at its end; null: none.
export function heaptimes_range(heap) {
    const [from, to] = state.when.split('-').map(Number);
    if (!heap || !heap.times || !(from >= 0) || !(to > from) || from >= heap.times.most.length)
        return null;
    return {
        from: from,
        to: Math.min(to, heap.times.most.length),
        then: state.until === 'range',
    };
}

// By bucket the bytes that were made there, and those of them that are left at the end.
function heaptimes_sums(heap) {
    const {cells, times} = heap;
    if (times.made)
        return times;
    times.made = new Float64Array(times.most.length);
    times.left = new Float64Array(times.most.length);
    for (let i = 0; i < cells.node.length; i++) {
        times.made[cells.born[i]] += cells.bytes[i];
        if (cells.freed[i] < 0)
            times.left[cells.born[i]] += cells.bytes[i];
    }
    return times;
}

let heaptimes_cursor = -1;

// Draws bars as high as VALUES, and a line where LINE is.
function heaptimes_draw(heap, axis, height, values, line) {
    const canvas = canvas_make(axis, height);
    const {pen} = canvas;
    const most = Math.max(1, ...(line || values));
    const y = value => height - 1 - (value / most) * (height - 4);
    pen.fillStyle = canvas.link;
    pen.globalAlpha = 0.45;
    for (let i = 0; i < axis.count; i++)
        if (values[i])
            pen.fillRect(
                axis.at(i),
                Math.min(y(values[i]), height - 2),
                Math.max(1, axis.at(i + 1) - axis.at(i) - (axis.width > 300 ? 1 : 0)),
                Math.max(1, height - 1 - y(values[i]))
            );
    pen.globalAlpha = 1;
    if (line) {
        pen.beginPath();
        for (let i = 0; i < axis.count; i++)
            for (const x of [axis.at(i), axis.at(i + 1)])
                pen.lineTo(x, y(line[i]));
        pen.strokeStyle = canvas.ink;
        pen.lineWidth = 1;
        pen.stroke();
    }
    pen.fillStyle = canvas.line;
    pen.fillRect(0, height - 1, axis.width, 1);
    range_mask(axis, canvas, height, heaptimes_range(heap), heaptimes_cursor);
    return canvas.element;
}

function heaptimes_tip(heap, bucket) {
    const times = heaptimes_sums(heap);
    const bytes = value => number_text(value) + ' bytes';
    return [
        cells_text(heap, {from: bucket, to: bucket + 1}),
        bytes(times.alive[bucket]) + ' alive at its end, ' + bytes(times.most[bucket]) + ' at most',
        bytes(times.made[bucket]) + ' allocated',
        bytes(times.left[bucket]) + ' of these are left at the end of the run, ' +
            percent_text(times.left[bucket], times.made[bucket]),
        ...(times.resident[bucket]
            ? ['the process had ' + bytes(times.resident[bucket]) + ' of memory']
            : []),
    ].join('\n');
}

function heaptimes_choose(from, to, replaced) {
    go({when: to > from ? from + '-' + to : '', zoom: 0}, replaced);
}

const heaptimes_move = at => (heaptimes_cursor = at);

export function heaptimes_keys(event) {
    const {heap} = profile().data;
    return (
        !!heap && !!heap.times &&
        range_keys(
            event,
            heap.times.most.length,
            1,
            heaptimes_range(heap),
            heaptimes_cursor,
            heaptimes_choose,
            heaptimes_move
        )
    );
}

function heaptimes_track(heap, axis, name, what, canvas) {
    const left = () => canvas.getBoundingClientRect().left;
    tip_on(canvas, event =>
        heaptimes_tip(
            heap,
            Math.min(axis.count - 1, Math.floor(axis.bucket(event.clientX - left())))
        )
    );
    return make('div', {class: 'track'},
        make('div', {class: 'track-name'}, name, make('div', {class: 'faint'}, what)),
        canvas
    );
}

// Adds the tracks to MAIN, if the data have times.
export function heaptimes_show(main, model) {
    const {heap} = model.data;
    if (!heap.times)
        return;
    const times = heaptimes_sums(heap);
    const count = heap.times.most.length;
    const axis = axis_make(count, Math.max(100, main.clientWidth - SPAN.name - 12));
    const bytes = values => number_text(Math.max(...values)) + ' bytes';
    const area = make('div', {id: 'time'},
        make('div', {id: 'ruler'},
            make('span', {
                class: 'faint',
                title:
                    'Drag to choose a range, or use the arrows with Shift: all views then ' +
                    'show what was allocated there. Escape takes it back.',
            },
                heaptimes_range(heap)
                    ? cells_text(heap, heaptimes_range(heap))
                    : 'drag to choose a range'
            ),
            ruler_make(
                axis,
                0,
                count * heap.times.width * 1e6,
                70,
                heaptimes_range(heap),
                heaptimes_cursor
            )
        ),
        heaptimes_track(heap, axis, 'alive, at most', bytes(times.most),
            heaptimes_draw(heap, axis, SPAN.alive, times.alive, times.most)
        ),
        heaptimes_track(heap, axis, 'left at the end, at most', bytes(times.left),
            heaptimes_draw(heap, axis, SPAN.left, times.left)
        ),
        make('div', {id: 'span', hidden: true})
    );
    area.onmousedown = event =>
        range_mouse(
            axis,
            area,
            event,
            SPAN.name,
            [Math.floor, Math.ceil],
            heaptimes_choose,
            heaptimes_move
        );
    main.append(area);
}

// A button for when what is alive is so, if a range is chosen.
export function heaptimes_until(model) {
    const {heap} = model.data;
    const range = heaptimes_range(heap);
    if (!range)
        return undefined;
    const then = state.until === 'range';
    return button_make(
        () => go({until: then ? '' : 'range'}),
        {id: 'until', title: 'what is alive at the end of the range, or of the run'},
        'alive at the end of the ' + (then ? 'range' : 'run')
    );
}
