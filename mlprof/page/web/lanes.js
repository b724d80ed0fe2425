// Draws the calls of regions or the waits of each thread on a canvas, for the view of tracks
// (tracks.js). Nested calls are below their callers. The reader can zoom in on a range of time.

import {map_get} from './maps.js';
import {duration_text} from './numbers.js';
import {shorten} from './names.js';
import {hatch, range_mask} from './drawing.js';
import {times_count} from './times.js';
import {state} from './state.js';
import {waits_have_events, waits_label, waits_tracks} from './waits.js';

export const CALLS = {row: 17, rows: 24, kinds: 8};

// Returns the calls and waits in time order that the tracks show. Of the measure wait, these are
// the waits.
export const tracks_data = ({data}) =>
    waits_have_events(data) ? waits_tracks(data) : data.regions;

// Returns the lanes. Each lane has its calls by row, in time order. The result is cached.
export function tracks_lanes(model) {
    if (model.lanes)
        return model.lanes;
    const {lanes, events, spans} = tracks_data(model);
    const list = lanes.map((name, i) => ({
        name, span: spans && spans[i], rows: [], count: 0, hidden: 0, boxes: null,
    }));
    for (let i = 0; i < events.start.length; i++) {
        const lane = list[events.lane[i]];
        const row = events.row[i];
        lane.count += events.owner?.[i] >= 0 ? 0 : 1;
        if (row >= CALLS.rows) {
            lane.hidden++;
            continue;
        }
        while (lane.rows.length <= row)
            lane.rows.push([]);
        lane.rows[row].push(i);
    }
    return (model.lanes = list);
}

// Returns for each region with calls its rank by time. The first ranks are drawn in their own
// colours.
export function tracks_rank(model) {
    if (model.ranks)
        return model.ranks;
    const {events, region_of, names} = tracks_data(model);
    const any = new Set(events.path.map(path => region_of[path]));
    return (model.ranks = new Map(
        names
            .map((_, region) => region)
            .filter(region => any.has(region))
            .map((region, rank) => [region, rank])
    ));
}

export const tracks_region = (model, call) =>
    tracks_data(model).region_of[tracks_data(model).events.path[call]];

// Parses a range in the address. Returns null if there is none.
function tracks_pair(text) {
    const pair = /^(\d+)-(\d+)$/.exec(text);
    return pair && Number(pair[2]) > Number(pair[1])
        ? {start: Number(pair[1]), end: Number(pair[2])}
        : null;
}

export const tracks_end = model =>
    Math.max(
        1,
        tracks_data(model).events_end,
        model.data.bucket_width ? model.data.bucket_span : 0
    );

// Returns the axis for the visible range of time, in nanoseconds.
export function tracks_axis(model, width) {
    const end = tracks_end(model);
    const visible = tracks_pair(state.span) || {start: 0, end: end};
    const left = Math.min(visible.start, end - 1);
    const right = Math.max(left + 1, Math.min(visible.end, end));
    const size = right - left;
    return {
        width, left, right, size, end,
        x: time => ((time - left) / size) * width,
        time: x => left + (x / width) * size,
    };
}

// Returns the chosen range. If samples have times, it is the range of all views.
export function tracks_range(model) {
    const width = model.data.bucket_width;
    if (!times_count(model.data))
        return tracks_pair(state.pick);
    return model.range && {start: model.range.start * width, end: model.range.end * width};
}

// Returns the text of a time. The text has enough digits to distinguish times in the visible range.
export function tracks_time(axis, time) {
    const {right} = axis;
    const [unit, divisor] = right >= 1e8 ? ['s', 1e9] : right >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    const digits = Math.max(0, Math.ceil(Math.log10(divisor / axis.size)) + 3);
    return (time / divisor).toFixed(digits) + ' ' + unit;
}

// Returns the boxes of a lane. A box is a call, or several adjacent calls that are each narrower
// than a pixel.
export function tracks_boxes(model, axis, lane) {
    const {start, end} = tracks_data(model).events;
    const boxes = [];
    const pixel = axis.size / axis.width;
    lane.rows.forEach(function (calls, row) {
        let low = 0;
        let high = calls.length;
        let last = null;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (end[calls[middle]] <= axis.left && start[calls[middle]] < axis.left)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < calls.length && start[calls[low]] < axis.right; low++) {
            const i = calls[low];
            const narrow = end[i] - start[i] < pixel;
            if (narrow && last && last.narrow && start[i] <= last.end + pixel) {
                last.count++;
                if (tracks_region(model, i) !== tracks_region(model, last.call))
                    last.mixed = true;
                last.end = end[i];
                if (end[i] - start[i] > end[last.call] - start[last.call])
                    last.call = i;
            } else
                boxes.push((last = {
                    row, call: i, count: 1, narrow, mixed: false, start: start[i], end: end[i],
                }));
        }
    });
    for (const box of boxes) {
        box.left = Math.max(-1, axis.x(box.start));
        box.width = Math.max(1, Math.min(axis.width + 1, axis.x(box.end)) - box.left);
    }
    return boxes;
}

// Returns the fill of the calls of a region: a colour with a pattern for the first regions, grey
// for the others.
export function tracks_fill(model, region, canvas) {
    const rank = tracks_rank(model).get(region);
    if (!(rank < CALLS.kinds))
        return {plain: canvas.line, fill: canvas.line};
    const colour =
        'hsl(' + [35, 205, 110, 285, 0, 165, 60, 325][rank] + ',' +
        (canvas.dark ? '38%,30%)' : '62%,78%)');
    return {plain: colour, fill: hatch(canvas.pen, rank, colour, canvas.ink)};
}

export function tracks_draw(model, axis, lane, canvas, height) {
    const {pen} = canvas;
    const {names, events} = tracks_data(model);
    const waits = waits_have_events(model.data);
    const fills = new Map();
    const chosen = Number(state.call);
    const only = Number(state.region);
    const range = tracks_range(model);
    pen.textBaseline = 'middle';
    // Of waits: the life of the thread, behind the boxes.
    if (lane.span) {
        pen.fillStyle = canvas.faint;
        const [left, right] = [lane.span.from, lane.span.to].map(time =>
            Math.max(0, Math.min(axis.width, axis.x(time)))
        );
        pen.fillRect(left, 2 + CALLS.row / 2, right - left, 2);
    }
    for (const box of lane.boxes) {
        const region = tracks_region(model, box.call);
        const y = 3 + box.row * CALLS.row;
        const tall = CALLS.row - 2;
        const wide = Math.max(1, box.width - (box.width > 3 ? 1 : 0));
        const look = map_get(fills, region, () => tracks_fill(model, region, canvas));
        pen.globalAlpha = only >= 0 && region !== only ? 0.25 : 1;
        pen.fillStyle = box.mixed ? canvas.faint : look.fill;
        if (box.count > 1)
            pen.fillRect(box.left, y + tall / 2, wide, tall / 2);
        else
            pen.fillRect(box.left, y, wide, tall);
        const room = Math.floor((box.width - 8) / canvas.letter);
        if (room >= 3 && box.count === 1) {
            const name = waits ? waits_label(model.data, box.call) : names[region].name;
            const whole = name + '  ' + duration_text(events.length[box.call]);
            const text = whole.length <= room ? whole : shorten(name, room);
            pen.fillStyle = look.plain;
            pen.fillRect(
                box.left + 2,
                y + 1,
                Math.min(box.width - 5, pen.measureText(text).width + 4),
                tall - 2
            );
            pen.fillStyle = canvas.ink;
            pen.fillText(text, box.left + 4, y + tall / 2 + 0.5);
        }
        pen.globalAlpha = 1;
    }
    range_mask(axis, canvas, height, range, -1);
    const {start, end, row, lane: lane_of} = events;
    if (!(chosen >= 0) || tracks_lanes(model)[lane_of[chosen]] !== lane)
        return;
    if (row[chosen] >= CALLS.rows || end[chosen] < axis.left || start[chosen] > axis.right)
        return;
    const left = Math.max(1, axis.x(start[chosen]));
    pen.strokeStyle = canvas.ink;
    pen.lineWidth = 2;
    pen.strokeRect(
        left,
        2 + row[chosen] * CALLS.row,
        Math.max(3, Math.min(axis.width - 1, axis.x(end[chosen])) - left),
        CALLS.row
    );
}
