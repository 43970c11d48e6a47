import { type Explanation, explain } from '../../src/entries/explain.ts';
import { PANELS, type State } from '../state.ts';
import { byId, element } from '../widgets/element.ts';
import { code, count, hasUnseen } from '../widgets/text.ts';
import { value } from '../widgets/value.ts';
import { browserAnswer } from './browser-answer.ts';
import { comparisonView } from './comparison-view.ts';
import { failureView } from './failure-view.ts';
import type { LineOptions } from './form.ts';
import { hashUriView } from './hash-uri-view.ts';
import { hashView } from './hash-view.ts';
import { hashedUriView } from './hashed-uri-view.ts';
import { hashedUriPrograms, hashUriPrograms, programsView, safeBrowsingPrograms, urlPrograms } from './programs.ts';
import { safeBrowsingView } from './safe-browsing-view.ts';
import { anatomy, urlView } from './url-view.ts';

/**
 * Fills the panel that is open for one line; gives the sentence that sums the line up.
 *
 * @param replace is told what the line likely means, where the user agrees
 * @param before the line that was chosen before it, if one was
 */
export function showLine(
  url: string,
  options: LineOptions,
  state: State,
  replace: (url: string) => void,
  before: string | undefined,
): string {
  const explanation = explain(url, options);
  const full = explain(url, options.base === undefined ? {} : { base: options.base });
  const { failure, steps } = explanation;
  byId('text', HTMLTextAreaElement).setAttribute('aria-invalid', String(failure !== undefined));
  openPanel(state);
  if (state.panel === 'url') {
    const compared = before === undefined ? [] : comparisonView(before, url, options);
    fill('result', [...resultView(explanation, options, full.canonical, replace), ...compared]);
    fill('url-view', urlView(explanation));
  } else fill(`${state.panel}-view`, otherView(full, state));
  if (failure !== undefined) return `not a URL: ${failure.sentence}`;
  return `a URL; ${steps.length === 0 ? 'canonical as it is' : `canonical after ${count(steps.length, 'step')}`}`;
}

function openPanel({ panel }: Pick<State, 'panel'>): void {
  for (const name of PANELS) byId(name, HTMLElement).hidden = name !== panel;
}

/** @param full the canonical form without options */
function resultView(
  explanation: Explanation,
  options: LineOptions,
  full: string | undefined,
  replace: (url: string) => void,
): HTMLElement[] {
  const { input, canonical, failure, parts } = explanation;
  if (failure !== undefined)
    return [
      failureView(explanation.input, failure),
      ...suggestion(explanation, replace),
      browserAnswer(input, options.base, undefined),
    ];
  return [
    ...(hasUnseen(input) ? [element('p', { class: 'given' }, 'As given: ', code(input))] : []),
    element('h3', {}, 'Canonical form'),
    value('canonical form', canonical, anatomy(canonical, parts)),
    element('h3', {}, 'SHA-256'),
    hashView(canonical),
    browserAnswer(input, options.base, full),
    ...programsView(urlPrograms(input, options)),
  ];
}

/** A host without a scheme is what people type. */
function suggestion({ input, failure }: Explanation, replace: (url: string) => void): HTMLElement[] {
  if (failure?.reason !== 'missing-scheme-non-relative-URL') return [];
  const { canonical } = explain(input, { defaultScheme: 'https' });
  if (canonical === undefined || !/^https:\/\/[^/]*[.]/.test(canonical)) return [];
  const meant = `https://${input}`;
  const button = element('button', { type: 'button', class: 'suggestion' }, 'Did you mean ', code(meant), '?');
  button.addEventListener('click', () => replace(meant));
  return [button];
}

/** The other specifications know no base: they get what it made of a relative URL, and the reader hears of it. */
function otherView({ input, canonical }: Explanation, state: State): HTMLElement[] {
  const isRelative = canonical !== undefined && explain(input).failure !== undefined;
  const url = isRelative ? canonical : input;
  const note = isRelative ? [element('p', { class: 'remark' }, 'With the base: ', code(url))] : [];
  if (state.panel === 'safe-browsing')
    return [...note, ...safeBrowsingView(url, state), ...programsView(safeBrowsingPrograms(url, state))];
  if (state.panel === 'hashed-uri')
    return [...note, ...hashedUriView(url, state), ...programsView(hashedUriPrograms(url, state))];
  return [...note, ...hashUriView(url), ...programsView(hashUriPrograms(url))];
}

/** Shows a field in which nothing stands yet: that is not a mistake. */
export function showNothing(state: State): string {
  const sentence = 'Type or paste a URL, or choose an example.';
  byId('text', HTMLTextAreaElement).removeAttribute('aria-invalid');
  openPanel(state);
  for (const id of ['url-view', 'safe-browsing-view', 'hashed-uri-view', 'hash-uri-view']) fill(id, []);
  fill('result', [element('p', { class: 'remark' }, sentence)]);
  return sentence;
}

function fill(id: string, contents: readonly HTMLElement[]): void {
  byId(id, HTMLDivElement).replaceChildren(...contents);
}
