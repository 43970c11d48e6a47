import { parsedIpv6 } from '../../core/url/parsed-url.ts';
import { BLOCK, type LeftOutKind, leftOut, type ReadLine, type Rule, refusal, trimmed } from './block-list.ts';

/** Names that systems and the authors of block lists put into every hosts file. */
const LOCAL_NAME =
  /^(?:(?:.*\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)\.?$/i;

/** Addresses that reach nothing, or the machine itself: 0.0.0.0, also written 0, 127.0.0.0/8, :: and ::1. */
const BLOCKING_ADDRESS = /^(?:0|0\.0\.0\.0|127(?:\.\d+){3}|[0:]+1?)$/;

/** An address, or 0, and something after it. */
export const HOSTS_LINE = /^(?:0|\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)[\t ]+\S/i;

const HOST = /^(?:[\w.-]|[^\0-\x7f])+$/;

const IPV4 = /^(?:0|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4})$/;

/** IPv4 in four decimal numbers, or 0; IPv6 with or without a zone (RFC 4007 section 11). */
export function isAddress(word: string): boolean {
  return IPV4.test(word) || (word.includes(':') && parsedIpv6(word.split('%', 1)[0]!) !== undefined);
}

/** Whether a host with this address is not reached. */
export function isBlocking(address: string): boolean {
  return BLOCKING_ADDRESS.test(address) && isAddress(address);
}

export const BLOCK_ALONE: Rule = { ...BLOCK, reach: 'alone' };

/** Reads an address with one or more hosts (hosts(5)); # begins a comment. */
export const readHostsLine: ReadLine = (line) => {
  const comment = line.indexOf('#');
  const words = trimmed(comment === -1 ? line : line.slice(0, comment)).split(/[\t-\r ]+/);
  const [address = '', ...hosts] = words.map(trimmed);
  if (address === '') return comment === -1 ? leftOut() : leftOut('comments');
  if (!isAddress(address)) return refusal('no-address');
  if (hosts.length === 0) return refusal('no-host');
  if (!hosts.every((host) => HOST.test(host))) return refusal('not-a-host');
  const urls = hosts.filter((host) => !LOCAL_NAME.test(host));
  if (urls.length > 0 && !isBlocking(address)) return refusal('address-in-use');
  const localNames = Array.from({ length: hosts.length - urls.length }, (): LeftOutKind => 'localNames');
  return { urls, leftOut: localNames, rule: BLOCK_ALONE };
};
