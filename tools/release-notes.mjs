// The notes of a release: the section of CHANGELOG.md by its version.
import { readFileSync } from 'node:fs';

/** @throws if the changelog lacks that section */
export function releaseNotes(version) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const section = sections.find((each) => /^\[?([\w.-]+)/.exec(each)?.[1] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  const [, ...lines] = section.split('\n');
  return `# urlsum ${version}\n${lines.join('\n')}`;
}
