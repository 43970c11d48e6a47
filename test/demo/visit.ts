import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openBrowser } from '../support/chromium.ts';
import { type FileServer, serve } from '../support/file-server.ts';

export const FOLDER = 'build/demo';
const DESKTOP: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  permissions: ['clipboard-read', 'clipboard-write'],
};
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true };

/** A machine may be slow: this is for what never comes. */
const PATIENCE_MS = 180_000;
export const NO_PICKER = 'window.showSaveFilePicker = undefined';

/** A tab, and what the browser has complained of in it. */
interface Tab {
  readonly page: Page;
  readonly complaints: string[];
  /** Leaving a page ends its requests: on a busy machine its icon may still be on its way. */
  isLeaving: boolean;
}

export interface Visit {
  readonly options?: BrowserContextOptions;
  readonly fragment?: string;
  /** Runs before the page's own scripts. */
  readonly script?: string;
  readonly origin?: string;
  /** Complaints of the browser that belong to the test. */
  readonly expected?: RegExp;
}

/** The page in a Chromium of its own, for the tests of one file. */
export interface Demo {
  /** A test that needs the browser. */
  test(name: string, run: () => Promise<void>): void;
  /** Visits the page, and holds it to silence: no error, no warning, no request to anywhere else. */
  visit(visit: Visit, look: (page: Page) => Promise<void>): Promise<void>;
  run(): void;
}

export async function openDemo(name: string): Promise<Demo> {
  const tests = suite(name);
  const browser = await openBrowser();
  if (browser === undefined) return { test() {}, visit: async () => {}, run: () => tests.run() };
  let server: FileServer;
  tests.before(async () => {
    assert.ok(existsSync(`${FOLDER}/index.html`), '`node build.mjs test` builds the page');
    server = await serve(FOLDER);
  });
  tests.after(async () => {
    server.close();
    await browser.close();
  });
  const tabs = new Tabs(browser);
  return {
    test: (testName, run) => void tests(testName, run),
    visit: (visit, look) => tabs.visit({ origin: server.origin, ...visit }, look),
    run: () => tests.run(),
  };
}

class Tabs {
  readonly #browser: Browser;
  /** Tabs that no test uses, by how they were opened: a new one takes a process and a second of the processor. */
  readonly #idle = new Map<string, Tab[]>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async visit(
    { options = DESKTOP, fragment = '', script = '', origin, expected }: Visit & { readonly origin: string },
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const how = JSON.stringify([options, script, origin]);
    const idle = this.#idle.get(how) ?? [];
    this.#idle.set(how, idle);
    const tab = idle.pop() ?? (await this.#open(options, script, origin));
    const { page, complaints } = tab;
    tab.isLeaving = false;
    await page.goto(`${origin}/${fragment}`);
    await look(page);
    tab.isLeaving = true;
    await page.goto('about:blank');
    assert.equal(
      complaints.splice(0).filter((complaint) => expected?.test(complaint) !== true),
      [],
    );
    idle.push(tab);
  }

  async #open(options: BrowserContextOptions, script: string, origin: string): Promise<Tab> {
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const tab: Tab = { page, complaints: [], isLeaving: false };
    const { complaints } = tab;
    context.on(
      'console',
      (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(message.text())),
    );
    context.on('weberror', (error) => void complaints.push(error.error().message));
    context.on('requestfailed', (request) => void (tab.isLeaving || complaints.push(`${request.url()} failed`)));
    context.on(
      'request',
      (request) =>
        void (
          request.url().startsWith(origin) ||
          /^(?:blob|data):/.test(request.url()) ||
          complaints.push(`a request to ${request.url()}`)
        ),
    );
    page.setDefaultTimeout(PATIENCE_MS);
    if (script !== '') await page.addInitScript(script);
    return tab;
  }
}

export async function drop(page: Page, bytes: Buffer, name = 'urls.txt'): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([base64, fileName]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], fileName));
      return transfer;
    },
    [bytes.toString('base64'), name] as const,
  );
  await page.dispatchEvent('#drop', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
}

export async function runBenchmark(page: Page): Promise<void> {
  await page.locator('#benchmark-count').selectOption('2000');
  await page.locator('#benchmark-start').click();
  await page.locator('#benchmark-result > *').first().waitFor();
}

export const textOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((text) => text.trim());

/** Opens what a specification makes of the line: `URL`, `Safe Browsing`, `Hashed URI`, `Hash-URI`. */
export const openPanel = (page: Page, name: string) =>
  page.locator('.tabs label').getByText(name, { exact: true }).click();

/** The id of the element that has the focus. */
export const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');
