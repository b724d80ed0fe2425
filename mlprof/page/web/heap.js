// The table of all measures of the heap side by side, below the heap over time.

import {number_text, plural_text} from './numbers.js';
import {make, table_plain} from './elements.js';
import {cells_told} from './times.js';
import {measures_of} from './model.js';
import {rows_figures, rows_range} from './others.js';
import {go_source, state} from './state.js';
import {csv_button} from './clipboard.js';
import {heaptimes_keys, heaptimes_show, heaptimes_until} from './heaptimes.js';
import {table_column, table_name, table_rows, table_show} from './table.js';

// The bytes and the blocks of each measure of which something is known, first of the one that is
// shown.
function heap_pairs(model) {
    const all = measures_of(model.data).filter(of => !model.span || cells_told(of));
    return all
        .filter(of => of.unit === 'bytes')
        .sort((a, b) => (b.at === model.measure.at) - (a.at === model.measure.at))
        .map(of => [of, all.find(other => other.at === of.at && other !== of)]);
}

const heap_figures = (model, measure) => rows_figures(model, 'functions', measure);

function heap_columns(model) {
    const column = (measure, of, head) => {
        const id = measure.column + (of === 'stack' ? '_stack_' : '_') + measure.unit;
        const figures = heap_figures(model, measure)[of];
        return table_column(id, head, model.data.means.heap[id], f => figures[f], number_text, {
            title: f => rows_range(model, measure, f, of === 'stack'),
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

// As many measures as MAIN has room for, whole: no figure is cut off or covered. The widest text of
// a column is that of its greatest value.
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

// The functions that have any, in the order of the table; by what all views show if none is chosen.
function heap_rows(model, columns) {
    const all = heap_pairs(model).flat().map(of => heap_figures(model, of));
    const {cur, stack} = heap_figures(model, model.measure);
    const has = f => all.some(figures => figures.stack[f] > 0);
    const rows = table_rows(columns, model.count).filter(f => model.stand[f + 1] === f && has(f));
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
        main.append(
            make('div', {class: 'bar-of'},
                make('span', {class: 'faint'}, number_text(rows.length) + ' functions'),
                left > 0 &&
                    make('span', {class: 'faint', id: 'left'},
                        plural_text(left, 'more measure') + ' in a wider window, or by the menu'
                    ),
                heaptimes_until(model),
                csv_button(columns, rows)
            )
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
