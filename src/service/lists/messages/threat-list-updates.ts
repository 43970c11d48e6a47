import { ListError } from '../error.ts';
import type { RiceDeltas } from '../rice.ts';
import { type ListUpdate, mustBeUpdates } from '../update.ts';
import { checksumIn, durationOf, millisecondsIn, type SecondsAndNanos, THREAT_TYPE_NAMES } from './common-fields.ts';
import {
  additionsIn,
  encodedAdditions,
  encodedRemovals,
  MAX_SETS,
  type RawHashes,
  type RawIndices,
  removalsIn,
} from './entry-sets.ts';
import { MessageFormat } from './message-format.ts';
import { descriptorsOf } from './schema.ts';

export const PLATFORM_TYPES = [
  'PLATFORM_TYPE_UNSPECIFIED',
  'WINDOWS',
  'LINUX',
  'ANDROID',
  'OSX',
  'IOS',
  'ANY_PLATFORM',
  'ALL_PLATFORMS',
  'CHROME',
] as const;
const ENTRY_TYPES = ['THREAT_ENTRY_TYPE_UNSPECIFIED', 'URL', 'EXECUTABLE', 'IP_RANGE'] as const;

/** The fields that a client reads. https://github.com/google/safebrowsing, internal/safebrowsing_proto */
const v4Descriptor = /* @__PURE__ */ descriptorsOf({
  name: 'safebrowsing',
  messages: {
    RawHashes: { prefix_size: [1, 'int32'], raw_hashes: [2, 'bytes'] },
    RawIndices: { indices: [1, 'repeated int32'] },
    RiceDeltaEncoding: {
      first_value: [1, 'int64'],
      rice_parameter: [2, 'int32'],
      num_entries: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    ThreatEntrySet: {
      compression_type: [1, 'CompressionType'],
      raw_hashes: [2, 'RawHashes'],
      raw_indices: [3, 'RawIndices'],
      rice_hashes: [4, 'RiceDeltaEncoding'],
      rice_indices: [5, 'RiceDeltaEncoding'],
    },
    Checksum: { sha256: [1, 'bytes'] },
    ListUpdateResponse: {
      threat_type: [1, 'ThreatType'],
      threat_entry_type: [2, 'ThreatEntryType'],
      platform_type: [3, 'PlatformType'],
      response_type: [4, 'ResponseType'],
      additions: [5, 'repeated ThreatEntrySet'],
      removals: [6, 'repeated ThreatEntrySet'],
      new_client_state: [7, 'bytes'],
      checksum: [8, 'Checksum'],
    },
    FetchThreatListUpdatesResponse: {
      list_update_responses: [1, 'repeated ListUpdateResponse'],
      minimum_wait_duration: [2, 'google.protobuf.Duration'],
    },
  },
  enums: {
    ThreatType: THREAT_TYPE_NAMES,
    PlatformType: PLATFORM_TYPES,
    ThreatEntryType: ENTRY_TYPES,
    CompressionType: ['COMPRESSION_TYPE_UNSPECIFIED', 'RAW', 'RICE'],
    ResponseType: ['RESPONSE_TYPE_UNSPECIFIED', 'PARTIAL_UPDATE', 'FULL_UPDATE'],
  },
});

const RAW = 1;
const RICE = 2;
const PARTIAL_UPDATE = 1;
const FULL_UPDATE = 2;

/** There are 120 combinations of threat, platform and entry type. */
const MAX_LISTS = 1000;
const SETS = { what: 'sets of entries', max: MAX_LISTS * MAX_SETS };

interface RiceFields extends Omit<RiceDeltas, 'entriesCount'> {
  readonly numEntries: number;
}

interface EntrySet {
  readonly compressionType: number;
  readonly rawHashes?: RawHashes;
  readonly rawIndices?: RawIndices;
  readonly riceHashes?: RiceFields;
  readonly riceIndices?: RiceFields;
}

interface UpdateFields {
  readonly threatType: number;
  readonly threatEntryType: number;
  readonly platformType: number;
  readonly responseType: number;
  readonly additions: readonly EntrySet[];
  readonly removals: readonly EntrySet[];
  readonly newClientState: Uint8Array;
  readonly checksum?: { readonly sha256: Uint8Array };
}

interface ResponseFields {
  readonly listUpdateResponses: readonly UpdateFields[];
  readonly minimumWaitDuration?: SecondsAndNanos;
}

/**
 * `FetchThreatListUpdatesResponse` of Safe Browsing v4: several lists. The name of each is its threat, platform and
 * entry types, as `MALWARE/ANY_PLATFORM/URL`, and their wait is that of the message.
 */
export const THREAT_LIST_UPDATES = /* @__PURE__ */ new MessageFormat<readonly ListUpdate[]>({
  descriptor: () => v4Descriptor('FetchThreatListUpdatesResponse'),
  limits: { 1: { what: 'lists', max: MAX_LISTS, fields: { 5: SETS, 6: SETS } } },
  read: ({ listUpdateResponses, minimumWaitDuration }: ResponseFields) =>
    listUpdateResponses.map((fields) => updateOf(fields, millisecondsIn(minimumWaitDuration))),
  check: mustBeUpdates,
  write: (updates) => ({
    listUpdateResponses: updates.map(fieldsOf),
    minimumWaitDuration: durationOf(longestWait(updates)),
  }),
});

function longestWait(updates: readonly ListUpdate[]): number {
  const waits = updates.map(({ minimumWaitMs }) => millisecondsIn(durationOf(minimumWaitMs)));
  return waits.reduce((one, other) => Math.max(one, other), 0);
}

function updateOf(fields: UpdateFields, minimumWaitMs: number): ListUpdate {
  const { responseType, additions, removals, newClientState, checksum } = fields;
  if (responseType !== PARTIAL_UPDATE && responseType !== FULL_UPDATE)
    throw new ListError('message', 'message', `its response type is ${responseType}, neither partial nor full`);
  return {
    name: nameOf(fields),
    version: Uint8Array.from(newClientState),
    isPartial: responseType === PARTIAL_UPDATE,
    additions: additionsIn(defined(additions, 'rawHashes'), deltasIn(defined(additions, 'riceHashes'))),
    removals: removalsIn(defined(removals, 'rawIndices'), deltasIn(defined(removals, 'riceIndices'))),
    checksum: checksum && checksumIn(checksum.sha256),
    minimumWaitMs,
    nextRequestTime: undefined,
  };
}

function defined<K extends keyof EntrySet>(sets: readonly EntrySet[], key: K): NonNullable<EntrySet[K]>[] {
  return sets.flatMap((set) => set[key] ?? []) as NonNullable<EntrySet[K]>[];
}

function deltasIn(sets: readonly RiceFields[]): RiceDeltas[] {
  return sets.map((fields) => ({ ...fields, entriesCount: fields.numEntries }));
}

/** Names a list. A type that this version does not know is written as its number. */
function nameOf({ threatType, platformType, threatEntryType }: UpdateFields): string {
  const threat = THREAT_TYPE_NAMES[threatType] ?? threatType;
  const platform = PLATFORM_TYPES[platformType] ?? platformType;
  return `${threat}/${platform}/${ENTRY_TYPES[threatEntryType] ?? threatEntryType}`;
}

function typesOf(name: string): Pick<UpdateFields, 'threatType' | 'platformType' | 'threatEntryType'> {
  const [threat = '', platform = '', entry = ''] = name.split('/');
  return {
    threatType: numberOf(threat, THREAT_TYPE_NAMES),
    platformType: numberOf(platform, PLATFORM_TYPES),
    threatEntryType: numberOf(entry, ENTRY_TYPES),
  };
}

function numberOf(type: string, types: readonly string[]): number {
  const number = /^\d{1,9}$/.test(type) ? Number(type) : types.indexOf(type);
  if (number !== -1) return number;
  throw new ListError('name', 'message', `${JSON.stringify(type)} is not a type of Safe Browsing v4`);
}

function fieldsOf({ name, version, isPartial, additions, removals, checksum }: ListUpdate): object {
  const { raw, rice } = encodedAdditions(additions);
  const indices = encodedRemovals(removals);
  const inCode = rice && [{ compressionType: RICE, riceHashes: riceFields(rice) }];
  return {
    ...typesOf(name),
    responseType: isPartial ? PARTIAL_UPDATE : FULL_UPDATE,
    additions: [...(inCode ?? []), ...raw.map((rawHashes) => ({ compressionType: RAW, rawHashes }))],
    removals: indices ? [{ compressionType: RICE, riceIndices: riceFields(indices) }] : [],
    newClientState: version,
    checksum: checksum && { sha256: checksum },
  };
}

function riceFields(deltas: RiceDeltas): RiceFields {
  return { ...deltas, numEntries: deltas.entriesCount };
}
