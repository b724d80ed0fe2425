// The view of the heap: memory in use over time, the fraction of the memory allocated in each
// bucket that is leaked at the end, and a table of all measures. The mouse or keys choose a range
// of buckets. Then all views show the memory that was allocated in this range.

import {number_text, percent_text, plural_text} from './numbers.js';
import {bar_add, button_make, faint, make, table_plain, tip_on} from './elements.js';
import {
    TRACK_NAME,
    axis_make,
    canvas_make,
    range_keys,
    range_mask,
    range_mouse,
    ruler_make,
    track_make,
    tracks_area,
} from './drawing.js';
import {cells_text, cells_known} from './times.js';
import {go, go_source, profile, state} from './state.js';
import {measures_of} from './model.js';
import {rows_figures, rows_range} from './rows.js';
import {csv_button} from './clipboard.js';
import {table_column, table_name, table_rows, table_show} from './table.js';

const SPAN = {alive: 90, left: 40};

// Returns the range of buckets in the address, and whether live memory is shown at the end of the
// range (THEN) or of the run. Returns null if there is no range.
export function heaptimes_range(heap) {
    const [start, end] = state.when.split('-').map(Number);
    if (!heap || !heap.times || !(start >= 0) || !(end > start) || start >= heap.times.most.length)
        return null;
    return {
        start: start,
        end: Math.min(end, heap.times.most.length),
        then: state.until === 'range',
    };
}

// Returns for each bucket the bytes that were allocated in it, and how many of them are still in
// use at the end of the run.
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

// Draws bars with the heights VALUES, and a line through LINE.
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
                axis.x(i),
                Math.min(y(values[i]), height - 2),
                Math.max(1, axis.x(i + 1) - axis.x(i) - (axis.width > 300 ? 1 : 0)),
                Math.max(1, height - 1 - y(values[i]))
            );
    pen.globalAlpha = 1;
    if (line) {
        pen.beginPath();
        for (let i = 0; i < axis.count; i++)
            for (const x of [axis.x(i), axis.x(i + 1)])
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
        cells_text(heap, {start: bucket, end: bucket + 1}),
        bytes(times.alive[bucket]) + ' alive at its end, ' + bytes(times.most[bucket]) + ' at most',
        bytes(times.made[bucket]) + ' allocated',
        bytes(times.left[bucket]) + ' of these are left at the end of the run, ' +
            percent_text(times.left[bucket], times.made[bucket]),
        ...(times.resident[bucket]
            ? ['the process had ' + bytes(times.resident[bucket]) + ' of memory']
            : []),
    ].join('\n');
}

function heaptimes_choose(start, end, replaced) {
    go({when: end > start ? start + '-' + end : '', zoom: 0}, replaced);
}

const heaptimes_move = bucket => (heaptimes_cursor = bucket);

function heaptimes_keys(event) {
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
    return track_make({}, canvas, name, make('div', {class: 'faint'}, what));
}

// Adds the tracks to MAIN if the data has times.
function heaptimes_show(main, model) {
    const {heap} = model.data;
    if (!heap.times)
        return;
    const times = heaptimes_sums(heap);
    const count = heap.times.most.length;
    const axis = axis_make(count, Math.max(100, main.clientWidth - TRACK_NAME - 12));
    const bytes = values => number_text(Math.max(...values)) + ' bytes';
    const range = heaptimes_range(heap);
    const area = tracks_area(
        range ? cells_text(heap, range) : 'drag to choose a range',
        'Drag to choose a range, or use the arrows with Shift: all views then show what was ' +
            'allocated there. Escape takes it back.',
        ruler_make(axis, 0, count * heap.times.width * 1e6, 70, range, heaptimes_cursor),
        heaptimes_track(heap, axis, 'alive, at most', bytes(times.most),
            heaptimes_draw(heap, axis, SPAN.alive, times.alive, times.most)
        ),
        heaptimes_track(heap, axis, 'left at the end, at most', bytes(times.left),
            heaptimes_draw(heap, axis, SPAN.left, times.left)
        )
    );
    area.onmousedown = event =>
        range_mouse(
            axis,
            area,
            event,
            [Math.floor, Math.ceil],
            heaptimes_choose,
            heaptimes_move
        );
    main.append(area);
}

// Returns a button that chooses when live memory is determined: at the end of the range or of the
// run. Returns undefined if no range is chosen.
function heaptimes_until(model) {
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

// Returns a pair for each measure that is known: its bytes and its blocks. The current measure
// comes first.
function heap_pairs(model) {
    const all = measures_of(model.data).filter(measure => !model.span || cells_known(measure));
    return all
        .filter(measure => measure.unit === 'bytes')
        .sort((a, b) => (b.index === model.measure.index) - (a.index === model.measure.index))
        .map(measure => [
            measure,
            all.find(other => other.index === measure.index && other !== measure),
        ]);
}

const heap_figures = (model, measure) => rows_figures(model, 'functions', measure);

function heap_columns(model) {
    const column = (measure, part, head) => {
        const id = measure.column + (part === 'stack' ? '_stack_' : '_') + measure.unit;
        const figures = heap_figures(model, measure)[part];
        return table_column(id, head, model.data.means.heap[id], f => figures[f], number_text, {
            title: f => rows_range(model, measure, f, part === 'stack'),
        });
    };
    return [
        ...heap_pairs(model).flatMap(([bytes, blocks]) => [
            column(bytes, 'cur', bytes.column),
            column(blocks, 'cur', 'blocks'),
            column(bytes, 'stack', 'total'),
        ]),
        table_name('function', model.label, {title: model.full}),
    ];
}

const NAME_ROOM = 260;
const OF_MEASURE = 3;

// Returns the columns of as many measures as fit into MAIN, so that no number is cut off. The
// widest text in a column is assumed to be the text of its greatest value.
function heap_columns_fit(main, columns, rows) {
    const figures = columns.slice(0, -1);
    const widest = ({value, text}) =>
        rows.length ? text(rows.reduce((f, g) => (value(g) > value(f) ? g : f))) : '';
    const probe = table_plain({}, figures.map(c => c.head), [figures.map(widest)]);
    probe.style.width = 'auto';
    main.append(probe);
    const right = Array.from(
        probe.rows[0].cells,
        cell => cell.getBoundingClientRect().right - probe.getBoundingClientRect().left
    );
    probe.remove();
    let fits = OF_MEASURE;
    while (fits < figures.length && right[fits + OF_MEASURE - 1] <= main.clientWidth - NAME_ROOM)
        fits += OF_MEASURE;
    return [...figures.slice(0, fits), columns[figures.length]];
}

// Returns the functions that have a value, in the order of the table, or by the current measure if
// no order is chosen.
function heap_rows(model, columns) {
    const all = heap_pairs(model).flat().map(measure => heap_figures(model, measure));
    const {cur, stack} = heap_figures(model, model.measure);
    const has = f => all.some(figures => figures.stack[f] > 0);
    const rows = table_rows(columns, model.count).filter(
        f => model.shown_as[f + 1] === f && has(f)
    );
    return state.sort
        ? rows
        : rows.sort((f, g) => cur[g] - cur[f] || stack[g] - stack[f] || f - g);
}

export const heap_view = {
    title: 'Heap',
    key: 'v',
    only: data => data.heap && !data.compare && !data.growth,
    show: function (main, model) {
        main.style.overflowY = 'scroll';
        const columns = heap_columns(model);
        const rows = heap_rows(model, columns);
        heaptimes_show(main, model);
        const fit = heap_columns_fit(main, columns, rows);
        const left = (columns.length - fit.length) / OF_MEASURE;
        bar_add(main,
            faint(number_text(rows.length) + ' functions'),
            left > 0 &&
                make('span', {class: 'faint', id: 'left'},
                    plural_text(left, 'more measure') + ' in a wider window, or by the menu'
                ),
            heaptimes_until(model),
            csv_button(columns, rows)
        );
        const keys = table_show(
            main,
            fit,
            rows,
            (f, column, cell) => cell.classList.toggle('faint', !column.value(f)),
            f => go_source(model.hottest(f), {row: f, f: f})
        );
        return event => heaptimes_keys(event) || keys(event);
    },
};
