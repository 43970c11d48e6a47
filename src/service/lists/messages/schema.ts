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
