// Normalization of marks that are newer than the host's Unicode. Marks of one class keep their order, so each new mark
// can be replaced by an older one of its class, which composes with nothing; the host normalizes, and what stands in the
// places of that class is put back in order.

import { VERSIONS } from './unicode-versions.mjs';

/** A mark for each class that stands in for new ones. */
const STAND_INS = { 1: 0x16af0, 10: 0x5b0, 21: 0x5bc, 216: 0x1d16e, 220: 0x1e8d0, 230: 0x1e000 };

const hostVersion = Number.parseInt(process.versions.unicode, 10);
const hostNormalize = String.prototype.normalize;

/** The stand-in of each new mark. */
const standIns = new Map();
for (const { version, marks = {} } of VERSIONS) if (version > hostVersion) addMarks(marks);

function addMarks(marks) {
  for (const [combiningClass, ranges] of Object.entries(marks)) {
    if (STAND_INS[combiningClass] === undefined) throw new Error(`no mark stands in for class ${combiningClass}`);
    const standIn = String.fromCodePoint(STAND_INS[combiningClass]);
    for (const [first, last] of ranges)
      for (let code = first; code <= last; code++) standIns.set(String.fromCodePoint(code), standIn);
  }
}

const newMarks = new RegExp(`[${[...standIns.keys()].join('') || '\\0'}]`, 'u');

/** Normalizes a text of the newest version, though the host may be older. */
export function normalized(text, form) {
  if (!newMarks.test(text)) return hostNormalize.call(text, form);
  const decomposed = Array.from(hostNormalize.call(text, 'NFD'));
  const marks = new Map([...standIns.values()].map((standIn) => [standIn, []]));
  const replaced = decomposed.map((character) => {
    const standIn = standIns.get(character) ?? character;
    marks.get(standIn)?.push(character);
    return standIn;
  });
  const result = Array.from(hostNormalize.call(replaced.join(''), form));
  return result.map((character) => marks.get(character)?.shift() ?? character).join('');
}

/** From here on, this process has the newest version's normalization: tr46 takes what the host has. */
export function installNormalization() {
  Object.defineProperty(String.prototype, 'normalize', {
    configurable: true,
    writable: true,
    value(form) {
      return normalized(String(this), form);
    },
  });
}
