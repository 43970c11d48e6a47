import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quote, withoutUnseen } from '../../src/core/quote.ts';
import { canonicalize, optionsOf, UrlHash } from '../../src/index.ts';
import { textOf } from '../command/command.ts';
import { ENTRIES } from '../support/entries.ts';
import { namesOf, optionCalls, outcomeOf } from '../support/option-calls.ts';
import { FOLDER, file } from '../support/scratch.ts';
import { errorOf } from '../support/thrown.ts';

const tests = suite('what messages quote');

/**
 * Characters that are not seen, by the general categories: format, spaces and separators; and marks that no font shows.
 */
const UNSEEN = /(?! )[\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]/u;
/** These have a shape although they are format characters (Prepended_Concatenation_Mark, hieroglyphs, shorthand). */
const SHOWN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;

tests('each character that nobody sees is named, and no other one', () => {
  for (let code = 0x20; code < 0xe0200; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const shown = withoutUnseen(character);
    if (UNSEEN.test(character) && !SHOWN.test(character))
      assert.is(shown, `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    else if (
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) &&
      !/[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u.test(character)
    )
      assert.is(shown, character);
  }
});

tests('a quotation has JSON’s escapes, and is cut after 200 units', () => {
  assert.is(quote('a"\n\u200b b'), '"a\\"\\nU+200B b"');
  assert.is(quote('x'.repeat(201)), `"${'x'.repeat(200)}"…`);
});

const HOSTILE = ['\u200b', '\u202e', '\u00a0', '\ufeff', '\u00ad', '\u2066', '\u{e0041}', '\ufe0f'];

tests('errors of the library show them as U+XXXX', () => {
  for (const character of HOSTILE) {
    const name = withoutUnseen(character);
    for (const work of [
      () => canonicalize(`a${character}b`),
      () => canonicalize('a', { base: `a${character}b` }),
      () => optionsOf(`url/1+${character}`),
      () => UrlHash.fromDecimal(character),
      () => UrlHash.parse(character),
      () => canonicalize('a', { [character]: 1 } as object),
    ] as const) {
      const message = errorOf(work).message;
      assert.not.match(message, UNSEEN);
      assert.match(message, name, String(work));
    }
  }
});

tests('so do those of every function that takes options: names, values, and what is given in their place', async () => {
  let messages = 0;
  for (const [name, options, call] of optionCalls(ENTRIES)) {
    const names = await namesOf([name, options, call]);
    for (const character of HOSTILE) {
      const bad = `a${character}b`;
      for (const wrong of [bad, { ...options, [bad]: 1 }, ...names.map((option) => ({ ...options, [option]: bad }))]) {
        const outcome = await outcomeOf(call, wrong);
        if (!(outcome instanceof Error)) continue; // a text that is data, such as a name of a list
        assert.not.match(outcome.message, UNSEEN, `${name}: ${outcome.message}`);
        messages++;
      }
    }
  }
  assert.ok(messages > 20 * HOSTILE.length, `${messages} messages`);
});

tests('so does the command, wherever it quotes what it was given', () => {
  const list = file('quoted.list', '');
  assert.is(textOf(['list', 'build', '--out', list], 'http://a.example/\n').status, 0);
  for (const character of HOSTILE) {
    const name = withoutUnseen(character);
    const bad = `a${character}b`;
    for (const [args, input] of [
      [[], bad],
      [['canon'], bad],
      [['canon', '--profile', 'hashed-uri-n'], bad],
      [['canon', '--profile', 'safe-browsing'], `http:///${bad}`],
      [['expressions'], `http:///${bad}`],
      [['hashed-uri'], bad],
      [['hash-uri', 'parse'], bad],
      [['list', 'build', '--out', `${FOLDER}/none`], `a b${character}c`],
      [['list', 'build', '--input', 'adblock', '--all-errors', '--out', `${FOLDER}/none`], `||a.example^$${bad}`],
      [['lookup', '--list', list], `x ${bad} http://a.example/`],
      [['--csv', '-f', bad], 'url\nhttp://a/\n'],
      [['--csv', '-f', 'url'], `${bad}\nhttp://a/\n`],
      [['--json', bad], '{"url":"http://a/"}\n'],
      [['--json', 'url'], `{"${bad}":"http://a/"}\n`],
      [['--format', bad], ''],
      [['--base', bad], 'a'],
      [[`--${bad}`], ''],
      [['--site-rules', `${FOLDER}/${bad}`], 'http://a/'],
      [['site-rules', file(`${name}.rules`, `a.example keep ${bad}#=`)], ''],
      [[`${FOLDER}/${bad}`], ''],
      [[bad], ''],
      [['index', '--info', `${FOLDER}/${bad}`], ''],
      [['hash-uri', 'make', 'http://a/', `${FOLDER}/${bad}`], ''],
      [['list', 'serve', bad], ''],
    ] as const) {
      const { stderr } = textOf(args, input);
      assert.not.match(stderr, UNSEEN, JSON.stringify(args));
      assert.match(stderr, name, JSON.stringify(args));
    }
  }
});

tests.run();
