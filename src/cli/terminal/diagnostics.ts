/** Exit statuses, as in the sum tools: the worst of what happened. */
const OK = 0;
const SOME_FAILED = 1;
export const TROUBLE = 2;

/** Collects the exit status and writes each complaint to standard error. */
export class Diagnostics {
  #status = OK;

  get status(): number {
    return this.#status;
  }

  /** A line that is not what was asked for. */
  badLine(inputName: string, lineNumber: number, { message }: { readonly message: string }): void {
    this.#complain([`${inputName}:${lineNumber}: ${message}`], SOME_FAILED);
  }

  /** Rows of a block, counted from `firstLine`, each with its problem: written at once, in half the time that one by one they take. */
  badLines(
    inputName: string,
    firstLine: number,
    rows: Uint32Array,
    problems: readonly { readonly message: string }[],
  ): void {
    if (rows.length > 0)
      this.#complain(
        Array.from(rows, (row, index) => `${inputName}:${firstLine + row}: ${problems[index]!.message}`),
        SOME_FAILED,
      );
  }

  /** A file that cannot be read or written. */
  trouble({ message }: { readonly message: string }): void {
    this.#complain([message], TROUBLE);
  }

  failed(message?: string): void {
    if (message === undefined) this.#status = Math.max(this.#status, SOME_FAILED);
    else this.#complain([message], SOME_FAILED);
  }

  #complain(messages: readonly string[], status: number): void {
    process.stderr.write(messages.map((message) => `urlsum: ${message}\n`).join(''));
    this.#status = Math.max(this.#status, status);
  }
}
