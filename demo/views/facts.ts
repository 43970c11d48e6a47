import { PUBLIC_SUFFIX_LIST } from '../../src/entries/safe-browsing.ts';
import { kernelName, PROFILE, UrlHasher } from '../../src/index.ts';
import { byId, element } from '../widgets/element.ts';

export const KERNELS = {
  simd: 'WebAssembly with SIMD',
  js: 'plain JavaScript',
} as const;

/** When the package that carries the list was released, by the registry; the list itself has no date. */
export const SUFFIX_LIST_DATES: Readonly<Record<string, string>> = { 'tldts/7.5.4': '15 November 2026' };

/** Shows what computes here, and what it computes. */
export function showFacts(): void {
  const name = kernelName();
  const facts: readonly (readonly [string, string, string])[] = [
    ['Kernel', name, KERNELS[name]],
    ['Profile', PROFILE, 'changes whenever any output could'],
    ['Public suffixes', PUBLIC_SUFFIX_LIST, `of ${SUFFIX_LIST_DATES[PUBLIC_SUFFIX_LIST]}`],
  ];
  byId('facts', HTMLDListElement).replaceChildren(
    ...facts.map(([term, text, remark]) =>
      element(
        'div',
        {},
        element('dt', {}, term),
        element(
          'dd',
          {},
          element('p', {}, element('code', {}, text), element('span', { class: 'remark' }, ` ${remark}`)),
        ),
      ),
    ),
  );
  if (name !== 'simd')
    byId('facts', HTMLDListElement).after(
      element(
        'p',
        { class: 'notice', id: 'kernel-notice' },
        `Slower than it could be: the SIMD kernel does not run here. ${obstacle()}`,
      ),
    );
}

function obstacle(): string {
  try {
    new UrlHasher({ kernel: 'simd' }).hashMany(['https://example.com/']);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
