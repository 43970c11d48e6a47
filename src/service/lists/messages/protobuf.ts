// The parts of protobuf's reader and writer that are used: one copy serves all builds, see tools/library.mjs. No other
// file imports them.

export {
  create,
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  mergeFromBinary,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
export { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
export {
  type Duration,
  DurationSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';
