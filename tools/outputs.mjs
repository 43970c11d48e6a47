// The files of dist/esm, dist/cjs and the runtimes' folders: what each begins with, and the conditions it is built
// with. What is listed together is one bundle; slim shares nothing with the others.
import { FULL_ENTRIES, fileName, RUNTIMES, SLIM_ENTRIES, sourceOf } from './entries.mjs';
import { TABLES } from './tables.mjs';

function outputs(folder, conditions, entries) {
  return Object.fromEntries(
    entries.map((entry) => [
      `${folder}/${fileName(entry)}`,
      { source: sourceOf(entry), conditions: entry.isSlim ? [...conditions, 'slim'] : conditions },
    ]),
  );
}

/** The entries for Node and all that need no build of their own, and for each runtime those that do. */
function outputsForRuntimes(entries) {
  const withKernel = entries.filter(({ hasKernel }) => hasKernel);
  const others = Object.values(RUNTIMES).map((runtime) => outputs(runtime, [runtime], withKernel));
  return Object.assign(outputs('esm', [], entries), ...others);
}

const TABLE_OUTPUTS = Object.fromEntries(
  Object.entries(TABLES).map(([table, source]) => [`esm/${table}`, { source, conditions: [] }]),
);
export const ESM_OUTPUTS = [
  { ...outputsForRuntimes(FULL_ENTRIES), ...TABLE_OUTPUTS },
  outputsForRuntimes(SLIM_ENTRIES),
];
export const CJS_OUTPUTS = [
  { ...outputs('cjs', [], FULL_ENTRIES), 'cjs/js': { source: FULL_ENTRIES[0].source, conditions: ['js'] } },
  outputs('cjs', [], SLIM_ENTRIES),
];
