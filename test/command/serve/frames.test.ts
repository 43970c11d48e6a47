import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { serveFrames } from '../../../src/command/serve/frames.ts';
import { optionsOfArguments } from '../../../src/command/serve/serve.ts';
import { hashes, canonicalize as lookupForm, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import { canonicalize, profileOf, type UrlError, UrlHash } from '../../../src/index.ts';
import { OUTPUTS, openOutput } from '../../../src/tables/outputs.ts';
import { SCALE } from '../../seed.ts';
import { cutInput, KeptOutput } from './byte-streams.ts';
import { AnswerReader, request, type Value } from './frame.ts';
import { oddRows, valueOf, valueOrThrow } from './rows.ts';

const DOCUMENT = readFileSync('docs/serve.md', 'utf8');

const tests = suite('frames');

const open = (args: readonly string[]) => openOutput(optionsOfArguments(['--format', 'frames', ...args]));

function serve(args: readonly string[], input: Uint8Array, cuts: readonly number[] = []): Buffer {
  const output = new KeptOutput();
  serveFrames(cutInput(input, cuts), output.write, open(args), open);
  return output.bytes;
}

function answers(args: readonly string[], rows: readonly (string | Uint8Array)[]): Value[] {
  const reader = new AnswerReader(serve(args, request(rows)));
  const values = reader.next();
  assert.ok(reader.isAtEnd);
  return values;
}

const hexOf = (text: string) => Buffer.from(text).toString('hex');
const ROWS = oddRows(3000);

for (const width of [8, 16, 32]) {
  tests(`hash, ${width} bytes: what UrlHash gives, row by row`, () => {
    const expected = ROWS.map((row) => valueOf(row, (text) => UrlHash.of(text).hex.slice(0, 2 * width)));
    assert.ok(expected.includes(undefined));
    assert.equal(answers(['--width', `${width}`], ROWS), expected);
  });
}

tests('u64 and i64: the first word, whose bytes are the same', () => {
  for (const output of ['u64', 'i64']) {
    const expected = ROWS.map((row) =>
      valueOf(row, (text) => {
        const word = Buffer.alloc(8);
        word.writeBigUInt64LE(UrlHash.of(text).words[0]!);
        return word.toString('hex');
      }),
    );
    assert.equal(answers(['--output', output], ROWS), expected);
  }
});

for (const excludeFragment of [false, true]) {
  const flags = excludeFragment ? ['--exclude-fragment'] : [];
  tests(`canonical and hash ${flags}: what canonicalize gives, row by row`, () => {
    const forms = ROWS.map((row) => valueOf(row, (text) => canonicalize(text, { excludeFragment })));
    assert.equal(
      answers(['--output', 'canonical', ...flags], ROWS),
      forms.map((form) => (form === undefined ? undefined : hexOf(form))),
    );
    assert.equal(
      answers(flags, ROWS),
      forms.map((form) => (form === undefined ? undefined : UrlHash.of(form).hex)),
    );
  });
}

tests('reason: that of the error, where canonical has no value', () => {
  const reasonOf = (row: Uint8Array, profile: 'url' | 'v5' | 'web-risk') => {
    try {
      if (profile === 'url') valueOrThrow(row, canonicalize);
      else lookupForm(row, { profile });
      return undefined;
    } catch (error) {
      return hexOf((error as UrlError | SafeBrowsingUrlError).reason);
    }
  };
  for (const profile of ['url', 'v5', 'web-risk'] as const) {
    const reasons = ROWS.map((row) => reasonOf(row, profile));
    assert.ok(new Set(reasons).size > 3, profile);
    assert.equal(answers(['--output', 'reason', '--profile', profile], ROWS), reasons);
  }
});

for (const profile of ['web-risk', 'v5'] as const) {
  tests(`expressions and canonical forms of ${profile}`, () => {
    const lookup = <T>(row: Uint8Array, value: (row: Uint8Array) => T): T | undefined => {
      try {
        return value(row);
      } catch (error) {
        if (error instanceof SafeBrowsingUrlError) return undefined;
        throw error;
      }
    };
    assert.equal(
      answers(['--output', 'expressions', '--profile', profile], ROWS),
      ROWS.map((row) => lookup(row, (bytes) => Buffer.concat(hashes(bytes, { profile })).toString('hex'))),
    );
    assert.equal(
      answers(['--output', 'canonical', '--profile', profile], ROWS),
      ROWS.map((row) => lookup(row, (bytes) => hexOf(lookupForm(bytes, { profile })))),
    );
  });
}

tests('the greeting says version, output, width and profile', () => {
  const greetingOf = (...args: string[]) => new AnswerReader(serve(args, new Uint8Array())).greeting;
  const profile = profileOf();
  assert.equal(greetingOf(), { version: 1, output: 0, width: 32, profile });
  assert.equal(greetingOf('--width', '16'), { version: 1, output: 0, width: 16, profile });
  assert.equal(greetingOf('--output', 'u64'), { version: 1, output: 1, width: 8, profile });
  assert.equal(greetingOf('--output', 'i64'), { version: 1, output: 2, width: 8, profile });
  assert.equal(greetingOf('--output', 'canonical'), { version: 1, output: 3, width: 1, profile });
  assert.equal(greetingOf('--output', 'reason'), { version: 1, output: 6, width: 1, profile });
  assert.is(greetingOf('--exclude-fragment').profile, profileOf({ excludeFragment: true }));
  assert.match(greetingOf('--output', 'expressions').profile, /^v5\/1\+tldts\//);
  assert.is(greetingOf('--output', 'canonical', '--profile', 'web-risk').profile, 'web-risk/1');
});

/** The codes of outputs in the greeting. They are the protocol: none changes, and a new output has the next. */
const CODES = ['hash', 'u64', 'i64', 'canonical', 'expressions', 'profile', 'reason', 'host', 'site', 'surt'] as const;

tests('every output has its code, which docs/serve.md names', () => {
  assert.equal(Object.keys(OUTPUTS), CODES);
  const framed = CODES.filter((name) => OUTPUTS[name].isFramed);
  for (const name of framed)
    assert.is(new AnswerReader(serve(['--output', name], new Uint8Array())).greeting.output, CODES.indexOf(name), name);
  const named = framed.map((name) => `${CODES.indexOf(name)} \`${name}\``).join(', ');
  assert.ok(readFileSync('docs/serve.md', 'utf8').includes(`| output: ${named} |`), named);
});

const TWO_REQUESTS = Buffer.concat([request(['https://example.com', 'no url', 'http://b/#x']), request(['http://ü/'])]);

tests('every split of two requests into two reads, and a byte at a time, give the same answers', () => {
  const whole = serve([], TWO_REQUESTS);
  for (let cut = 1; cut < TWO_REQUESTS.length; cut++) assert.equal(serve([], TWO_REQUESTS, [cut]), whole, `${cut}`);
  assert.equal(serve([], TWO_REQUESTS, Array.from(TWO_REQUESTS.keys())), whole);
});

tests('an input that ends anywhere but between requests is an error, after the answers to whole requests', () => {
  const firstLength = request(['https://example.com', 'no url', 'http://b/#x']).length;
  const whole = serve([], TWO_REQUESTS);
  for (let end = 1; end < TWO_REQUESTS.length; end++) {
    if (end === firstLength) continue;
    const output = new KeptOutput();
    assert.throws(
      () => serveFrames(cutInput(TWO_REQUESTS.subarray(0, end)), output.write, open([]), open),
      (error: unknown) => isFault(error, 'request') && /^the input ended inside a request/.test(error.message),
    );
    assert.equal(output.bytes, whole.subarray(0, output.bytes.length));
  }
});

tests('no rows, empty rows, one row of 5 MB, rows of a slice', () => {
  assert.equal(answers([], []), []);
  assert.equal(answers(['--output', 'canonical'], []), []);
  assert.equal(answers([], ['', '', '']), [undefined, undefined, undefined]);
  const long = `http://a.example/${'x'.repeat(5e6)}`;
  assert.equal(answers([], ['http://b/', long, 'http://c/']), [
    UrlHash.of('http://b/').hex,
    UrlHash.of(long).hex,
    UrlHash.of('http://c/').hex,
  ]);
  assert.equal(answers(['--output', 'canonical'], [long, 'no url']), [hexOf(long), undefined]);
  const rows = ['https://example.com', 'no url', 'http://b/#x'];
  assert.equal(serve([], request(rows, 0xffff_ff00)), serve([], request(rows)));
});

tests('validity has 0 in the bits after the last row', () => {
  for (let rowCount = 1; rowCount <= 17; rowCount++) {
    const answer = serve([], request(Array(rowCount).fill('http://a/')));
    const last = answer[answer.length - 1]!;
    assert.is(last, 0xff >> ((8 - (rowCount % 8)) % 8), `${rowCount}`);
  }
});

/** A request for other options. */
function choice(...args: string[]): Buffer {
  const data = Buffer.from(args.join('\0'));
  return Buffer.concat([numbers(0xffff_ffff, data.length), data]);
}

tests('a request for other options: answers from then on are those of a process started with them', () => {
  const rows = request(ROWS.slice(0, 200));
  const choices: string[][] = [
    ['--output', 'canonical', '--drop-param=ä', '--exclude-fragment'],
    [],
    ...Object.entries(OUTPUTS).flatMap(([name, { isFramed }]) => (isFramed ? [['--output', name]] : [])),
    ['--output', 'expressions', '--profile', 'web-risk', '--width', '8'],
    ...Array.from({ length: 70 }, (_, number) => [`--drop-param=p${number}`]),
    ['--output', 'canonical', '--drop-param=ä', '--exclude-fragment'],
  ];
  const whole = Buffer.concat([rows, ...choices.flatMap((args) => [choice(...args), rows, rows])]);
  const expected = choices.map((args) => serve(args, Buffer.concat([rows, rows])));
  assert.equal(serve(['--width', '8'], whole), Buffer.concat([serve(['--width', '8'], rows), ...expected]));
  const cuts = [1, 7, 8, rows.length + 5, rows.length + 20];
  assert.equal(serve([], whole, cuts), serve([], whole));
});

tests('a request for wrong options is an error, after the answers before it', () => {
  const cases: [Buffer, RegExp][] = [
    [choice('--width', '7'), /^--width must be one of 8, 16, 32, not '7'$/],
    [choice('--output', 'profile'), /^--output profile needs --format rowbinary/],
    [choice('--nonsense'), /nonsense/],
    [choice('--width').subarray(0, 12), /ended inside a request, after 4 of the 7 bytes of its body$/],
    [numbers(0xffff_ffff, 2 ** 20 + 1), /has 4294967295 rows, more than 1048576$/],
  ];
  const answered = serve([], request(['http://a/']));
  for (const [bytes, message] of cases) {
    const output = new KeptOutput();
    assert.throws(
      () => serveFrames(cutInput(Buffer.concat([request(['http://a/']), bytes])), output.write, open([]), open),
      (error: unknown) => (isFault(error, 'request') || isFault(error, 'usage')) && message.test(error.message),
      `${message}`,
    );
    assert.equal(output.bytes, answered);
  }
});

const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

tests('a request that is too large or inconsistent is an error', () => {
  const cases: [Buffer, RegExp][] = [
    [numbers(2 ** 20 + 1, 0), /has 1048577 rows, more than 1048576$/],
    [numbers(1, 2 ** 27 + 1), /has 134217729 bytes of data, more than 134217728$/],
    [numbers(0xffff_ffff, 0xffff_ffff), /rows, more than/],
    [Buffer.concat([numbers(1, 2, 0, 3), Buffer.from('ab')]), /span 3 bytes, its data has 2$/],
    [Buffer.concat([numbers(1, 2, 3, 0), Buffer.from('ab')]), /span -3 bytes, its data has 2$/],
    [Buffer.concat([numbers(2, 2, 0, 3, 2), Buffer.from('ab')]), /descend in row 1$/],
    [Buffer.concat([numbers(2, 2, 5, 4, 7), Buffer.from('ab')]), /descend in row 0$/],
    [numbers(0, 0, 0, 1), /ended inside a request, after 4 of the 8 bytes of its header$/],
  ];
  for (const [bytes, message] of cases) {
    assert.throws(
      () => serve([], bytes),
      (error: unknown) => isFault(error, 'request') && message.test(error.message),
      `${message}`,
    );
  }
});

tests('the largest row that is allowed: 2^27 bytes, in a long run', () => {
  if (SCALE < 10) return;
  const row = Buffer.alloc(2 ** 27, 'x');
  row.write('http://a.example/');
  assert.equal(answers([], [row]), [createHash('sha256').update(row).digest('hex')]);
});

/** The block of docs/serve.md after the comment `<!-- NAME -->`: bytes in hex, then two spaces and what they say. */
function documented(name: string): Buffer {
  const [, block] = new RegExp(`<!-- ${name} -->\n\n\`\`\`text\n([^\`]*)\`\`\``).exec(DOCUMENT) ?? [];
  assert.ok(block !== undefined, `docs/serve.md has no ${name}`);
  return Buffer.from(block.replace(/ {2,}.*$/gm, '').replace(/\s/g, ''), 'hex');
}

tests('the example of docs/serve.md, byte for byte', () => {
  assert.equal(documented('request'), request(['https://example.com', 'no url', 'http://b/#x']));
  assert.equal(
    serve(['--width', '8'], documented('request')),
    Buffer.concat([documented('greeting'), documented('answer')]),
  );
  const reader = new AnswerReader(Buffer.concat([documented('greeting'), documented('answer')]));
  assert.equal(reader.greeting, { version: 1, output: 0, width: 8, profile: profileOf() });
  assert.equal(reader.next(), ['0f115db062b7c0dd', undefined, UrlHash.of('http://b/#x').hex.slice(0, 16)]);
  const canonical = serve(['--output', 'canonical'], documented('request'));
  assert.equal(canonical.subarray(-documented('canonical').length), documented('canonical'));
});

tests.run();
