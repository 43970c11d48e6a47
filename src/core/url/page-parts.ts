// docs/parameters.md defines what this file does.

import { FOLD_HTTPS, FOLD_WWW } from '../../../assembly/layout.ts';
import { COLON, codeAt, isAsciiDigit, LEFT_BRACKET } from '../bytes/code-points.ts';
import { foldedPath, pathStart, withoutWww } from './folds.ts';
import { InForce } from './page-settings.ts';

/** The parts of an http or https URL before its query: its scheme, user, host, port and path. */
export class PageParts {
  private readonly scheme: string;
  private readonly user: string;
  private readonly host: string;
  /** The host without leading `www` labels. */
  readonly bareHost: string;
  private readonly port: string;
  readonly path: string;

  constructor(scheme: string, user: string, host: string, port: string, path: string) {
    this.scheme = scheme;
    this.user = user;
    this.host = host;
    this.bareHost = withoutWww(host);
    this.port = port;
    this.path = path;
  }

  /** Returns the page as the folds in force make it. */
  folded(inForce: InForce): string {
    const folds = inForce.folds;
    const scheme = (folds & FOLD_HTTPS) !== 0 && this.port === '' ? 'https' : this.scheme;
    const host = (folds & FOLD_WWW) !== 0 ? this.bareHost : this.host;
    return `${scheme}://${this.user}${host}${this.port}${foldedPath(this.path, folds, inForce.pathLength)}`;
  }
}

/** Returns null for a URL that is not a page. */
export function partsOf(page: string): PageParts | null {
  const authorityEnd = pathStart(page);
  if (authorityEnd === -1) return null;
  const colon = page.indexOf(':');
  const at = page.indexOf('@', colon);
  const host = at === -1 || at > authorityEnd ? colon + 3 : at + 1;
  let hostEnd = host;
  if (codeAt(page, host) === LEFT_BRACKET) hostEnd = page.indexOf(']', host) + 1;
  else while (hostEnd < authorityEnd && codeAt(page, hostEnd) !== COLON) hostEnd++;
  let portEnd = hostEnd;
  if (codeAt(page, hostEnd) === COLON) for (portEnd++; isAsciiDigit(codeAt(page, portEnd)); ) portEnd++;
  return new PageParts(
    page.slice(0, colon),
    page.slice(colon + 3, host),
    page.slice(host, hostEnd),
    page.slice(hostEnd, portEnd),
    page.slice(portEnd),
  );
}
