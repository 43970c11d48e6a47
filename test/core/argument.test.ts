// Options are the own properties of an object, for every function that takes some: what a prototype has, such as that of
// an object that a library shares or that someone polluted, is not read.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTRIES } from '../support/entries.ts';
import { namesOf, optionCalls, outcomeOf, URI } from '../support/option-calls.ts';

const tests = suite('options');
const CALLS = optionCalls(ENTRIES);

/** Throws on a look at any name that the object does not have itself, but the one that tells a `URL`. */
const POISON = new Proxy(Object.create(null), {
  get(_target, key) {
    if (typeof key === 'string' && key !== 'href') throw new Error(`${key} was read from a prototype`);
    return undefined;
  },
});

tests('own properties alone are read', async () => {
  for (const [name, options, call] of CALLS) {
    const poisoned = Object.assign(Object.create(POISON), options);
    assert.equal(await outcomeOf(call, poisoned), await outcomeOf(call, options), name);
  }
});

tests('what is not a record is refused, and so is a name that does not exist', async () => {
  for (const [name, options, call] of CALLS) {
    for (const wrong of [new Map(), new Date(0), [], new Set(), 7, null, new URL(URI)])
      assert.match(String(await outcomeOf(call, wrong)), /^TypeError: \S+ must be an object/, name);
    assert.match(
      String(await outcomeOf(call, { ...options, widht: 8 })),
      /^RangeError: \S+ has no "widht", only /,
      name,
    );
  }
});

tests('an option that is undefined counts as left out, and null is not one of its values', async () => {
  for (const [name, options, call] of CALLS) {
    for (const option of await namesOf([name, options, call])) {
      const left = await outcomeOf(call, { [option]: undefined, ...options });
      assert.equal(left, await outcomeOf(call, options), `${name}: ${option}`);
      if (name === 'profileOf' && ['base', 'defaultScheme'].includes(option)) continue; // no part of the form
      const refused = String(await outcomeOf(call, { ...options, [option]: null }));
      assert.match(refused, new RegExp(`^(?:Type|Range)Error: .*\\b${option}\\b`), `${name}: ${refused}`);
    }
  }
});

tests.run();
