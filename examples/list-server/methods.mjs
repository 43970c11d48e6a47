import { BATCH_GET_HASH_LISTS_RESPONSE, SEARCH_HASHES_RESPONSE } from 'urlsum/safe-browsing/lists';

const PREFIX_BYTES = 4;
const MOST_PREFIXES = 1000;

/** By the beginnings of the names that Safe Browsing gives its lists. */
const THREAT_TYPES = {
  mw: 'MALWARE',
  se: 'SOCIAL_ENGINEERING',
  uws: 'UNWANTED_SOFTWARE',
  pha: 'POTENTIALLY_HARMFUL_APPLICATION',
};
/** The Global Cache lists what is likely safe: it is not searched. */
const GLOBAL_CACHE = 'gc';

/** What is wrong with a request, and the status that says so. */
export class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** `hashLists:batchGet?names=…&version=…`: for each name what has changed since a version that the client has. */
export async function batchGet(parameters, { lists, waitSeconds }) {
  const names = parameters.getAll('names');
  if (names.length === 0) throw new RequestError(400, 'names is missing');
  if (new Set(names).size < names.length) throw new RequestError(400, 'a name is there twice');
  const versions = parameters.getAll('version').map(fromBase64);
  const updates = names.map(async (name) => {
    const list = lists.get(name);
    if (list === undefined) throw new RequestError(404, `there is no list ${name}`);
    await list.refresh();
    return list.updateFrom(versions, waitSeconds);
  });
  return BATCH_GET_HASH_LISTS_RESPONSE.encode(await Promise.all(updates));
}

/** `hashes:search?hashPrefixes=…`: all listed hashes that begin with one of the prefixes, and their threats. */
export async function search(parameters, { lists, cacheSeconds }) {
  const prefixes = parameters.getAll('hashPrefixes').map(fromBase64);
  if (prefixes.length === 0) throw new RequestError(400, 'hashPrefixes is missing');
  if (prefixes.length > MOST_PREFIXES) throw new RequestError(400, `there are more than ${MOST_PREFIXES} prefixes`);
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
  return SEARCH_HASHES_RESPONSE.encode({ fullHashes: [...found.values()], cacheSeconds });
}

/** Both alphabets, with or without padding. */
function fromBase64(text) {
  return Buffer.from(text, 'base64url');
}
