import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { conditionOf } from '../../../src/specs/safe-browsing/list-condition.ts';
import { cases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: conditions of filter lists');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;

test('an expression of !#if holds, fails or cannot be told: by every value of its names', () => {
  const known = { true: true, false: false, ext_ublock: false, env_firefox: false, adguard_app_windows: false };
  const names = Object.keys(known);
  const made = (depth: number): [text: string, holds: boolean] => {
    const kind = depth === 0 ? 0 : next(4);
    if (kind === 0) {
      const name = oneOf(names);
      return [name, known[name as keyof typeof known]];
    }
    const [one, holds] = made(depth - 1);
    if (kind === 1) return [`!(${one})`, !holds];
    const [other, also] = made(depth - 1);
    return kind === 2 ? [`(${one}) && (${other})`, holds && also] : [`(${one}) || ${other}`, holds || also];
  };
  for (let count = cases(3000); count > 0; count--) {
    const [text, holds] = made(4);
    assert.is(conditionOf(text), holds ? 'holds' : 'fails', text);
    assert.is(conditionOf(`${text} && cap_of_tomorrow`), 'unknown');
  }
  for (const text of ['true || false && false', '!env_mobile && !ext_ublock', '!(true) || true', '!!(true || false)'])
    assert.is(conditionOf(text), 'holds', text);
  for (const text of ['!(false) && false', '!false && !(true) || false', 'false && false || true && !true'])
    assert.is(conditionOf(text), 'fails', text);
  for (const text of [
    '',
    '(',
    'true true',
    'true &&',
    '!',
    '()',
    'true)',
    '|| true',
    'true & true',
    `${'('.repeat(1e6)}`,
  ])
    assert.is(conditionOf(text), 'unknown', text.slice(0, 20));
});

test.run();
