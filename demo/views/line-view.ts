import { explain } from '../../src/explain/index.ts';
import type { State } from '../state.ts';
import { byId, element } from '../widgets/element.ts';
import { count } from '../widgets/text.ts';
import { value } from '../widgets/value.ts';
import { failureView } from './failure-view.ts';
import { hashUriView } from './hash-uri-view.ts';
import { hashView } from './hash-view.ts';
import { hashedUriView } from './hashed-uri-view.ts';
import { safeBrowsingView } from './safe-browsing-view.ts';
import { anatomy, urlView } from './url-view.ts';

/** Fills every section for one line; gives the sentence that sums it up. */
export function showLine(url: string, state: State): string {
  const explanation = explain(url);
  const { canonical, failure, parts, steps } = explanation;
  byId('text', HTMLTextAreaElement).setAttribute('aria-invalid', String(failure !== undefined));
  fill(
    'result',
    failure !== undefined
      ? [failureView(explanation, failure)]
      : [
          element('h3', {}, 'Canonical form'),
          value('canonical form', canonical, anatomy(canonical, parts)),
          element('h3', {}, 'Hash'),
          hashView(url),
        ],
  );
  fill('url-view', urlView(explanation));
  fill('safe-browsing-view', safeBrowsingView(url, state));
  fill('hashed-uri-view', hashedUriView(url, state));
  fill('hash-uri-view', hashUriView(url));
  if (failure !== undefined) return `not a URL: ${failure.sentence}`;
  return `a URL; ${steps.length === 0 ? 'canonical as it is' : `canonical after ${count(steps.length, 'step')}`}`;
}

/** For a field in which nothing stands yet: that is not a mistake. */
export function showNothing(): string {
  const sentence = 'Type or paste a URL, or choose an example.';
  byId('text', HTMLTextAreaElement).removeAttribute('aria-invalid');
  for (const id of ['url-view', 'safe-browsing-view', 'hashed-uri-view', 'hash-uri-view']) fill(id, []);
  fill('result', [element('p', { class: 'remark' }, sentence)]);
  return sentence;
}

function fill(id: string, contents: readonly HTMLElement[]): void {
  byId(id, HTMLDivElement).replaceChildren(...contents);
}
