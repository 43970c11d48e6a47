// The fields of package.json that say where the source is: they are those of the clone that is released, so that a fork
// does not claim to be another's.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns `repository`, `homepage` and `bugs` by the git remote `origin`; undefined if that is not the address of a
 * host.
 */
export function repositoryFields() {
  let remote;
  try {
    remote = execFileSync('git', ['config', '--get', 'remote.origin.url'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
  return fieldsOf(remote);
}

/** An address as git takes it: `https://…`, `ssh://git@…`, `git@host:owner/name.git`. */
export function fieldsOf(remote) {
  const [, host, path] =
    /^(?:(?:https|ssh|git):\/\/(?:[^/@]*@)?|[\w-]+@)([\w.-]+)(?::\d+)?[/:]([^\s]+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  if (host === undefined) return undefined;
  const url = `https://${host}/${path}`;
  return {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  };
}

// The notes of a release: the section of CHANGELOG.md by its version.

/** @throws if the changelog lacks that section */
export function releaseNotes(version) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const section = sections.find((each) => /^\[?([\w.-]+)/.exec(each)?.[1] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  const [, ...lines] = section.split('\n');
  return `# urlsum ${version}\n${lines.join('\n')}`;
}
