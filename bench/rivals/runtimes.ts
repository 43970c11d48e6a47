import { resolve } from 'node:path';
import { type Browser, CHROMIUM, FIREFOX } from '../../test/runtimes/browser.ts';
import { Skipped } from '../../test/runtimes/row.ts';
import { found, installed } from '../../test/runtimes/tool.ts';
import { executable } from './executable.ts';
import { absent, type Found, joined } from './found.ts';
import { page } from './page.ts';

const SCRIPT = resolve('bench/rivals/javascript.mjs');
/** It may read the package and the lines, and asks for nothing. */
const DENO = ['run', '--no-prompt', '--no-remote', '--no-lock', '--allow-read'];

const NODE_LINES = ['20', '24', '26'];

/** The Node that runs this, the runtimes that `npm run test:runtimes` has installed or that are on the path, browsers. */
export function runtimes(): Found {
  const others = NODE_LINES.filter((line) => !process.versions.node.startsWith(`${line}.`));
  return joined([
    { starts: [executable(process.execPath, [SCRIPT])], absent: [] },
    ...others.map((line) => runtime(`Node ${line}`, [() => installed(`node-${line}/bin/node`)])),
    runtime('Deno', [() => installed('deno/deno'), () => found(['deno'])], DENO),
    runtime('Bun', [() => installed('bun/bin/bun'), () => found(['bun'])]),
    ...[CHROMIUM, FIREFOX].map(inPage),
  ]);
}

function runtime(name: string, places: readonly (() => string)[], args: readonly string[] = []): Found {
  const command = firstOf(places);
  if (command === undefined) return absent(`${name} is not here: \`npm run test:runtimes\` installs it`);
  return { starts: [executable(command, [...args, SCRIPT])], absent: [] };
}

function inPage(browser: Browser): Found {
  if (firstOf([() => found(browser.commands)]) === undefined) return absent(`${browser.name} is not on the path`);
  return { starts: [page(browser)], absent: [] };
}

function firstOf(places: readonly (() => string)[]): string | undefined {
  for (const place of places) {
    try {
      return place();
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
    }
  }
  return undefined;
}
