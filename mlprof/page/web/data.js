'use strict';
// The page's data: reads what mlprof has put into the file (mlprof/page/page-data.h).

var page = {};

// What gzip has compressed (RFC 1951, 1952), for browsers without DecompressionStream.
page.inflate = function (bytes) {
    let at = 10, bits = 0, held = 0;
    const flags = bytes[3];
    if (flags & 4) at += 2 + bytes[at] + 256 * bytes[at + 1];
    for (const flag of [8, 16]) if (flags & flag) while (bytes[at++]) ;
    if (flags & 2) at += 2;
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
    const out = new Uint8Array(size);
    let end = 0;
    function take(count) {
        while (held < count) {
            bits |= bytes[at++] << held;
            held += 8;
        }
        const value = bits & ((1 << count) - 1);
        bits >>>= count;
        held -= count;
        return value;
    }
    // A canonical code: how many there are of each length, and the symbols in their order.
    function code(lengths) {
        const counts = new Uint16Array(16), first = new Uint16Array(16), symbols = [];
        for (const length of lengths) counts[length]++;
        counts[0] = 0;
        for (let i = 1; i < 16; i++) first[i] = first[i - 1] + counts[i - 1];
        lengths.forEach((length, symbol) => { if (length) symbols[first[length]++] = symbol; });
        return {counts: counts, symbols: symbols};
    }
    function symbol(of) {
        let word = 0, first = 0, index = 0;
        for (let length = 1; length < 16; length++) {
            word |= take(1);
            const count = of.counts[length];
            if (word - first < count) return of.symbols[index + word - first];
            index += count;
            first = (first + count) << 1;
            word <<= 1;
        }
        throw new Error('the data of this page are damaged');
    }
    const lengths = [], extra = [], far = [], farther = [];
    for (let i = 0, base = 3; i < 28; i++) {
        extra[i] = i < 8 ? 0 : (i >> 2) - 1;
        lengths[i] = base;
        base += 1 << extra[i];
    }
    lengths[28] = 258;
    extra[28] = 0;
    for (let i = 0, base = 1; i < 30; i++) {
        farther[i] = i < 4 ? 0 : (i >> 1) - 1;
        far[i] = base;
        base += 1 << farther[i];
    }
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    function codes(kind) {
        if (kind === 1) {
            const fixed = Array.from({length: 288}, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
            return [code(fixed), code(new Array(30).fill(5))];
        }
        const literals = take(5) + 257, distances = take(5) + 1, few = take(4) + 4;
        const short = new Array(19).fill(0);
        for (let i = 0; i < few; i++) short[order[i]] = take(3);
        const of = code(short), all = [];
        while (all.length < literals + distances) {
            const found = symbol(of);
            if (found < 16) all.push(found);
            else if (found === 16) for (let i = take(2) + 3, last = all[all.length - 1]; i--;) all.push(last);
            else for (let i = found === 17 ? take(3) + 3 : take(7) + 11; i--;) all.push(0);
        }
        return [code(all.slice(0, literals)), code(all.slice(literals))];
    }
    for (let last = 0; !last;) {
        last = take(1);
        const kind = take(2);
        if (kind === 0) {
            bits = held = 0;
            const length = bytes[at] + 256 * bytes[at + 1];
            out.set(bytes.subarray(at + 4, at + 4 + length), end);
            at += 4 + length;
            end += length;
            continue;
        }
        const [literal, distance] = codes(kind);
        for (let found; (found = symbol(literal)) !== 256;) {
            if (found < 256) {
                out[end++] = found;
                continue;
            }
            const length = lengths[found - 257] + take(extra[found - 257]);
            const where = symbol(distance), back = far[where] + take(farther[where]);
            for (let i = 0; i < length; i++, end++) out[end] = out[end - back];
        }
    }
    return new TextDecoder().decode(out);
};

page.read = async function () {
    const text = atob(document.getElementById('data').textContent);
    const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
    if (typeof DecompressionStream === 'undefined' || page.plain)
        return JSON.parse(page.inflate(bytes));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return JSON.parse(await new Response(stream).text());
};
