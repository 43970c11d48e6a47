import { KNOWN_THREAT_ATTRIBUTES, KNOWN_THREAT_TYPES } from '../threats.ts';
import {
  create,
  createFileRegistry,
  type DescMessage,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  type FileRegistry,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
  Label,
  Type,
} from './protobuf.ts';

/** A field as in its .proto: its number, and the name of its type, after `repeated` if it is a list. */
type Field = readonly [number: number, type: string];

/** The messages and enums of one package by name. An enum is the list of its values, from 0. */
interface Package {
  readonly name: string;
  readonly messages: Readonly<Record<string, Readonly<Record<string, Field>>>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

const SCALARS: Readonly<Record<string, Type>> = {
  bool: Type.BOOL,
  bytes: Type.BYTES,
  string: Type.STRING,
  int32: Type.INT32,
  uint32: Type.UINT32,
  int64: Type.INT64,
  uint64: Type.UINT64,
  fixed64: Type.FIXED64,
};

const IMPORTS = [file_google_protobuf_duration, file_google_protobuf_timestamp];

/** Returns the descriptors that the library needs for the messages of a package: all are made at the first call. */
export function descriptorsOf<P extends Package>(source: P): (message: keyof P['messages'] & string) => DescMessage {
  let registry: FileRegistry | undefined;
  return (message) => (registry ??= registryOf(source)).getMessage(`${source.name}.${message}`)!;
}

function registryOf(source: Package): FileRegistry {
  const file = create(FileDescriptorProtoSchema, {
    name: `${source.name}.proto`,
    package: source.name,
    syntax: 'proto3',
    dependency: IMPORTS.map(({ proto }) => proto.name),
    messageType: Object.entries(source.messages).map(([name, fields]) => ({
      name,
      field: Object.entries(fields).map(([fieldName, field]) => descriptorOf(source, fieldName, field)),
    })),
    enumType: Object.entries(source.enums).map(([name, values]) => ({
      name,
      value: values.map((valueName, number) => ({ name: valueName, number })),
    })),
  });
  return createFileRegistry(file, (path) => IMPORTS.find(({ proto }) => proto.name === path));
}

function descriptorOf(source: Package, name: string, [number, fullType]: Field): FieldDescriptorProto {
  const typeName = fullType.replace(/^repeated /, '');
  const label = typeName === fullType ? Label.OPTIONAL : Label.REPEATED;
  const jsonName = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const init = { name, jsonName, number, label };
  const scalar = SCALARS[typeName];
  if (scalar !== undefined) return create(FieldDescriptorProtoSchema, { ...init, type: scalar });
  const type = typeName in source.enums ? Type.ENUM : Type.MESSAGE;
  const fullName = typeName.includes('.') ? `.${typeName}` : `.${source.name}.${typeName}`;
  return create(FieldDescriptorProtoSchema, { ...init, type, typeName: fullName });
}

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
    ThreatAttribute: ['THREAT_ATTRIBUTE_UNSPECIFIED', ...KNOWN_THREAT_ATTRIBUTES],
  },
});
