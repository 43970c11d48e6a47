import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NoVarySearch, UrlError } from '../../../src/index.ts';
import { errorOf } from '../../support/thrown.ts';

const tests = suite('NoVarySearch');

tests('a header is read without an exception, whatever a server writes', () => {
  assert.equal(
    { ...NoVarySearch.of('except=("id"), key-order') },
    { value: 'key-order, except=("id")', reason: undefined },
  );
  for (const header of [null, undefined, '', ' ', 'params=()'])
    assert.equal({ ...NoVarySearch.of(header) }, { value: undefined, reason: 'equivalent to no header' });
  for (const header of ['\0', '\ud800', '"', 'é', 'params=("'.repeat(1000), ';=,()'])
    assert.match(NoVarySearch.of(header).reason!, /^not a structured field: /);
  assert.instance(
    errorOf(() => NoVarySearch.of(5 as never)),
    TypeError,
  );
});

tests('what is not a URL is an error of the matcher', () => {
  const header = NoVarySearch.of('key-order');
  for (const [one, other] of [
    ['x', 'http://h/'],
    ['http://h/', 'x'],
  ] as const)
    assert.instance(
      errorOf(() => header.matches(one, other)),
      UrlError,
    );
  assert.ok(header.matches(new URL('http://h/?b&a'), 'HTTP://H/?a&b#c'));
});

tests('every parameter counts for a header that is wrong, and no fragment for any', () => {
  const wrong = NoVarySearch.of('key-order,');
  assert.is(wrong.matches('http://h/?a&b', 'http://h/?b&a'), false);
  assert.is(wrong.matches('http://h/?a&b#c', 'http://h/?a&b'), true);
});

tests.run();
