import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { urlsum } from '../command/command.ts';
import { mutated, SAMPLE_URLS } from '../support/samples.ts';
import { file } from '../support/scratch.ts';
import { cases, random } from '../support/seed.ts';
import { drop, focused, NO_PICKER, openDemo, textOf } from './visit.ts';

const { test, visit, run } = await openDemo('demo, files');

const FILE_LINES = cases(5000);

/** Lines in several blocks: a byte order mark, bad ones, both line ends, bytes that are not UTF-8, no end of the last. */
function fileOfLines(): Buffer {
  const next = random();
  const lines = Array.from(
    { length: FILE_LINES - 3 },
    () => `${mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next).replaceAll('\n', '')}${next(3) === 0 ? '\r' : ''}`,
  );
  return Buffer.concat([
    Buffer.from('\ufeff'),
    Buffer.from(lines.join('\n')),
    Buffer.from('\nhttp://h/\xff\n\n\xef\xbb\xbfhttp://h/\r', 'latin1'),
  ]);
}

/** Chooses a file, waits for what it begins with, hashes it and gives what is saved. */
async function saved(
  page: Page,
  bytes: Uint8Array,
  name: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await drop(page, Buffer.from(bytes), name);
  await page.locator('#file-preview .command', { hasText: name }).waitFor();
  return hashed(page);
}

async function hashed(page: Page): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#file-start').click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Returns what the command that the page names writes of the same bytes. */
async function byCommand(page: Page, bytes: Uint8Array, name: string) {
  const [command] = await textOf(page, '#file-preview .command code');
  const words = spawnSync('sh', ['-c', `printf '%s\\0' ${command!.split(' > ')[0]}`])
    .stdout.toString()
    .split('\0');
  assert.equal([words[0], words.at(-2)], ['urlsum', name]);
  return urlsum([...words.slice(1, -2), '--all-errors'], bytes);
}

const CHOICES = [
  ['text', 32, 'urls.txt.urlsum'],
  ['hex', 16, 'urls.txt.hex'],
  ['bin', 8, 'urls.txt.bin'],
] as const;

test('a dropped file gives the bytes that the command gives', () =>
  visit({ script: NO_PICKER }, async (page) => {
    const bytes = fileOfLines();
    await drop(page, bytes);
    for (const [format, width, name] of CHOICES) {
      await page.locator(`input[name=format][value=${format}]`).check();
      await page.locator(`input[name=width][value="${width}"]`).check();
      const result = await hashed(page);
      assert.is(result.name, name);
      const { stdout, stderr } = urlsum(['--format', format, '--width', String(width), '--all-errors'], bytes);
      assert.ok(stdout.length > 4 * FILE_LINES && result.bytes.equals(stdout), `${format}: not what the command wrote`);
      const badCount = stderr.match(/^urlsum: -:\d+: /gm)!.length;
      assert.match(
        (await textOf(page, '#file-result .figures'))[0]!,
        new RegExp(`^${FILE_LINES.toLocaleString('en')} rows · ${badCount.toLocaleString('en')} without a hash`),
      );
      const firstLine = /^urlsum: -:(\d+):/.exec(stderr)?.[1];
      assert.match((await textOf(page, '#file-result .invalid li'))[0]!, new RegExp(`^${firstLine}: `));
    }
  }));

/** Fields of any text, in quotation marks where they need them; one record in fifty is none. */
function table(next: (below: number) => number): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const field = () => {
    const text = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    return /[",\r\n]/.test(text) || next(4) === 0 ? quoted(text) : text;
  };
  const record = () => (next(50) === 0 ? `"${next(9)}"x,${field()}` : `${next(99)},${field()},${field()}`);
  const records = Array.from({ length: cases(1500) }, () => `${record()}${next(3) === 0 ? '\r\n' : '\n'}`);
  return Buffer.from(`id,"the ""URL""",note\r\n${records.join('')}7,http://h/,"last"`);
}

/** One line in twenty is not an object, or has no such string. */
function jsonLines(next: (below: number) => number): Buffer {
  const others = [
    '',
    '[]',
    '{',
    '{}',
    '{"page":{"link":1}}',
    '{"page":{},"page":"x"} ',
    'http://h/',
    '{"page":null}\r',
  ];
  const record = () => {
    const link = JSON.stringify(mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next));
    const escaped =
      next(3) === 0 ? link.replace(/[a-z](?![^\\]*\\)/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) : link;
    return `{"page":{"n":[${next(9)},{}],"link":"no"}, "page" : {"link":${escaped}}${next(2) === 0 ? ' ' : ''}}`;
  };
  return Buffer.from(
    `${Array.from({ length: cases(1500) }, () => (next(20) === 0 ? others[next(others.length)]! : record())).join('\n')}\r`,
  );
}

test('records gain the hash that the command gives them', () =>
  visit(
    { script: NO_PICKER, fragment: '#base=http://base.example/a/b&form=page-2026&fold=https,www' },
    async (page) => {
      const next = random();
      for (const [name, bytes, column, result] of [
        ['it\u2019s a table.csv', table(next), 'the "URL"', 'it\u2019s a table.urlsum.csv'],
        ['records.csv', table(next), '3', 'records.urlsum.csv'],
        ['crawl.jsonl', jsonLines(next), 'page.link', 'crawl.urlsum.jsonl'],
      ] as const) {
        await drop(page, bytes, name);
        await page.locator('#column').waitFor();
        await page.locator('#column').fill(column);
        await page.locator('#file-preview .command', { hasText: column }).waitFor();
        const written = await hashed(page);
        assert.is(written.name, result);
        const { stdout, stderr } = await byCommand(page, bytes, name);
        assert.ok(stdout.length > bytes.length && written.bytes.equals(stdout), `${name}: not what the command wrote`);
        const numbers = Array.from(stderr.matchAll(/^urlsum: -:(\d+):/gm), ([, row]) => row);
        assert.ok(numbers.length > 20);
        assert.equal(
          (await textOf(page, '#file-result .invalid li')).map((text) => text.split(':')[0]),
          numbers.slice(0, 20),
        );
        await page.locator('input[name=rows][value=lines]').check();
      }
    },
  ));

/** Many members, wherever chunks are cut, some of them empty; within one stands what begins another. */
function members(bytes: Buffer): Buffer {
  const next = random();
  const parts: Buffer[] = [gzipSync(Buffer.concat([bytes.subarray(0, 100)]), { level: 0 })];
  for (let at = 100; at < bytes.length; ) {
    const end = at + next(3000);
    parts.push(gzipSync(bytes.subarray(at, end)));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Members with zeros between and after them, as tapes and block devices leave it: an empty one, one in a block. */
function padded(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1;
  const parts = [bytes.subarray(0, 256), bytes.subarray(256, middle), Buffer.alloc(0), bytes.subarray(middle)];
  return Buffer.concat(parts.flatMap((part, at) => [gzipSync(part), Buffer.alloc([1, 2048, 9, 100_000][at]!)]));
}

test('compressed files are read as the command reads them', () =>
  visit({ script: NO_PICKER }, async (page) => {
    const bytes = Buffer.concat([fileOfLines(), Buffer.from('\nhttp://h/\x1f\x8b\x08\n', 'latin1')]);
    for (const [name, packed, plain] of [
      ['urls.txt.gz', gzipSync(bytes), bytes],
      ['members.txt.gz', members(bytes), bytes],
      ['padded.txt.gz', padded(bytes), bytes],
      [
        'empty-padded.txt.gz',
        Buffer.concat([gzipSync(''), Buffer.alloc(7), gzipSync(''), Buffer.alloc(512)]),
        Buffer.alloc(0),
      ],
      ['stored.txt.gz', gzipSync(bytes, { level: 0 }), bytes],
    ] as const) {
      const result = await saved(page, packed, name);
      assert.is(result.name, name.replace(/gz$/, 'urlsum'));
      assert.ok(result.bytes.equals(urlsum([], plain).stdout), name);
    }
  }));

const UNREADABLE = [
  ['urls.xz', Buffer.from('fd377a585a000004', 'hex')],
  ['urls.parquet', Buffer.from('PAR1\x15\x04', 'latin1')],
  ['urls.zip', Buffer.from('PK\x03\x04', 'latin1')],
  ['unmarked.txt', Buffer.from('http://h/\n', 'utf16le')],
  ['twice.gz', gzipSync(gzipSync('http://h/\n'))],
  ['picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['program', Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(100)])],
  ['rows.txt', Buffer.from('http://h/\t200\nhttp://h/\t404\n')],
  ['header.txt', Buffer.from('url\tid\nhttp://h/\t1\n')],
  ['returns.txt', Buffer.from('http://h/\rhttp://h/\r')],
  ['array.txt', Buffer.from('[{"url":"http://h/"}]\n')],
] as const;

test('what the command refuses is refused, in its words', () =>
  visit({ script: NO_PICKER }, async (page) => {
    for (const [name, bytes] of UNREADABLE) {
      await drop(page, bytes, name);
      await page.locator('#file-preview .notice', { hasText: name }).waitFor();
      const path = file('FILE', bytes);
      const { status, stderr } = urlsum([path]);
      assert.is(status, 2);
      const said = stderr.trim().replaceAll(path, 'FILE').replace('urlsum: FILE', name);
      assert.equal(await textOf(page, '#file-preview, #announcer'), [said, said]);
      assert.ok(await page.locator('#file-start').isDisabled());
    }
    // the command decodes it by its byte order mark
    await drop(page, Buffer.from('\ufeffhttp://h/\n', 'utf16le'), 'wide.txt');
    await page.locator('#file-preview .notice', { hasText: 'wide.txt: it is UTF-16; --encoding utf-16le' }).waitFor();
    // the command unpacks it from Node 22.15 on, browsers do not
    await drop(page, Buffer.from('28b52ffd200a510000', 'hex'), 'urls.zst');
    await page.locator('#file-preview .notice', { hasText: 'urls.zst: it is zstd' }).waitFor();
    for (const [name, text, sentence] of [
      ['lines.txt', '{"a":1}\n{"a":2}\n', 'it is JSON lines, not one URL per line; choose JSON lines, and a field'],
      ['table.csv', 'a,b\n1,2\n', 'CSV needs the name or number of a column; it has "a", "b"'],
    ] as const) {
      await drop(page, Buffer.from(text), name);
      await page.locator('#file-preview .notice', { hasText: name }).waitFor();
      assert.is((await textOf(page, '#file-preview'))[0], `${name}: ${sentence}`);
    }
    await page.locator('#column').fill('c');
    await page.locator('#file-preview .notice', { hasText: 'it has no column "c" but "a", "b"' }).waitFor();
    await page.locator('input[name=rows][value=lines]').check();
    const packed = gzipSync(randomBytes(100_000).toString('base64').replace(/.{60}/g, '$&\n'));
    const afterPadding = Buffer.concat([packed, Buffer.alloc(64), Buffer.from('http://h/')]);
    const damaged = (at: number) => packed.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const damage = 'its gzip data are damaged';
    for (const [name, bytes, sentence] of [
      ['cut.gz', packed.subarray(0, 50_000), 'its gzip data are cut'],
      ['length-cut.gz', packed.subarray(0, -1), 'its gzip data are cut'],
      ['checksum.gz', damaged(packed.length - 8), `${damage} (incorrect data check)`],
      ['length.gz', damaged(packed.length - 4), `${damage} (incorrect length check)`],
      ['text.gz', damaged(packed.length - 1000), `${damage} (incorrect data check)`],
      ['text-after-padding.gz', afterPadding, `${damage} (incorrect header check)`],
    ] as const) {
      assert.is(urlsum([], bytes).status, 2);
      await page.locator('#file-result').evaluate((element) => element.replaceChildren());
      await drop(page, Buffer.from(bytes), name);
      await page.locator('#file-start').click();
      await page.locator('#file-result', { hasText: `Not done: ${sentence}.` }).waitFor();
    }
    assert.is(await page.locator('.download').count(), 0);
  }));

test('a preview shows what will be written, and the address how it was asked for', () =>
  visit({ script: NO_PICKER }, async (page) => {
    const hash = (url: string) => urlsum(['--format', 'hex', '--width', '8'], url).stdout.toString().trim();
    await drop(page, Buffer.from('https://example.com\nno url\n'), 'urls.txt');
    await page.locator('input[name=width][value="8"]').check();
    await page.locator('#file-preview .command', { hasText: '--width 8' }).waitFor();
    assert.equal(await textOf(page, '#file-preview tr'), [
      `1${hash('https://example.com')}  https://example.com`,
      '2  no url it has no scheme, and there is no base URL',
    ]);
    await page.locator('input[name=format][value=bin]').check();
    await page.locator('#file-preview .command', { hasText: '--format bin' }).waitFor();
    assert.equal((await textOf(page, '#file-preview td'))[0], hash('https://example.com'));
    // the column of a table is the one that looks like it
    await drop(page, Buffer.from('id,page_url\n1,https://example.com\n2\n'), 'pages.csv');
    await page.locator('#file-preview .command', { hasText: 'page_url' }).waitFor();
    assert.equal(await textOf(page, '#file-preview tr'), [
      '1id,page_url,urlsum',
      `21,https://example.com,${hash('https://example.com')}`,
      '32, not a record of this table: it has 1 column, not 2',
    ]);
    await drop(page, Buffer.from('{"at":1,"page":{"href":"../c"}}\n'), 'crawl.ndjson');
    await page.locator('#base').fill('https://example.com/a/b');
    await page.locator('#file-preview code', { hasText: hash('https://example.com/c') }).waitFor();
    await page.waitForFunction(() => location.hash.includes('column=page.href') && location.hash.includes('base='));
    await visit({ script: NO_PICKER, fragment: new URL(page.url()).hash }, async (again) => {
      assert.ok(await again.locator('input[name=rows][value=json]').isChecked());
      assert.ok(await again.locator('input[name=width][value="8"]').isChecked());
      assert.is(await again.locator('#column').inputValue(), 'page.href');
      assert.is(await again.locator('#base').inputValue(), 'https://example.com/a/b');
    });
    await hashed(page);
    assert.is(await focused(page), 'file-start');
    assert.equal(await textOf(page, '#file-result .verdict, #file-result .figures'), [
      'Done.',
      '1 row · 0 without a hash · too short to time',
    ]);
  }));

test('the kind of rows that a file led to does not hold for the next; one that was chosen does', () =>
  visit({ script: NO_PICKER }, async (page) => {
    const isChecked = (rows: string) => page.locator(`input[name=rows][value=${rows}]`).isChecked();
    const list = Buffer.from('http://h/\n');
    for (const [name, text, rows] of [
      ['pages.csv', 'url\nhttp://h/\n', 'csv'],
      ['list.txt', 'http://h/\n', 'lines'],
      ['crawl.jsonl', '{"url":"http://h/"}\n', 'json'],
      ['pages.csv', 'url\nhttp://h/\n', 'csv'],
      ['list', 'http://h/\n', 'lines'],
    ] as const) {
      await saved(page, Buffer.from(text), name);
      assert.ok(await isChecked(rows), name);
    }
    await page.locator('input[name=rows][value=csv]').check();
    await page.locator('#column').fill('1');
    await saved(page, list, 'one-column.txt');
    assert.ok(await isChecked('csv'));
    await page.locator('#column').fill('url');
    const refusal = 'it has no column "url" but "http://h/". If it has one URL per line, choose lines.';
    await page.locator('#file-preview .notice', { hasText: refusal }).waitFor();
  }));

test('a file that is likely meant otherwise is shown with a hint', () =>
  visit({ script: NO_PICKER }, async (page) => {
    for (const [name, text, hint] of [
      [
        'pages.csv',
        'id;url\n1;http://h/\n',
        /^Its columns seem to be separated by ";", not commas: urlsum --delimiter/,
      ],
      ['tabs.csv', 'url\tid\nhttp://h/\t1\n', /^Its columns seem to be separated by tabs/],
      ['table.txt', '1,http://h/\n2,http://h/\n', /^If it is a table, choose CSV\.$/],
      ['list.json', 'http://h/\nhttp://h/\n', /^If it has one URL per line, choose lines\.$/],
    ] as const) {
      await drop(page, Buffer.from(text), name);
      if (name.endsWith('.json')) await page.locator('#column').fill('url');
      await page.locator('#file-preview .command', { hasText: name }).waitFor();
      assert.match((await textOf(page, '#file-preview .notice')).join(), hint, name);
    }
    await drop(page, Buffer.from('a;b\n1;2\n'), 'no-url.csv');
    await page
      .locator('#file-preview .notice', { hasText: /no-url.csv: CSV needs.*"a;b"\. Its columns seem/ })
      .waitFor();
    for (const [name, text, sentence] of [
      ['array.json', '[{"url":"http://h/"}]\n', /array.json: it is a JSON array; jq makes JSON lines of it/],
      ['again.jsonl', '{"url":"http://h/","urlsum":""}\n', /again.jsonl: it already has a member "urlsum"/],
      ['twice.csv', 'url,url\nhttp://h/,\n', /twice.csv: it has two columns "url"/],
    ] as const) {
      await drop(page, Buffer.from(text), name);
      await page.locator('#column').fill('url');
      await page.locator('#file-preview .notice', { hasText: sentence }).waitFor();
    }
    await saved(page, Buffer.from('no url\nhttp://h/\n'), 'good.txt');
    assert.is(await page.locator('#file-preview .notice').count(), 0);
  }));

test('what is not text reaches neither preview nor announcement', () =>
  visit({ script: NO_PICKER }, async (page) => {
    for (const [name, bytes] of [
      ['random.txt', randomBytes(20_000)],
      ['random.csv', randomBytes(20_000)],
      ['packed.jsonl.gz', gzipSync(randomBytes(20_000))],
    ] as const) {
      await drop(page, bytes, name);
      await page.locator('#file-preview .notice', { hasText: name }).waitFor();
      const said = `${name}: it is not text in UTF-8`;
      assert.equal(await textOf(page, '#file-preview, #announcer'), [said, said]);
      assert.ok(await page.locator('#file-start').isDisabled());
    }
    const names = Array.from({ length: 300 }, (_, column) => `column ${column} ${'x'.repeat(100)}`);
    await drop(page, Buffer.from(`${names.join(',')}\n`), 'wide.csv');
    await page.locator('#file-preview .notice', { hasText: /wide.csv: CSV needs .*more characters/ }).waitFor();
    assert.ok((await textOf(page, '#announcer'))[0]!.length <= 301);
  }));

const EMPTY_FILES = [
  ['', ''],
  ['\ufeff', ''],
  ['\n', '  \n'],
  ['http://h/', urlsum([], 'http://h/').stdout.toString()],
] as const;

test('files of hardly anything', () =>
  visit({ script: NO_PICKER }, async (page) => {
    for (const [text, expected] of EMPTY_FILES) {
      assert.is((await saved(page, Buffer.from(text), 'urls.txt')).bytes.toString(), expected);
    }
  }));

/** A real file handle, of the origin's private file system, in place of the dialog. */
const PICKER = `window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`;
const CLOSED_PICKER = `window.showSaveFilePicker = async () => { throw new DOMException('The user aborted a request.', 'AbortError') }`;
const savedText = (page: Page, name: string) =>
  page.evaluate(
    async (fileName) =>
      (await (await (await navigator.storage.getDirectory()).getFileHandle(fileName)).getFile()).text(),
    name,
  );

test('with a save dialog the rows go straight into the file', () =>
  visit({ script: NO_PICKER }, async (page) => {
    await page.evaluate(PICKER);
    const bytes = fileOfLines();
    await drop(page, bytes);
    await page.locator('input[name=format][value=hex]').check();
    await page.locator('#file-start').click();
    await page.locator('#file-result .verdict').waitFor();
    assert.is(await page.locator('.download').count(), 0);
    assert.is(await savedText(page, 'urls.txt.hex'), urlsum(['--format', 'hex'], bytes).stdout.toString());
  }));

test('a save dialog that is closed starts nothing, and is not a failure', () =>
  visit({ script: NO_PICKER }, async (page) => {
    await page.evaluate(CLOSED_PICKER);
    await drop(page, Buffer.from('http://h/\n'));
    await page.locator('#file-start').click();
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
    assert.is(await page.locator('#file-result').textContent(), '');
    assert.ok(await page.locator('#file-start').isEnabled());
  }));

test('where the result cannot be written, the reason is in our words', () =>
  visit({ script: NO_PICKER }, async (page) => {
    await drop(page, Buffer.from('http://h/\n'));
    for (const [name, reason] of [
      ['QuotaExceededError', 'there is no room for the result'],
      ['NotAllowedError', 'the browser was not allowed to write the result'],
      ['SecurityError', 'the browser gave up (SecurityError)'],
    ] as const) {
      await page.evaluate((error) => {
        window.showSaveFilePicker = () => Promise.reject(new DOMException('Failed to execute', error));
      }, name);
      await page.locator('#file-start').click();
      await page.locator('#file-result', { hasText: `Not done: ${reason}.` }).waitFor();
    }
  }));

/** Chosen in the page, since its 120 MB would take long to get there. */
const CHOOSE_LARGE = () => {
  const lines = new Blob(['https://example.com/article/with/a/path?id=1\n'.repeat(20_000)]);
  const chosen = new DataTransfer();
  chosen.items.add(
    new File(
      Array.from({ length: 140 }, () => lines),
      'large.txt',
    ),
  );
  const input = document.querySelector<HTMLInputElement>('#file-input')!;
  input.files = chosen.files;
  input.dispatchEvent(new Event('change'));
};

test('a run shows how far it is, and can be cancelled: then nothing is saved', async () => {
  for (const picker of [NO_PICKER, PICKER]) {
    await visit({ script: NO_PICKER }, async (page) => {
      await page.evaluate(picker);
      await page.evaluate(CHOOSE_LARGE);
      await page.locator('#file-start').click();
      await page
        .locator('#file-figures', {
          hasText: /^\d+ % · [\d,]+ rows · 0 without a hash · [\d,]+ rows and [\d.]+ MB per second$/,
        })
        .waitFor();
      assert.ok((await page.locator('#file-progress').getAttribute('value')) !== '0');
      assert.is(await focused(page), 'file-cancel');
      await page.locator('#file-cancel').click();
      await page.locator('#file-result', { hasText: 'Cancelled' }).waitFor();
      assert.is(await focused(page), 'file-start');
      assert.is(await page.locator('.download').count(), 0);
      assert.ok(await page.locator('#file-start').isEnabled());
      if (picker === PICKER) assert.is(await savedText(page, 'large.txt.urlsum'), '');
    });
  }
});

run();
