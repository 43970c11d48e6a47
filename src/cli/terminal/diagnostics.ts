import { visible } from '../../bytes/visible.ts';

/** Exit statuses, as in the sum tools: the worst of what happened. */
const OK = 0;
const SOME_FAILED = 1;
export const TROUBLE = 2;

/** Collects the exit status and writes each message to standard error. */
export class Diagnostics {
  #status = OK;

  get status(): number {
    return this.#status;
  }

  /** A file that cannot be read or written. */
  trouble({ message }: { readonly message: string }): void {
    this.#raise(TROUBLE);
    void this.tell([message]);
  }

  /** Some lines are not what was asked for, or some checks have failed. */
  failed(message?: string): void {
    this.#raise(SOME_FAILED);
    if (message !== undefined) void this.tell([message]);
  }

  /** Settles when the messages are written: a slow reader slows the run, and nothing piles up here. */
  tell(messages: readonly string[]): Promise<void> {
    const text = messages.map((message) => `urlsum: ${visible(message)}\n`).join('');
    return new Promise((resolve) => process.stderr.write(text, () => resolve())); // closed: see main.ts
  }

  #raise(status: number): void {
    this.#status = Math.max(this.#status, status);
  }
}
