import { appendFileSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { FIREFOX, open } from '../runtimes/browser.ts';
import type { Launched } from '../runtimes/process.ts';
import { Skipped } from '../runtimes/row.ts';
import { reportAbsent } from '../support/absent.ts';
import { Marionette } from './marionette.ts';

/** Firefox writes the port that it chose into its profile. */
const PORT_FILE = 'MarionetteActivePort';
const ANY_PORT = `user_pref('marionette.port', 0);\n`;

/** Keys as WebDriver names them: https://w3c.github.io/webdriver/#keyboard-actions */
export const KEYS = { tab: '\ue004', enter: '\ue007', control: '\ue009', shift: '\ue008', right: '\ue014' } as const;

/** A Firefox with one page. */
export class Firefox {
  readonly #process: Launched;
  readonly #marionette: Marionette;

  /** `undefined` if Firefox is not on PATH. @throws if it is not and URLSUM_BROWSER_REQUIRED=1 */
  static async open(): Promise<Firefox | undefined> {
    try {
      const [process, port] = await started();
      const marionette = await Marionette.connect(port);
      await marionette.send('WebDriver:NewSession');
      await marionette.send('WebDriver:SetTimeouts', { script: 180_000 });
      return new Firefox(process, marionette);
    } catch (error) {
      if (!(error instanceof Skipped) || globalThis.process.env['URLSUM_BROWSER_REQUIRED'] === '1') throw error;
      reportAbsent('a Firefox on PATH');
      return undefined;
    }
  }

  private constructor(process: Launched, marionette: Marionette) {
    this.#process = process;
    this.#marionette = marionette;
  }

  async goTo(url: string): Promise<void> {
    await this.#marionette.send('WebDriver:Navigate', { url });
  }

  /** Returns what the body of an asynchronous function returns, in the page; `...args` are its arguments. */
  async evaluate<Value>(body: string, ...args: readonly unknown[]): Promise<Value> {
    const script = `const done = arguments[arguments.length - 1];
      (async function () { ${body} }).apply(null, arguments).then(done, (error) => done({ failure: String(error) }))`;
    const { value } = (await this.#marionette.send('WebDriver:ExecuteAsyncScript', {
      script,
      args,
      sandbox: null, // the page's own globals
    })) as { readonly value: Value & { readonly failure?: string } };
    if (value?.failure !== undefined) throw new Error(value.failure);
    return value;
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    await this.evaluate(`while (!(${expression})) await new Promise((shown) => requestAnimationFrame(shown))`);
  }

  /** Presses keys one after another, and of those in an array all but the first while the first is held. */
  async press(...keys: readonly (string | readonly [string, ...string[]])[]): Promise<void> {
    const stroke = (value: string) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ];
    const actions = keys.flatMap((key) => {
      if (typeof key === 'string') return Array.from(key).flatMap(stroke);
      const [held, ...others] = key;
      return [{ type: 'keyDown', value: held }, ...others.flatMap(stroke), { type: 'keyUp', value: held }];
    });
    await this.#marionette.send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** The page from then on stands in a frame of this width: windows are not as narrow as phones. */
  async goToFrame(url: string, width: number): Promise<void> {
    await this.goTo(`data:text/html,<iframe width="${width}" height="740" style="border:0" src="${url}">`);
    await this.#marionette.send('WebDriver:SwitchToFrame', { id: 0 });
    await this.until(`document.readyState === 'complete' && location.href.startsWith('http')`);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

async function started(): Promise<readonly [process: Launched, port: number]> {
  let folder = '';
  const args = (profile: string, url: string) => {
    folder = profile;
    appendFileSync(join(profile, 'user.js'), ANY_PORT);
    return ['--marionette', ...FIREFOX.args(profile, url)];
  };
  const launched = open({ ...FIREFOX, args }, 'about:blank');
  return [launched, await portIn(folder)];
}

/** The browser writes it when it listens. */
function portIn(folder: string): Promise<number> {
  const path = join(folder, PORT_FILE);
  return new Promise((resolve) => {
    const watcher = watch(folder, () => read());
    const read = () => {
      const port = Number(textOf(path));
      if (!(port > 0)) return;
      watcher.close();
      resolve(port);
    };
    read();
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not yet
  }
}
