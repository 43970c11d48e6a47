import type { Width } from '../../src/index.ts';
import { announce } from '../widgets/announcer.ts';
import { byId, element } from '../widgets/element.ts';
import { RunPanel } from '../widgets/run-panel.ts';
import { code, count, rounded } from '../widgets/text.ts';
import type { FileMessage, FileProgress, FileTask, InvalidLine } from './message.ts';
import type { RowFormatName } from './row-format.ts';
import { chosenTarget, downloadLink, forget } from './save.ts';
import { isGzip, unpackedName } from './unpacked.ts';

const panel = new RunPanel('file');
const input = byId('file-input', HTMLInputElement);
const drop = byId('drop', HTMLDivElement);

/** Names as the command's users would choose them. */
const SUFFIXES: Readonly<Record<RowFormatName, string>> = { text: 'urlsum', hex: 'hex', bin: 'bin' };

/** The section in which a file of URLs is hashed. */
export function openFilePanel(): void {
  input.addEventListener('change', () => void (panel.start.disabled = input.files?.length !== 1));
  panel.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (file !== undefined) void hash(file);
  });
  acceptDrops();
}

/** A file dropped anywhere on the field is the file that was chosen. */
function acceptDrops(): void {
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
    panel.start.disabled = false;
    announce(`${file.name} chosen`);
  });
}

async function hash(file: File): Promise<void> {
  const choice = new FormData(panel.form);
  const format = choice.get('format') as RowFormatName;
  const width = Number(choice.get('width')) as Width;
  const name = `${unpackedName(file.name)}.${SUFFIXES[format]}`;
  try {
    const isCompressed = await isGzip(file);
    const target = await chosenTarget(name);
    if (target !== 'cancelled') run({ file, isCompressed, format, width, target }, name);
  } catch (error) {
    showEnd({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }, name);
  }
}

function run(task: FileTask, name: string): void {
  const worker = new Worker(new URL('./file-worker.js', import.meta.url), { type: 'module' });
  const end = (message: FileMessage) => {
    worker.terminate();
    panel.end();
    showEnd(message, name);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<FileMessage>) =>
    data.kind === 'progress' ? showProgress(data, task.file.size) : end(data),
  );
  worker.addEventListener('error', ({ message }) =>
    end({ kind: 'failed', reason: message || 'the worker did not start' }),
  );
  panel.cancel.onclick = () => worker.postMessage('cancel');
  forgetDownload();
  panel.begin('Hashing');
  showProgress({ fileBytes: 0, textBytes: 0, lines: 0, invalidCount: 0, elapsedMs: 0 }, task.file.size);
  worker.postMessage(task);
}

/** The browser keeps a download's bytes until its address is given back. */
function forgetDownload(): void {
  panel.result.querySelectorAll<HTMLAnchorElement>('.download').forEach(forget);
}

function showProgress(progress: FileProgress, fileBytes: number): void {
  const share = fileBytes === 0 ? 1 : Math.min(1, progress.fileBytes / fileBytes);
  panel.showProgress(share, `${Math.floor(100 * share)} % · ${figuresOf(progress)}`);
}

function figuresOf({ textBytes, lines, invalidCount, elapsedMs }: FileProgress): string {
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const rate = `${rounded(lines / seconds)} lines and ${rounded(textBytes / seconds / 1e6)} MB per second`;
  return `${count(lines, 'line')} · ${count(invalidCount, 'is not a URL', 'are not URLs')} · ${rate}`;
}

function showEnd(message: FileMessage, name: string): void {
  if (message.kind === 'done') return showDone(message, name);
  const sentence = message.kind === 'failed' ? `Not done: ${message.reason}.` : 'Cancelled. Nothing was saved.';
  panel.result.replaceChildren(element('p', { class: 'notice' }, sentence));
  announce(sentence);
}

function showDone(done: FileMessage & { readonly kind: 'done' }, name: string): void {
  const summary = `Done in ${(done.elapsedMs / 1000).toFixed(2)} seconds.`;
  const link = done.blob === undefined ? undefined : downloadLink(done.blob, name);
  panel.result.replaceChildren(
    element('p', { class: 'verdict' }, summary),
    element('p', { class: 'figures' }, figuresOf(done)),
    ...(link === undefined ? [] : [element('p', {}, link)]),
    ...invalidList(done.invalid, done.invalidCount),
  );
  announce(`${summary} ${figuresOf(done)}`);
  link?.click();
}

function invalidList(invalid: readonly InvalidLine[], total: number): HTMLElement[] {
  if (total === 0) return [];
  const heading = element(
    'h3',
    {},
    total > invalid.length ? `The first ${invalid.length} lines that are not URLs` : 'Lines that are not URLs',
  );
  const items = invalid.map(({ line, input, sentence }) =>
    element(
      'li',
      {},
      `${line}: `,
      input === '' ? element('span', { class: 'nothing' }, 'empty') : code(input),
      ' ',
      element('span', { class: 'reason' }, sentence),
    ),
  );
  return [heading, element('ul', { class: 'invalid' }, ...items)];
}
