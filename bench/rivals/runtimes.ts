// Where the runtimes are that a program in JavaScript is started in.

import { resolve } from 'node:path';
import { Skipped } from '../../test/runtimes/row.ts';
import { found, installed } from '../../test/runtimes/tool.ts';
import { absent, executable, type Found } from './program.ts';

const NODE_LINES = ['20', '24', '26'];
/** It may read the package and the lines, and asks for nothing. */
const DENO = ['run', '--no-prompt', '--no-remote', '--no-lock', '--allow-read'];

/** The Node that runs this, and other lines of Node that `npm run test:long -- runtimes` has installed. */
export function nodes(script: string): Found[] {
  const path = resolve(script);
  const here = { starts: [executable(process.execPath, [path])], absent: [] };
  const isHere = (line: string) => process.versions.node.startsWith(`${line}.`);
  return NODE_LINES.map((line) =>
    isHere(line) ? here : runtime(`Node ${line}`, path, [() => installed(`node-${line}/bin/node`)]),
  );
}

export function deno(script: string): Found {
  return runtime('Deno', resolve(script), [() => installed('deno/deno'), () => found(['deno'])], DENO);
}

export function bun(script: string): Found {
  return runtime('Bun', resolve(script), [() => installed('bun/bin/bun'), () => found(['bun'])]);
}

function runtime(name: string, script: string, places: readonly (() => string)[], args: readonly string[] = []): Found {
  const place = places.find(isHere);
  if (place === undefined) return absent(`${name} is not here: \`npm run test:long -- runtimes\` installs it`);
  return { starts: [executable(place(), [...args, script])], absent: [] };
}

/** Whether a program is where `place` looks for it. */
export function isHere(place: () => string): boolean {
  try {
    place();
    return true;
  } catch (error) {
    if (error instanceof Skipped) return false;
    throw error;
  }
}
