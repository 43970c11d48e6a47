import type { ColumnMetaData, ParquetType, RowGroup, SchemaTree } from 'hyparquet';
import { quotedNames } from '../names.ts';
import { Sentence } from './sentence.ts';

/** How the values of a leaf are stored. */
export interface LeafForm {
  readonly type: ParquetType;
  /** Bytes of a value of fixed length. */
  readonly valueBytes: number;
  readonly maxRepetition: number;
  readonly maxDefinition: number;
}

/** A column of the file: one at the top of the schema, or in others. */
export interface Leaf extends LeafForm {
  readonly node: SchemaTree;
  readonly path: readonly string[];
}

/** A level is a byte. */
const MAX_DEPTH = 255;

/** Returns the leaves of a node, in the order of the schema. @throws where one is too deep in others */
export function leavesOf(node: SchemaTree, above: readonly SchemaTree[] = []): Leaf[] {
  const nodes = [...above, node];
  const { children, element } = node;
  if (children.length > 0) return children.flatMap((child) => leavesOf(child, nodes));
  if (nodes.length > MAX_DEPTH) throw new Error(`a column is in more than ${MAX_DEPTH - 1} others`);
  const levels = (isCounted: (repetition: string | undefined) => boolean) =>
    nodes.filter(({ element: { repetition_type: repetition } }) => isCounted(repetition)).length;
  return [
    {
      node,
      path: nodes.map(({ element: { name } }) => name),
      type: element.type!,
      valueBytes: VALUE_BYTES[element.type!] ?? element.type_length ?? 0,
      maxRepetition: levels((repetition) => repetition === 'REPEATED'),
      maxDefinition: levels((repetition) => repetition !== 'REQUIRED'),
    },
  ];
}

/** Returns the leaf at the end of `path`, which begins at the top. */
export function leafAt(path: readonly SchemaTree[]): Leaf {
  return leavesOf(path[0]!).find(({ node }) => node === path.at(-1))!;
}

const VALUE_BYTES: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };

/** A list is a repeated field of one element. Others are repeated fields like any. */
export function isList({ element, children: [child, ...others] }: SchemaTree): boolean {
  const isNamed = element.converted_type === 'LIST' || element.logical_type?.type === 'LIST';
  const isSole = child?.element.repetition_type === 'REPEATED' && child.children.length <= 1 && others.length === 0;
  return isNamed && isSole;
}

/** A map is a repeated field of a key and, mostly, a value. */
export function isMap({ element, children: [entries, ...others] }: SchemaTree): boolean {
  const isNamed =
    element.converted_type === 'MAP' ||
    element.converted_type === 'MAP_KEY_VALUE' ||
    element.logical_type?.type === 'MAP';
  const { length } = entries?.children ?? [];
  return (
    isNamed && entries?.element.repetition_type === 'REPEATED' && others.length === 0 && (length === 1 || length === 2)
  );
}

/**
 * Finds the column of URLs: by its name, its dotted path, or its number from 1. Returns the nodes from the top to it.
 *
 * @throws where there is none, or it holds no texts
 */
export function textColumnAt(children: readonly SchemaTree[], column: string): readonly SchemaTree[] {
  const quoted = JSON.stringify(column);
  const found = nodesAt(children, column.split('.')) ?? nodesAt(children, [column]) ?? numbered(children, column);
  if (found === undefined) throw new Sentence(`it has no column ${quoted} but ${quotedNames(namesOf(children))}`);
  const names = namesOf(children).filter((name) => name === found[0]!.element.name);
  if (names.length > 1) throw new Sentence(`it has two columns ${JSON.stringify(names[0])}`);
  if (found.some(isRepeated)) {
    const [top, ...below] = namesOf(found).map((name) => (/^\w+$/.test(name) ? name : `\\"${name}\\"`));
    const list = [top, ...below].join('.');
    throw new Sentence(
      `its column ${quoted} is a list: make a row of each element, by ` +
        `duckdb -c "COPY (SELECT * EXCLUDE (${top}), unnest(${list}) AS url FROM 'FILE') TO 'new.parquet'" for example`,
    );
  }
  const { element, children: inner } = found.at(-1)!;
  if (inner.length > 0)
    throw new Sentence(
      `its column ${quoted} is not text but has columns: ${quotedNames(namesOf(inner, `${column}.`))}`,
    );
  const { type, logical_type: logical, converted_type: converted } = element;
  if (type !== 'BYTE_ARRAY' || converted === 'DECIMAL' || logical?.type === 'DECIMAL')
    throw new Sentence(`its column ${quoted} is not text but ${logical?.type ?? converted ?? type}`);
  return found;
}

function numbered(children: readonly SchemaTree[], column: string): readonly SchemaTree[] | undefined {
  const node = /^[1-9][0-9]*$/.test(column) ? children[Number(column) - 1] : undefined;
  return node && [node];
}

function isRepeated(node: SchemaTree): boolean {
  return node.element.repetition_type === 'REPEATED' || isList(node) || isMap(node);
}

function nodesAt(children: readonly SchemaTree[], names: readonly string[]): SchemaTree[] | undefined {
  const [name, ...rest] = names;
  const node = children.find(({ element }) => element.name === name);
  if (node === undefined || rest.length === 0) return node && [node];
  if (isRepeated(node)) return [node];
  const inner = nodesAt(node.children, rest);
  return inner && [node, ...inner];
}

function namesOf(children: readonly SchemaTree[], prefix = ''): string[] {
  return children.map(({ element }) => prefix + element.name);
}

/** Returns the chunk of a leaf in a row group. @throws where it has none, or an encrypted one */
export function chunkOf({ columns }: RowGroup, { path }: Leaf): ColumnMetaData {
  const wanted = JSON.stringify(path);
  const isEncrypted = columns.some(
    ({ crypto_metadata: key, meta_data: chunk }) => key !== undefined && chunk === undefined,
  );
  const found = columns.find(({ meta_data: chunk }) => chunk && JSON.stringify(chunk.path_in_schema) === wanted);
  if (found?.crypto_metadata !== undefined || (found === undefined && isEncrypted))
    throw new Sentence('its columns are encrypted, which urlsum does not read');
  if (found?.meta_data === undefined) throw new Error(`a row group has no column ${JSON.stringify(path.join('.'))}`);
  if (found.file_path !== undefined) throw new Sentence('its columns are in other files');
  return found.meta_data;
}
