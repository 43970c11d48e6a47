import type { FileOptions, State } from '../state.ts';
import { announce } from '../widgets/announcer.ts';
import { byId, element } from '../widgets/element.ts';
import { RunPanel } from '../widgets/run-panel.ts';
import { folded } from '../widgets/text.ts';
import { resultName } from './command-line.ts';
import type { FileMessage, FileTask } from './message.ts';
import { type Guess, guessOf, previewOf } from './preview.ts';
import { previewView } from './preview-view.ts';
import { reasonOf } from './reason.ts';
import { endView, figuresOf } from './result-view.ts';
import { chosenTarget, downloadLink, forget } from './save.ts';

/** Typing a name is not to read the file at each key. */
const PAUSE_MS = 150;

/** Columns and fields that hold URLs, the likeliest first. */
const URL_NAMES = [/^url$/i, /(?:^|[._])ur[li]$/i, /ur[li]|href|link/i];

const COLUMN_LABELS = { lines: '', csv: 'Column', json: 'Field' } as const;
const COLUMN_HINTS = {
  lines: '',
  csv: 'its name in the header, or its number from 1',
  json: 'a.b is field b of field a',
} as const;

/** The section in which a file of URLs is hashed. */
export class FilePanel {
  readonly #panel = new RunPanel('file');
  readonly #input = byId('file-input', HTMLInputElement);
  readonly #preview = byId('file-preview', HTMLDivElement);
  readonly #change: (changes: Partial<State>) => void;
  #options: FileOptions | undefined;
  /** The kind of rows that a file led to: the next one is not held to it, as to one that was chosen. */
  #guessed: FileOptions['rows'] | undefined;
  #timer: number | undefined;
  /** Counts previews: one that was overtaken shows nothing. */
  #previewCount = 0;

  /** @param change is told how the chosen file is to be read */
  constructor(change: (changes: Partial<State>) => void) {
    this.#change = change;
    this.#input.addEventListener('change', () => void this.#choose());
    this.#panel.form.addEventListener('submit', () => void this.#hash());
    acceptDrops(byId('drop', HTMLDivElement), this.#input);
  }

  show({ base, form, fold, drop, only, rules, rows, column, format, width }: State): void {
    const options = { base, form, fold, drop, only, rules, rows, column, format, width };
    if (JSON.stringify(options) === JSON.stringify(this.#options)) return;
    if (rows !== this.#guessed) this.#guessed = undefined;
    this.#options = options;
    byId('column-field', HTMLDivElement).hidden = rows === 'lines';
    byId('file-format', HTMLFieldSetElement).hidden = rows !== 'lines';
    byId('column-label', HTMLLabelElement).textContent = COLUMN_LABELS[rows];
    byId('column-hint', HTMLSpanElement).textContent = COLUMN_HINTS[rows];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#showPreview(), PAUSE_MS) as unknown as number;
  }

  get #file(): File | undefined {
    return this.#input.files?.[0];
  }

  async #choose(): Promise<void> {
    const file = this.#file;
    byId('file-options', HTMLDivElement).hidden = file === undefined;
    this.#panel.start.disabled = true; // until it is known how the file is read
    this.#forgetResult();
    if (file === undefined) return this.#showPreview();
    announce(`${file.name} chosen`);
    // what cannot be read is said by its preview
    const { rows, names } = await guessOf(file).catch((): Guess => ({ rows: 'lines', names: [] }));
    if (file !== this.#file) return;
    byId('column-names', HTMLDataListElement).replaceChildren(
      ...names.map((name) => element('option', { value: name })),
    );
    if (rows !== 'lines' || this.#options!.rows === this.#guessed) {
      this.#guessed = rows;
      this.#change({ rows, column: rows === 'lines' ? '' : this.#columnAmong(names) });
    }
    await this.#showPreview();
  }

  /** The one that was asked for, if it is there; else the one that looks most like it. */
  #columnAmong(names: readonly string[]): string {
    const { column } = this.#options!;
    if (names.includes(column) || (/^[1-9]\d*$/.test(column) && Number(column) <= names.length)) return column;
    const likely = URL_NAMES.map((pattern) => names.find((name) => pattern.test(name)));
    return likely.find((name) => name !== undefined) ?? '';
  }

  async #showPreview(): Promise<void> {
    clearTimeout(this.#timer);
    const [file, options, number] = [this.#file, this.#options!, ++this.#previewCount];
    const { isReadable, contents } = file === undefined ? NO_PREVIEW : await previewOfFile(file, options);
    if (number !== this.#previewCount) return;
    this.#panel.start.disabled = !isReadable;
    this.#preview.replaceChildren(...contents);
  }

  async #hash(): Promise<void> {
    const [file, options] = [this.#file, this.#options!];
    if (file === undefined) return;
    const name = resultName(options, file.name);
    try {
      const target = await chosenTarget(name);
      if (target !== 'cancelled') this.#run({ file, options, target }, name);
    } catch (error) {
      this.#showEnd({ kind: 'failed', reason: reasonOf(error) }, name);
    }
  }

  #run(task: FileTask, name: string): void {
    const worker = new Worker(new URL('./file-worker.js', import.meta.url), { type: 'module' });
    const end = (message: FileMessage) => {
      worker.terminate();
      this.#panel.end();
      this.#showEnd(message, name);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<FileMessage>) => {
      if (data.kind !== 'progress') return end(data);
      const share = task.file.size === 0 ? 1 : Math.min(1, data.fileBytes / task.file.size);
      this.#panel.showProgress(share, `${Math.floor(100 * share)} % · ${figuresOf(data)}`);
    });
    worker.addEventListener('error', ({ message }) =>
      end({ kind: 'failed', reason: message || 'the worker did not start' }),
    );
    this.#panel.cancel.onclick = () => worker.postMessage('cancel');
    this.#forgetResult();
    this.#panel.begin('Hashing');
    this.#panel.showProgress(0, 'starting');
    worker.postMessage(task);
  }

  /** The browser keeps a download's bytes until its address is given back. */
  #forgetResult(): void {
    this.#panel.result.querySelectorAll<HTMLAnchorElement>('.download').forEach(forget);
    this.#panel.result.replaceChildren();
  }

  #showEnd(message: FileMessage, name: string): void {
    const link = message.kind === 'done' && message.blob !== undefined ? downloadLink(message.blob, name) : undefined;
    const { contents, sentence } = endView(message, link);
    this.#panel.result.replaceChildren(...contents);
    announce(sentence);
    link?.click();
  }
}

interface ShownPreview {
  readonly isReadable: boolean;
  readonly contents: readonly HTMLElement[];
}

const NO_PREVIEW: ShownPreview = { isReadable: false, contents: [] };

/** Shows what a file begins with, or why it cannot be read in this way. */
async function previewOfFile(file: File, options: FileOptions): Promise<ShownPreview> {
  try {
    return { isReadable: true, contents: previewView(await previewOf(file, options), options, file.name) };
  } catch (error) {
    const sentence = `${file.name}: ${reasonOf(error)}`;
    announce(sentence);
    return { isReadable: false, contents: [element('p', { class: 'notice' }, ...folded(sentence))] };
  }
}

/** A file dropped anywhere on the field is the file that was chosen. */
function acceptDrops(drop: HTMLElement, input: HTMLInputElement): void {
  for (const type of ['dragenter', 'dragover']) {
    drop.addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.add('is-over');
    });
  }
  for (const type of ['dragleave', 'drop']) drop.addEventListener(type, () => drop.classList.remove('is-over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    const chosen = new DataTransfer();
    chosen.items.add(file);
    input.files = chosen.files;
    input.dispatchEvent(new Event('change'));
  });
}
