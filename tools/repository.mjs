// The fields of package.json that say where the source is: they are those of the clone that is released, so that a fork
// does not claim to be another's.
import { execFileSync } from 'node:child_process';

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
