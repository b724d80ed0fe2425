// The view of changes between two sides, and functions for all views of comparisons that format and
// colour values and changes.

import {fixed_text, number_text, plural_text} from './numbers.js';
import {bar_add, faint, make} from './elements.js';
import {go, go_source, state} from './state.js';
import {choice_buttons} from './transformbar.js';
import {csv_button} from './clipboard.js';
import {place_short} from './places.js';
import {table_column, table_name, table_place, table_rows, table_show} from './table.js';

export const compare_of = data => data.compare || data.growth;

// Returns the words for the compared measure. Counts are calls for functions, but executions for
// lines and expressions.
export const compare_words = (comparison, what) =>
    what !== 'functions' && comparison.words === 'calls' ? 'executions' : comparison.words;

// Returns the text of an interval. SIGNED formats an end; null is infinite.
const compare_ends = (signed, least, most) =>
    (least === null ? '-\u221e' : signed(least)) + ' to ' +
    (most === null ? '\u221e' : signed(most));

// Returns functions that format the values of a comparison.
export function compare_style(data) {
    const comparison = compare_of(data);
    const digits = data.rate <= 100 ? 2 : data.rate <= 1000 ? 3 : 4;
    const plain = value =>
        comparison.unit === 'share'
            ? fixed_text(100 * value, 1) + '%'
            : comparison.unit === 'seconds'
              ? fixed_text(value, digits) + ' s'
              : Number.isInteger(value)
                ? number_text(value)
                : fixed_text(value, 1);
    const style = {plain: value => (value === null ? '-' : plain(value))};
    style.range = (least, most) => compare_ends(style.signed, least, most);
    style.signed = function (value) {
        const text = plain(Math.abs(value));
        return /[1-9]/.test(text) ? (value < 0 ? '-' : '+') + text : text;
    };
    return style;
}

// Returns a sign for an increase, a decrease or no change, in addition to the colour. A change that
// is not certain is shown as no change, and grey.
export const compare_sign = (change, certain) =>
    !certain || !change ? '\u00b7' : change > 0 ? '\u25b2' : '\u25bc';

export function compare_colour(change, certain, strength) {
    if (!certain || !change)
        return 'rgba(128, 128, 136, ' + (0.08 + 0.1 * strength).toFixed(3) + ')';
    return (
        'rgba(var(--' + (change > 0 ? 'hot' : 'cool') + '), ' + (0.1 + 0.5 * strength).toFixed(3) +
        ')'
    );
}

// Returns the function that marks the cell of row i in the column CHANGES of a table.
export function compare_look(changes, certain, rows) {
    const most = rows.reduce((greatest, i) => Math.max(greatest, Math.abs(changes.value(i))), 0);
    return function (i, column, cell) {
        const change = changes.value(i);
        if (column !== changes || change === null)
            return;
        cell.prepend(compare_sign(change, certain[i]) + ' ');
        compare_colour_cell(cell, change, certain[i], Math.abs(change) / (most || 1));
    };
}

// Colours the cell of a change. If the change is not certain, its text is faint, too.
export function compare_colour_cell(cell, change, certain, strength) {
    cell.classList.toggle('faint', !certain);
    cell.style.backgroundColor = compare_colour(change, certain, strength);
}

// Returns the growth of a value in percent, or a word if only one side has it.
export function compare_growth(before, after) {
    if (!(before > 0))
        return before === null ? 'new' : 'from 0';
    if (!(after > 0))
        return after === null ? 'gone' : 'to 0';
    const percent = 100 * (after / before - 1);
    return Math.abs(percent) < 9999.5
        ? (percent < 0 ? '' : '+') + fixed_text(percent, 1) + '%'
        : 'x' + number_text(Number((after / before).toPrecision(3)));
}

function compare_chance(table, i) {
    if (table.exact[i])
        return 'exact';
    return table.chance[i] === null
        ? '-'
        : table.chance[i] < 0.001
          ? '<0.001'
          : fixed_text(table.chance[i], 3);
}

export function compare_value(value) {
    if (value === null)
        return '-';
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4))
        return String(Number(value.toPrecision(4)));
    return number_text(
        Number(
            fixed_text(
                value,
                Number.isInteger(size) || size >= 1e6 ? 0 : size < 10 ? 4 : size < 1000 ? 2 : 1
            )
        )
    );
}

export const compare_change = (table, i) => (table.after[i] || 0) - (table.before[i] || 0);

// Returns a change in words, with a sign that shows whether it is certain.
export const compare_text = (style, {before, after, certain}) =>
    compare_sign((after || 0) - (before || 0), certain) + ' ' +
    style.signed((after || 0) - (before || 0)) + ' (' + compare_growth(before, after) +
    '): before ' + style.plain(before) + ', after ' + style.plain(after);

// Returns the last columns of tables of changes and of growth.
export function compare_name_columns(data, what, table) {
    const name = i => data.texts[table.name[i]];
    const place = i => (table.place[i] < 0 ? '' : data.texts[table.place[i]]);
    return [
        table_name(what, name, {middle: true}),
        table_place(place, {text: i => place_short(place(i))}),
    ];
}

function compare_columns(data, what) {
    const comparison = data.compare;
    const table = comparison[what];
    const means = comparison.means;
    const style = compare_style(data);
    const change = i => compare_change(table, i);
    const uncertain = table.exact.some(exact => !exact);
    return [
        table_column('before', 'before', means.before, i => table.before[i], style.plain),
        table_column('after', 'after', means.after, i => table.after[i], style.plain),
        table_column('change', 'change', means.change, change, style.signed),
        table_column(
            'percent',
            'in %',
            means['in %'],
            i => (table.before[i] > 0 ? change(i) / table.before[i] : change(i) > 0 ? Infinity : 0),
            (_, i) => compare_growth(table.before[i], table.after[i])
        ),
        uncertain &&
            table_column(
                'range',
                "row's 95%",
                means.change_least,
                i => table.least[i],
                (least, i) => style.range(least, table.most[i])
            ),
        uncertain &&
            table_column(
                'chance',
                'by chance',
                means.chance,
                i => (table.chance[i] === null ? -Infinity : -table.chance[i]),
                (_, i) => compare_chance(table, i)
            ),
        table.value &&
            table_column('value', 'value', means.value, i => table.value[i], compare_value, {
                first: true,
            }),
        ...compare_name_columns(data, what, table),
    ].filter(Boolean);
}

// Returns the place of a row in the source, or null if the row is not in the program of this page.
export function compare_place(model, what, i) {
    const data = model.data;
    const row = compare_of(data)[what].row[i];
    if (row < 0)
        return null;
    const table = what === 'functions' ? data.functions : data.groups[what];
    return {f: what === 'functions' ? row : -1, file: table.file[row], line: table.line[row]};
}

// Adds a button for each available table. Returns the name of the table that is shown.
export function compare_table_buttons(main, data, columns_of, ...more) {
    const comparison = compare_of(data);
    const kinds = ['functions', 'lines', 'expressions'].filter(
        kind => comparison[kind] && comparison[kind].row.length
    );
    const what = kinds.includes(state.what) ? state.what : 'functions';
    const columns = columns_of(data, what);
    bar_add(main,
        ...choice_buttons(
            'what',
            kinds.map(kind => [kind, kind]),
            what,
            {row: -1}
        ),
        csv_button(columns, table_rows(columns, comparison[what].row.length)),
        ...more
    );
    return what;
}

// Returns the text above the table: the sides, and the change of the total.
function compare_heading(data) {
    const comparison = data.compare;
    const all = comparison.all;
    const change = all.after - all.before;
    const whole = value =>
        all.seconds ? fixed_text(value, 2) + ' s' : number_text(value) + ' ' + comparison.words;
    const signed = value => (value < 0 ? '-' : '+') + whole(Math.abs(value));
    const side = (word, i) =>
        word + '  ' + comparison.sides[i].program + ', ' +
        plural_text(comparison.sides[i].runs, 'run') + ', ' + whole(i ? all.after : all.before) +
        comparison.sides[i].of_heap +
        (comparison.sides[i].runs > 1 ? ' each' : '') +
        (comparison.sides[i].size === null
            ? ''
            : ', n(' + 'ab'[i] + ') = ' + comparison.sides[i].size);
    return [
        side('before', 0),
        side('after ', 1),
        'change  ' +
            compare_sign(change, all.certain) +
            ' ' +
            signed(change) +
            ' (' +
            compare_growth(all.before, all.after) +
            ')' +
            (all.exact
                ? ''
                : ', ' + compare_ends(signed, all.least, all.most) +
                  (all.certain ? ', certain' : ', not certain')),
        all.drift &&
            'drift   most take ' + fixed_text(all.drift, 2) +
                ' times as long: perhaps the machine has changed. Relative to all: -change share',
        comparison.formula ? 'value   ' + comparison.formula : '',
    ]
        .filter(Boolean)
        .join('\n');
}

export const compare_view = {
    title: 'Changes',
    key: 'c',
    only: data => data.compare,
    show: function (main, model) {
        const data = model.data;
        const comparison = data.compare;
        main.append(make('pre', {id: 'sides'}, compare_heading(data)));
        const what = compare_table_buttons(
            main,
            data,
            compare_columns,
            faint(
                '\u25b2 more, \u25bc less: certain, by all rows together; ' +
                    '\u00b7 grey: may be chance, or no change; 95% and chance: the row alone'
            )
        );
        const table = comparison[what];
        const columns = compare_columns(data, what);
        const rows = table_rows(columns, table.row.length);
        const changes = columns.find(({id}) => id === 'change');
        return table_show(
            main,
            columns,
            rows,
            compare_look(changes, table.certain, Array.from(table.row.keys())),
            function (i) {
                const place = compare_place(model, what, i);
                if (place)
                    go_source(place, {
                        row: i,
                        f: place.f,
                        by: comparison.formula ? 'value' : 'change',
                    });
                else
                    go({row: i});
            }
        );
    },
};
