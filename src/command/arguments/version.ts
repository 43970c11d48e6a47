import { readFile } from 'node:fs/promises';
import { print } from '../write/output.ts';

/** Two folders above dist/esm/cli.js. */
const PACKAGE_URL = new URL('../../package.json', import.meta.url);

export async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(PACKAGE_URL, 'utf8')) as { version: string }).version;
}

export async function printVersion(): Promise<void> {
  const { kernelName } = await import('../../core/kernel/open.ts');
  const { PROFILE } = await import('../../core/url/profile.ts');
  await print(`urlsum ${await packageVersion()} profile ${PROFILE} kernel ${kernelName()}\n`);
}
