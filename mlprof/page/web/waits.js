// The waits: the view with the tables of mlprof -waits and -locks, and the longest waits one by one
// for the view of tracks (tracks.js): which waits a lock had at a time, and which thread held it.

import {map_get} from './maps.js';
import {duration_text, number_text, plural_text} from './numbers.js';
import {button_make, draw, faint, make, table_plain} from './elements.js';
import {go, state} from './state.js';
import {choice_buttons} from './transformbar.js';
import {csv_button} from './clipboard.js';
import {table_columns, table_name, table_rows, table_show} from './table.js';

// LOCKS: the greatest number of locks with a track. ARROWS: the greatest number of arrows; a wait
// with an arrow is at least LEAST pixels wide.
const WAITS = {locks: 12, arrows: 300, least: 10};

const waits_kinds = {
    wait_states: 'states',
    wait_threads: 'threads',
    critical_path: 'critical path',
    waits: 'waits',
    longest_waits: 'longest',
    locks: 'locks',
};

export const waits_have_events = ({waits}) => Boolean(waits && waits.events.start.length);

// Adds a track of a lock to the tracks: below its owner, the waits of its queue. Each wait in LIST
// tells who held the lock when the wait began, and who got it when the wait ended. Between two such
// times the owner may have changed. If no thread waits, the owner is unknown.
function waits_add_lock(data, what, list) {
    const {events, lanes} = data.waits;
    const lane = lanes.push(data.texts[what]) - 1;
    const put = (row, path, start, end, wait, owner) =>
        Object.entries({
            lane, row, path, start, end, what, owner,
            length: end - start, of: wait,
            by: -1, after: 0, held: 0, ended: -1, stack: -1, cause: -1, other: -1, taken: -1,
        }).forEach(([name, value]) => events[name].push(value));
    const free = [];
    const times = [];
    for (const i of list) {
        const [start, end, by] = [events.start[i], events.end[i], events.by[i]];
        let row = free.findIndex(until => until <= start);
        if (row < 0)
            row = free.length;
        free[row] = end;
        put(row + 1, events.path[i], start, end, i, -1);
        const got = /thread|outside/.test(data.texts[events.ended[i]]) ? events.lane[i] : -1;
        times.push({time: start, queue: 1, owner: by}, {time: end, queue: -1, owner: got});
    }
    times.sort((a, b) => a.time - b.time || b.queue - a.queue);
    let [queue, owner, since] = [0, -1, 0];
    for (const point of times) {
        if (owner >= 0 && queue && point.owner !== owner && point.time > since)
            put(0, 0, since, point.time, -1, owner);
        if (point.owner !== owner || !queue)
            since = point.time;
        queue += point.queue;
        owner = queue ? point.owner : -1;
    }
}

// Returns the waits as calls of regions, for tracks.js: a state is a region, and a thread or a lock
// has a lane. The result is cached.
export function waits_tracks(data) {
    const {waits} = data;
    if (waits.region_of)
        return waits;
    const {events} = waits;
    const of_lock = new Map();
    waits.spans = waits.lanes;
    waits.lanes = waits.spans.map(({name}) => name);
    waits.events_end = Math.max(...waits.spans.map(({to}) => to), ...events.end.slice(-1));
    waits.single = events.start.length;
    waits.all = waits.names.reduce((sum, {calls}) => sum + calls, 0);
    waits.names.unshift({name: 'holds the lock', calls: 0, total: 0});
    waits.names.forEach(row => Object.assign(row, {label: null}));
    waits.region_of = waits.names.map((_, i) => i);
    events.path = events.path.map(path => path + 1);
    events.of = events.start.map(() => -1);
    events.owner = events.start.map(() => -1);
    events.held.forEach(function (held, i) {
        if (held)
            map_get(of_lock, events.what[i], () => []).push(i);
    });
    const total = ([, list]) => list.reduce((sum, i) => sum + events.length[i], 0);
    const locks = Array.from(of_lock).sort((a, b) => total(b) - total(a));
    waits.locks = locks.length;
    for (const [what, list] of locks.slice(0, WAITS.locks))
        waits_add_lock(data, what, list);
    return waits;
}

// Returns what the box of a wait says: in the track of a thread, for what it waits; in the track of
// a lock, the thread.
export function waits_label(data, i) {
    const {events, lanes} = data.waits;
    const {owner, of} = events;
    return owner[i] >= 0
        ? lanes[owner[i]]
        : of[i] >= 0
          ? lanes[events.lane[of[i]]]
          : data.texts[events.what[i]];
}

// Returns the lines about a wait. WHEN is the text of its start.
export function waits_words(data, i, when) {
    const {events, names, lanes} = data.waits;
    const lasts = 'at ' + when + ', for ' + duration_text(events.length[i]);
    if (events.owner[i] >= 0)
        return [lanes[events.owner[i]] + ' holds ' + data.texts[events.what[i]], lasts];
    const wait = events.of[i] >= 0 ? events.of[i] : i;
    const text = list => (list[wait] < 0 ? '' : data.texts[list[wait]]);
    const ended = text(events.ended);
    const [by, cause, taken] = [events.by[wait], text(events.cause), text(events.taken)];
    const other = by >= 0 ? lanes[by] : text(events.other);
    return [
        text(events.what),
        names[events.path[wait]].name,
        lasts,
        lanes[events.lane[wait]] + (text(events.stack) && ' in ' + text(events.stack)),
        other
            ? (events.held[wait] ? 'held by ' : 'ended by ') + other
            : {thread: 'ended by an unknown thread', outside: 'ended from outside',
                  timeout: 'timed out', open: 'not ended'}[ended],
        taken && 'taken in ' + taken,
        cause && (events.held[wait] ? 'released in ' : 'in ') + cause,
        events.after[wait] > 0 &&
            'then ready or running for ' + duration_text(events.after[wait]) + ' in the same call',
    ].filter(Boolean);
}

// Returns the picture of the arrows from waits to the threads that held the lock or ended the wait.
// Y_OF returns the middle of a row of a lane. BOXES are those that are drawn; CHOSEN is a wait.
export function waits_arrows(data, axis, boxes, y_of, chosen, height) {
    const {events} = data.waits;
    const picture = draw('svg', {id: 'arrows', width: axis.width, height: height});
    const list = boxes
        .filter(
            ({call, count, width}) =>
                events.by[call] >= 0 && events.end[call] <= axis.right &&
                (call === chosen || (count === 1 && width >= WAITS.least))
        )
        .sort((a, b) => (b.call === chosen) - (a.call === chosen) || b.width - a.width)
        .slice(0, WAITS.arrows);
    for (const {call, row} of list) {
        const x = axis.x(events.end[call]);
        const [from, to] = [y_of(events.lane[call], row), y_of(events.by[call], 0)];
        const side = from < to ? -7 : 7;
        picture.append(
            draw('path', {
                class: call === chosen ? 'chosen' : '',
                d: `M${x} ${from}V${to}l-4 ${side}h8L${x} ${to}`,
            })
        );
    }
    return picture;
}

export const waits_count = ({waits}) =>
    plural_text(waits.spans.length, 'thread') +
    (waits.locks ? ', ' + plural_text(Math.min(waits.locks, WAITS.locks), 'lock') : '');

// Returns the text about waits that are not displayed.
export const waits_note = ({waits}) =>
    (waits.single < waits.all
        ? number_text(waits.single) + ' of ' + number_text(waits.all) + ' waits are here, the ' +
          'longest: those of less than ' + duration_text(waits.events_least) + ' are not' +
          (waits.single < waits.kept ? '. ' : '; CCPROF=wait=N keeps more. ')
        : '') +
    (waits.locks > WAITS.locks
        ? 'Of ' + number_text(waits.locks) + ' locks, those with the most time have a track. '
        : '') +
    'Between waits there is a line: the thread ran, was ready, or waited too briefly. ' +
    'In the track of a lock, the first row is the thread that held it while others waited; ' +
    'between the starts and ends of waits, another thread may have had it. ' +
    'An arrow goes to the thread that held the lock or ended the wait. ';

// Shows the rows that explain row I, which follow it.
function waits_explain(area, table, i) {
    const rows = [];
    for (let at = i + 1; at < table.texts.length && table.texts[at][0] === ' '; at++)
        rows.push([...table.columns.map(({texts}) => texts[at]), table.texts[at].trim()]);
    area.append(make('h2', {}, table.texts[i]));
    if (rows.length)
        area.append(
            table_plain({class: 'buckets explained'}, [...table.columns.map(c => c.head), ''], rows)
        );
    else
        area.append(faint('There is nothing more about this row.'));
}

export const waits_view = {
    title: 'Waits',
    key: 'y',
    only: data => data.waits,
    show: function (main, {data}) {
        const {tables} = data.waits;
        const kind = Object.hasOwn(tables, state.regions) ? state.regions : 'wait_states';
        const table = tables[kind];
        const explained = kind !== 'wait_states';
        const top = make('div', {class: 'top'});
        const below = make('div', {class: 'below'});
        const columns = [
            ...table_columns(table.columns),
            table_name(table.head, i => table.texts[i], {middle: true}),
        ];
        const order = table_rows(columns, table.texts.length).filter(
            i => !explained || table.texts[i][0] !== ' '
        );
        main.append(make('div', {class: 'pane'}, top, below));
        top.append(
            make('div', {class: 'bar-of'},
                ...choice_buttons(
                    'regions',
                    Object.keys(waits_kinds)
                        .filter(word => tables[word].texts.length)
                        .map(word => [word, waits_kinds[word]]),
                    kind,
                    {row: -1, sort: ''}
                ),
                waits_have_events(data) &&
                    button_make(
                        () => go({view: 'tracks'}),
                        {id: 'in-time', title: 'each wait where it was (k)'},
                        'in time order'
                    ),
                csv_button(columns, order),
                table.count > order.length &&
                    faint(plural_text(table.count - order.length, 'more row'))
            )
        );
        const keys = table_show(top, columns, order, () => undefined, i => go({row: i}));
        const chosen = order.includes(Number(state.row)) ? Number(state.row) : order[0];
        if (explained && chosen !== undefined)
            waits_explain(below, table, chosen);
        else
            below.remove();
        return keys;
    },
};
