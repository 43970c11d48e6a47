import { Failure } from '../url/failure.ts';
import { serializeIpv4 } from '../url/ipv4.ts';
import { type Ipv6Address, parseIpv6, serializeIpv6 } from '../url/ipv6.ts';

// RFC 4291 §2.5.5.2 and RFC 6052 §2.1: the 96 bits before an IPv4 address
const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff];
const WELL_KNOWN_NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

/** Longer than any IPv6 address with its brackets (RFC 4291 §2.2: 45 characters). */
const LENGTH_LIMIT = 47;

/** The address that a host in brackets spells, or undefined: a zone, say, or `[::g]`, which stay names. */
export function bracketedAddress(host: string): Ipv6Address | undefined {
  if (host.length > LENGTH_LIMIT || !host.startsWith('[') || !host.endsWith(']')) return undefined;
  const address = parseIpv6(host.slice(1, -1));
  return address instanceof Failure ? undefined : address;
}

/** v5's step 4: RFC 5952 in brackets, or the IPv4 address that an IPv4-mapped or NAT64 address carries. */
export function canonicalIpv6(address: Ipv6Address): string {
  const carriesIpv4 = startsWith(address, IPV4_MAPPED) || startsWith(address, WELL_KNOWN_NAT64);
  return carriesIpv4 ? serializeIpv4(address[6]! * 0x10000 + address[7]!) : `[${serializeIpv6(address)}]`;
}

function startsWith(address: Ipv6Address, pieces: readonly number[]): boolean {
  return pieces.every((piece, index) => address[index] === piece);
}
