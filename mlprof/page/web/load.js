// The view of the load. It shows how the samples of each function are distributed over ranks or
// threads, in the whole run. Each function has a strip; each rank or thread has the same place in
// all strips.

import {fixed_text, number_text, percent_text} from './numbers.js';
import {bar_add, faint, make} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go_row} from './state.js';
import {csv_button} from './clipboard.js';
import {table_column, table_name, table_place, table_rows, table_show} from './table.js';

// Returns for each function the index of its first load. The loads of a function are adjacent,
// sorted by rank or thread.
function load_starts(model) {
    if (model.load_starts)
        return model.load_starts;
    const loads = model.data.load.loads;
    const starts = new Int32Array(model.count + 1).fill(loads.row.length);
    for (let i = loads.row.length; i--;)
        starts[loads.row[i]] = i;
    for (let f = model.count; f--;)
        if (starts[f] > starts[f + 1])
            starts[f] = starts[f + 1];
    return (model.load_starts = starts);
}

// Returns the samples of a function, by rank or thread.
function load_of(model, f) {
    const {workers, loads} = model.data.load;
    const starts = load_starts(model);
    const counts = new Float64Array(workers.length);
    for (let i = starts[f]; i < starts[f + 1]; i++)
        counts[loads.worker[i]] = loads.count[i];
    return counts;
}

const load_number = name => name.replace(/^[a-z]* /, '').replace(/,.*/, '');

function load_columns(model) {
    const {rows, workers, over: noun} = model.data.load;
    const table = model.data.functions;
    const one = noun.slice(0, -1);
    const means = model.data.means.load;
    const mean = f => rows.total[f] / workers.length;
    const time = samples => fixed_text(model.seconds(samples), 2);
    const column = (head, value) => table_column(head, head, means[head], value, time);
    const certain = (id, head, value, text) =>
        table_column(
            id,
            head,
            means[head] || 'the one with the most',
            f => (rows.certain[f] ? value(f) : -1),
            (value, f) => (rows.certain[f] ? text(value) : '-')
        );
    return [
        table_column(
            'cur',
            'self',
            'what the function had itself',
            f => rows.total[f],
            samples => percent_text(samples, model.data.total)
        ),
        column('mean', mean),
        column('least', f => rows.least[f]),
        column('most', f => rows.most[f]),
        certain(
            'ratio',
            'most/mean',
            f => rows.most[f] / mean(f),
            ratio => fixed_text(ratio, 2)
        ),
        {...certain('value', 'lost', f => rows.most[f] - mean(f), time), first: true},
        certain(
            'at',
            one,
            f => rows.at[f],
            worker => load_number(workers[worker])
        ),
        table_column(
            'strip',
            noun,
            'each in its place, from the first to the last: the darker, the nearer to the most',
            f => rows.most[f] - rows.least[f],
            () => '',
            {strip: true}
        ),
        table_name('function', f => model.data.texts[table.name[f]]),
        table_place(f => place_text(model, table, f)),
    ];
}

// Draws a strip. If several workers share a pixel, the greatest number of samples is shown.
function load_draw(canvas, counts, most, colour) {
    const wide = canvas.width;
    const high = canvas.height;
    const pen = canvas.getContext('2d');
    for (let x = 0; x < wide; x++) {
        const first = Math.floor((x * counts.length) / wide);
        const end = Math.max(first + 1, Math.floor(((x + 1) * counts.length) / wide));
        let here = 0;
        for (let i = first; i < end; i++)
            here = Math.max(here, counts[i]);
        pen.fillStyle = 'rgba(' + colour + ',' + (most ? here / most : 0).toFixed(3) + ')';
        pen.fillRect(x, 0, 1, high);
    }
}

// Returns the text about the worker under the pointer.
function load_tip(model, counts, event) {
    const box = event.target.getBoundingClientRect();
    const worker = Math.max(
        0,
        Math.min(
            counts.length - 1,
            Math.floor(((event.clientX - box.left) / box.width) * counts.length)
        )
    );
    return (
        model.data.load.workers[worker] + ': ' + fixed_text(model.seconds(counts[worker]), 2) + ' s'
    );
}

function load_strip(model, f, colour) {
    const counts = load_of(model, f);
    const rows = model.data.load.rows;
    const canvas = make('canvas', {
        class: 'strip',
        width: 240,
        height: 14,
        role: 'img',
        'aria-label':
            counts.length + ' ' + model.data.load.over + ', from ' +
            fixed_text(model.seconds(rows.least[f]), 2) + ' to ' +
            fixed_text(model.seconds(rows.most[f]), 2) + ' s',
        events: {
            mousemove: event => {
                canvas.title = load_tip(model, counts, event);
            },
        },
    });
    load_draw(canvas, counts, rows.most[f], colour);
    return canvas;
}

export const load_view = {
    title: 'Load',
    key: 'o',
    needs: 'samples',
    only: data => data.load && data.load.workers.length > 1,
    show: function (main, model) {
        const {rows, over: noun, workers} = model.data.load;
        const columns = load_columns(model);
        const order = table_rows(columns, model.count).filter(f => rows.total[f] > 0);
        bar_add(main,
            faint(
                workers.length + ' ' + noun + ', ' + number_text(order.length) +
                    ' functions; seconds' + times_whole(model)
            ),
            csv_button(
                columns.filter(column => !column.strip),
                order
            )
        );
        const colour = getComputedStyle(document.body).getPropertyValue('--hot').trim();
        return table_show(
            main,
            columns.filter(column => !column.place),
            order,
            function (f, column, cell) {
                if (column.strip)
                    cell.append(load_strip(model, f, colour));
            },
            f => go_row(model.data.functions, f, {row: f, f: f})
        );
    },
};
