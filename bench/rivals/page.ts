import { type Browser, open, versionOf } from '../../test/runtimes/browser.ts';
import { GroupClock } from './group-clock.ts';
import { PageSite } from './page-site.ts';
import type { Connection, Start } from './program.ts';

/** The built package in a page, which a browser of its own opens. */
export function page(browser: Browser): Start {
  return { name: browser.name, connect: (path) => connect(browser, path) };
}

async function connect(browser: Browser, path: string): Promise<Connection> {
  const [name, version = ''] = (await versionOf(browser)).split(' ') as [string, string?];
  const site = new PageSite(path);
  const address = `${await site.open()}?${new URLSearchParams({ name, version })}`;
  const { group, ended, stop } = open(browser, address);
  site.clock = new GroupClock(group);
  site.requests.once('finish', stop);
  void ended.then(() => site.close());
  return site;
}
