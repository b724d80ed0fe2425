// When samples were taken: buckets of the time on the clock, and a range of them that all views
// show alone. A range is a transform (transforms.js), `@0.8-1.2' in seconds from the run's start,
// or `@0.8-1.2 NAME'.

import {unit_text} from './numbers.js';

// How many buckets there are; 0 without times, and in comparisons.
export const times_count = data =>
    data.bucket_width && !data.compare && !data.growth
        ? Math.floor(data.bucket_span / data.bucket_width) + 1
        : 0;

// The seconds from the start of the run to the start of a bucket.
export const times_seconds = (data, bucket) =>
    String(Number(((bucket * data.bucket_width) / 1e9).toFixed(6)));

// The buckets FROM up to but not TO that the transforms ask for; null: all.
export function times_range(data, transforms) {
    const count = times_count(data);
    for (const transform of transforms) {
        const asked = /^@([\d.]+)-([\d.]+)(?: |$)/.exec(transform);
        if (!asked || !count)
            continue;
        const [first, last] = asked
            .slice(1)
            .map(text => Math.round((Number(text) * 1e9) / data.bucket_width) || 0);
        const from = Math.max(0, Math.min(count - 1, first));
        return {from: from, to: Math.max(from + 1, Math.min(count, last))};
    }
    return null;
}

// The samples of each node in a range.
export function times_counts(data, range) {
    const counts = new Float64Array(data.nodes.parent.length);
    const times = data.times;
    for (let i = 0; i < times.node.length; i++)
        if (times.bucket[i] >= range.from && times.bucket[i] < range.to)
            counts[times.node[i]] += times.count[i];
    return counts;
}

// The reader's name for a range; empty: it has none.
export const times_name = transform =>
    transform.includes(' ') ? transform.slice(transform.indexOf(' ') + 1) : '';

// The text about a range in the bar above the views.
export function times_text(data, transform) {
    const range = times_range(data, [transform]);
    if (!range)
        return transform + ': no such time';
    const all = unit_text(data.bucket_span);
    const last = range.to * data.bucket_width >= data.bucket_span;
    const name = times_name(transform);
    return (
        (name && name + ': ') + times_seconds(data, range.from) + ' s to ' +
        (last ? all : times_seconds(data, range.to) + ' s') + ' of ' + all
    );
}

// The text about the range in what is copied; empty: there is none.
export function times_title(model) {
    const transform = model.transforms.find(t => t[0] === '@');
    return transform ? times_text(model.data, transform) : '';
}

// Says of figures without a time that they are of the whole run, if there is a range.
export const times_whole = model => (model.range ? ' (whole run)' : '');

// The same of the heap: a span of buckets in which blocks were allocated, and by measure what can
// be told of it, from what becomes of a block: -1 it is alive.
const CELLS = {
    total: () => true,
    live: (freed, span) => freed < 0 || (span.then && freed >= span.to),
    lifetimes: (freed, span) => !CELLS.live(freed, span),
};

export const cells_told = measure => Object.hasOwn(CELLS, measure.name);

// By node what it has of a measure that is of the span.
export function cells_amounts(model, measure) {
    const {cells} = model.data.heap;
    const {span} = model;
    const of = CELLS[measure.name];
    const own = new Float64Array(model.size);
    for (let i = 0; i < cells.node.length; i++)
        if (cells.born[i] >= span.from && cells.born[i] < span.to && of(cells.freed[i], span))
            own[cells.node[i]] += cells[measure.unit][i];
    return own;
}

const cells_seconds = (heap, bucket) =>
    ((bucket * heap.times.width) / 1000).toFixed(heap.times.width < 100 ? 3 : 1);

export const cells_text = (heap, span) =>
    cells_seconds(heap, span.from) + '-' + cells_seconds(heap, span.to) + ' s';

// What all views show of a measure of memory, in words.
export function cells_what({data, span}, measure) {
    if (!span)
        return measure.what;
    const then = span.then && measure.name === 'live';
    return (
        (then ? 'alive after ' + cells_seconds(data.heap, span.to) + ' s' : measure.what) +
        ', of what was allocated at ' + cells_text(data.heap, span)
    );
}
