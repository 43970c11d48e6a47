import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as Linux follows (path_resolution(7)). */
const LINK_LIMIT = 40;

/** Where a path to write to leads: a descriptor that this process has open, or a path that is not a symbolic link. */
export type Target = { readonly descriptor: number } | { readonly path: string };

/**
 * Follows symbolic links, also to what does not exist yet. /dev/stdout, /dev/fd/3 and links to them stand for open
 * descriptors: what lies under the name of such a file is not to be replaced.
 *
 * @throws where a folder on the way does not exist, or links lead in a circle
 */
export function targetOf(path: string): Target {
  let at = path;
  for (let links = 0; links < LINK_LIMIT; links++) {
    const folder = realpathSync(dirname(at));
    if (isDescriptorFolder(folder) && /^\d+$/.test(basename(at))) return { descriptor: Number(basename(at)) };
    const link = linkAt(at);
    if (link === undefined) return { path: join(folder, basename(at)) };
    at = resolve(folder, link);
  }
  throw new Error(`ELOOP: too many symbolic links, open '${path}'`);
}

/** On Linux /dev/fd leads to the folder under /proc, on BSD and macOS it is a folder itself. */
function isDescriptorFolder(folder: string): boolean {
  return folder === '/dev/fd' || folder === `/proc/${process.pid}/fd`;
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT') return undefined; // not a link, or nothing there yet
    throw error;
  }
}
