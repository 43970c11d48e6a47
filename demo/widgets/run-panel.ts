import { announce } from './announcer.ts';
import { byId } from './element.ts';

/** The elements of a section that works for a while; the ids of its elements begin with its name. */
export class RunPanel {
  readonly form: HTMLFormElement;
  readonly start: HTMLButtonElement;
  readonly cancel: HTMLButtonElement;
  readonly result: HTMLDivElement;
  readonly #running: HTMLDivElement;
  readonly #bar: HTMLProgressElement;
  readonly #figures: HTMLParagraphElement;

  constructor(name: string) {
    this.form = byId(`${name}-form`, HTMLFormElement);
    this.start = byId(`${name}-start`, HTMLButtonElement);
    this.cancel = byId(`${name}-cancel`, HTMLButtonElement);
    this.result = byId(`${name}-result`, HTMLDivElement);
    this.#running = byId(`${name}-run`, HTMLDivElement);
    this.#bar = byId(`${name}-progress`, HTMLProgressElement);
    this.#figures = byId(`${name}-figures`, HTMLParagraphElement);
  }

  begin(sentence: string): void {
    this.#setRunning(true);
    announce(sentence);
  }

  end(): void {
    this.#setRunning(false);
  }

  showProgress(share: number, figures: string): void {
    this.#bar.value = share;
    this.#figures.textContent = figures;
  }

  #setRunning(isRunning: boolean): void {
    // a button that goes while it has the focus would leave it nowhere: the other takes it
    const hasFocus = [this.start, this.cancel].includes(document.activeElement as HTMLButtonElement);
    this.start.disabled = false;
    this.cancel.hidden = this.#running.hidden = !isRunning;
    if (hasFocus) (isRunning ? this.cancel : this.start).focus();
    this.start.disabled = isRunning;
    this.result.replaceChildren();
  }
}
