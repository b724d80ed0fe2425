// How far numbers that were sampled can be trusted, as mlprof has it (mlprof/base/statistics.h).

// Standard deviations on each side that hold 95 of 100; up to so many samples exact tests are made.
const DEVIATIONS = 1.959963984540054, EXACT_MOST = 2000;

// The interval of a share: Wilson's, as mlprof has it.
page.interval = function (count, less, more, total) {
    const z = DEVIATIONS;
    function score(part, of) {
        const p = part / of, d = 1 + z * z / of, middle = (p + z * z / (2 * of)) / d;
        const half = z / d * Math.sqrt(p * (1 - p) / of + z * z / (4 * of * of));
        return [Math.max(0, middle - half), Math.min(1, middle + half)];
    }
    if (!total) return [0, 1];
    return [score(Math.max(0, count - less), total)[0], score(Math.min(total, count + more), total)[1]];
};

// Whether chance alone would make LESS that much less than MORE in less than 5 of 100 runs: a
// binomial test with mid-P.
page.certainly_less = function (less, more) {
    const both = less + more;
    if (less >= more) return false;
    if (both > EXACT_MOST) return more - both / 2 > DEVIATIONS * Math.sqrt(both / 4);
    let here = -both * Math.LN2, above = 0;
    for (let k = 1; k <= less; k++) here += Math.log((more + k) / k);
    here = Math.exp(here);
    for (let k = more, term = here; k < both; k++) above += term *= (both - k) / (k + 1);
    return 2 * above + here < 0.05;
};
