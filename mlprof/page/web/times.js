// Times of samples: buckets of real time, and a range of buckets to which all views are limited. A
// range is a transform (transforms.js), for example `@0.8-1.2' in seconds from the start of the
// run, or `@0.8-1.2 NAME'.

import {unit_text} from './numbers.js';

// Returns the number of buckets; 0 in comparisons and if the data has no times.
export const times_count = data =>
    data.bucket_width && !data.compare && !data.growth
        ? Math.floor(data.bucket_span / data.bucket_width) + 1
        : 0;

// Returns the seconds from the start of the run to the start of a bucket, as text.
export const times_seconds = (data, bucket) =>
    String(Number(((bucket * data.bucket_width) / 1e9).toFixed(6)));

// Returns the range of buckets in the transforms (the end excluded), or null if there is none.
export function times_range(data, transforms) {
    const count = times_count(data);
    for (const transform of transforms) {
        const found = /^@([\d.]+)-([\d.]+)(?: |$)/.exec(transform);
        if (!found || !count)
            continue;
        const [first, last] = found
            .slice(1)
            .map(text => Math.round((Number(text) * 1e9) / data.bucket_width) || 0);
        const start = Math.max(0, Math.min(count - 1, first));
        return {start: start, end: Math.max(start + 1, Math.min(count, last))};
    }
    return null;
}

// Returns the samples of each node in a range.
export function times_counts(data, range) {
    const counts = new Float64Array(data.nodes.parent.length);
    const times = data.times;
    for (let i = 0; i < times.node.length; i++)
        if (times.bucket[i] >= range.start && times.bucket[i] < range.end)
            counts[times.node[i]] += times.count[i];
    return counts;
}

// Returns the name of a range, or ''.
export const times_name = transform =>
    transform.includes(' ') ? transform.slice(transform.indexOf(' ') + 1) : '';

// Returns the text for a range in the bar above the views.
export function times_text(data, transform) {
    const range = times_range(data, [transform]);
    if (!range)
        return transform + ': no such time';
    const all = unit_text(data.bucket_span);
    const last = range.end * data.bucket_width >= data.bucket_span;
    const name = times_name(transform);
    return (
        (name && name + ': ') + times_seconds(data, range.start) + ' s to ' +
        (last ? all : times_seconds(data, range.end) + ' s') + ' of ' + all
    );
}

// Returns the text that describes the range in copied text, or '' if there is no range.
export function times_title(model) {
    const transform = model.transforms.find(t => t[0] === '@');
    return transform ? times_text(model.data, transform) : '';
}

// Returns a note for numbers of the whole run if a range is chosen.
export const times_whole = model => (model.range ? ' (whole run)' : '');

// The measures of the heap that are known for blocks allocated in a span of buckets. Each function
// returns whether a block counts. Its argument is the bucket in which the block was freed; -1: the
// block was not freed.
const CELLS = {
    total: () => true,
    live: (freed, span) => freed < 0 || (span.then && freed >= span.end),
    lifetimes: (freed, span) => !CELLS.live(freed, span),
};

export const cells_known = measure => Object.hasOwn(CELLS, measure.name);

// Returns the value of a measure for each node, for blocks allocated in the span.
export function cells_amounts(model, measure) {
    const {cells} = model.data.heap;
    const {span} = model;
    const is_counted = CELLS[measure.name];
    const values = new Float64Array(model.size);
    for (let i = 0; i < cells.node.length; i++)
        if (
            cells.born[i] >= span.start &&
            cells.born[i] < span.end &&
            is_counted(cells.freed[i], span)
        )
            values[cells.node[i]] += cells[measure.unit][i];
    return values;
}

const cells_seconds = (heap, bucket) =>
    ((bucket * heap.times.width) / 1000).toFixed(heap.times.width < 100 ? 3 : 1);

export const cells_text = (heap, span) =>
    cells_seconds(heap, span.start) + '-' + cells_seconds(heap, span.end) + ' s';

// Returns the description of the displayed values of a measure of memory.
export function cells_what({data, span}, measure) {
    if (!span)
        return measure.what;
    const then = span.then && measure.name === 'live';
    return (
        (then ? 'alive after ' + cells_seconds(data.heap, span.end) + ' s' : measure.what) +
        ', of what was allocated at ' + cells_text(data.heap, span)
    );
}
