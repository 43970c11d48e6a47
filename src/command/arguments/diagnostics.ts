import { readFile } from 'node:fs/promises';
import { visible } from '../../core/bytes/text.ts';
import { withoutUnseen } from '../../core/quote.ts';
import { print } from '../write/output.ts';

/** Exit statuses, as in the sum tools; a run exits with the highest that occurred. */
const OK = 0;
const SOME_FAILED = 1;
export const TROUBLE = 2;

/** Moves to the start of the line and erases the line (ECMA-48, EL). */
const ERASE_LINE = '\r\x1b[K';

interface MessageStream {
  write(text: string, written?: () => void): unknown;
}

/** Collects the exit status and writes each message to standard error. */
export class Diagnostics {
  readonly #stream: MessageStream;
  #status = OK;
  #statusLine = '';

  constructor(stream: MessageStream = process.stderr) {
    this.#stream = stream;
  }

  get status(): number {
    return this.#status;
  }

  /** Reports a file that cannot be read or written. */
  trouble(message: string): void {
    this.#raise(TROUBLE);
    void this.tell([message]);
  }

  /** Reports that some lines are bad, or some checks have failed. */
  failed(message?: string): void {
    this.#raise(SOME_FAILED);
    if (message !== undefined) void this.tell([message]);
  }

  /**
   * Settles when the messages are written: a slow reader slows the run, and nothing piles up here. The status line is
   * drawn again after them.
   */
  tell(messages: readonly string[]): Promise<void> {
    const text = messages.map((message) => `urlsum: ${visible(withoutUnseen(message))}\n`).join('');
    const erasing = this.#statusLine === '' ? '' : ERASE_LINE;
    return new Promise((resolve) => {
      this.#stream.write(`${erasing}${text}${this.#statusLine}`, () => resolve()); // even if closed: see exiting
    });
  }

  /** Replaces the last line of a terminal; an empty text removes it. */
  showStatusLine(text: string): void {
    if (text !== this.#statusLine) this.#stream.write(`${ERASE_LINE}${text}`);
    this.#statusLine = text;
  }

  #raise(status: number): void {
    this.#status = Math.max(this.#status, status);
  }
}

/** A line of a table, perhaps without a label. One without a value is left out. */
export type Row = readonly [label: string, value: string | undefined];

/** Aligns labels in a column with values after them, and escapes what a terminal would obey. */
export function tableText(rows: readonly Row[]): string {
  const shown = rows.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${label.padEnd(width)}  ${visible(value!)}\n`).join('');
}

export function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** Does the work of a command and sets its exit status; `hint` may add to an error's message. */
export async function exiting(
  work: (diagnostics: Diagnostics) => Promise<void>,
  hint: (error: unknown) => string = () => '',
): Promise<void> {
  Error.stackTraceLimit = 0; // only messages are shown, and a stack takes 4 µs per bad line
  process.stderr.on('error', () => undefined); // on a closed stream the data and the status are still right
  const diagnostics = new Diagnostics();
  try {
    await work(diagnostics);
    process.exitCode = diagnostics.status;
  } catch (error) {
    diagnostics.showStatusLine('');
    await diagnostics.tell([error instanceof Error ? error.message : String(error)]);
    process.stderr.write(hint(error));
    process.exitCode = TROUBLE;
  }
}

/** package.json is two folders above dist/esm/cli.js. */
export async function packageVersion(): Promise<string> {
  const url = new URL('../../package.json', import.meta.url);
  return (JSON.parse(await readFile(url, 'utf8')) as { version: string }).version;
}

export async function printVersion(): Promise<void> {
  const { kernelName } = await import('../../core/kernel/open.ts');
  const { PROFILE } = await import('../../core/url/profile.ts');
  await print(`urlsum ${await packageVersion()} profile ${PROFILE} kernel ${kernelName()}\n`);
}
