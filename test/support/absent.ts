const names = new Set<string>();

/** Says when the process ends that the tests of `name`, a file or a program, did not run. */
export function reportAbsent(name: string): void {
  if (names.size === 0) process.once('exit', printAbsent);
  names.add(name);
}

function printAbsent(): void {
  console.log(`\nTests did not run where these are absent: ${[...names].sort().join(', ')}`);
}
