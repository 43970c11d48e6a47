import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PATIENCE_SECONDS = 900;
/** A machine may need its own certificates to reach the registries. */
const CERTIFICATES = Object.entries(process.env).filter(([name]) => /CERT|CA_BUNDLE/.test(name));

const made: string[] = [];
process.on('exit', () => {
  for (const root of made) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

/** An empty folder with a home of its own, where nothing of this project lies but what is copied there. */
export class Machine {
  /** Where commands run. */
  readonly folder: string;
  readonly home: string;
  #path: string[];
  readonly #variables: Record<string, string> = {};
  readonly #log: string;

  /** @param path the folders of programs */
  constructor(name: string, path: readonly string[]) {
    const root = mkdtempSync(join(tmpdir(), 'urlsum-artifact-'));
    made.push(root);
    [this.folder, this.home] = [join(root, 'work'), join(root, 'home')];
    for (const folder of [this.folder, this.home, 'build/artifacts']) mkdirSync(folder, { recursive: true });
    this.#path = [...path];
    this.#log = join('build/artifacts', `${name.replaceAll(/\W+/g, '-')}.log`);
    writeFileSync(this.#log, '');
  }

  /** Copies a file or a folder of the release. @returns what commands call it */
  take(path: string): string {
    cpSync(path, join(this.folder, basename(path)), { recursive: true });
    return `./${basename(path)}`;
  }

  /** @param folder of programs, which come before others */
  addPath(folder: string): void {
    this.#path = [folder, ...this.#path];
  }

  setVariable(name: string, value: string): void {
    this.#variables[name] = value;
  }

  get environment(): Record<string, string> {
    const own = { HOME: this.home, PATH: this.#path.join(':'), LC_ALL: 'C.UTF-8', NO_COLOR: '1', CI: '1' };
    return { ...Object.fromEntries(CERTIFICATES as [string, string][]), ...own, ...this.#variables };
  }

  /**
   * Runs a line of the shell, and notes it and what it says in build/artifacts/.
   *
   * @returns what it prints, standard error first
   * @throws where its status is another
   */
  async run(command: string, expectedStatus = 0): Promise<string> {
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', `set -o pipefail; ${command}`], {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const timer = setTimeout(killGroup, PATIENCE_SECONDS * 1000, child.pid!);
    const said = { errors: '', output: '' };
    child.stderr.setEncoding('utf8').on('data', (part: string) => void (said.errors += part));
    child.stdout.setEncoding('utf8').on('data', (part: string) => void (said.output += part));
    const status = await new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    clearTimeout(timer);
    killGroup(child.pid!);
    const all = said.errors + said.output;
    appendFileSync(this.#log, `$ ${command}\n${all}${status === 0 ? '' : `[status ${status}]\n`}`);
    if (status !== expectedStatus) throw new Error(`$ ${command}\nends with status ${status}\n${all.slice(-3000)}`);
    return all;
  }

  /** Runs a command, one of whose lines must be this. */
  async mustSay(command: string, line: string): Promise<void> {
    const said = await this.run(command);
    if (!said.split('\n').includes(line)) throw new Error(`$ ${command}\ndoes not say ${line}\n${said.slice(-3000)}`);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

/** Ends what a command has started and left. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ended already
  }
}

/** A folder of programs, for machines that have only these; those in JavaScript are run by the machine's Node. */
export function programs(folder: string, paths: Readonly<Record<string, string>>): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(paths)) {
    if (!/\.m?js$/.test(path)) symlinkSync(path, join(folder, name));
    else writeFileSync(join(folder, name), `#!/bin/sh\nexec node '${path}' "$@"\n`, { mode: 0o755 });
  }
  return folder;
}
