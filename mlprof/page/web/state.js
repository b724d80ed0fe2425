// The two things that all views share, and that only this module changes: what is shown, as the
// address of the page says it (#view=summary&sort=calls&...), and the profile.

// The words of the address in their order, with their defaults.
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
    // The column by which tables are sorted, with - in front the other way round.
    sort: '',
    // For comparisons.
    what: 'functions',
    row: '-1',
    wide: 'both',
    // By what allocations are listed.
    allocs: 'site',
    // The measure that is shown.
    measure: '',
    // Of what was allocated in which buckets of time, `3-7' up to the seventh, and whether what is
    // live is so at the end of these (`range') or of the run.
    when: '',
    until: '',
    // For regions, and for their calls in time order.
    regions: '',
    span: '',
    pick: '',
    call: '-1',
    region: '-1',
};

// The words as they are now; a new object after each change.
export let state = Object.freeze({});

// Sets the default of a word, where the data have a better one.
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

// Changes the address, with a new entry of the history unless the entry is REPLACED.
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

// Has SHOWS called whenever what is shown has changed (main.js).
export function state_shown_by(shows) {
    show = shows;
}

// Shows all again, without a change of the state.
export function show_again() {
    show();
}

// Changes what is shown.
export function go(changes, replaced) {
    state_write(changes, replaced);
    show();
}

// Chooses a line of a file, and no expression there.
export function go_line(file, line, replaced) {
    go({file: file, line: line, position: -1, part: -1, insn: -1}, replaced);
}

// Shows the source at a place, which has a file and a line.
export const go_source = ({file, line}, changes) =>
    go({view: 'source', file: file, line: line, position: -1, part: -1, insn: -1, ...changes});

// Like go, but what is in view stays where it is.
export function go_staying(changes, replaced) {
    const main = document.getElementById('main');
    const top = main.scrollTop;
    go(changes, replaced);
    main.scrollTop = top;
    if (main.onscroll)
        main.onscroll();
}

let shown_profile = null;

// The profile that is shown (model.js).
export function profile() {
    return shown_profile;
}

export function profile_set(model) {
    shown_profile = model;
}
