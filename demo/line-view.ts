import { explain } from '../src/url/explain.ts';
import { Failure } from '../src/url/failure.ts';
import { byId, element } from './element.ts';
import { hashUriView } from './hash-uri-view.ts';
import { hashView } from './hash-view.ts';
import { hashedUriView } from './hashed-uri-view.ts';
import { safeBrowsingView } from './safe-browsing-view.ts';
import type { State } from './state.ts';
import { count } from './text.ts';
import { anatomy, urlFailureView, urlView } from './url-view.ts';
import { value } from './value.ts';

/** Fills every section for one line; gives the sentence that sums it up. */
export function showLine(url: string, { profile, mode, keep, excluded }: State): string {
  const explanation = explain(url);
  const isUrl = !(explanation instanceof Failure);
  byId('text', HTMLTextAreaElement).setAttribute('aria-invalid', String(!isUrl));
  fill(
    'result',
    isUrl
      ? [
          element('h3', {}, 'Canonical form'),
          value('canonical form', explanation.canonical, anatomy(explanation)),
          element('h3', {}, 'Hash'),
          hashView(url),
        ]
      : [urlFailureView(url, explanation)],
  );
  fill('url-view', urlView(url, explanation));
  fill('safe-browsing-view', safeBrowsingView(url, { profile, mode }));
  fill('hashed-uri-view', hashedUriView(url, { keep, excluded }));
  fill('hash-uri-view', hashUriView(url));
  if (!isUrl) return `not a URL: ${explanation.sentence}`;
  const changedCount = explanation.parts.filter(({ steps }) => steps.length > 0).length;
  return `a URL; ${changedCount === 0 ? 'no part changed' : `${count(changedCount, 'part')} changed`}`;
}

/** For a field in which nothing stands yet: that is no mistake. */
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
