import { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST, SEARCH_HASHES_RESPONSE } from 'urlsum/safe-browsing/lists';

const PREFIX_BYTES = 4;
const MAX_PREFIXES = 1000;

/** By the beginnings of the names that Safe Browsing gives its lists. */
const THREAT_TYPES = {
  mw: 'MALWARE',
  se: 'SOCIAL_ENGINEERING',
  uws: 'UNWANTED_SOFTWARE',
  pha: 'POTENTIALLY_HARMFUL_APPLICATION',
};
/** The Global Cache lists what is likely safe: it is not searched. */
const GLOBAL_CACHE = 'gc';

/** Those of every method: the format of the answer, and a key, for which this server has no use. */
const COMMON_PARAMETERS = ['alt', '$alt', 'key'];

/** What is wrong with a request, and the status that says so. */
export class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** By path. Parameters that are not named here are refused: a client would take an answer without them for one with. */
const METHODS = [
  { path: /^\/v5\/hashLists:batchGet$/, parameters: ['names', 'version'], call: batchGet },
  { path: /^\/v5\/hashes:search$/, parameters: ['hashPrefixes'], call: search },
  { path: /^\/v5\/hashLists$/, parameters: [], call: listNames },
  { path: /^\/v5\/hashList\/([^/]+)$/, parameters: ['version'], call: getOne },
];

/**
 * The answer to a request, in protobuf or, with `alt=json`, in JSON.
 *
 * @throws {RequestError} on one that cannot be answered
 */
export async function answerTo({ pathname, searchParams }, settings) {
  const method = METHODS.find(({ path }) => path.test(pathname));
  if (method === undefined) throw new RequestError(404, `there is no ${pathname}`);
  const known = [...method.parameters, ...COMMON_PARAMETERS];
  const unknown = [...searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RequestError(400, `the parameter ${unknown} is not supported`);
  const isJson = wantsJson(searchParams);
  const { format, value } = await method.call(searchParams, settings, method.path.exec(pathname)[1]);
  return isJson
    ? { type: 'application/json', body: JSON.stringify(format.toJson(value)) }
    : { type: 'application/x-protobuf', body: format.encode(value) };
}

function wantsJson(parameters) {
  const formats = new Set([...parameters.getAll('alt'), ...parameters.getAll('$alt')]);
  const [format = 'proto'] = formats;
  if (formats.size <= 1 && ['json', 'proto'].includes(format)) return format === 'json';
  throw new RequestError(400, 'alt is json or proto');
}

/** `hashLists:batchGet?names=…&version=…`: for each name what has changed since a version that the client has. */
async function batchGet(parameters, settings) {
  const names = parameters.getAll('names');
  if (names.length === 0) throw new RequestError(400, 'names is missing');
  if (new Set(names).size < names.length) throw new RequestError(400, 'a name is there twice');
  const updates = await Promise.all(names.map((name) => updateOf(name, parameters, settings)));
  return { format: BATCH_GET_HASH_LISTS_RESPONSE, value: updates };
}

/** `hashList/NAME?version=…`: the same for one list. */
async function getOne(parameters, settings, name) {
  return { format: HASH_LIST, value: await updateOf(name, parameters, settings) };
}

async function updateOf(name, parameters, { lists, waitMs }) {
  const list = lists.get(name);
  if (list === undefined) throw new RequestError(404, `there is no list ${name}`);
  await list.refresh();
  return list.updateFrom(parameters.getAll('version').map(fromBase64), waitMs);
}

/** `hashLists`: all names, without versions and prefixes. ListHashListsResponse begins as the answer to batchGet does. */
async function listNames(_parameters, { lists }) {
  const nothing = { version: new Uint8Array(0), isPartial: false, additions: [], removals: new Uint32Array(0) };
  const named = [...lists.keys()].map((name) => ({ name, ...nothing, checksum: undefined, minimumWaitMs: 0 }));
  return { format: BATCH_GET_HASH_LISTS_RESPONSE, value: named };
}

/** `hashes:search?hashPrefixes=…`: all listed hashes that begin with one of the prefixes, and their threats. */
async function search(parameters, { lists, cacheMs }) {
  const prefixes = parameters.getAll('hashPrefixes').map(fromBase64);
  if (prefixes.length === 0) throw new RequestError(400, 'hashPrefixes is missing');
  if (prefixes.length > MAX_PREFIXES) throw new RequestError(400, `there are more than ${MAX_PREFIXES} prefixes`);
  if (prefixes.some(({ length }) => length !== PREFIX_BYTES)) throw new RequestError(400, 'a prefix has four bytes');
  const found = new Map();
  for (const list of lists.values()) {
    const kind = list.name.split('-')[0];
    if (kind === GLOBAL_CACHE) continue;
    await list.refresh();
    const detail = { threatType: THREAT_TYPES[kind] ?? 'MALWARE', attributes: [] };
    for (const hash of prefixes.flatMap((prefix) => list.hashesUnder(prefix))) {
      const key = hash.toString('hex');
      found.set(key, { hash, details: [...(found.get(key)?.details ?? []), detail] });
    }
  }
  return { format: SEARCH_HASHES_RESPONSE, value: { fullHashes: [...found.values()], cacheMs } };
}

/** Both alphabets, with or without padding. */
function fromBase64(text) {
  return Buffer.from(text, 'base64url');
}
