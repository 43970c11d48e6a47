import { create, createFileRegistry, type DescMessage, type FileRegistry } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';

// The library for protobuf: the parts that are used, and the descriptors that it reads and writes messages by. One copy
// serves all builds, see tools/library.mjs: no other file imports the library.

export {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
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
export { type Duration, DurationSchema } from '@bufbuild/protobuf/wkt';

/** A field as in its .proto: its number, and the name of its type, after `repeated` if it is a list. */
type Field = readonly [number: number, type: string];

/** Messages and enums of one package by name: the fields that are read. An enum is the list of its values, from 0. */
interface Package {
  readonly name: string;
  readonly messages: Readonly<Record<string, Readonly<Record<string, Field>>>>;
  readonly enums?: Readonly<Record<string, readonly string[]>>;
}

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
    dependency: [file_google_protobuf_duration.proto.name],
    messageType: Object.entries(source.messages).map(([name, fields]) => ({
      name,
      field: Object.entries(fields).map(([fieldName, field]) => fieldIn(source, fieldName, field)),
    })),
    enumType: Object.entries(source.enums ?? {}).map(([name, values]) => ({
      name,
      value: values.map((valueName, number) => ({ name: valueName, number })),
    })),
  });
  return createFileRegistry(file, () => file_google_protobuf_duration);
}

function fieldIn({ name: packageName, enums = {} }: Package, name: string, [number, fullType]: Field) {
  const typeName = fullType.replace(/^repeated /, '');
  const label = typeName === fullType ? Label.OPTIONAL : Label.REPEATED;
  const jsonName = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const scalar = Type[typeName.toUpperCase() as keyof typeof Type] as Type | undefined;
  if (scalar !== undefined) return { name, jsonName, number, label, type: scalar };
  const type = typeName in enums ? Type.ENUM : Type.MESSAGE;
  const fullName = typeName.includes('.') ? `.${typeName}` : `.${packageName}.${typeName}`;
  return { name, jsonName, number, label, type, typeName: fullName };
}
