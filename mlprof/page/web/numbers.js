// Formats numbers like the tables of mlprof, and computes how reliable sampled numbers are.

// Formats a number with DIGITS decimals. If a value is halfway between two numbers, it is rounded
// to the even number, as in C; toFixed rounds differently.
export function fixed_text(value, digits) {
    const text = value.toFixed(digits);
    const exact = value.toFixed(digits + 60);
    const tie = /50{59}$/.test(exact);
    return tie && text.charCodeAt(text.length - 1) & 1 ? exact.slice(0, digits ? -60 : -61) : text;
}

export const number_text = value => value.toLocaleString('en-US');

// Returns a number with the noun WORD, which gets a plural s if necessary.
export const plural_text = (count, word) =>
    number_text(count) + ' ' + word + (count === 1 ? '' : 's');

export const percent_text = (part, total) =>
    total ? fixed_text((100 * part) / total, 1) + '%' : '-';

export function amount_text(model, value) {
    const {noun, unit, digits} = model.measure;
    if (digits)
        return fixed_text(model.seconds(value), digits) + ' s';
    return number_text(value) + ' ' + (noun && value === 1 ? noun : unit);
}

// Returns the text for an amount of memory of the current measure.
export const memory_text = (model, bytes, blocks) =>
    number_text(bytes) + ' bytes in ' + number_text(blocks) + ' blocks ' +
    (model.data.heap ? model.what : 'allocated');

// Formats an exact mean with one decimal.
const exact_text = value =>
    value.toLocaleString('en-US', {minimumFractionDigits: 1, maximumFractionDigits: 1});

// each_text returns the mean time or amount of a call. cost_text also returns the sampling error of
// a time. Both have the same form as in the tables of mlprof.
export const each_text = (model, samples, calls) =>
    !(calls > 0 && samples)
        ? '-'
        : model.measure.sampled
          ? duration_text((1e9 * model.seconds(samples)) / calls)
          : exact_text(samples / calls);

export const cost_text = (model, samples, calls) =>
    calls > 0 && samples && model.measure.sampled
        ? each_text(model, samples, calls) + ' +-' +
          fixed_text((100 * 1.96) / Math.sqrt(samples), 0) + '%'
        : each_text(model, samples, calls);

// Returns a time in nanoseconds in a unit that avoids many digits.
export function unit_text(time) {
    const [unit, divisor] =
        time >= 1e8 || !time ? ['s', 1e9] : time >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    return Number((time / divisor).toFixed(unit === 's' ? 3 : 2)) + ' ' + unit;
}

// Returns a time in nanoseconds in the same form as mlprof.
export function duration_text(value) {
    const [size, name] = [
        [1e9, 's'],
        [1e6, 'ms'],
        [1e3, 'us'],
    ].find(([unit]) => value >= unit) || [1, 'ns'];
    const part = value / size;
    return fixed_text(part, part <= 0 ? 0 : part < 10 ? 2 : part < 100 ? 1 : 0) + name;
}

// DEVIATIONS: 95 % of the values are within this many standard deviations of the mean. EXACT_MOST:
// the maximum number of samples for which exact tests are made.
const DEVIATIONS = 1.959963984540054;
const EXACT_MOST = 2000;

// Returns Wilson's interval of a share, as mlprof computes it.
export function share_interval(count, less, more, total) {
    const z = DEVIATIONS;
    function score(part, total) {
        const p = part / total;
        const d = 1 + (z * z) / total;
        const middle = (p + (z * z) / (2 * total)) / d;
        const half = (z / d) * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total));
        return [Math.max(0, middle - half), Math.min(1, middle + half)];
    }
    if (!total)
        return [0, 1];
    return [
        score(Math.max(0, count - less), total)[0],
        score(Math.min(total, count + more), total)[1],
    ];
}

// Returns whether LESS is certainly less than MORE: the probability of such a difference by chance
// is less than 5 % (binomial test with mid-P).
export function certainly_less(less, more) {
    const both = less + more;
    if (less >= more)
        return false;
    if (both > EXACT_MOST)
        return more - both / 2 > DEVIATIONS * Math.sqrt(both / 4);
    let here = -both * Math.LN2;
    let greater = 0;
    for (let k = 1; k <= less; k++)
        here += Math.log((more + k) / k);
    here = Math.exp(here);
    for (let k = more, term = here; k < both; k++)
        greater += term *= (both - k) / (k + 1);
    return 2 * greater + here < 0.05;
}
