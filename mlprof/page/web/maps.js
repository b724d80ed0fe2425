// Maps whose values are made when they are first needed.

// Returns the value of KEY in MAP. If there is none, adds the value that CREATE returns.
export function map_get(map, key, create) {
    if (!map.has(key))
        map.set(key, create());
    return map.get(key);
}

// Adds VALUE to the list of KEY.
export const map_push = (map, key, value) => map_get(map, key, () => []).push(value);
