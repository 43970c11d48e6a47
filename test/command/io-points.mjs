// Preloaded into the command: names each point of its I/O on files whose names end in .lock, .takeover, .tmp, .run,
// .idx or .next, before and after the call, and tells it to the process that started it; those in the folder of an index's
// segments are `segment .tmp` and so on. When it is first at the point that URLSUM_STOP names, "POINT SIGNAL", it sends
// the signal to itself.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [, stopPoint, signal] = /^(.*) (SIG\w+)$/.exec(process.env.URLSUM_STOP ?? '') ?? [];
const kinds = new Map();
/** Node's own calls within one call are no points of the command. */
let isWithin = false;
let isStopped = false;

/** Returns the kind of a path, or of a descriptor that was opened by one. */
function kindOf(file) {
  if (typeof file === 'number') return kinds.get(file);
  const [, folder, ending] = /(\.idx\.d\/)?[^/]*(\.(?:lock|takeover|tmp|run|idx|next))$/.exec(String(file)) ?? [];
  return folder === undefined ? ending : `segment ${ending}`;
}

function reached(point) {
  process.send?.(point);
  if (point !== stopPoint || isStopped) return;
  isStopped = true;
  process.kill(process.pid, signal);
}

function named(call, name) {
  return (...args) => {
    const kind = kindOf(args[0]);
    if (kind === undefined || isWithin) return call(...args);
    reached(`before ${name} ${kind}`);
    const after = (result) => {
      if (name.startsWith('open')) kinds.set(typeof result === 'number' ? result : result.fd, kind);
      if (name.startsWith('close')) kinds.delete(args[0]);
      reached(`after ${name} ${kind}`);
      return result;
    };
    const done = args.at(-1);
    if (typeof done === 'function') {
      args[args.length - 1] = (error, ...results) => {
        if (!error) after(results[0]);
        done(error, ...results);
      };
      return call(...args);
    }
    isWithin = name.endsWith('Sync');
    let result;
    try {
      result = call(...args);
    } finally {
      isWithin = false;
    }
    return result instanceof Promise ? result.then(after) : after(result);
  };
}

const SYNCHRONOUS = [
  'linkSync',
  'statSync',
  'openSync',
  'writeFileSync',
  'writeSync',
  'closeSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
];
const CALLED_BACK = ['write', 'fsync'];
for (const name of [...SYNCHRONOUS, ...CALLED_BACK]) fs[name] = named(fs[name], name);
promises.open = named(promises.open, 'open');
syncBuiltinESMExports();
