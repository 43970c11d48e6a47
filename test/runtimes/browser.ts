import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch.ts';
import { type Launched, launch, run } from './process.ts';
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

/** 'Chromium 156.0.8078.79'; just its name where there is none. */
export async function versionOf({ name, commands }: Browser): Promise<string> {
  try {
    return `${name} ${/\d[\d.]*/.exec(await run(found(commands), ['--version']))![0]}`;
  } catch {
    return name; // its rows are skipped, and say why
  }
}

/** Opens an address in a browser of its own, with a profile that has nothing in it. @throws {Skipped} where none is */
export function open(browser: Browser, url: string): Launched {
  const command = found(browser.commands);
  const profile = scratchFolder(`${browser.name}-${Date.now()}`);
  writeFileSync(join(profile, 'user.js'), FIREFOX_PREFERENCES);
  return launch(command, browser.args(profile, url));
}
