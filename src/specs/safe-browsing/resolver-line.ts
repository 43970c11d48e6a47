import {
  BLOCK,
  type BlockListLine,
  type LeftOutKind,
  leftOut,
  type Rule,
  refusal,
  ruleFor,
  trimmed,
} from './block-list.ts';
import { BLOCK_ALONE, isAddress, isBlocking } from './hosts-line.ts';

/** The first group is what a line of dnsmasq does with the names in the second, the third the answer. */
const DNSMASQ = /^(address|server|local)[\t ]*=[\t ]*"?\/([^"\s]*)\/([^"/\s]*)"?$/i;

/** A name in the second group, its type in the fourth. */
const LOCAL_ZONE = /^local-zone:[\t ]*(["']?)([^"'\s]+)\1[\t ]+(["']?)(\w+)\3$/i;
const LOCAL_DATA = /^local-data:[\t ]*(["'])[\t ]*([^"'\s]+)[\t ]+(?:\d+[\t ]+)?(?:IN[\t ]+)?(?:A|AAAA)[\t ]+(\S+)\1$/i;

/** Types of zones of unbound: those that hide the zone and all under it, and those that answer as others would. */
const BLOCKING_ZONE =
  /^(?:always_(?:nxdomain|null|refuse|deny|nodata)|static|refuse|deny|redirect|inform_(?:deny|redirect))$/i;
const PASSING_ZONE = /^(?:transparent|typetransparent|always_transparent|inform|nodefault|noview)$/i;

const INCLUDE = /^(?:include(?:-toplevel)?:|(?:conf-file|conf-dir|addn-hosts|hostsdir|servers-file)[\t ]*=)/i;

/** Settings that name no host to block, as they stand in files of unbound and dnsmasq. */
const SETTING =
  /^(?:server|forward-zone|stub-zone|auth-zone|rpz|view|remote-control|python|dynlib):$|^local-(?:data|data-ptr|zone-override|zone-tag):|^(?:no-(?:resolv|poll|hosts|negcache|daemon)|bogus-priv|domain-needed|expand-hosts|strict-order|all-servers|bind-(?:interfaces|dynamic)|localise-queries|log-queries|stop-dns-rebind|rebind-localhost-ok|dnssec|filterwin2k)$|^(?:server|local|bogus-nxdomain|cache-size|domain|except-interface|interface|listen-address|local-ttl|port|rebind-domain-ok|resolv-file|rev-server|user|group)[\t ]*=/i;

/** Whether a line is one of unbound or dnsmasq. */
export function isResolverLine(line: string): boolean {
  return (
    /^(?:address|server|local)[\t ]*=[\t ]*"?\/|^local-zone:/i.test(line) || INCLUDE.test(line) || SETTING.test(line)
  );
}

/**
 * Reads a line that tells unbound or dnsmasq what to answer for a host and those under it. Of two that fit a name, the
 * longer one counts; of two for one name, an address, or else what lets it pass.
 *
 * @see https://nlnetlabs.nl/documentation/unbound/unbound.conf/
 * @see https://thekelleys.org.uk/dnsmasq/docs/dnsmasq-man.html
 */
export function readResolverLine(line: string): BlockListLine {
  const text = trimmed(line.replace(/(?:^|[\t ])#.*/s, ''));
  if (text === '') return leftOut(line.includes('#') ? 'comments' : 'directives');
  const [, action, names, answer] = DNSMASQ.exec(text) ?? [];
  if (action !== undefined) return ofDnsmasq(action, names!.split('/'), answer!, text);
  const [, , zone, , type] = LOCAL_ZONE.exec(text) ?? [];
  if (zone !== undefined) return ofZone(zone, type!, text);
  const [, , host, address] = LOCAL_DATA.exec(text) ?? [];
  if (host !== undefined && isBlocking(address!)) return ruleFor([host], BLOCK_ALONE, text);
  if (/^local-data:/i.test(text)) return leftOut('otherAnswers');
  if (INCLUDE.test(text)) return leftOut('includes');
  return SETTING.test(text) ? leftOut('directives') : refusal('unknown-answer');
}

/** `address=` gives names an address, or none; `server=` and `local=` ask a server about them, or none. */
function ofDnsmasq(action: string, given: readonly string[], answer: string, key: string): BlockListLine {
  const asks = action.toLowerCase() !== 'address';
  const isKnown = answer === '' || answer === '#' || isAddress(asks ? answer.replace(/[#@].*/s, '') : answer);
  if (!isKnown) return refusal('unknown-answer');
  const names = given.filter((name) => name !== '');
  if (names.length === 0) return leftOut('directives'); // names without a dot
  const effect = asks && answer !== '' ? 'exception' : 'block';
  const wild = names.filter((name) => name.startsWith('*.'));
  const isBelow = wild.length === names.length;
  const urls = names.flatMap((name) => {
    if (name.startsWith('*.')) return isBelow || effect === 'block' ? [name.slice(2)] : [];
    return /[*#]/.test(name) ? [] : [name];
  });
  const missed: LeftOutKind = effect === 'exception' ? 'exceptions' : 'patterns';
  const kinds = Array.from({ length: names.length - urls.length }, () => missed);
  if (urls.length === 0) return leftOut(...kinds);
  const reach = isBelow ? 'below' : 'whole';
  const rule: Rule = { ...BLOCK, effect, reach, overrules: false, withstands: effect === 'block' && answer !== '' };
  return { ...ruleFor(urls, rule, key), leftOut: kinds };
}

function ofZone(zone: string, type: string, key: string): BlockListLine {
  const isPassing = PASSING_ZONE.test(type);
  if (!isPassing && !BLOCKING_ZONE.test(type)) return refusal('unknown-answer');
  return ruleFor([zone], { ...BLOCK, effect: isPassing ? 'exception' : 'block', overrules: false }, key);
}
