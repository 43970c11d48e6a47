import type { ExplainedPart, Explanation } from '../src/url/explain.ts';
import { Failure } from '../src/url/failure.ts';
import { domainToUnicode } from '../src/url/idna.ts';
import { partsOf } from '../src/url/parts.ts';
import { placeOf } from '../src/url/place.ts';
import type { Step } from '../src/url/steps.ts';
import { browserAnswer } from './browser-answer.ts';
import { type Child, element } from './element.ts';
import { failureView } from './failure-view.ts';
import { chained, type ShownStep, stepList } from './step-list.ts';
import { code, visible } from './text.ts';
import { rows, value } from './value.ts';

const STANDARD = 'https://url.spec.whatwg.org/#';

export function urlFailureView(input: string, failed: Failure): HTMLElement {
  return failureView({ input, span: placeOf(input, failed), sentence: failed.sentence, reason: failed.reason });
}

/** Each part: what it became, and by which steps. */
export function urlView(url: string, explanation: Explanation | Failure): HTMLElement[] {
  if (explanation instanceof Failure) return [rejectedView(url, explanation), browserAnswer(url, undefined)];
  const { cleaning, parts, canonical } = explanation;
  const cleaned = cleaning.length === 0 ? [] : [['input', stepList(chained(url, cleaning.map(shownStep)))] as const];
  const shown = parts.filter(isShown).map((part) => partRow(part, explanation));
  return [rows(...cleaned, ...shown), browserAnswer(url, canonical)];
}

/** The parts as they lie in what is no URL, and which of them is to blame. */
function rejectedView(url: string, { place, sentence }: Failure): HTMLElement {
  const parts = partsOf(url);
  const reason = () => element('p', { class: 'reason' }, `rejected: ${sentence}`);
  if (!parts.some(({ name }) => name === place)) return rows([partLabel(place), reason()]);
  return rows(
    ...parts
      .filter(({ name }) => name !== 'slashes')
      .map(({ name, text }): [Child, ...Child[]] => [
        partLabel(name),
        element('p', {}, shownText(text)),
        name === place ? reason() : undefined,
      ]),
  );
}

function partLabel(name: string): HTMLElement {
  return element('span', { class: 'part-name', 'data-part': name }, name);
}

function shownText(text: string): HTMLElement {
  return text === '' ? element('span', { class: 'nothing' }, 'empty') : code(text);
}

/** Slashes are shown where something became of them. */
function isShown({ name, steps }: ExplainedPart): boolean {
  return name !== 'slashes' || steps.length > 0;
}

function partRow({ name, given, canonical, steps }: ExplainedPart, { record }: Explanation): [Child, ...Child[]] {
  const shown =
    canonical === undefined
      ? element('p', { class: 'nothing' }, 'left out')
      : value(name, canonical, shownText(canonical));
  const unicode = name === 'host' && record.isSpecial ? unicodeNote(canonical ?? '') : undefined;
  const label = partLabel(name);
  if (steps.length === 0) return [label, shown, unicode];
  return [
    label,
    shown,
    unicode,
    stepList([givenStep(given?.text), ...chained(given?.text ?? '', steps.map(shownStep))]),
  ];
}

function givenStep(text: string | undefined): ShownStep {
  return { text: text ?? '', note: text === undefined ? 'not given' : 'as given' };
}

function shownStep({ text, change, clause }: Step): ShownStep {
  return { text, note: element('a', { href: STANDARD + clause, title: 'the clause of the URL Standard' }, change) };
}

/** How people read a domain in Punycode. */
function unicodeNote(host: string): HTMLElement | undefined {
  const unicode = domainToUnicode(host);
  return unicode === host ? undefined : element('p', { class: 'remark' }, 'read as ', code(unicode));
}

/** The canonical form with each part underlined in its colour: the names stand below, in the list of parts. */
export function anatomy({ parts }: Explanation): HTMLElement {
  const part = (name: ExplainedPart['name']) => parts.find((each) => each.name === name)?.canonical;
  const piece = (name: ExplainedPart['name']) => {
    const text = part(name);
    return text ? element('span', { 'data-part': name }, visible(text)) : undefined;
  };
  const before = (delimiter: string, name: ExplainedPart['name']): Child[] =>
    part(name) === undefined ? [] : [delimiter, piece(name)];
  const credentials = [piece('username'), ...before(':', 'password')];
  const at = part('username') === undefined && part('password') === undefined ? '' : '@';
  const authority = part('slashes') ? ['//', ...credentials, at, piece('host'), ...before(':', 'port')] : [];
  return element(
    'code',
    { class: 'anatomy' },
    piece('scheme'),
    ':',
    ...authority,
    piece('path'),
    ...before('?', 'query'),
    ...before('#', 'fragment'),
  );
}
