import type { Clause, Span, Step } from './explanation.ts';

/** The steps so far: one that leaves the text as it was is left out. */
export class Steps {
  readonly list: Step[] = [];
  #text: string;

  constructor(given: string) {
    this.#text = given;
  }

  /** The text as the last step left it. */
  get text(): string {
    return this.#text;
  }

  add(text: string, change: string, clause: Clause, part?: string, span?: Span): void {
    if (text !== this.#text) this.list.push({ text, change, clause, part, span });
    this.#text = text;
  }
}
