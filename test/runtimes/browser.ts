import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, run } from './process.ts';
import { scratch } from './scratch.ts';
import { Site } from './site.ts';
import { found } from './tool.ts';

export interface Browser {
  readonly name: string;
  readonly commands: readonly string[];
  args(profile: string, url: string): string[];
}

/** No sandbox, which containers forbid; nothing in the background, which would outlive the visit. */
const CHROMIUM_ARGS = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-dev-shm-usage',
  '--disable-gpu',
];

export const CHROMIUM: Browser = {
  name: 'Chromium',
  commands: ['chromium', 'chromium-browser', 'google-chrome'],
  args: (profile, url) => [...CHROMIUM_ARGS, `--user-data-dir=${profile}`, url],
};

export const FIREFOX: Browser = {
  name: 'Firefox',
  commands: ['firefox-esr', 'firefox'],
  args: (profile, url) => ['--headless', '--no-remote', '--profile', profile, url],
};

/** No first-run pages, no updates, nothing sent home. */
const FIREFOX_PREFERENCES = `
user_pref('browser.shell.checkDefaultBrowser', false);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('toolkit.telemetry.reportingpolicy.firstRun', false);
user_pref('app.update.enabled', false);
user_pref('network.captive-portal-service.enabled', false);
user_pref('network.connectivity-service.enabled', false);
user_pref('extensions.getAddons.cache.enabled', false);
user_pref('browser.aboutwelcome.enabled', false);
`;
/** So long that only a browser that has died takes it: all pages take 30 seconds of an idle processor. */
const VISIT_SECONDS = 900;

/** 'Chromium 156.0.8078.79'; just its name where there is none. */
export async function versionOf({ name, commands }: Browser): Promise<string> {
  try {
    return `${name} ${/\d[\d.]*/.exec(await run(found(commands), ['--version']))![0]}`;
  } catch {
    return name; // its rows are skipped, and say why
  }
}

export interface Visit {
  /** What each page has sent back, by its path. */
  readonly received: ReadonlyMap<string, string>;
  /** All that the browser has asked for. */
  readonly requested: readonly string[];
}

/** Opens the pages in one start of the browser. */
export async function visit(browser: Browser, folder: string, pages: readonly string[]): Promise<Visit> {
  const command = found(browser.commands);
  const profile = scratch(`${browser.name}-${Date.now()}`);
  writeFileSync(join(profile, 'user.js'), FIREFOX_PREFERENCES);
  const site = new Site(folder, pages);
  const process = launch(command, browser.args(profile, await site.open()));
  const timeout = AbortSignal.timeout(VISIT_SECONDS * 1000);
  try {
    await Promise.race([site.finished, new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
    return site;
  } finally {
    await process.stop();
    site.close();
  }
}
