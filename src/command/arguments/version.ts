import { readFile } from 'node:fs/promises';
import { kernelName } from '../../core/kernel/open.ts';
import { PROFILE } from '../../core/url/profile.ts';
import { print } from '../write/output.ts';

/** Two folders above dist/esm/cli.js. */
const PACKAGE_URL = new URL('../../package.json', import.meta.url);

export async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(PACKAGE_URL, 'utf8')) as { version: string }).version;
}

export async function printVersion(): Promise<void> {
  await print(`urlsum ${await packageVersion()} profile ${PROFILE} kernel ${kernelName()}\n`);
}
