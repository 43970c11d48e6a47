import { KNOWN_THREAT_TYPES } from '../threats.ts';
import { descriptorsOf } from './schema.ts';

/** The fields that a client reads. https://github.com/googleapis/googleapis, google/security/safebrowsing/v5 */
export const v5Descriptor = /* @__PURE__ */ descriptorsOf({
  name: 'google.security.safebrowsing.v5',
  messages: {
    RiceDeltaEncoded32Bit: {
      first_value: [1, 'uint32'],
      rice_parameter: [2, 'int32'],
      entries_count: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    RiceDeltaEncoded64Bit: {
      first_value: [1, 'uint64'],
      rice_parameter: [2, 'int32'],
      entries_count: [3, 'int32'],
      encoded_data: [4, 'bytes'],
    },
    RiceDeltaEncoded128Bit: {
      first_value_hi: [1, 'uint64'],
      first_value_lo: [2, 'fixed64'],
      rice_parameter: [3, 'int32'],
      entries_count: [4, 'int32'],
      encoded_data: [5, 'bytes'],
    },
    RiceDeltaEncoded256Bit: {
      first_value_first_part: [1, 'uint64'],
      first_value_second_part: [2, 'fixed64'],
      first_value_third_part: [3, 'fixed64'],
      first_value_fourth_part: [4, 'fixed64'],
      rice_parameter: [5, 'int32'],
      entries_count: [6, 'int32'],
      encoded_data: [7, 'bytes'],
    },
    // the four additions are a oneof: no list has two of them, and the reader refuses one that does
    HashList: {
      name: [1, 'string'],
      version: [2, 'bytes'],
      partial_update: [3, 'bool'],
      additions_four_bytes: [4, 'RiceDeltaEncoded32Bit'],
      compressed_removals: [5, 'RiceDeltaEncoded32Bit'],
      minimum_wait_duration: [6, 'google.protobuf.Duration'],
      sha256_checksum: [7, 'bytes'],
      additions_eight_bytes: [9, 'RiceDeltaEncoded64Bit'],
      additions_sixteen_bytes: [10, 'RiceDeltaEncoded128Bit'],
      additions_thirty_two_bytes: [11, 'RiceDeltaEncoded256Bit'],
    },
    BatchGetHashListsResponse: { hash_lists: [1, 'repeated HashList'] },
    FullHashDetail: { threat_type: [1, 'ThreatType'], attributes: [2, 'repeated ThreatAttribute'] },
    FullHash: { full_hash: [1, 'bytes'], full_hash_details: [2, 'repeated FullHashDetail'] },
    SearchHashesResponse: {
      full_hashes: [1, 'repeated FullHash'],
      cache_duration: [2, 'google.protobuf.Duration'],
    },
    ThreatUrl: { url: [1, 'string'], threat_types: [2, 'repeated ThreatType'] },
    SearchUrlsResponse: { threats: [1, 'repeated ThreatUrl'], cache_duration: [2, 'google.protobuf.Duration'] },
  },
  enums: {
    ThreatType: ['THREAT_TYPE_UNSPECIFIED', ...KNOWN_THREAT_TYPES],
    ThreatAttribute: ['THREAT_ATTRIBUTE_UNSPECIFIED', 'CANARY', 'FRAME_ONLY'],
  },
});
