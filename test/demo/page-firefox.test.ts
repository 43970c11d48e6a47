import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { urlsum } from '../command/command.ts';
import { oracle } from '../core/url/oracle.ts';
import { SAMPLE_URLS } from '../support/samples.ts';
import { SCALE } from '../support/seed.ts';
import { type AxeResult, axeSource, mustFindNothing } from './axe.ts';
import { Firefox, KEYS } from './firefox.ts';
import { type FileServer, serve } from './server.ts';
import { FOLDER } from './visit.ts';

const tests = suite('demo in Firefox');
const firefox = await Firefox.open('light');
let server: FileServer;

if (firefox !== undefined) {
  tests.before(async () => {
    server = await serve(FOLDER);
  });
  tests.after(async () => {
    server.close();
    await firefox.stop();
  });
}

/** A test that needs the browser, on a page of its own. */
function test(name: string, run: (firefox: Firefox) => Promise<void>): void {
  if (firefox === undefined) return;
  tests(name, async () => {
    await firefox.goTo('about:blank'); // else a fragment alone would not load the page
    await firefox.goTo(server.origin);
    await run(firefox);
  });
}

/** Presses Tab until an element has the focus, whose outline one must see. */
async function tabTo(firefox: Firefox, selector: string): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await firefox.press(KEYS.tab);
    const [isThere, outline] = await firefox.evaluate<[boolean, string]>(
      `const focused = document.activeElement;
       return [focused.matches(arguments[0]), getComputedStyle(focused).outlineStyle]`,
      selector,
    );
    assert.is(outline, 'solid');
    if (isThere) return;
  }
  assert.unreachable(`Tab does not reach ${selector}`);
}

const textOf = (firefox: Firefox, selector: string) =>
  firefox.evaluate<string[]>(
    'return Array.from(document.querySelectorAll(arguments[0]), (each) => each.textContent.trim())',
    selector,
  );

test('by keyboard alone: a URL, its base, an example, a reading, the benchmark', async (firefox) => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  await tabTo(firefox, '#text');
  await firefox.press([KEYS.control, 'a'], '../\u00fc?q');
  assert.match((await textOf(firefox, '#result .failure'))[0]!, /there is no base URL/);
  await tabTo(firefox, '#base');
  await firefox.press('https://h/a/b/');
  const canonical = oracle('https://h/a/\u00fc?q')!;
  assert.equal(await textOf(firefox, '#result .anatomy, #result .hex'), [
    canonical,
    sha256(canonical),
    sha256(canonical).slice(0, 32),
    sha256(canonical).slice(0, 16),
  ]);
  // past the eight options before the base and two examples
  for (let back = 0; back < 11; back++) await firefox.press([KEYS.shift, KEYS.tab]);
  assert.is((await textOf(firefox, ':focus'))[0], 'named by content');
  await firefox.press(' ');
  assert.equal(await textOf(firefox, '#hash-uri-view .verdict'), ['A potential hash-URI.']);
  await tabTo(firefox, 'input[name=panel]');
  await firefox.press(KEYS.right, KEYS.right); // past the last to the second
  await tabTo(firefox, 'input[name=mode]');
  await firefox.press(KEYS.right);
  await firefox.until(`location.hash.includes('mode=browser')`);
  await tabTo(firefox, '#benchmark-count');
  await firefox.press('2'); // 2,000
  await tabTo(firefox, '#benchmark-start');
  await firefox.press(KEYS.enter);
  await firefox.until(`document.activeElement.id === 'benchmark-cancel'`);
  await firefox.until(`document.querySelector('#benchmark-result > *')`);
  await firefox.until(`document.activeElement.id === 'benchmark-start'`);
  assert.equal(await textOf(firefox, '#benchmark-result .verdict'), [
    'All 2,000 digests equal in 6 methods; median of 7 rounds.',
  ]);
});

test('sample URLs: canonical forms and hashes', async (firefox) => {
  const urls = SAMPLE_URLS.filter((url) => url !== '' && !/[\r\n]/.test(url) && url.isWellFormed());
  const shown = await firefox.evaluate<(readonly string[])[]>(
    `const text = document.querySelector('#text');
     return arguments[0].map((url) => {
       text.value = url;
       text.dispatchEvent(new Event('input'));
       return Array.from(document.querySelectorAll('#result .anatomy, #result .hex'), (each) => each.textContent).slice(0, 2);
     })`,
    urls,
  );
  for (const [index, url] of urls.entries()) {
    const canonical = oracle(url);
    const expected = canonical === undefined ? [] : [canonical, createHash('sha256').update(canonical).digest('hex')];
    assert.equal(shown[index], expected, JSON.stringify(url));
  }
});

/** Puts a file into the field and gives what is saved of it. */
const HASH_FILE = `
  const [bytes, name] = arguments;
  const chosen = new DataTransfer();
  chosen.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
  const input = document.querySelector('#file-input');
  input.files = chosen.files;
  input.dispatchEvent(new Event('change'));
  const start = document.querySelector('#file-start');
  while (start.disabled) await new Promise((shown) => requestAnimationFrame(shown));
  let saved;
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => createObjectURL.call(URL, (saved = blob));
  document.addEventListener('click', (event) => event.target.download && event.preventDefault(), { once: true, capture: true });
  document.querySelector('#file-form').requestSubmit();
  while (saved === undefined) await new Promise((shown) => requestAnimationFrame(shown));
  URL.createObjectURL = createObjectURL;
  return saved.text()`;

test('files: lines, members of gzip, a column', async (firefox) => {
  const lines = Buffer.from(`${SAMPLE_URLS.filter((url) => !url.includes('\n')).join('\n')}\n`);
  const members = [lines.subarray(0, 1000), Buffer.alloc(0), lines.subarray(1000)].map((part) => gzipSync(part));
  for (const [name, bytes, args] of [
    ['urls.txt', lines, []],
    ['urls.txt.gz', Buffer.concat(members), []],
    ['padded.txt.gz', Buffer.concat(members.flatMap((member) => [member, Buffer.alloc(512)])), []],
    ['pages.csv', Buffer.from('id,url\r\n1,"https://h"\n2\n'), ['--csv', '-f', 'url']],
    ['list.txt', Buffer.from('https://h\n'), []],
  ] as const) {
    const saved = await firefox.evaluate<string>(HASH_FILE, bytes.toString('base64'), name);
    assert.is(saved, urlsum(args, bytes).stdout.toString(), name);
  }
});

test('marks for what cannot be seen, parts in their order, and long values folded', async (firefox) => {
  const type = (text: string) =>
    firefox.evaluate(
      `const text = document.querySelector('#text'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))`,
      text,
    );
  await type('http://\u05d0\u05d1 x/\u05d2\u05d3/\u202eok');
  assert.equal(await textOf(firefox, '#result .given bdi, #result .given .unseen'), [
    '\u05d0\u05d1',
    '\u05d2\u05d3',
    'U+202E',
  ]);
  const places = await firefox.evaluate<number[]>(
    `return Array.from(document.querySelectorAll('#result .given bdi, #result .given .unseen'), (each) => each.getBoundingClientRect().x)`,
  );
  assert.equal(
    [...places].sort((one, other) => one - other),
    places,
  );
  await type(`http://example.com/${'a%2fb c'.repeat(25_000)}`);
  assert.ok((await firefox.evaluate<number>('return document.documentElement.scrollHeight')) < 15_000);
});

test('at 390 pixels nothing is wider', async (firefox) => {
  await firefox.goToFrame(`${server.origin}/`, 390);
  await firefox.evaluate(HASH_FILE, Buffer.from(`${'no-url'.repeat(300)}\nhttp://h/`).toString('base64'), 'urls.txt');
  const [width, overflow] = await firefox.evaluate<[number, number]>(
    'const { clientWidth, scrollWidth } = document.documentElement; return [clientWidth, scrollWidth - clientWidth]',
  );
  assert.ok(width > 360 && width <= 390 && overflow === 0, `${width} and ${overflow}`);
});

async function mustPassAxe(firefox: Firefox, options: string, ruleCount: number, when: string): Promise<void> {
  await firefox.evaluate(`${axeSource()}; window.axe = axe`);
  mustFindNothing(await firefox.evaluate<AxeResult>(`return axe.run(${options})`), ruleCount, when);
}

/** Axe finds what Chromium shows as well: it is for a long run. */
test('axe finds nothing, in either scheme', async (firefox) => {
  if (SCALE === 1) return;
  await firefox.evaluate(HASH_FILE, Buffer.from('id,url\n1,http://h/\n').toString('base64'), 'pages.csv');
  await mustPassAxe(firefox, '{}', 20, 'Firefox');
  const dark = (await Firefox.open('dark'))!;
  try {
    await dark.goTo(`${server.origin}/#url=http://exa%20mple.com/`);
    assert.ok(await dark.evaluate<boolean>(`return matchMedia('(prefers-color-scheme: dark)').matches`));
    await mustPassAxe(dark, "{ runOnly: ['color-contrast'] }", 0, 'Firefox, dark');
  } finally {
    await dark.stop();
  }
  const forced = (await Firefox.open('forced'))!;
  try {
    await forced.goTo(server.origin);
    assert.ok(await forced.evaluate<boolean>(`return matchMedia('(forced-colors: active)').matches`));
    const border = `return getComputedStyle(document.querySelector('#text')).borderTopWidth`;
    assert.is(await forced.evaluate<string>(border), '1px');
  } finally {
    await forced.stop();
  }
});

tests.run();
