// The view of the calls of regions in time order: a track for each thread. The mouse or keys choose
// a call, or a range. If samples have times, all other views are limited to this range.

import {duration_text, number_text, plural_text} from './numbers.js';
import {matcher_exact, shorten_all} from './names.js';
import {button_make, faint, make, tip_on} from './elements.js';
import {
    TRACK_NAME,
    canvas_make,
    range_drag,
    ruler_make,
    swatch_make,
    track_make,
    tracks_area,
} from './drawing.js';
import {times_count, times_seconds} from './times.js';
import {transforms_of} from './transforms.js';
import {model_has_name} from './model.js';
import {go, go_staying, profile, state} from './state.js';
import {range_choose} from './transformbar.js';
import {regions_has_samples, regions_have_events} from './regions.js';
import {
    CALLS,
    tracks_axis,
    tracks_boxes,
    tracks_data,
    tracks_draw,
    tracks_end,
    tracks_fill,
    tracks_lanes,
    tracks_range,
    tracks_rank,
    tracks_region,
    tracks_time,
} from './lanes.js';
import {waits_arrows, waits_count, waits_have_events, waits_note, waits_words} from './waits.js';

const tracks_noun = model => (waits_have_events(model.data) ? 'wait' : 'call');

// Chooses a range. If samples have times, it is extended to whole buckets.
function tracks_choose(model, start, end, replaced) {
    const width = model.data.bucket_width;
    if (!times_count(model.data))
        go_staying({pick: end > start ? Math.floor(start) + '-' + Math.ceil(end) : ''}, replaced);
    else
        range_choose(
            end > start ? Math.floor(start / width) : 0,
            end > start ? Math.ceil(end / width) : 0,
            replaced
        );
}

function tracks_zoom(model, first, last, replaced) {
    const end = tracks_end(model);
    const size = Math.max(20, Math.min(end, last - first));
    const start = Math.round(Math.max(0, Math.min(end - size, first)));
    go_staying({span: size >= end ? '' : start + '-' + Math.round(start + size)}, replaced);
}

// Shows a call with a margin on both sides.
const tracks_zoom_to = (model, start, end) =>
    tracks_zoom(model, start - (end - start) / 10, end + (end - start) / 10);

const tracks_move = (model, axis, distance) =>
    tracks_zoom(model, axis.left + distance, axis.right + distance, true);

// Multiplies the length of the visible time range by TIMES. The point TIME stays at the same
// position on the screen.
const tracks_scale = (model, axis, times, time) =>
    tracks_zoom(model, time - (time - axis.left) * times, time + (axis.right - time) * times, true);

function tracks_words(model, axis, call) {
    if (waits_have_events(model.data))
        return waits_words(
            model.data,
            call,
            tracks_time(axis, tracks_data(model).events.start[call])
        );
    const {events, paths, names, lanes} = tracks_data(model);
    const name = names[tracks_region(model, call)].name;
    const path = paths[events.path[call]].name;
    return [
        name,
        ...(path === name ? [] : [path]),
        'at ' + tracks_time(axis, events.start[call]) + ', for ' +
            duration_text(events.length[call]),
        lanes[events.lane[call]],
    ];
}

function tracks_tip(model, axis, box) {
    const words = tracks_words(model, axis, box.call);
    return (
        box.count === 1
            ? words
            : [
                  plural_text(box.count, tracks_noun(model)) +
                      ', each narrower than a pixel, from ' +
                      tracks_time(axis, box.start) + ' to ' + tracks_time(axis, box.end),
                  'the longest:',
                  ...words,
              ]
    ).join('\n');
}

// Shows the samples in a region or, if CALL is not less than 0, in one call of it.
function tracks_show_samples(model, region, call) {
    const {events, names, lanes} = tracks_data(model);
    const width = model.data.bucket_width;
    const exact = matcher_exact;
    const all = transforms_of(state).filter(t => t[0] !== '@' || call < 0);
    const thread = '[' + lanes[events.lane[call]] + ']';
    all.push('+' + exact('[' + names[region].label + ']'));
    if (call >= 0) {
        const last = times_count(model.data);
        const first = Math.min(last - 1, Math.floor(events.start[call] / width));
        all.push(
            '@' +
                times_seconds(model.data, first) +
                '-' +
                times_seconds(
                    model.data,
                    Math.min(last, Math.max(first + 1, Math.ceil(events.end[call] / width)))
                )
        );
        if (model_has_name(model, thread))
            all.push('+' + exact(thread));
    }
    go({view: 'flame', change: Array.from(new Set(all)).join('\n'), zoom: 0});
}

// Returns the text about the chosen call, region or range, with buttons for it.
function tracks_chosen(model, axis) {
    const call = Number(state.call);
    const {names, events, single} = tracks_data(model);
    const given = call >= 0 && call < events.start.length;
    const region = given ? tracks_region(model, call) : Number(state.region);
    const range = tracks_range(model);
    const row = names[region];
    const bar = make('div', {class: 'bar-of', id: 'call', role: 'status'});
    if (row) {
        const words = given
            ? tracks_words(model, axis, call)
            : [
                  row.name,
                  plural_text(row.calls, tracks_noun(model)) + ', ' + duration_text(row.total),
              ];
        bar.append(
            make('span', {id: 'told'},
                make('b', {}, words[0]),
                ' \u00a0 ' + words.slice(1).join(' \u00a0 ')
            ),
            button_make(
                () =>
                    waits_have_events(model.data)
                        ? go({view: 'waits', regions: 'waits', row: -1})
                        : go({view: 'regions', regions: 'names', row: region}),
                {id: 'histogram-of'},
                waits_have_events(model.data) ? 'All waits' : 'All its calls'
            )
        );
        if (regions_has_samples(model, row)) {
            const button = (id, range, text) =>
                button_make(() => tracks_show_samples(model, region, range), {id: id}, text);
            bar.append(button('inside', -1, 'What ran inside'));
            if (given && times_count(model.data))
                bar.append(button('inside-call', call, 'What ran in this call'));
        }
    } else if (range) {
        let count = 0,
            longest = -1;
        for (let i = 0; i < (single ?? events.start.length); i++) {
            if (events.end[i] <= range.start || events.start[i] >= range.end)
                continue;
            count++;
            if (longest < 0 || events.length[i] > events.length[longest])
                longest = i;
        }
        bar.append(
            make('span', {id: 'told'},
                'In the chosen ' + duration_text(range.end - range.start) + ': ' +
                    plural_text(count, tracks_noun(model)) +
                    (count ? ', the longest: ' : ''),
                longest < 0
                    ? ''
                    : button_make(
                          () => go_staying({call: longest, region: -1}),
                          {id: 'longest'},
                          tracks_words(model, axis, longest)[0] + ', ' +
                              duration_text(events.length[longest])
                      )
            )
        );
    } else
        bar.append(
            make('span', {id: 'told', class: 'faint'},
                'Choose a ' + tracks_noun(model) + ': click, or arrows.'
            )
        );
    return bar;
}

// Returns the call to which KEY moves: the caller, the first call inside, or the previous or next
// call in the same row. If no call is chosen, returns the first visible call.
function tracks_next_call(model, axis, key) {
    const lanes = tracks_lanes(model);
    const {start, end, lane, row} = tracks_data(model).events;
    const call = Number(state.call);
    if (!(call >= 0 && call < start.length)) {
        for (const lane of lanes)
            for (const calls of lane.rows)
                for (const i of calls)
                    if (end[i] > axis.left && start[i] < axis.right)
                        return i;
        return -1;
    }
    const step = {ArrowUp: -1, ArrowDown: 1}[key];
    if (step && waits_have_events(model.data)) {
        // Waits are not inside each other: go to the next track.
        const [calls] = (lanes[lane[call] + step] || {rows: []}).rows;
        return calls?.find(other => end[other] > start[call]) ?? calls?.at(-1) ?? call;
    }
    const rows = lanes[lane[call]].rows;
    const level = row[call];
    const calls = rows[level];
    const place = calls.indexOf(call);
    if (key === 'ArrowLeft')
        return calls[place - 1] ?? call;
    if (key === 'ArrowRight')
        return calls[place + 1] ?? call;
    if (key === 'ArrowUp') {
        for (let i = level; i-- > 0;) {
            const outer = rows[i].find(
                other => start[other] <= start[call] && end[call] <= end[other]
            );
            if (outer !== undefined)
                return outer;
        }
        return call;
    }
    for (let i = level + 1; i < rows.length; i++) {
        const inner = rows[i].find(
            other => start[call] <= start[other] && end[other] <= end[call]
        );
        if (inner !== undefined)
            return inner;
    }
    return call;
}

// Chooses a call and makes it visible.
function tracks_select_call(model, axis, call) {
    if (call < 0)
        return;
    const {start, end} = tracks_data(model).events;
    const seen = start[call] < axis.right && end[call] > axis.left;
    const change = {call: call, region: -1};
    if (!seen) {
        const left = Math.max(
            0,
            Math.min(axis.end - axis.size, (start[call] + end[call] - axis.size) / 2)
        );
        change.span = Math.round(left) + '-' + Math.round(left + axis.size);
    }
    go_staying(change, true);
    const chosen = document.querySelector(
        '.track[data-lane="' + tracks_data(model).events.lane[call] + '"]'
    );
    if (chosen)
        chosen.scrollIntoView({block: 'nearest'});
}

function tracks_keys(event) {
    const model = profile();
    const axis = tracks_axis(model, 1);
    const range = tracks_range(model);
    const call = Number(state.call);
    const events = tracks_data(model).events;
    const given = call >= 0 && call < events.start.length;
    const step = axis.size / 20;
    const key = event.key;
    if (event.target.closest && event.target.closest('button') && key === 'Enter')
        return false;
    if (key === '+' || key === '=' || key === '-') {
        const middle = given
            ? Math.max(axis.left, Math.min(axis.right, (events.start[call] + events.end[call]) / 2))
            : (axis.left + axis.right) / 2;
        tracks_scale(model, axis, key === '-' ? 2 : 0.5, middle);
    } else if (key === ',' || key === '.')
        tracks_move(model, axis, (key === ',' ? -4 : 4) * step);
    else if (key === 'Home')
        tracks_zoom(model, 0, axis.size, true);
    else if (key === 'End')
        tracks_zoom(model, axis.end - axis.size, axis.end, true);
    else if (event.shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
        const distance = key === 'ArrowLeft' ? -step : step;
        const bucket = times_count(model.data) ? model.data.bucket_width : 1;
        const chosen =
            range ||
            (given
                ? {start: events.start[call], end: events.end[call] - distance}
                : {start: axis.left, end: axis.left});
        const moved = Math.sign(distance) * Math.max(bucket, Math.abs(distance));
        const end = Math.max(chosen.start + 1, Math.min(axis.end, chosen.end + moved));
        tracks_choose(model, chosen.start, end, true);
    } else if (/^Arrow/.test(key))
        tracks_select_call(model, axis, tracks_next_call(model, axis, key));
    else if (key === 'Enter' && given)
        tracks_zoom_to(model, events.start[call], events.end[call]);
    else if (key === 'Enter' && range)
        tracks_zoom(model, range.start, range.end);
    else if (key !== 'Escape')
        return false;
    else if (given || Number(state.region) >= 0)
        go_staying({call: -1, region: -1});
    else if (range)
        tracks_choose(model, 0, 0);
    else
        go_staying({span: ''});
    return true;
}

// Returns the box under the pointer.
function tracks_box_at(model, event) {
    const track = event.target.closest && event.target.closest('.track');
    const lane = track && tracks_lanes(model)[track.dataset.lane];
    if (!lane || !lane.boxes || event.target.tagName !== 'CANVAS')
        return null;
    const area = event.target.getBoundingClientRect();
    const x = event.clientX - area.left;
    const row = Math.floor((event.clientY - area.top - 3) / CALLS.row);
    const distance = box =>
        x < box.left ? box.left - x : x > box.left + box.width ? x - box.left - box.width : 0;
    const boxes = lane.boxes.filter(box => box.row === row && distance(box) < 2);
    return boxes.sort((a, b) => distance(a) - distance(b))[0] || null;
}

// Lets the mouse choose a range or, with a click, a call.
function tracks_mouse(model, axis, area, event) {
    range_drag(
        axis,
        area,
        event,
        3,
        (left, right) => tracks_choose(model, axis.time(left), axis.time(right)),
        () => {
            const box = tracks_box_at(model, event);
            go_staying(box ? {call: box.call, region: -1} : {call: -1, region: -1});
        }
    );
}

function tracks_wheel(model, axis, area, event) {
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY))
        return;
    event.preventDefault();
    const distance = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    const x = event.clientX - area.getBoundingClientRect().left - TRACK_NAME;
    if (event.ctrlKey)
        tracks_scale(
            model,
            axis,
            distance > 0 ? 1.25 : 0.8,
            axis.time(Math.max(0, Math.min(axis.width, x)))
        );
    else
        tracks_move(model, axis, (Math.sign(distance) * axis.size) / 10);
}

function tracks_legend(model, axis) {
    const names = tracks_data(model).names;
    const ranks = Array.from(tracks_rank(model).keys());
    const range = tracks_range(model);
    const middle = (axis.left + axis.right) / 2;
    const button = (id, title, text, act) => button_make(act, {id: id, title: title}, text);
    const kinds = ranks.slice(0, CALLS.kinds);
    const texts = shorten_all(
        kinds.map(region => names[region].name),
        kinds.map(() => 20)
    );
    return make('div', {class: 'bar-of', id: 'legend'},
        button('closer', 'closer (+)', '+', () => tracks_scale(model, axis, 0.5, middle)),
        button('farther', 'farther (-)', '\u2212', () => tracks_scale(model, axis, 2, middle)),
        axis.size < axis.end &&
            button('whole', 'the whole run (Escape)', 'all', () => go_staying({span: ''})),
        range &&
            button('to-range', 'only what is chosen (Enter)', 'zoom to the range', () =>
                tracks_zoom(model, range.start, range.end)
            ),
        ...kinds.map((region, i) =>
            button_make(
                () => go_staying({region: region === Number(state.region) ? -1 : region, call: -1}),
                {
                    'data-region': region,
                    'aria-current': region === Number(state.region),
                    title: (names[region].name + '  ' + (names[region].place || '')).trim(),
                },
                swatch_make(canvas => tracks_fill(model, region, canvas).fill),
                texts[i]
            )
        ),
        ranks.length > CALLS.kinds &&
            faint(
                swatch_make(canvas => canvas.line),
                'others'
            ),
        faint(
            swatch_make(canvas => canvas.faint, 8),
            'low: several ' + tracks_noun(model) + 's'
        )
    );
}

// Returns the text about calls that are not displayed, and about the controls.
function tracks_note(model) {
    const {names, events, events_least: least} = tracks_data(model);
    const all = names.reduce((sum, row) => sum + row.calls, 0);
    const there = events.start.length;
    const deep = tracks_lanes(model).reduce((sum, lane) => sum + lane.hidden, 0);
    return (
        (waits_have_events(model.data)
            ? waits_note(model.data)
            : there < all
              ? number_text(there) + ' of ' + number_text(all) + ' calls are here' +
                (least ? ': those of less than ' + duration_text(least) + ' are not' : '') +
                '; CCPROF=events=N keeps more. '
              : '') +
        (deep
            ? plural_text(deep, tracks_noun(model)) + ' below ' + CALLS.rows + ' rows: not drawn. '
            : '') +
        (waits_have_events(model.data)
            ? ''
            : 'Places are those of the clock, lengths ' +
              (tracks_data(model).subtracted ? 'without' : 'with') +
              ' the cost of measuring. ') +
        'Drag to choose a range' +
        (times_count(model.data) ? ', which all other views then show alone' : '') +
        '; Ctrl and the wheel, or + and \u2212, zoom; Shift and the wheel, or comma ' +
        'and full stop, move; arrows go along the ' + tracks_noun(model) +
        's, Enter zooms to one, Escape takes back.'
    );
}

// Returns the arrows of the boxes that are drawn.
const tracks_arrows = (model, axis, lanes, tracks, area) =>
    waits_arrows(
        model.data,
        axis,
        lanes.flatMap(({boxes}, i) => (tracks[i].querySelector('canvas') ? boxes : [])),
        (lane, row) => tracks[lane].offsetTop + 3 + (row + 0.5) * CALLS.row,
        Number(state.call),
        area.scrollHeight
    );

export const tracks_view = {
    title: 'Tracks',
    key: 'k',
    only: data => regions_have_events(data) || waits_have_events(data),
    show: function (main, model) {
        main.style.overflowY = 'scroll';
        const axis = tracks_axis(model, Math.max(100, main.clientWidth - TRACK_NAME));
        const lanes = tracks_lanes(model);
        const tracks = lanes.map((lane, i) =>
            track_make(
                {'data-lane': i},
                undefined,
                make('span', {title: lane.name}, lane.name),
                lane.rows.length > 1
                    ? make('div', {class: 'faint'}, plural_text(lane.count, tracks_noun(model)))
                    : ''
            )
        );
        for (const [i, track] of tracks.entries()) {
            lanes[i].high = Math.max(30, lanes[i].rows.length * CALLS.row + 8);
            track.style.height = lanes[i].high + 'px';
        }
        const area = tracks_area(
            waits_have_events(model.data)
                ? waits_count(model.data)
                : plural_text(lanes.length, 'thread'),
            undefined,
            ruler_make(axis, axis.left, axis.right, 110, tracks_range(model), -1),
            ...tracks
        );
        area.onmousedown = event => tracks_mouse(model, axis, area, event);
        tip_on(area, function (event) {
            const box = area.querySelector('#span').hidden ? tracks_box_at(model, event) : null;
            return box ? tracks_tip(model, axis, box) : '';
        });
        area.ondblclick = function (event) {
            const box = tracks_box_at(model, event);
            if (box)
                tracks_zoom_to(model, box.start, box.end);
        };
        area.addEventListener('wheel', event => tracks_wheel(model, axis, area, event), {
            passive: false,
        });
        main.append(
            tracks_legend(model, axis),
            tracks_chosen(model, axis),
            area,
            make('div', {class: 'empty'}, tracks_note(model))
        );
        // Draw only the tracks in view.
        main.onscroll = function () {
            const seen = main.getBoundingClientRect();
            for (const [i, track] of tracks.entries()) {
                const box = track.getBoundingClientRect();
                if (
                    track.querySelector('canvas') ||
                    box.bottom < seen.top - 200 ||
                    box.top > seen.bottom + 200
                )
                    continue;
                const canvas = canvas_make(axis, lanes[i].high);
                lanes[i].boxes = tracks_boxes(model, axis, lanes[i]);
                tracks_draw(model, axis, lanes[i], canvas, lanes[i].high);
                track.append(canvas.element);
            }
            if (waits_have_events(model.data)) {
                area.querySelector('#arrows')?.remove();
                area.append(tracks_arrows(model, axis, lanes, tracks, area));
            }
        };
        main.onscroll();
        return tracks_keys;
    },
};
