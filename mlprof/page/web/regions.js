// The view of the real time of regions (mlprof/page/page-regions.c): a table of regions, of the
// copies of functions, of paths, or of what changed between two sides
// (mlprof/compare/compare-page.c), and the histogram of the chosen row.

import {duration_text, number_text, plural_text} from './numbers.js';
import {matcher_exact} from './names.js';
import {button_make, make} from './elements.js';
import {model_knows} from './model.js';
import {place_short} from './places.js';
import {go, state, state_write} from './state.js';
import {choices, transforms_add} from './chosen.js';
import {csv_button, picture_button} from './clipboard.js';
import {table_columns, table_name, table_place, table_rows, table_show} from './table.js';
import {compare_mark, compare_sign} from './compare.js';
import {histogram_numbers, histogram_plot, histogram_told} from './histogram.js';

const regions_kinds = {changes: 'changes', names: 'regions', copies: 'copies', paths: 'paths'};

// The tables that the page has, and the one that is shown.
const regions_shown = data =>
    Object.keys(regions_kinds).filter(kind =>
        kind === 'changes'
            ? data.region_changes
            : kind === 'copies'
              ? data.regions.copies.some(row => row.place)
              : true
    );

const regions_kind = data =>
    regions_shown(data).includes(state.regions) ? state.regions : regions_shown(data)[0];

// Whether the calls of one run are known one by one (tracks.js).
export const regions_in_order = data =>
    data.regions && data.regions.events && !data.compare && !data.growth;

// Whether nothing but regions was measured.
export const regions_alone = data =>
    data.regions && !data.timed && !data.counted && !data.allocated;

const regions_rows = data => data.regions[regions_kind(data)];

function regions_columns(data) {
    const kind = regions_kind(data);
    const rows = regions_rows(data);
    return [
        ...table_columns(data.regions.tables[kind]),
        table_name(regions_kinds[kind], i => rows[i].name, {of_functions: kind !== 'paths'}),
        table_place(i => rows[i].place || ''),
    ];
}

// Shows what was sampled while a region was open: its samples stand below its label.
function regions_inside(row) {
    state_write({view: 'flame'});
    transforms_add('+' + matcher_exact('[' + row.label + ']'));
}

export const regions_has_samples = (model, row) =>
    row.label !== null && model_knows(model, '[' + row.label + ']');

// Adds a button for each table that there is, and tells what measuring costs.
function regions_bar(left, data, columns, order) {
    const of = data.regions;
    left.append(
        make('div', {class: 'bar-of'},
            ...choices(
                'regions',
                regions_shown(data).map(kind => [kind, regions_kinds[kind]]),
                regions_kind(data),
                {row: -1, sort: ''}
            ),
            regions_in_order(data) &&
                button_make(
                    () => go({view: 'tracks'}),
                    {id: 'in-time', title: 'each call where it was (k)'},
                    'in time order'
                ),
            csv_button(columns, order)
        ),
        make('div', {id: 'region-cost', class: 'faint'},
            'real time; measuring makes a call ' +
                duration_text(of.inner) +
                ' longer, and what is around it ' +
                duration_text(of.outer) +
                ': ' +
                (of.subtracted ? 'subtracted' : 'not subtracted') +
                (of.cpu && of.measuring >= of.cpu / 100
                    ? '. It took ' + duration_text(Math.min(of.measuring, of.cpu)) + ' of ' +
                      duration_text(of.cpu) + ' of CPU time'
                    : '') +
                (of.events
                    ? ''
                    : '. When each call was: CCPROF=events=N keeps the N longest of one run')
        )
    );
}

function regions_show(left, right, model) {
    const data = model.data;
    const rows = regions_rows(data);
    const columns = regions_columns(data);
    const order = table_rows(columns, rows.length);
    regions_bar(left, data, columns, order);
    // A place stands behind its name; the tip has both in full.
    const keys = table_show(
        left,
        columns.filter(column => !column.place),
        order,
        function (i, column, cell) {
            if (!column.name || !rows[i].place)
                return;
            cell.append(make('span', {class: 'faint'}, '  ' + place_short(rows[i].place)));
            cell.title = rows[i].name + '  ' + rows[i].place;
        },
        i => go({row: i})
    );
    const chosen = rows[Number(state.row)] || rows[order[0]];
    if (!chosen)
        return keys;
    right.append(
        make('h2', {}, chosen.name),
        make('div', {class: 'faint'}, chosen.place || ''),
        histogram_plot([chosen]),
        make('div', {id: 'region-told', class: 'faint'}, histogram_told(chosen))
    );
    if (regions_has_samples(model, chosen))
        right.append(
            button_make(() => regions_inside(chosen), {id: 'inside'}, 'What ran inside')
        );
    if (regions_in_order(data) && regions_kind(data) === 'names')
        right.append(
            button_make(
                () => go({view: 'tracks', region: rows.indexOf(chosen), call: -1}),
                {id: 'tracked'},
                'In time order'
            )
        );
    right.append(
        picture_button(() => right.querySelector('#histogram'), 'histogram.svg', 'svg'),
        histogram_numbers(chosen)
    );
    return keys;
}

function region_changes_columns(data) {
    const of = data.region_changes;
    return [
        ...table_columns(of.table),
        table_name(of.by === 'paths' ? 'path' : 'region', i => data.texts[of.name[i]], {
            of_functions: of.by !== 'paths',
        }),
    ];
}

function region_changes_show(left, right, data) {
    const of = data.region_changes;
    const columns = region_changes_columns(data);
    const changes = columns.find(column => column.id === 'change');
    const words = ['before', 'after'];
    const order = table_rows(columns, of.name.length);
    const most = Math.max(...of.name.map((_, i) => Math.abs(changes.value(i))));
    regions_bar(left, data, columns, order);
    left.append(
        make('pre', {id: 'sides'},
            of.sides
                .map(
                    (side, i) =>
                        words[i].padEnd(6) + '  ' + side.program + ', ' +
                        plural_text(side.runs, 'run')
                )
                .join('\n') +
                '\nmean time of a call; \u25b2 more, \u25bc less: certain; \u00b7 grey: may ' +
                'be chance'
        )
    );
    const keys = table_show(
        left,
        columns,
        order,
        function (i, column, cell) {
            const change = changes.value(i);
            if (column !== changes || change === null)
                return;
            cell.prepend(compare_sign(change, of.certain[i]) + ' ');
            compare_mark(cell, change, of.certain[i], Math.abs(change) / (most || 1));
        },
        i => go({row: i})
    );
    const chosen = Number(state.row) in of.name ? Number(state.row) : order[0];
    if (chosen === undefined)
        return keys;
    const rows = [of.regions_before[chosen], of.regions_after[chosen]];
    right.append(make('h2', {}, data.texts[of.name[chosen]]), histogram_plot(rows, words));
    rows.forEach((row, i) =>
        right.append(
            make('div', {class: 'faint region-side'},
                words[i] + ': ' +
                    (row ? number_text(row.calls) + ' calls; ' + histogram_told(row) : 'no calls')
            )
        )
    );
    right.append(
        picture_button(() => right.querySelector('#histogram'), 'histograms.svg', 'svg')
    );
    rows.forEach(function (row, i) {
        if (row && row.calls)
            right.append(make('h3', {}, words[i]), histogram_numbers(row, 'buckets-' + words[i]));
    });
    return keys;
}

export const regions_view = {
    title: 'Regions',
    key: 'w',
    only: data => data.regions,
    show: function (main, model) {
        const data = model.data;
        const left = make('div', {class: 'top'});
        const right = make('div', {class: 'plot'});
        main.append(make('div', {class: 'growth-of'}, left, right));
        return regions_kind(data) === 'changes'
            ? region_changes_show(left, right, data)
            : regions_show(left, right, model);
    },
};
