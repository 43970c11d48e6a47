import { parseJson } from '../../core/bytes/json.ts';
import { quote } from '../../core/quote.ts';
import type { ThreatType } from '../lists/threats.ts';
import { type HttpAnswer, type HttpRequest, jsonAnswer, mustKnow, RpcError } from './rpc.ts';
import type { UrlChecks, UrlThreat } from './url-checks.ts';

// Safe Browsing v4 in JSON: the fields are those of its discovery document, safebrowsing.v4.

const MAX_ENTRIES = 500;

const UNSPECIFIED = 'THREAT_TYPE_UNSPECIFIED';
const PLATFORM_TYPES =
  'PLATFORM_TYPE_UNSPECIFIED WINDOWS LINUX ANDROID OSX IOS ANY_PLATFORM ALL_PLATFORMS CHROME'.split(' ');
const ENTRY_TYPES = 'THREAT_ENTRY_TYPE_UNSPECIFIED URL EXECUTABLE IP_RANGE CHROME_EXTENSION FILENAME CERT'.split(' ');

/** The question of a client. */
interface FindRequest {
  readonly urls: readonly string[];
  readonly types: readonly ThreatType[];
  readonly platform: string;
}

/**
 * `threatMatches:find`: one match per URL and threat type.
 *
 * @param known the types that can be told; a client that asks for another one must not take silence for an answer
 * @throws {RpcError}
 */
export function findThreatMatches(
  { query, body }: HttpRequest,
  checks: UrlChecks,
  known: readonly ThreatType[],
): HttpAnswer | Promise<HttpAnswer> {
  mustKnow(query, []);
  const { urls, types, platform } = requestIn(body, known);
  return checks.answer(
    urls,
    (index) => `threatInfo.threatEntries[${index}].url`,
    types,
    (checked) => {
      const matches = new Map<string, object>();
      for (const { url, threats } of checked)
        for (const threat of threats)
          matches.set(`${threat.type} ${url}`, matchOf(url, threat, platform, checks.secondsLeft(threat.expiresAt)));
      return jsonAnswer(matches.size === 0 ? {} : { matches: [...matches.values()] });
    },
  );
}

function matchOf(url: string, { type, ownLists }: UrlThreat, platformType: string, secondsLeft: number): object {
  const entries = ownLists.map((name) => ({ key: base64('list'), value: base64(name) }));
  return {
    threatType: type === 'UNKNOWN' ? UNSPECIFIED : type,
    platformType,
    threatEntryType: 'URL',
    threat: { url },
    ...(entries.length > 0 && { threatEntryMetadata: { entries } }),
    cacheDuration: `${secondsLeft}s`,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** `threatLists`: what can be asked for. */
export function listThreatLists({ query }: HttpRequest, known: readonly ThreatType[]): HttpAnswer {
  mustKnow(query, []);
  const types = { platformType: 'ANY_PLATFORM', threatEntryType: 'URL' };
  return jsonAnswer({ threatLists: known.map((threatType) => ({ threatType, ...types })) });
}

type Json = Readonly<Record<string, unknown>>;

/** @throws {RpcError} */
function requestIn(body: Uint8Array, known: readonly ThreatType[]): FindRequest {
  const request = fieldsOf(() => 'the body', parsed(body), ['client', 'threatInfo']);
  const names = ['threatTypes', 'platformTypes', 'threatEntryTypes', 'threatEntries'];
  const info = fieldsOf(() => 'threatInfo', request['threatInfo'], names);
  const field = (name: string) => `threatInfo.${name}`;
  const platforms = typesIn(field('platformTypes'), info['platformTypes'], PLATFORM_TYPES);
  const entryTypes = typesIn(field('threatEntryTypes'), info['threatEntryTypes'], ENTRY_TYPES);
  if (!entryTypes.includes('URL')) throw RpcError.badField(field('threatEntryTypes'), 'only URL can be looked up');
  const types = typesIn(field('threatTypes'), info['threatTypes'], [...known, UNSPECIFIED]);
  const asked = types.filter((type): type is ThreatType => type !== UNSPECIFIED);
  if (asked.length === 0) throw RpcError.badField(field('threatTypes'), 'it names no type of threat');
  const entries = listIn(field('threatEntries'), info['threatEntries']);
  if (entries.length > MAX_ENTRIES)
    throw RpcError.badField(
      field('threatEntries'),
      `there are ${entries.length}, and at most ${MAX_ENTRIES} are taken`,
    );
  return {
    urls: entries.map((entry, index) => urlIn(entry, index)),
    types: asked,
    platform: platforms.includes('ANY_PLATFORM') ? 'ANY_PLATFORM' : platforms[0]!,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {RpcError} on what is not JSON in UTF-8, and where an object has a name twice */
function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(body));
  } catch (error) {
    const [repeated] = /^the name .* occurs twice in one object/.exec((error as Error).message) ?? [];
    throw new RpcError('INVALID_ARGUMENT', repeated ?? 'the body is not JSON in UTF-8');
  }
}

/**
 * Reads an object by the names of its fields, which may also be written as in the .proto: threat_info.
 *
 * @param place names the object in an error
 */
function fieldsOf(place: () => string, value: unknown, names: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw RpcError.badField(place(), value === undefined ? 'it is missing' : 'it must be an object');
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const name = names.includes(key) ? key : names.find((known) => snakeCase(known) === key);
    if (name === undefined) throw RpcError.badField(place(), `it has no field ${quote(key.slice(0, 100))}`);
    if (Object.hasOwn(fields, name)) throw RpcError.badField(place(), `it has the field ${name} twice`);
    fields[name] = (value as Json)[key];
  }
  return fields;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An empty list would be answered as if nothing was found. */
function listIn(field: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw RpcError.badField(field, value === undefined ? 'it is missing' : 'it must be a list that is not empty');
}

function typesIn(field: string, value: unknown, known: readonly string[]): string[] {
  return listIn(field, value).map((type, index) => {
    if (typeof type === 'string' && known.includes(type)) return type;
    throw RpcError.badField(`${field}[${index}]`, `it must be one of ${known.join(', ')}`);
  });
}

const ENTRY_FIELDS = ['url', 'hash', 'digest'];

function urlIn(value: unknown, index: number): string {
  const place = () => `threatInfo.threatEntries[${index}]`;
  const { url, hash, digest } = fieldsOf(place, value, ENTRY_FIELDS);
  if (hash !== undefined || digest !== undefined)
    throw RpcError.badField(place(), 'entries by hash or digest cannot be looked up, only by url');
  if (typeof url === 'string') return url;
  throw RpcError.badField(`${place()}.url`, url === undefined ? 'it is missing' : 'it must be a string');
}
