/** Ten draws per second at most. */
const INTERVAL_MS = 100;

export interface ProgressOptions {
  /** Of all inputs, where it is known beforehand. */
  readonly totalBytes: number | undefined;
  /** Puts a text on the status line, in place of the one before. */
  draw(text: string): void;
  /** Milliseconds from any moment on. */
  now(): number;
}

/** Says on the status line of a terminal how far the run is. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #startMs: number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #bytes = 0;
  #invalid = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startMs = options.now();
  }

  add(lines: number, bytes: number, invalid: number): void {
    this.#lines += lines;
    this.#bytes += bytes;
    this.#invalid += invalid;
    const nowMs = this.#options.now();
    if (nowMs - this.#drawnAtMs < INTERVAL_MS) return;
    this.#drawnAtMs = nowMs;
    this.#options.draw(this.#text(nowMs - this.#startMs));
  }

  #text(elapsedMs: number): string {
    const rate = elapsedMs > 0 ? `  ${((this.#lines / elapsedMs) * 1000).toFixed(0)}/s` : '';
    const { totalBytes } = this.#options;
    const share = totalBytes ? `  ${((100 * this.#bytes) / totalBytes).toFixed(0)} %` : '';
    return `${this.#lines} line${this.#lines === 1 ? '' : 's'}${rate}${share}  ${this.#invalid} invalid`;
  }
}

/**
 * Has standard error room for a status line? Not where lines are typed at the terminal, or come out there: it would
 * run into them.
 */
export function hasStatusLine(
  { stdin, stdout, stderr }: Readonly<Record<'stdin' | 'stdout' | 'stderr', { readonly isTTY?: boolean }>>,
  uses: { readonly standardInput: boolean; readonly standardOutput: boolean },
): boolean {
  const isTypedAt = uses.standardInput && stdin.isTTY === true;
  const isPrintedAt = uses.standardOutput && stdout.isTTY === true;
  return stderr.isTTY === true && !isTypedAt && !isPrintedAt;
}
