const INTERVAL_MS = 250;

/** A line on a terminal that says how far the run is; nothing where standard error is not a terminal. */
export class Progress {
  readonly #totalBytes: number | undefined;
  readonly #start = performance.now();
  readonly #isShown = process.stderr.isTTY === true;
  #shownAt = 0;
  #lines = 0;
  #bytes = 0;
  #invalid = 0;

  constructor(totalBytes: number | undefined) {
    this.#totalBytes = totalBytes;
  }

  add(lines: number, bytes: number, invalid: number): void {
    this.#lines += lines;
    this.#bytes += bytes;
    this.#invalid += invalid;
    const now = performance.now();
    if (!this.#isShown || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    process.stderr.write(`\r\x1b[K${this.#line(now - this.#start)}`);
  }

  /** Takes the line away: before a complaint, and at the end. */
  clear(): void {
    if (this.#isShown && this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }

  #line(elapsedMs: number): string {
    const rate = ((this.#lines / elapsedMs) * 1000).toFixed(0);
    const share = this.#totalBytes ? `  ${((100 * this.#bytes) / this.#totalBytes).toFixed(0)} %` : '';
    return `${this.#lines} lines  ${rate}/s${share}  ${this.#invalid} invalid`;
  }
}
