// The state that all views share: the words of the address (#view=summary&sort=calls&...) and the
// current profile. Only this module changes them.

// The words of the address in their order, with their default values.
const defaults = {
    view: 'summary',
    of: 'functions',
    search: '',
    change: '',
    f: '-1',
    file: '-1',
    line: '0',
    position: '-1',
    by: 'cur',
    zoom: '0',
    least: '1',
    asm: '0',
    part: '-1',
    insn: '-1',
    copy: '-1',
    dials: '',
    boxes: 'weight',
    // The column by which tables are sorted. A leading `-' reverses the order.
    sort: '',
    // For comparisons.
    what: 'functions',
    row: '-1',
    wide: 'both',
    // The current measure.
    measure: '',
    // For the heap: the range of buckets in which memory was allocated, for example `3-7' (7
    // excluded), and whether live memory is determined at the end of the range (`range') or of the
    // run.
    when: '',
    until: '',
    // For regions and waits: the table; and for their calls in time order.
    regions: '',
    span: '',
    pick: '',
    call: '-1',
    region: '-1',
};

// The current words. Each change makes a new object.
export let state = Object.freeze({});

// Sets the default value of a word, depending on the data.
export function state_default(name, value) {
    defaults[name] = value;
}

export function state_read() {
    const words = Object.assign({}, defaults);
    for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
        if (Object.hasOwn(defaults, name))
            words[name] = value;
    state = Object.freeze(words);
}

// Changes the address. Adds an entry to the browser's history unless the current entry is REPLACED.
export function state_write(changes, replaced) {
    const next = Object.assign({}, state, changes);
    const words = new URLSearchParams();
    for (const name of Object.keys(defaults))
        if (String(next[name]) !== defaults[name])
            words.set(name, next[name]);
    const hash = '#' + words;
    if (replaced)
        history.replaceState(null, '', hash);
    else if (hash !== (location.hash || '#'))
        history.pushState(null, '', hash);
    state_read();
}

let show = () => undefined;

// Sets the function to call after each change of the state (main.js).
export function state_on_change(shows) {
    show = shows;
}

// Redraws the page without a change of the state.
export function show_again() {
    show();
}

// Changes the state and redraws the page.
export function go(changes, replaced) {
    state_write(changes, replaced);
    show();
}

// The words of the address if neither an expression nor an instruction is chosen.
export const NO_CODE = {position: -1, part: -1, insn: -1};

// Chooses a line of a file, without an expression.
export function go_line(file, line, replaced) {
    go({file: file, line: line, ...NO_CODE}, replaced);
}

// Shows the source at a place (file and line). go_row shows the place of a row of a table.
export const go_source = ({file, line}, changes) =>
    go({view: 'source', file: file, line: line, ...NO_CODE, ...changes});

export const go_row = ({file, line}, r, changes) =>
    go_source({file: file[r], line: line[r]}, changes);

// Like go, but keeps the scroll position.
export function go_staying(changes, replaced) {
    const main = document.getElementById('main');
    const top = main.scrollTop;
    go(changes, replaced);
    main.scrollTop = top;
    if (main.onscroll)
        main.onscroll();
}

let shown_profile = null;

// Returns the current profile (model.js).
export function profile() {
    return shown_profile;
}

export function profile_set(model) {
    shown_profile = model;
}
