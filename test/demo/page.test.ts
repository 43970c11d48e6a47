import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { EXAMPLES } from '../../demo/examples.ts';
import { SUFFIX_LIST_DATES } from '../../demo/views/facts.ts';
import { PUBLIC_SUFFIX_LIST } from '../../src/entries/safe-browsing.ts';
import { PROFILE } from '../../src/index.ts';
import { oracle } from '../core/url/oracle.ts';
import { axe } from '../support/axe.ts';
import { serve } from '../support/file-server.ts';
import { mutated, SAMPLE_URLS } from '../support/samples.ts';
import { cases, random, SCALE } from '../support/seed.ts';
import { drop, FOLDER, focused, NO_PICKER, openDemo, openPanel, PHONE, runBenchmark, textOf } from './visit.ts';

const { test, visit, run } = await openDemo('demo');

const sha256 = (text: string) => createHash('sha256').update(text).digest();
/** Returns what the page shows of a URL: its canonical form, hash and words, or nothing where it shows a failure. */
const shown = (page: Page) => textOf(page, '#result .anatomy, #result .hex, #result .words');

/** The same of each of some, typed in one go, in one trip to the browser. */
const TYPE_AND_READ = (urls: readonly string[]) => {
  const text = document.querySelector<HTMLTextAreaElement>('#text')!;
  return urls.map((url) => {
    text.value = url;
    text.dispatchEvent(new Event('input'));
    const values = Array.from(
      document.querySelectorAll('#result .anatomy, #result .hex, #result .words'),
      (each) => each.textContent,
    );
    return { failures: document.querySelectorAll('#result .failure').length, values };
  });
};

function expectedOf(url: string): readonly string[] {
  const canonical = oracle(url);
  if (canonical === undefined) return [];
  const digest = sha256(canonical);
  const words = [0, 8, 16, 24].map((at) => digest.readBigUInt64LE(at));
  const hex = digest.toString('hex');
  return [canonical, ...[4, 2, 1].flatMap((count) => [hex.slice(0, 16 * count), words.slice(0, count).join('-')])];
}

test('typing shows what independent implementations compute', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('');
    await page.locator('#text').pressSequentially('HTTP://B\u00fccher.Example:80/a/../b c');
    assert.equal(await shown(page), expectedOf('HTTP://B\u00fccher.Example:80/a/../b c'));
    const next = random();
    const mutations = Array.from({ length: cases(25) }, () => mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next));
    // a text field holds no CR, an LF would be another line, and a lone surrogate does not cross the wire
    const urls = [...SAMPLE_URLS, ...mutations].filter(
      (url) => url !== '' && !/[\r\n]/.test(url) && url.isWellFormed(),
    );
    let valid = 0;
    for (const [index, read] of (await page.evaluate(TYPE_AND_READ, urls)).entries()) {
      const values = expectedOf(urls[index]!);
      assert.equal(read, { failures: values.length === 0 ? 1 : 0, values }, JSON.stringify(urls[index]));
      valid += values.length === 0 ? 0 : 1;
    }
    assert.ok(
      valid > urls.length / 3 && urls.length - valid > urls.length / 20,
      `${valid} of ${urls.length} were URLs`,
    );
  }));

test('each part says what became of it and why', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('HTTPS://User:@B\u00fccher.Example:443/a/./b/../\u00e7?q=1 2#top');
    const rows = await page
      .locator('#url-view .rows > div')
      .evaluateAll((list) =>
        list.map((row) => [
          row.querySelector('dt')!.textContent,
          ...Array.from(row.querySelectorAll('.steps li'), (step) => step.textContent),
        ]),
      );
    assert.equal(rows, [
      ['scheme', 'as givenHTTPS', 'lower-casedhttps'],
      ['username'],
      ['password', 'as givennothing', 'left out, because it is emptynothing'],
      [
        'host',
        'as givenB\u00fccher.Example',
        'mapped and normalized by UTS #46, labels beyond ASCII in Punycodexn--bcher-kva.example',
      ],
      ['port', 'as given443', 'left out, because it is the default port of httpsnothing'],
      ['path', 'as given/a/./b/../\u00e7', 'percent-encoded/a/./b/../%C3%A7', 'dot segments resolved/a/%C3%A7'],
      ['query', 'as givenq=1 2', 'percent-encodedq=1%202'],
      ['fragment'],
    ]);
    assert.is(await page.locator('#result [data-differs]').count(), 0);
  }));

test('a bad URL shows its reason, at its place', () =>
  visit({}, async (page) => {
    for (const [url, mark, sentence] of [
      ['http://exa mple.com/', ' ', 'The host holds a forbidden code point. At character 11.'],
      ['http://h:80x/', 'x', 'The port is not a number. At character 12.'],
      ['http://[::1/', '[::1', 'The IPv6 address has no closing bracket. At character 8.'],
      ['no url', '', 'It has no scheme, and there is no base URL. At character 1.'],
    ] as const) {
      await page.locator('#text').fill(url);
      assert.equal(
        [
          await page.locator('#result .failure mark').textContent(),
          await page.locator('#result .failure p').last().textContent(),
        ],
        [mark, sentence],
      );
      assert.is(await page.locator('#result .failure .given').textContent(), url);
      assert.is(await page.locator('#text').getAttribute('aria-invalid'), 'true');
    }
    await page.locator('#announcer', { hasText: 'not a URL: it has no scheme' }).waitFor({ state: 'attached' });
  }));

test('the first example: six lines and two keys, by a switch one', () =>
  visit({}, async (page) => {
    assert.is(await page.locator('#text').inputValue(), EXAMPLES[0]!.state.text);
    assert.equal(await textOf(page, '#lines .total'), ['6 lines, 2 keys']);
    assert.is(await page.locator('#lines .is-repeated').count(), 4);
    await page.getByLabel('One key per page').check();
    assert.equal(await textOf(page, '#lines .total'), ['6 lines, 1 key']);
    assert.is(await page.locator('#lines .is-repeated').count(), 5);
    assert.equal(await shown(page), expectedOf('https://example.com/news'));
    for (const [panel, shownThere] of [
      ['URL', '#url-view .steps'],
      ['Safe Browsing', '.expressions li'],
      ['Hashed URI', '#hashed-uri-view .columns > div'],
      ['Hash-URI', '#hash-uri-view .verdict'],
    ] as const) {
      await openPanel(page, panel);
      assert.ok(await page.locator(shownThere).first().isVisible(), panel);
      assert.is(await page.locator('.panel:visible').count(), 1);
      assert.is(await page.locator('.failure:visible').count(), 0);
    }
  }));

/** Clicks on an example, and returns what the page shows of it. */
const CHOOSE = (name: string) => {
  const chips = Array.from(document.querySelectorAll<HTMLButtonElement>('#examples button'));
  chips.find(({ textContent }) => textContent === name)!.click();
  return {
    text: document.querySelector<HTMLTextAreaElement>('#text')!.value,
    base: document.querySelector<HTMLInputElement>('#base')!.value,
    lesson: document.querySelector('#lesson')!.textContent,
    pressed: chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.textContent),
    panel: document.querySelector<HTMLElement>('.panel:not([hidden])')!.id,
  };
};

test('each example says what its result teaches, until the text is another', () =>
  visit({}, async (page) => {
    for (const { name, lesson, state } of EXAMPLES)
      assert.equal(await page.evaluate(CHOOSE, name), {
        text: state.text,
        base: state.base ?? '',
        lesson,
        pressed: [name],
        panel: state.panel ?? 'url',
      });
    await page.locator('#text').fill('http://h/');
    assert.ok(await page.locator('#lesson').isHidden());
    assert.is(await page.locator('#examples [aria-pressed=true]').count(), 0);
  }));

test('the examples are what their lessons say', () =>
  visit({}, async (page) => {
    const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await choose('relative');
    assert.equal(await shown(page), expectedOf('https://example.com/a/c?page=2'));
    await openPanel(page, 'Safe Browsing');
    assert.match((await textOf(page, '#safe-browsing-view'))[0]!, /^With the base: https:.*a\/c/);
    await choose('IPv4 in hex');
    assert.equal(await shown(page), expectedOf('http://192.0.2.1/'));
    await choose('two hosts in one');
    assert.is(await page.getByLabel('both').isChecked(), true);
  }));

test('a base makes relative URLs absolute, and says so where it is none', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('../b\n//other.example\nhttps://h/');
    await page.locator('#base').fill('https://example.com/a/a/');
    assert.equal(await textOf(page, '#lines tbody td:nth-child(2)'), [
      'https://example.com/a/b',
      'https://other.example/',
      'https://h/',
    ]);
    await page.getByRole('button', { name: 'Show line 1' }).click();
    assert.equal(await shown(page), expectedOf('https://example.com/a/b'));
    assert.match((await textOf(page, '#result .agrees'))[0]!, /gives the same/);
    await page.locator('#base').fill('no base');
    assert.is(await page.locator('#base').getAttribute('aria-invalid'), 'true');
    assert.is(
      await page.locator('#base-problem').textContent(),
      'Not used: it has no scheme, and there is no base URL.',
    );
    assert.is(await page.locator('#result .failure').count(), 1);
  }));

test('a host without a scheme is told what it likely means', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('https://h/\nexample.com/a?b');
    await page.getByRole('button', { name: 'Did you mean https://example.com/a?b?' }).click();
    assert.is(await page.locator('#text').inputValue(), 'https://h/\nhttps://example.com/a?b');
    assert.equal(await shown(page), expectedOf('https://example.com/a?b'));
    for (const text of ['no url', '/a.b', 'word']) {
      await page.locator('#text').fill(text);
      assert.is(await page.locator('.suggestion').count(), 0, text);
    }
  }));

test('an empty field is not a mistake', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('');
    assert.match((await textOf(page, '#result'))[0]!, /^Type or paste a URL/);
    assert.is(await page.locator('.failure').count(), 0);
    assert.is(await page.locator('#text').getAttribute('aria-invalid'), null);
  }));

test('this browser\u2019s own URL is shown where it differs', () =>
  visit(
    { script: `window.URL = class extends URL { get href() { return super.href.replaceAll('b', 'B') } }` },
    async (page) => {
      await page.locator('#text').fill('http://h/abc');
      assert.match((await page.locator('#result [data-differs]').textContent())!, /differs.*http:\/\/h\/aBc/);
      await page.locator('#text').fill('http://h/acc');
      assert.match((await textOf(page, '#result .agrees'))[0]!, /gives the same/);
    },
  ));

test('Safe Browsing: a prefix of each hash; the readings differ where they do', () =>
  visit({}, async (page) => {
    await openPanel(page, 'Safe Browsing');
    // the first example of Web Risk's page
    await page.locator('#text').fill('http://a.b.com/1/2.html?param=1');
    for (const profile of ['Safe Browsing v5', 'Web Risk, Safe Browsing v4']) {
      await page.getByLabel(profile).check();
      const expressions = await textOf(page, '.expressions li > .value:first-child');
      assert.equal([expressions.length, expressions[0]], [8, 'a.b.com/1/2.html?param=1']);
      assert.equal(
        await textOf(page, '.expressions .short code'),
        expressions.map((expression) => sha256(expression).toString('hex').slice(0, 8)),
      );
    }
    await page.locator('#text').fill('http://good.example%2F@evil.example/');
    await page.getByLabel('both').check();
    assert.equal(await textOf(page, '.expressions li > .value:first-child'), [
      'good.example/@evil.example/',
      'good.example/',
      'evil.example/',
    ]);
    await page.locator('#text').fill('mailto:x');
    assert.match(
      (await textOf(page, '#safe-browsing-view .failure'))[0]!,
      /Its scheme is not followed by \/\/ and a host\. At character 1\./,
    );
  }));

test('hashed URIs: the draft\u2019s example, both variants and algorithms, errors at their place', () =>
  visit({}, async (page) => {
    await openPanel(page, 'Hashed URI');
    await page.locator('#text').fill('http://www.thus.net#end');
    await page.locator('input[name=keep][value=frag]').check();
    const values = await textOf(page, '#hashed-uri-view .rows .value');
    assert.is(values[1], 'hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag');
    for (const at of [0, 3]) {
      const digest = (algorithm: string) => createHash(algorithm).update(values[at]!).digest('hex');
      assert.equal(values.slice(at + 1, at + 3), [
        `hashed:sha1=${digest('sha1')}+frag`,
        `hashed:md5=${digest('md5')}+frag`,
      ]);
    }
    await page.locator('#text').fill('http://h/a|b');
    assert.is(await page.locator('#hashed-uri-view mark').textContent(), '|');
    await page.getByLabel('escape', { exact: true }).check();
    assert.is((await textOf(page, '#hashed-uri-view .rows .value'))[0], 'http://h/a%7Cb');
  }));

test('hash-URIs: potential or not, and the parts', () =>
  visit({}, async (page) => {
    await openPanel(page, 'Hash-URI');
    await page.locator('#text').fill('http://example.org/hello.FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk');
    assert.is((await textOf(page, '#hash-uri-view .verdict'))[0], 'A potential hash-URI.');
    assert.equal((await textOf(page, '#hash-uri-view .rows dd')).slice(2, 4), [
      'f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk',
      'f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk',
    ]);
    await page.locator('#text').fill('http://example.org/hello');
    assert.is((await textOf(page, '#hash-uri-view .verdict'))[0], 'Not a potential hash-URI.');
  }));

test('several lines: each in the table, one in detail; all hashes at once', () =>
  visit({}, async (page) => {
    const lines = ['https://example.com', 'no url', 'HTTP://A.example/'];
    await page.locator('#text').fill(lines.join('\n'));
    assert.equal(await textOf(page, '#lines tbody td:nth-child(2)'), [
      'https://example.com/',
      'it has no scheme, and there is no base URL',
      'http://a.example/',
    ]);
    await page.getByRole('button', { name: 'Show line 1' }).click();
    assert.equal(await shown(page), expectedOf('https://example.com'));
    await page.getByRole('button', { name: 'Show line 3' }).click();
    assert.equal(await textOf(page, '#compared'), ['https://example.com has another key']);
    assert.equal(await textOf(page, '#compared + .rows dt'), ['scheme', 'host']);
    await page.locator('#text').press('Control+End');
    await page.locator('.is-selected', { hasText: 'http://a.example/' }).waitFor();
    assert.equal(await shown(page), expectedOf('HTTP://A.example/'));
    await page.getByRole('button', { name: 'SHA-256 of all lines' }).click();
    assert.is(
      await page.evaluate('navigator.clipboard.readText()'),
      lines.map((line) => `${expectedOf(line)[1] ?? ''}\n`).join(''),
    );
  }));

/**
 * Milliseconds of the processor that the page's own thread takes from a key to the frame that shows it, the median of
 * some; they go into a text field at its start.
 */
async function keyTime(page: Page, selector: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskTime = async () =>
    1000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value;
  const times: number[] = [];
  await page.locator(selector).evaluate((field: HTMLTextAreaElement) => {
    field.focus();
    field.setSelectionRange(0, 0);
  });
  for (let key = 0; key < 7; key++) {
    const start = await taskTime();
    await page.keyboard.press('x');
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
    times.push((await taskTime()) - start);
  }
  await session.detach();
  return times.sort((a, b) => a - b)[3]!;
}

/** The same text in a field that nobody listens to: laying it out takes what the browser takes. */
const ADD_BARE_FIELD = () => {
  const field = document.createElement('textarea');
  field.id = 'bare';
  field.value = document.querySelector<HTMLTextAreaElement>('#text')!.value;
  document.body.append(field);
};

test('20,000 lines: only rows in sight are drawn, whole ones, and no key waits', () =>
  visit({}, async (page) => {
    const lines = Array.from({ length: 20_000 }, (_, row) => (row % 50 === 0 ? `no url ${row}` : `https://h/${row}`));
    await page.evaluate((text) => {
      const field = document.querySelector<HTMLTextAreaElement>('#text')!;
      field.value = text;
      field.dispatchEvent(new Event('input'));
    }, lines.join('\n'));
    await page.locator('#lines .total', { hasText: '20,000 lines, 19,600 keys; 400 are not URLs' }).waitFor();
    assert.ok((await page.locator('#lines tbody tr').count()) < 40);
    const ours = await keyTime(page, '#text');
    await page.evaluate(ADD_BARE_FIELD);
    const bare = await keyTime(page, '#bare');
    assert.ok(
      ours > 0 && ours < 2 * bare + 300,
      `a key took ${ours.toFixed(0)} ms, in a bare text field ${bare.toFixed(0)}`,
    );
    console.log(`  a key in 20,000 lines: ${ours.toFixed(0)} ms; in a bare text field ${bare.toFixed(0)}`);
    const cut = await page.evaluate(() => {
      const box = document.querySelector('#lines .lines')!.getBoundingClientRect();
      const rows = Array.from(document.querySelectorAll('#lines tbody tr:not(.space)'), (row) =>
        row.getBoundingClientRect(),
      );
      return rows.filter(({ top, bottom }) => top < box.bottom - 2 && bottom > box.bottom + 2).length;
    });
    assert.is(cut, 0);
    const lineCount = await page
      .locator('#text')
      .evaluate((text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
    assert.ok(Math.abs(lineCount - 8) < 0.05, `${lineCount} lines in the text field`);
    await page.evaluate(() => document.querySelector('#lines .lines')!.scrollTo(0, 1e9));
    await page.getByRole('button', { name: 'Show line 20000', exact: true }).click();
    assert.equal(await shown(page), expectedOf('https://h/19999'));
    assert.is(await page.evaluate('document.activeElement.textContent'), '20000');
  }));

test('copying, by mouse and by keyboard, says so', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('https://example.com/');
    await page.getByRole('button', { name: 'Copy 32 bytes in hex', exact: true }).click();
    await page.locator('#announcer', { hasText: '32 bytes in hex copied' }).waitFor({ state: 'attached' });
    assert.is(await page.evaluate('navigator.clipboard.readText()'), sha256('https://example.com/').toString('hex'));
    await page.getByRole('button', { name: 'Copy 8 bytes in decimal' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#announcer', { hasText: '8 bytes in decimal copied' }).waitFor({ state: 'attached' });
    assert.is(
      await page.evaluate('navigator.clipboard.readText()'),
      String(sha256('https://example.com/').readBigUInt64LE(0)),
    );
  }));

test('the address holds the view, and brings it back', () =>
  visit({}, async (page) => {
    const url = 'http://good.example%2F@evil.example/#\u00fc&mode=spec';
    await page.locator('#text').fill(url);
    await openPanel(page, 'Hashed URI');
    await page.locator('input[name=keep][value=query]').check();
    await openPanel(page, 'Safe Browsing');
    await page.getByLabel('both').check();
    await page.locator('#benchmark-seed').fill('7');
    await page.locator('#benchmark-count').selectOption('100000');
    await page.waitForFunction(() => location.hash.includes('seed=7&urls=100000'));
    const fragment = new URL(page.url()).hash;
    await visit({ fragment }, async (again) => {
      assert.is(await again.locator('#text').inputValue(), url);
      assert.ok(
        (await again.getByLabel('both').isChecked()) &&
          (await again.locator('input[name=keep][value=query]').isChecked()),
      );
      await openPanel(again, 'URL');
      assert.is(await again.locator('#benchmark-seed').inputValue(), '7');
      assert.is(await again.locator('#benchmark-count').inputValue(), '100000');
      assert.equal(await shown(again), expectedOf(url));
    });
    await page.evaluate(`location.hash = '#url=http://other.example'`);
    await page.locator('#result .anatomy', { hasText: 'http://other.example/' }).waitFor();
  }));

test('options of the canonical form, each with its step and its place in the address', () =>
  visit({}, async (page) => {
    const url = 'http://www.shop.example/a/index.html?b=2&utm_id=1&sid=3&a=1&t=4#top';
    await page.locator('#text').fill(url);
    await page.getByText('More options').click();
    await page.getByLabel('without fragment').check();
    await page.getByLabel('tracking-2026').check();
    await page.getByLabel('parameters sorted').check();
    for (const fold of ['https', 'index', 'slash', 'www'])
      await page.locator(`input[name=fold][value=${fold}]`).check();
    await page.getByLabel('Drop parameters').fill('sid, ad_*');
    await page.getByLabel('Rules for sites').fill('shop.example drop t');
    const canonical = 'https://shop.example/a?a=1&b=2';
    assert.equal(await shown(page), expectedOf(canonical));
    const text = (await textOf(page, '#url-view')).join();
    for (const step of [
      'folded to https',
      'leading www',
      'an index file',
      'final slashes',
      'dropped',
      'sorted by name',
    ])
      assert.ok(text.includes(step), step);
    assert.ok(text.includes("with the line 'shop.example drop t'"), text);
    assert.match((await textOf(page, '#result .agrees'))[0]!, /gives the same/);
    await page.waitForFunction(() => location.hash.includes('rules=shop.example'));
    await visit({ fragment: new URL(page.url()).hash }, async (again) => {
      assert.equal(await shown(again), expectedOf(canonical));
      assert.is(await again.getByLabel('Rules for sites').inputValue(), 'shop.example drop t');
      assert.ok(await again.getByLabel('Keep only').isVisible(), 'what is set is open');
      await again.getByLabel('Keep only').fill('a');
      assert.match((await textOf(again, '#form-problem')).join(), /cannot be combined/);
      assert.equal(await shown(again), expectedOf(url), 'the full form, where the options name none');
    });
    await page.getByLabel('Rules for sites').fill('Shop.example drop t');
    assert.match((await textOf(page, '#form-problem')).join(), /^Not used: line 1 of the site rules: HOST/);
  }));

async function mustFit(page: Page, what: string): Promise<void> {
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 740 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.is(overflow, 0, `${what} at a width of ${width}`);
  }
}

const KERNELS = ['urlsum, WebAssembly used here', 'urlsum, JavaScript'];
const RIVALS = ['hash-wasm, WebAssembly', 'noble, JavaScript'];
const SUBTLE = ['crypto.subtle.digest, 1000 at a time', 'crypto.subtle.digest, one by one'];

test('the benchmark finishes, with equal digests, a chart and a table', () =>
  visit({ options: PHONE, script: NO_PICKER }, async (page) => {
    await runBenchmark(page);
    assert.is(
      (await textOf(page, '#benchmark-result .verdict'))[0],
      'All 2,000 digests equal in 6 methods; median of 7 rounds.',
    );
    assert.equal(await textOf(page, '#benchmark-result tbody th'), [...KERNELS, ...RIVALS, ...SUBTLE]);
    assert.is(
      await textOf(page, '#benchmark-kernel').then(String),
      'Here urlsum uses the kernel simd: WebAssembly with SIMD.',
    );
    assert.is(await page.locator('#benchmark-result .bar').count(), 6);
    for (const cell of await textOf(page, '#benchmark-result tbody td:nth-child(2)'))
      assert.match(cell, /^[\d.]+ (?:ns|µs)$/);
    await drop(page, Buffer.from(`${'no-url'.repeat(300)}\nhttp://h/`));
    await page.locator('#file-start').click();
    await page.locator('.download').waitFor();
    await mustFit(page, 'with results');
    await axe(page, 'with results and an error, on a phone');
    if (SCALE > 1) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await axe(page, 'with results and an error');
      await page.setViewportSize(PHONE.viewport!);
    }
    assert.is(await focused(page), 'file-start');
    const focusedWhileRunning = await page.evaluate(() => {
      const click = (id: string) => document.getElementById(id)!.click();
      document.getElementById('benchmark-start')!.focus();
      click('benchmark-start');
      const id = document.activeElement?.id;
      click('benchmark-cancel'); // in the same task: a fast machine has measured before another click from here
      return id;
    });
    assert.is(focusedWhileRunning, 'benchmark-cancel');
    await page.locator('#benchmark-result', { hasText: 'Cancelled.' }).waitFor();
    assert.equal(await textOf(page, '#benchmark-result'), ['Cancelled.']);
    assert.is(await focused(page), 'benchmark-start');
  }));

test('a policy that forbids WebAssembly: the JavaScript kernel, which says so, and the same values', async () => {
  const strict = await serve(FOLDER, {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'",
  });
  try {
    await visit({ origin: strict.origin, expected: /wasm-unsafe-eval|unsafe-eval/ }, async (page) => {
      assert.is((await textOf(page, '#facts code'))[0], 'js');
      assert.match((await page.locator('#kernel-notice').textContent())!, /does not run here.*Content Security Policy/);
      await page.locator('#text').fill('https://example.com/a b');
      assert.equal(await shown(page), expectedOf('https://example.com/a b'));
      await runBenchmark(page);
      assert.equal(await textOf(page, '#benchmark-result tbody th'), [
        'urlsum, JavaScript used here',
        RIVALS[1],
        ...SUBTLE,
      ]);
      assert.is(await page.locator('#benchmark-result .notice').count(), 2);
    });
  } finally {
    strict.close();
  }
});

test('on a phone the input is in sight first', () =>
  visit({ options: PHONE, script: NO_PICKER }, async (page) => {
    const { y, height } = (await page.locator('#text').boundingBox())!;
    assert.ok(y + height < 370, `it ends at ${y + height}`);
    const length = await page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(length < 4000, `the page is ${length} pixels long`);
  }));

/** Returns targets that are smaller than 44 pixels; links within a text are as high as its lines. */
const SMALL_TARGETS = () =>
  Array.from(document.querySelectorAll('button, input, select, textarea, summary'))
    .map((each) =>
      each instanceof HTMLInputElement && /radio|checkbox/.test(each.type) ? each.closest('label')! : each,
    )
    .filter((each) => each.checkVisibility() && !each.matches('.fold'))
    .flatMap((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width >= 44 && height >= 44 ? [] : [`${each.outerHTML.slice(0, 60)}: ${width} x ${height}`];
    });

test('on a phone, what a finger is to hit has 44 pixels', () =>
  visit({ options: PHONE, script: NO_PICKER }, async (page) => {
    await page.getByText('More options').click();
    await drop(page, Buffer.from('url\nhttp://h/\n'), 'pages.csv');
    await page.locator('#file-preview .command').waitFor();
    for (const panel of ['URL', 'Safe Browsing', 'Hashed URI', 'Hash-URI']) {
      await openPanel(page, panel);
      assert.equal(await page.evaluate(SMALL_TARGETS), [], panel);
    }
    await page.locator('#text').fill('example.com');
    await openPanel(page, 'URL');
    assert.equal(await page.evaluate(SMALL_TARGETS), []);
  }));

test('what cannot be seen is shown as a mark, and what is written from the right stays in its part', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('http://good.example/\u202egnp.exe\u200b?\u00ad#\ufeff\u0085');
    const unseen = async (selector: string) => await textOf(page, `${selector} .unseen`);
    assert.equal(await unseen('#url-view'), ['U+202E', 'U+200B', 'U+00AD', 'U+FEFF', 'U+0085']);
    assert.equal(await unseen('#result .given'), ['U+202E', 'U+200B', 'U+00AD', 'U+FEFF', 'U+0085']);
    const direction = await page.locator('#url-view .steps code').first().textContent();
    assert.is(direction, '/U+202Egnp.exeU+200B');
    await page.locator('#text').fill('http://\u05d0\u05d1 x/\u05d2\u05d3/ok?\u05d4=\u05d5');
    const parts = await page
      .locator('#result .given bdi')
      .evaluateAll((list) =>
        list.map((each) => [each.textContent, Math.round(each.getBoundingClientRect().x)] as const),
      );
    assert.equal(
      parts.map(([text]) => text),
      ['\u05d0\u05d1', '\u05d2\u05d3', '\u05d4', '\u05d5'],
    );
    const places = parts.map(([, x]) => x);
    assert.equal(
      [...places].sort((one, other) => one - other),
      places,
      'from left to right, as they are given',
    );
    await drop(page, Buffer.from('http://good.example/\u202egnp.exe\n'), 'a\u202etxt.txt');
    await page.locator('#file-preview .command .unseen').first().waitFor();
    assert.equal(await unseen('#file-preview td'), ['U+202E']);
    assert.equal(
      await page.evaluate(() =>
        Array.from(
          document.querySelectorAll('main :not(textarea)'),
          (each) =>
            Array.from(each.childNodes).filter(
              (node) => node.nodeType === 3 && /[\u202a-\u202e\u2066-\u2069]/.test(node.textContent!),
            ).length,
        ).reduce((sum, each) => sum + each),
      ),
      0,
    );
  }));

test('a long URL is folded, in every panel, until it is asked for', () =>
  visit({}, async (page) => {
    const url = `http://example.com/${'a%2fb c\u00fc'.repeat(25_000)}?${'q'.repeat(5000)}`;
    await page.locator('#text').fill(url);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 15_000, `${height} pixels`);
    const canonical = oracle(url)!;
    const fold = page.locator('#result .anatomy .fold').first();
    assert.match((await fold.textContent())!, /^… [\d,]+ more characters …$/);
    while ((await fold.count()) > 0) await fold.click();
    assert.is(await page.locator('#result .anatomy').textContent(), canonical);
    assert.is(await page.evaluate(`document.activeElement.closest('.anatomy') !== null`), true);
    await page.locator('#result').getByRole('button', { name: 'Copy canonical form', exact: true }).click();
    assert.is(await page.evaluate('navigator.clipboard.readText()'), canonical);
    for (const name of await page
      .locator('.copy')
      .evaluateAll((list) => list.map((each) => (each as HTMLElement).title)))
      assert.ok(name.length < 120, name);
  }));

test('forced colours: the text field has one thin border, and what only a shadow showed has one, too', () =>
  visit({}, async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: 'several' }).click();
    const widthsOf = (selector: string) =>
      page.evaluate((name) => {
        const style = getComputedStyle(document.querySelector(name)!);
        return [style.borderTopWidth, style.borderLeftWidth, style.borderBottomWidth];
      }, selector);
    assert.equal(await widthsOf('#text'), ['1px', '1px', '1px']);
    assert.equal(await widthsOf('#lesson'), ['1px', '1px', '1px']);
    assert.is((await widthsOf('.is-selected th'))[1], '4px');
    await page.locator('#text').fill('no url');
    assert.equal(await widthsOf('#text'), ['3px', '3px', '3px']);
    await page.emulateMedia({ forcedColors: null });
  }));

test('the page links to no file beside it but its own', () =>
  visit({}, async (page) => {
    const links = await page
      .locator('[href]')
      .evaluateAll((list) =>
        list.map((each) => each.getAttribute('href')!).filter((href) => !/^(?:#|https:)/.test(href)),
      );
    assert.ok(links.length > 0);
    for (const link of links) assert.ok(existsSync(join(FOLDER, link)), link);
  }));

test('the page says what computes, with the date of its suffix list', () =>
  visit({}, async (page) => {
    assert.is(SUFFIX_LIST_DATES[PUBLIC_SUFFIX_LIST] === undefined, false, PUBLIC_SUFFIX_LIST);
    assert.equal(await textOf(page, '#facts dd'), [
      'simd WebAssembly with SIMD',
      `${PROFILE} changes whenever any output could`,
      `${PUBLIC_SUFFIX_LIST} of ${SUFFIX_LIST_DATES[PUBLIC_SUFFIX_LIST]}`,
    ]);
  }));

test('on a phone nothing is wider than the screen', () =>
  visit({ options: PHONE, script: NO_PICKER }, async (page) => {
    for (const text of [
      `http://${'a'.repeat(300)}.example/${'b'.repeat(2000)}?${'c'.repeat(300)}`,
      `http://${'a b'.repeat(300)}/`,
      `https://example.com/${'x'.repeat(500)}\nno url\n`,
    ]) {
      await page.locator('#text').fill(text);
      for (const panel of ['Hash-URI', 'Hashed URI', 'Safe Browsing', 'URL']) {
        await openPanel(page, panel);
        await mustFit(page, `${panel} of ${text.slice(0, 20)}`);
      }
    }
  }));

/**
 * Returns the elements that the Tab key should reach, in the order of the page: of radio buttons only the one that is
 * checked.
 */
const FOCUSABLE = () =>
  Array.from(
    document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary, textarea, [tabindex="0"]'),
  ).filter((each) => {
    const isUnchecked = each instanceof HTMLInputElement && each.type === 'radio' && !each.checked;
    return !isUnchecked && !(each as HTMLButtonElement).disabled && each.checkVisibility();
  });

test('the Tab key reaches everything, in order, and one sees where it is', () =>
  visit({}, async (page) => {
    await page.locator('#text').fill('https://example.com\nno url');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.evaluate(`window.focusable = (${FOCUSABLE})()`);
    const focusableCount = await page.evaluate<number>('focusable.length');
    assert.ok(focusableCount > 30, `only ${focusableCount}`);
    const order: number[] = [];
    await page.evaluate('getSelection().removeAllRanges(); scrollTo(0, 0)');
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    for (let count = 0; count < focusableCount; count++) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate<number>('focusable.indexOf(document.activeElement)'));
      assert.is(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`), 'solid');
    }
    assert.equal(
      order,
      Array.from({ length: focusableCount }, (_, index) => index),
    );
  }));

test('axe finds nothing, in either theme', () =>
  visit({}, async (page) => {
    await axe(page, 'at the start');
    await page.getByRole('button', { name: 'several' }).click();
    await page.getByRole('button', { name: 'Show line 3' }).click();
    await page.locator('#base').fill('no base');
    await drop(page, Buffer.from('{"url":"http://h/"}\n'), 'crawl.jsonl');
    await page.locator('#file-preview .notice').waitFor();
    await axe(page, 'errors in a line, the base and a file');
    await page.getByRole('button', { name: 'two hosts in one' }).click();
    await page.getByLabel('both').check();
    await axe(page, 'two readings');
  }));

run();
