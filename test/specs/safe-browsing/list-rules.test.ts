import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rule } from '../../../src/specs/safe-browsing/block-list.ts';
import { effectsOf, type RuleEntries } from '../../../src/specs/safe-browsing/list-rules.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: exceptions and badfilter of a list');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;

/** Small enough that a rule is the set of the places that it means: every host and path that a rule here can tell apart. */
const HOSTS = ['example', 'a.example', 'b.a.example', 'c.b.a.example', 'xa.example', '1.2.3.4'];
const PATHS = ['/', '/p', '/p?q', '/p/', '/p/x', '/p/x/', '/p/x/y'];
const PLACES = HOSTS.flatMap((host) => PATHS.map((path) => host + path));

const isHostBelow = (host: string, parent: string) => host.endsWith(`.${parent}`) && !/^[\d.]+$/.test(host);

/** The places that a look-up of an expression finds: its host and those under it, its path and what is under that. */
function placesAt(expression: string, reach: Rule['reach']): Set<string> {
  const slash = expression.indexOf('/');
  const [host, path] = [expression.slice(0, slash), expression.slice(slash)];
  const isOfHost = (other: string) =>
    (reach !== 'below' && other === host) || (reach !== 'alone' && isHostBelow(other, host));
  const isOfPath = (other: string) =>
    other === path || (path.endsWith('/') ? other.startsWith(path) : other.startsWith(`${path}?`));
  return new Set(
    PLACES.filter((place) => {
      const at = place.indexOf('/');
      return isOfHost(place.slice(0, at)) && isOfPath(place.slice(at));
    }),
  );
}

const areAllIn = (some: Set<string>, all: Set<string>) => [...some].every((place) => all.has(place));

function randomRule(): RuleEntries {
  const expression = oneOf(HOSTS) + (next(3) === 0 ? oneOf(PATHS) : '/');
  const effect = oneOf(['block', 'block', 'exception', 'badfilter'] as const);
  const isImportant = next(4) === 0;
  const overrules = next(3) > 0;
  const reach = oneOf(['whole', 'whole', 'alone', 'below'] as const);
  const isOfException = effect === 'exception' || (effect === 'badfilter' && next(2) === 0);
  const key = `${isOfException ? '@@' : ''}${reach} ${overrules} ${expression}${isImportant ? '$important' : ''}`;
  return { rule: { effect, reach, overrules, isImportant }, key, expressions: [expression] };
}

test('an exception lifts what it covers, and has no effect where a longer part stays listed: by sets of places', () => {
  for (let count = cases(4000); count > 0; count--) {
    const rules = Array.from({ length: next(8) + 1 }, randomRule);
    const isLive = ({ key }: RuleEntries) =>
      !rules.some((each) => each.rule.effect === 'badfilter' && each.key === key);
    const blocks = rules.filter(({ rule }) => rule.effect === 'block');
    const exceptions = rules.filter((each) => each.rule.effect === 'exception' && isLive(each));
    const meant = ({ expressions: [expression], rule }: RuleEntries) => placesAt(expression!, rule.reach);
    const lifts = (exception: RuleEntries, rule: RuleEntries) =>
      (exception.rule.isImportant || !rule.rule.isImportant) &&
      (exception.rule.overrules ||
        (exception.expressions[0] === rule.expressions[0] &&
          (rule.rule.reach !== 'below' || exception.rule.reach === 'below'))) &&
      // c.b.a.example has none below it here, so that of two empty sets one is not in the other
      (meant(rule).size > 0 || exception.rule.reach !== 'alone') &&
      areAllIn(placesAt(rule.expressions[0]!, 'whole'), placesAt(exception.expressions[0]!, 'whole')) &&
      areAllIn(meant(rule), meant(exception)) &&
      (exception.rule.reach === 'whole' ||
        rule.rule.reach === exception.rule.reach ||
        exception.expressions[0] !== rule.expressions[0]) &&
      (exception.rule.reach !== 'alone' || rule.rule.reach === 'alone');
    const expected = blocks.map((rule) => isLive(rule) && !exceptions.some((exception) => lifts(exception, rule)));
    const { stands, idle, exceptionCount, liftedCount, cancelledCount } = effectsOf(rules);
    const shown = JSON.stringify(rules.map(({ rule, key }) => [rule.effect, key]));
    assert.equal(stands, expected, shown);
    assert.is(exceptionCount, exceptions.length);
    assert.is(cancelledCount, blocks.filter((rule) => !isLive(rule)).length);
    assert.is(liftedCount, blocks.filter((rule, at) => isLive(rule) && !expected[at]).length);
    const left = blocks.filter((_, at) => expected[at]);
    const isIdle = (exception: RuleEntries) =>
      left.some((rule) => {
        const isWanted = left.some((each) => each.rule.isImportant && each.expressions[0] === rule.expressions[0]);
        if (isWanted && !exception.rule.isImportant) return false;
        const found = placesAt(rule.expressions[0]!, 'whole');
        const isWhole = rule.expressions[0] === exception.expressions[0];
        const isFound = areAllIn(placesAt(exception.expressions[0]!, 'whole'), found);
        return isWhole || isFound;
      });
    assert.equal(
      idle,
      exceptions.filter(isIdle).map(({ key }) => key),
      shown,
    );
  }
});

const rule = (effect: Rule['effect'], expression: string): RuleEntries => ({
  rule: { effect, reach: 'whole', overrules: true, isImportant: false },
  ...{ key: '', expressions: [expression] },
});
const deep = (length: number) => `${'a.'.repeat(length >> 2)}example/${'b/'.repeat(length >> 2)}`;

test('names of any length and number take linear time', () => {
  mustBeLinear('one deep exception, one deep entry', deep, (expression) =>
    effectsOf([rule('exception', expression), rule('block', `x.${expression}`), rule('block', 'example/')]),
  );
  mustBeLinear(
    'many exceptions and entries',
    (length) =>
      Array.from({ length: length >> 4 }, (_, at) => [
        rule('exception', `h${at}.example/`),
        rule('block', `a.h${at}.example/`),
        rule('block', `x${at}.example/p/`),
      ]).flat(),
    effectsOf,
  );
});

test.run();
