import { parseArguments } from '../../../src/command/arguments/flag.ts';
import { listFileReader, SERVED_FILE_FLAGS } from '../../../src/command/commands/list-input.ts';
import { SettlingClock } from '../../store/settling-clock.ts';

/** Returns what reads the files of a server's lists under options of the command. */
export function readerUnder(options: readonly string[] = [], said: string[] = []) {
  return listFileReader(parseArguments(SERVED_FILE_FLAGS, options).values, async (lines) => void said.push(...lines));
}

export const readEntries = readerUnder();

/** Options of what watches a file, in a time of the test's. */
export const watching = <T extends object>(more = {} as T) => ({
  ...new SettlingClock().options,
  readEntries,
  maxShrink: 0.5,
  log: (_message: string): void => undefined,
  ...more,
});
