import { isIP } from 'node:net';
import { contentOf, type LeftOutKind, type Listed, leftOut, type ReadLine, type Refusal, type Span } from './line.ts';

/** What systems and the authors of block lists put into every hosts file. */
const LOCAL_NAME =
  /^(?:(?:.*\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)\.?$/i;

/** Connections there reach nothing, or the machine itself: 0.0.0.0, also written 0, 127.0.0.0/8, :: and ::1. */
const BLOCKING_ADDRESS = /^(?:0|0\.0\.0\.0|127(?:\.\d+){3}|[0:]+1?)$/;

const HOST = /^[\w.\x80-\xff-]+$/;

const NO_ADDRESS: Refusal = {
  reason: 'no-address',
  sentence: 'a line of a hosts file begins with an address; --input lines reads hosts alone',
};
const NO_HOST: Refusal = { reason: 'no-host', sentence: 'there is no host after the address' };
const NOT_HOST: Refusal = { reason: 'not-a-host', sentence: 'a hosts file has hosts after the address, and no more' };
const OTHER_ADDRESS: Refusal = {
  reason: 'address-in-use',
  sentence: 'it gives a host an address, and blocks none: that would be 0.0.0.0, 127.0.0.1, :: or ::1',
};

/** An address and one host or several (hosts(5)); # begins a comment. */
export const readHostsLine: ReadLine = (line) => {
  const comment = line.indexOf('#');
  const words = wordsOf(comment === -1 ? line : line.slice(0, comment));
  const [address, ...hosts] = words.map(({ start, end }) => line.slice(start, end));
  if (address === undefined) return comment === -1 ? leftOut() : leftOut('comments');
  if (isIP(address) === 0 && address !== '0') return NO_ADDRESS;
  if (hosts.length === 0) return NO_HOST;
  if (!hosts.every((host) => HOST.test(host))) return NOT_HOST;
  const listed = listedOf(hosts, words.slice(1));
  return listed.urls.length === 0 || BLOCKING_ADDRESS.test(address) ? listed : OTHER_ADDRESS;
};

function listedOf(hosts: readonly string[], spans: readonly Span[]): Listed {
  const local = hosts.filter((host) => LOCAL_NAME.test(host));
  return {
    urls: spans.filter((_, at) => !LOCAL_NAME.test(hosts[at]!)),
    leftOut: local.map((): LeftOutKind => 'localNames'),
  };
}

function wordsOf(text: string): Span[] {
  const { end } = contentOf(text);
  return Array.from(text.slice(0, end).matchAll(/\S+/g), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
}
