import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BackOff, retryAfterOf } from '../../../src/service/check/remote-method.ts';

const tests = suite('safe-browsing/check: back-off');

const MINUTE = 60_000;

/** Waits after failures one after another, in milliseconds. */
function waits(backOff: BackOff, kind: 'refused' | 'unanswered', count: number): number[] {
  return Array.from({ length: count }, () => {
    backOff.failed(kind, backOff.failureCount, 0);
    return backOff.openAt;
  });
}

tests('min(2^(n-1) × 15 minutes × (1 + random), 24 hours)', () => {
  const minutes = [15, 30, 60, 120, 240, 480, 960, 1440, 1440].map((each) => each * MINUTE);
  assert.equal(waits(new BackOff({}, () => 0), 'refused', 9), minutes);
  assert.equal(
    waits(new BackOff({}, () => 1), 'refused', 3),
    [30, 60, 120].map((each) => each * MINUTE),
  );
});

tests('a request without an answer costs a second, doubled', () => {
  assert.equal(waits(new BackOff({}, () => 0.5), 'unanswered', 3), [1500, 3000, 6000]);
  assert.equal(waits(new BackOff({ unansweredMs: 10, maxDelayMs: 35 }, () => 0), 'unanswered', 4), [10, 20, 35, 35]);
});

tests('what the server asks for holds, up to the most', () => {
  const backOff = new BackOff({}, () => 0);
  backOff.failed('refused', 0, 100, 5000);
  assert.is(backOff.openAt, 5100);
  backOff.failed('refused', 1, 100, 1e12);
  assert.is(backOff.openAt, 100 + 86_400_000);
});

tests('requests that were under way together fail as one; a good answer ends it', () => {
  const backOff = new BackOff({}, () => 0);
  const countAtStart = backOff.failureCount;
  for (let request = 0; request < 6; request++) backOff.failed('refused', countAtStart, 0);
  assert.is(backOff.openAt, 15 * MINUTE);
  backOff.succeeded();
  assert.is(backOff.openAt, Number.NEGATIVE_INFINITY);
  assert.equal(waits(backOff, 'refused', 1), [15 * MINUTE]);
});

tests('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.UTC(2026, 0, 1);
  for (const [value, milliseconds] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ] as const) {
    assert.is(retryAfterOf(new Headers({ 'retry-after': value }), now), milliseconds, value);
  }
  assert.is(retryAfterOf(new Headers(), now), undefined);
});

tests.run();
