import { readFile } from 'node:fs/promises';
import { kernelName } from '../../kernel/open.ts';
import { PROFILE } from '../../url/profile.ts';

/** The package, the profile of its canonical form, and the kernel this machine runs. */
export async function versionLine(packageUrl: URL): Promise<string> {
  const manifest = JSON.parse(await readFile(packageUrl, 'utf8')) as { version: string };
  return `urlsum ${manifest.version} profile ${PROFILE} kernel ${kernelName()}\n`;
}
