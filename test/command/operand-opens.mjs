// Preloaded into the command, its threads too: tells the process that started it of each opening of the file that
// URLSUM_OPERAND names, by a line in the file that URLSUM_OPENS names. When the main thread has made so many calls on
// that file as URLSUM_REPLACED_AFTER says, it puts another one in its place: the file with `.other` after its name.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { URLSUM_OPERAND: operand, URLSUM_OPENS: opens, URLSUM_REPLACED_AFTER: replacedAfter } = process.env;
const { appendFileSync, renameSync } = fs;
let callCount = 0;
/** Node's own calls within one call are no calls of the command. */
let isWithin = false;

function watched(name, call) {
  return (path, ...rest) => {
    if (path !== operand || isWithin) return call(path, ...rest);
    isWithin = true;
    try {
      if (!name.startsWith('stat')) appendFileSync(opens, `${name}\n`);
      const result = call(path, ...rest);
      return result instanceof Promise ? result.finally(called) : result;
    } finally {
      isWithin = false;
      if (!name.endsWith('promised')) called();
    }
  };
}

function called() {
  callCount++;
  if (isMainThread && callCount === Number(replacedAfter)) renameSync(`${operand}.other`, operand);
}

for (const name of ['openSync', 'readFileSync', 'statSync', 'open', 'createReadStream'])
  fs[name] = watched(name, fs[name]);
for (const name of ['open', 'readFile', 'stat']) promises[name] = watched(`${name} promised`, promises[name]);
syncBuiltinESMExports();
