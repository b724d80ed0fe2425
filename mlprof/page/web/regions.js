// The view of the real time of regions. It has a table of regions, of the copies of functions, of
// paths, or of changes between two sides; and a histogram of the durations of calls for the chosen
// row, as a picture and as a table.

import {duration_text, number_text, percent_text, plural_text} from './numbers.js';
import {button_make, draw, faint, make, table_plain} from './elements.js';
import {axis_log, axis_ticks, line_make} from './drawing.js';
import {go, profile, state, state_write} from './state.js';
import {matcher_exact} from './names.js';
import {model_has_name} from './model.js';
import {place_short} from './places.js';
import {choice_buttons, transforms_add} from './transformbar.js';
import {csv_button, picture_button} from './clipboard.js';
import {table_columns, table_name, table_place, table_rows, table_show} from './table.js';
import {compare_look} from './compare.js';

// Returns the text of a measured time. A time below the clock tick is unknown, so the text is `<'
// and the tick.
function measured_text(value) {
    const tick = profile().data.regions.tick;
    return value >= tick ? duration_text(value) : '<' + duration_text(tick);
}

// Returns the text of a bucket's bound.
const bound_text = value => (value > 0 ? measured_text(value) : duration_text(0));

// Returns the text about a row below its histogram.
function histogram_words(row) {
    const time = measured_text;
    const lines = [];
    if (row.calls)
        lines.push(
            'median between ' + time(row.p50[0]) + ' and ' + time(row.p50[2]) +
                ', 99th percentile between ' + time(row.p99[0]) + ' and ' + time(row.p99[2])
        );
    if (row.cold_calls)
        lines.push(
            number_text(row.cold_calls) + ' cold: mean ' + time(row.cold) + ', ' +
                time(row.cold_min) + ' to ' + time(row.cold_max) +
                (row.cold_calls < row.calls ? '; warm: mean ' + time(row.warm) : '')
        );
    if (row.left)
        lines.push(number_text(row.left) + ' did not come to the end');
    if (row.open)
        lines.push(
            number_text(row.open) + ' had not ended, and took ' + time(row.spent) + ' so far'
        );
    return lines.join('\n');
}

// Returns the buckets of a row. If the overhead of measuring uses up the whole time of a bucket,
// its calls are added to the next bucket.
function histogram_buckets(row) {
    const list = [];
    let before = 0;
    for (const [least, end, calls] of row.buckets) {
        if (end <= 0)
            before += calls;
        else
            list.push({least: Math.max(0, least), end: end, calls: calls + before});
        if (end > 0)
            before = 0;
    }
    if (before)
        list.push({least: 0, end: 1, calls: before});
    return list;
}

// Returns the ticks of the axis: powers of ten. On a short axis, 2 and 5 times powers of ten are
// added. If there would be fewer than two ticks, the ticks are the beginning and a time near the
// end.
function histogram_ticks(least, most) {
    const visible = axis_ticks(least, most, most / least < 100 ? [1, 2, 5] : [1]);
    return visible.length > 1 ? visible : [least, most * 0.9 > least ? most * 0.9 : most];
}

// Returns the time at which the drawing of a bucket starts, because a logarithmic axis has no 0.
const histogram_from = bucket => Math.max(bucket.least, bucket.end / 2);

// Returns the height of a bucket, chosen so that its area is its share of all calls.
const histogram_height = (row, bucket) =>
    bucket.calls / row.calls / Math.log(bucket.end / histogram_from(bucket));

// Draws the histogram of a row below TOP: an area for each bucket, on a logarithmic axis over the
// times in RANGE. MOST is the greatest height.
function histogram_panel(svg, row, top, range, most) {
    const W = 380;
    const H = top + 240;
    const L = 10;
    const R = 14;
    const T = top + 34;
    const B = 44;
    const buckets = histogram_buckets(row);
    const [x0, x1] = range;
    const place_of = axis_log(x0, x1, L, W - R);
    const x = value => place_of(Math.min(Math.max(value, x0), x1));
    const line = (start, end, kind) => svg.append(line_make(start, end, kind));
    for (const bucket of buckets) {
        const tall = Math.max(1, ((H - B - T) * histogram_height(row, bucket)) / most);
        const left = x(histogram_from(bucket));
        svg.append(
            draw('rect', {
                x: left,
                y: H - B - tall,
                width: Math.max(1, x(bucket.end) - left),
                height: tall,
                class: 'bar',
            },
                draw('title', {},
                    bound_text(bucket.least) + ' to ' + bound_text(bucket.end) + ': ' +
                        number_text(bucket.calls)
                )
            )
        );
    }
    line([L, H - B], [W - R, H - B], 'axis');
    let free = -1;
    for (const value of histogram_ticks(x0, x1)) {
        const text = duration_text(value).replace(/\.0+(?=[a-z])/, '');
        const half = 3.5 * text.length;
        const place = x(value);
        const middle = Math.max(half, Math.min(W - half, place));
        line([place, H - B], [place, H - B + 5], 'axis');
        if (middle - half < free)
            continue;
        svg.append(draw('text', {x: middle, y: H - B + 18, 'text-anchor': 'middle'}, text));
        free = middle + half;
    }
    // Draw the label of a percentile to the right of its line. If there is no room, draw the label
    // to the left.
    for (const [word, value, y] of [
        ['p50', row.p50[1], T - 18],
        ['p99', row.p99[1], T - 4],
    ]) {
        line([x(value), y], [x(value), H - B], 'mark');
        const left = x(value) > W - 110;
        svg.append(
            draw(
                'text',
                {x: x(value) + (left ? -4 : 4), y: y + 4, 'text-anchor': left ? 'end' : 'start'},
                word + ' ' + measured_text(value)
            )
        );
    }
    if (row.cold_calls) {
        line([x(row.cold_min) - 1, H - B + 25], [x(row.cold_max) + 1, H - B + 25], 'cold');
        svg.append(
            draw('text', {
                x: (x(row.cold_min) + x(row.cold_max)) / 2,
                y: H - 6,
                'text-anchor':
                    x(row.cold_min) + x(row.cold_max) < 60
                        ? 'start'
                        : x(row.cold_min) + x(row.cold_max) > 2 * W - 60
                          ? 'end'
                          : 'middle',
            },
                'cold'
            )
        );
    }
}

// Draws the histograms of rows one below the other, with a common time axis. Each row has a word
// from WORDS. The area of a bucket is its share of the row's calls.
function histogram_plot(rows, words) {
    const H = 240;
    const HEAD = words ? 20 : 0;
    const called = rows.filter(row => row && row.calls);
    const all = called.flatMap(histogram_buckets);
    const tall = rows.reduce((sum, row) => sum + HEAD + (row && row.calls ? H : HEAD), 0) || H;
    const svg = draw('svg', {
        id: 'histogram',
        width: 380,
        height: tall,
        viewBox: '0 0 380 ' + tall,
        role: 'img',
        'aria-label':
            rows
                .map(
                    (row, i) =>
                        (words ? words[i] + ': ' : '') + 'how long ' +
                        number_text(row ? row.calls : 0) + ' calls ' +
                        (row ? 'of ' + row.name + ' ' : '') + 'took'
                )
                .join('; ') + '; the table below has the numbers',
    });
    const range = all.length && [
        Math.min(...all.map(histogram_from)),
        Math.max(...all.map(bucket => bucket.end)),
    ];
    const most = Math.max(
        ...called.flatMap(row =>
            histogram_buckets(row).map(bucket => histogram_height(row, bucket))
        )
    );
    let top = 0;
    rows.forEach(function (row, i) {
        if (words)
            svg.append(
                draw('text', {x: 10, y: top + 14, class: 'title'},
                    words[i] + (row && row.calls ? '' : ': no calls')
                )
            );
        top += HEAD;
        if (row && row.calls)
            histogram_panel(svg, row, top, range, most);
        else if (!words)
            svg.append(draw('text', {x: 10, y: H / 2}, 'No call has ended.'));
        top += row && row.calls ? H : HEAD;
    });
    return svg;
}

// Returns the histogram of a row as a table.
function histogram_table(row, id) {
    let sum = 0;
    return table_plain(
        {id: id || 'buckets', class: 'buckets'},
        ['from', 'below', 'calls', 'up to'],
        histogram_buckets(row).map(function ({least, end, calls}) {
            sum += calls;
            return [
                bound_text(least),
                bound_text(end),
                number_text(calls),
                percent_text(sum, row.calls),
            ];
        })
    );
}

const regions_kinds = {changes: 'changes', names: 'regions', copies: 'copies', paths: 'paths'};

// regions_shown returns the names of the available tables, regions_kind the name of the table that
// is shown.
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

// Returns whether single calls of a run are known (tracks.js).
export const regions_have_events = data =>
    data.regions && data.regions.events && !data.compare && !data.growth;

// Returns whether DATA has regions, and neither time nor calls nor allocations.
export const regions_only = data =>
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

// Shows the samples that were taken while a region was open. In the stacks, they are below a frame
// with the label of the region.
function regions_show_samples(row) {
    state_write({view: 'flame'});
    transforms_add('+' + matcher_exact('[' + row.label + ']'));
}

export const regions_has_samples = (model, row) =>
    row.label !== null && model_has_name(model, '[' + row.label + ']');

// Adds a button for each available table, and the overhead of measuring.
function regions_bar(left, data, columns, order) {
    const regions = data.regions;
    left.append(
        make('div', {class: 'bar-of'},
            ...choice_buttons(
                'regions',
                regions_shown(data).map(kind => [kind, regions_kinds[kind]]),
                regions_kind(data),
                {row: -1, sort: ''}
            ),
            regions_have_events(data) &&
                button_make(
                    () => go({view: 'tracks'}),
                    {id: 'in-time', title: 'each call where it was (k)'},
                    'in time order'
                ),
            csv_button(columns, order)
        ),
        make('div', {id: 'region-cost', class: 'faint'},
            'real time; measuring makes a call ' +
                duration_text(regions.inner) +
                ' longer, and what is around it ' +
                duration_text(regions.outer) +
                ': ' +
                (regions.subtracted ? 'subtracted' : 'not subtracted') +
                (regions.cpu && regions.measuring >= regions.cpu / 100
                    ? '. It took ' + duration_text(Math.min(regions.measuring, regions.cpu)) +
                      ' of ' + duration_text(regions.cpu) + ' of CPU time'
                    : '') +
                (regions.events
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
    // The place follows the name. The tip shows both in full.
    const keys = table_show(
        left,
        columns.filter(column => !column.place),
        order,
        function (i, column, cell) {
            if (!column.name || !rows[i].place)
                return;
            cell.append(faint('  ' + place_short(rows[i].place)));
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
        make('div', {id: 'region-told', class: 'faint'}, histogram_words(chosen))
    );
    if (regions_has_samples(model, chosen))
        right.append(
            button_make(() => regions_show_samples(chosen), {id: 'inside'}, 'What ran inside')
        );
    if (regions_have_events(data) && regions_kind(data) === 'names')
        right.append(
            button_make(
                () => go({view: 'tracks', region: rows.indexOf(chosen), call: -1}),
                {id: 'tracked'},
                'In time order'
            )
        );
    right.append(
        picture_button(() => right.querySelector('#histogram'), 'histogram.svg', 'svg'),
        histogram_table(chosen)
    );
    return keys;
}

function region_changes_columns(data) {
    const changed = data.region_changes;
    return [
        ...table_columns(changed.table),
        table_name(changed.by === 'paths' ? 'path' : 'region', i => data.texts[changed.name[i]], {
            of_functions: changed.by !== 'paths',
        }),
    ];
}

function region_changes_show(left, right, data) {
    const changed = data.region_changes;
    const columns = region_changes_columns(data);
    const changes = columns.find(column => column.id === 'change');
    const words = ['before', 'after'];
    const order = table_rows(columns, changed.name.length);
    regions_bar(left, data, columns, order);
    left.append(
        make('pre', {id: 'sides'},
            changed.sides
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
        compare_look(changes, changed.certain, Array.from(changed.name.keys())),
        i => go({row: i})
    );
    const chosen = Number(state.row) in changed.name ? Number(state.row) : order[0];
    if (chosen === undefined)
        return keys;
    const rows = [changed.regions_before[chosen], changed.regions_after[chosen]];
    right.append(make('h2', {}, data.texts[changed.name[chosen]]), histogram_plot(rows, words));
    rows.forEach((row, i) =>
        right.append(
            make('div', {class: 'faint region-side'},
                words[i] + ': ' +
                    (row ? number_text(row.calls) + ' calls; ' + histogram_words(row) : 'no calls')
            )
        )
    );
    right.append(
        picture_button(() => right.querySelector('#histogram'), 'histograms.svg', 'svg')
    );
    rows.forEach(function (row, i) {
        if (row && row.calls)
            right.append(make('h3', {}, words[i]), histogram_table(row, 'buckets-' + words[i]));
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
