import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { urlsum } from '../command/command.ts';
import { oracle } from '../core/url/oracle.ts';
import { type FileServer, serve } from '../support/file-server.ts';
import { SAMPLE_URLS } from '../support/samples.ts';
import { Firefox, KEYS } from './firefox.ts';
import { FOLDER } from './visit.ts';

const tests = suite('demo in Firefox');
const firefox = await Firefox.open();
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
    ['padded.txt.gz', Buffer.concat(members.flatMap((member) => [member, Buffer.alloc(512)])), []],
    ['pages.csv', Buffer.from('id,url\r\n1,"https://h"\n2\n'), ['--csv', '-f', 'url']],
  ] as const) {
    const saved = await firefox.evaluate<string>(HASH_FILE, bytes.toString('base64'), name);
    assert.is(saved, urlsum(args, bytes).stdout.toString(), name);
  }
});

test('at 390 pixels nothing is wider', async (firefox) => {
  await firefox.goToFrame(`${server.origin}/`, 390);
  await firefox.evaluate(HASH_FILE, Buffer.from(`${'no-url'.repeat(300)}\nhttp://h/`).toString('base64'), 'urls.txt');
  const [width, overflow] = await firefox.evaluate<[number, number]>(
    'const { clientWidth, scrollWidth } = document.documentElement; return [clientWidth, scrollWidth - clientWidth]',
  );
  assert.ok(width > 360 && width <= 390 && overflow === 0, `${width} and ${overflow}`);
});

tests.run();
