// What the machine lacks: one line when the process ends, for all test files together. Each is a bundle with a copy
// of this module, and uvu runs them in one process.
const NAMES = Symbol.for('urlsum: what tests found absent');
const shared = globalThis as { [NAMES]?: Set<string> };

/** Says at the very end that the tests of `name`, a file or a program, did not run. */
export function reportAbsent(name: string): void {
  if (shared[NAMES] === undefined) process.once('exit', printAbsent);
  (shared[NAMES] ??= new Set()).add(name);
}

function printAbsent(): void {
  console.log(`\nTests did not run where these are absent: ${[...shared[NAMES]!].sort().join(', ')}`);
}
