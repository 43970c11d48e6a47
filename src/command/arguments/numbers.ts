import { availableParallelism } from 'node:os';
import { MAX_DURATION_MS } from '../../service/lists/update.ts';
import { HASH_BYTES, SHORTEST_PREFIX } from '../../specs/safe-browsing/hash-prefix.ts';
import { usageFault } from '../fault.ts';

/** Memory for hashes, where --memory does not say otherwise. */
export const DEFAULT_MEMORY_BYTES = 2 ** 28;

const BYTES_OF_UNIT: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
const MAX_SECONDS = MAX_DURATION_MS / 1000;

/** A number that flags take, as a text of this form. */
interface NumberKind {
  readonly form: RegExp;
  /** The end of `must be …` in the message for other texts. */
  readonly what: string;
  readonly least?: number;
  readonly most?: number;
  parse?(text: string): number;
}

const ANY: NumberKind = { form: /./s, what: 'a number from 0 on', most: Number.MAX_VALUE };

/** Readers of the numbers that flags take. @throws {Fault} */
export const NUMBER = {
  any: reader(ANY),
  bytes: reader({
    form: /^[1-9][0-9]{0,8}[KMG]$/i,
    what: 'a size from 1M on, as 256M or 2G',
    least: 2 ** 20,
    parse: (text) => Number(text.slice(0, -1)) * BYTES_OF_UNIT[text.at(-1)!.toUpperCase()]!,
  }),
  prefixBytes: reader({
    form: /^\d+$/,
    what: `a number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}`,
    least: SHORTEST_PREFIX,
    most: HASH_BYTES,
  }),
  seconds: reader(ANY, { ...ANY, what: `at most ${MAX_SECONDS} seconds`, most: MAX_SECONDS }),
  threads: reader({
    form: /^\d{1,3}$/,
    what: 'a whole number up to 999',
    parse: (text) => Number(text) || availableParallelism(), // 0: as many as there are cores
  }),
  wholeSeconds: reader({ form: /^\d{1,9}$/, what: 'a whole number of seconds' }),
};

/** Returns what reads a number that is of each of these kinds. */
function reader(...kinds: readonly NumberKind[]): (text: string, option: string) => number {
  return (text, option) => {
    let value = Number.NaN;
    for (const { form, what, least = 0, most = Infinity, parse = Number } of kinds) {
      value = form.test(text) ? parse(text) : Number.NaN;
      if (!(value >= least && value <= most)) throw usageFault(`${option} must be ${what}, not '${text}'`);
    }
    return value;
  };
}
