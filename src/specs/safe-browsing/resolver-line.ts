import { BLOCKING_ADDRESS, type BlockListLine, leftOut, trimmed } from './block-list.ts';

/** The first group is a host, or several with a slash between them; the second an address, where there is one. */
const BLOCKING: readonly RegExp[] = [
  /^(?:address|server|local)=\/([^/]+(?:\/[^/]+)*)\/(?:#|([\da-f.:]+))?$/i, // dnsmasq
  /^local-zone:[\t ]*"?([^\t "]+)"?[\t ]+"?(?:always_(?!transparent)\w+|static|refuse|deny|redirect|inform_\w+)"?$/,
  /^local-data:[\t ]*["']([^\t ]+)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?(?:A|AAAA)[\t ]+([\da-f.:]+)["']$/i, // unbound
  /^([^*\t ][^\t ]*)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?CNAME[\t ]+(?:\.|\*\.|rpz-drop\.)$/i, // RPZ
];
const PASSING = /^([^*\t ][^\t ]*)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?CNAME[\t ]+rpz-passthru\.$/i;
/** In RPZ the hosts under one, which a list entry of the one has with it. */
const HOSTS_UNDER = /^\*\./;

/**
 * Reads a line that tells a name server not to resolve a host: of a response policy zone, of unbound or of dnsmasq. What
 * names no host, such as `$TTL`, is a directive.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-vixie-dnsop-dns-rpz-00
 * @see https://nlnetlabs.nl/documentation/unbound/unbound.conf/
 * @see https://thekelleys.org.uk/dnsmasq/docs/dnsmasq-man.html
 */
export function readResolverLine(line: string): BlockListLine {
  const text = trimmed(line.replace(/(?:^|[\t ])[;#].*/, ''));
  if (text === '') return leftOut('comments');
  const passed = PASSING.exec(text)?.[1];
  if (passed !== undefined) return ofHosts([passed], 'exception', text);
  const found = BLOCKING.map((pattern) => pattern.exec(text)).find((each) => each !== null);
  const [, hosts, address = '0.0.0.0'] = found ?? [];
  if (hosts !== undefined && BLOCKING_ADDRESS.test(address)) return ofHosts(hosts.split('/'), 'block', text);
  return leftOut(HOSTS_UNDER.test(text) ? 'patterns' : 'directives');
}

function ofHosts(urls: readonly string[], effect: 'block' | 'exception', key: string): BlockListLine {
  return { urls, leftOut: [], rule: { effect, isImportant: false, key } };
}
