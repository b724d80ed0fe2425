// A table that is sorted by any column in either direction, with a cursor that keys move. Used for
// comparisons, growth, load, regions and branches.

import {matcher} from './names.js';
import {ROW, make, rows_fill, rows_scroll} from './elements.js';
import {go, state} from './state.js';

// Makes the columns that mlprof has declared. A star in a text is removed, because the page has its
// own sign. Chances are sorted in increasing order.
export const table_columns = list =>
    list.map(column => ({
        id: column.id,
        first: column.id === 'value',
        head: column.head.trim(),
        means: column.means,
        of_texts: column.of_texts,
        value: i =>
            column.of_texts
                ? column.texts[i]
                : column.id === 'chance' && column.values[i] !== null
                  ? -column.values[i]
                  : column.values[i],
        text: i => (column.of_texts ? column.texts[i] : column.texts[i].replace(/[ *]+$/, '')),
    }));

// Makes a column. TEXT formats the VALUE of a row.
export const table_column = (id, head, means, value, text, more) => ({
    id: id,
    head: head,
    means: means,
    value: value,
    text: i => text(value(i), i),
    ...more,
});

// table_name makes the column of names, by default the names of functions. table_place makes the
// column of places. Both are at the end of a table.
export const table_name = (head, name, more) =>
    table_column('name', head, 'its name', name, text => text, {
        name: true,
        of_functions: true,
        ...more,
    });

export const table_place = (place, more) =>
    table_column('place', 'place', 'where it is', place, text => text, {place: true, ...more});

// Returns the column by which a table is sorted. This is the chosen column, otherwise the column
// with the property FIRST. If there is neither, returns undefined, and the table keeps the order of
// mlprof.
const table_sorted = columns =>
    columns.find(column => column.id === state.sort.replace('-', '')) ||
    columns.find(column => column.first);

// Sorts rows by the column in the address.
export function table_sort(columns, rows) {
    const reversed = state.sort[0] === '-';
    const column = table_sorted(columns);
    if (!column)
        return rows;
    const least = value => (value === null || Number.isNaN(value) ? -Infinity : value);
    const values = new Map(rows.map(i => [i, least(column.value(i))]));
    return rows.sort(function (a, b) {
        const [x, y] = [values.get(a), values.get(b)];
        const order = x === y ? 0 : typeof x === 'string' ? (x < y ? -1 : 1) : x > y ? -1 : 1;
        return (reversed ? -order : order) || a - b;
    });
}

// Returns the rows that match the filter, sorted.
export function table_rows(columns, count) {
    const matches = matcher(state.search);
    const searched = columns.filter(c => c.name || c.place || c.words);
    const rows = [];
    for (let i = 0; i < count; i++)
        if (searched.some(c => matches(c.text(i)) || (c.title && matches(c.title(i) || ''))))
            rows.push(i);
    return table_sort(columns, rows);
}

const table_class = column =>
    [
        column.name || column.place || column.words ? '' : column.bar ? 'bar' : '',
        column.of_texts && 'text',
        column.name && 'name',
        (column.of_functions || column.of_texts) && 'function',
        (column.middle || column.of_texts) && 'middle',
        column.place && 'place',
        column.words && 'words',
    ]
        .filter(Boolean)
        .join(' ') || undefined;

// Shows a table. Only the rows in view are elements. LOOK(i, column, cell, previous) may change the
// cell of row i, which is below the PREVIOUS row. CHOOSE is called with a chosen row. WORD is the
// word of the address for the row with the cursor.
export function table_show(main, columns, rows, look, choose, {id, word} = {}) {
    const sorted = table_sorted(columns);
    const at_word = word || 'row';
    const head = make('tr', {},
        ...columns.map(column =>
            make('th', {
                class:
                    column.name || column.place || column.of_texts || column.words
                        ? 'name'
                        : undefined,
                'data-sort': column.id,
                title: column.means + '; a click sorts by it, once more the other way round',
                'aria-sort':
                    column === sorted
                        ? state.sort[0] === '-'
                            ? 'ascending'
                            : 'descending'
                        : undefined,
                events: {
                    click: () =>
                        go({sort: state.sort === column.id ? '-' + column.id : column.id}),
                },
            },
                column.head
            )
        )
    );
    const body = make('tbody', {});
    main.append(make('table', {id: id || 'rows'}, make('thead', {}, head), body));
    if (!rows.length)
        main.append(
            make('div', {class: 'empty'},
                state.search ? 'Nothing matches.' : 'There is nothing to show.'
            )
        );
    const row = (i, previous) =>
        make('tr', {
            'data-at': i,
            'aria-selected': String(i) === state[at_word] ? 'true' : 'false',
            events: {click: () => choose(i)},
        },
            ...columns.map(function (column) {
                const text = column.text(i);
                const whole = column.name || column.place || column.of_texts ? text : undefined;
                const cell = make('td', {
                    class: table_class(column),
                    title: (column.title && column.title(i)) || whole,
                },
                    text
                );
                if (column.bar)
                    cell.style.backgroundSize = 100 * Math.max(0, column.bar(i)) + '% 100%';
                look(i, column, cell, previous);
                return cell;
            })
        );
    rows_fill(
        main,
        body,
        rows.length,
        ROW,
        i => row(rows[i], rows[i - 1]),
        () => make('tr', {})
    );
    // Arrows move along the rows, and Enter opens a row.
    return function (event) {
        const place = rows.indexOf(Number(state[at_word]));
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (event.key === 'Enter' && place >= 0)
            choose(rows[place], true);
        else if (step && rows[place + step] !== undefined) {
            go({[at_word]: rows[place + step]}, true);
            rows_scroll(main, place + step, ROW);
        } else
            return false;
        return true;
    };
}
