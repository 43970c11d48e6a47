import type { ColumnMetaData, RowGroup, SchemaElement, SchemaTree } from 'hyparquet';
import { quotedNames } from '../names.ts';
import type { LeafForm } from './page-check.ts';
import { Sentence } from './sentence.ts';

/** A column at the top of a schema, or one of its leaves alone, as it is decoded. */
export interface Column {
  readonly node: SchemaTree;
  readonly leaves: readonly Leaf[];
  /** The schema of these leaves without their logical types: what they mean is said elsewhere, without loss. */
  readonly bareSchema: readonly SchemaElement[];
  /** Whether each row has one value in each page: then a page at a time can be decoded. */
  readonly isPaged: boolean;
}

export interface Leaf extends LeafForm {
  readonly path: readonly string[];
  /** Whether each node of the path may be null. */
  readonly areOptional: readonly boolean[];
}

/** Returns the column `node`, or only the leaf at the end of `path`, which begins with it. */
export function columnOf(node: SchemaTree, path: readonly SchemaTree[] = []): Column {
  const leaves = leavesOf(node, [], path.slice(1));
  const bareSchema = [{ name: 'root', num_children: 1 }, ...bareElements(node, path.slice(1))];
  return { node, leaves, bareSchema, isPaged: leaves.length === 1 && leaves[0]!.maxRepetition === 0 };
}

function leavesOf(node: SchemaTree, above: readonly SchemaTree[], wanted: readonly SchemaTree[]): Leaf[] {
  const nodes = [...above, node];
  if (node.children.length > 0)
    return childrenOf(node, wanted).flatMap((child) => leavesOf(child, nodes, wanted.slice(1)));
  const levels = (isCounted: (element: SchemaElement) => boolean) =>
    nodes.filter(({ element }) => isCounted(element)).length;
  return [
    {
      path: nodes.map(({ element }) => element.name),
      areOptional: nodes.map(({ element }) => element.repetition_type !== 'REQUIRED'),
      type: node.element.type!,
      valueBytes: VALUE_BYTES[node.element.type!] ?? node.element.type_length ?? 0,
      maxRepetition: levels(({ repetition_type: type }) => type === 'REPEATED'),
      maxDefinition: levels(({ repetition_type: type }) => type !== 'REQUIRED'),
    },
  ];
}

const VALUE_BYTES: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, FLOAT: 4, DOUBLE: 8 };

function childrenOf(node: SchemaTree, [wanted]: readonly SchemaTree[]): readonly SchemaTree[] {
  return wanted === undefined ? node.children : [wanted];
}

function bareElements(node: SchemaTree, wanted: readonly SchemaTree[]): SchemaElement[] {
  const { name, type, type_length: length, repetition_type: repetition } = node.element;
  const bare = { name, ...(repetition !== undefined && { repetition_type: repetition }) };
  if (node.children.length === 0)
    return [{ ...bare, type: type!, ...(length !== undefined && { type_length: length }) }];
  const children = childrenOf(node, wanted);
  const below = children.flatMap((child) => bareElements(child, wanted.slice(1)));
  return [
    { ...bare, num_children: children.length, ...(isList(node) && { converted_type: 'LIST' as const }) },
    ...below,
  ];
}

/** A list as the package knows it: a repeated field of one element. Others are repeated fields like any. */
export function isList({ element, children: [child, ...others] }: SchemaTree): boolean {
  const isNamed = element.converted_type === 'LIST' || element.logical_type?.type === 'LIST';
  const isSole = child?.element.repetition_type === 'REPEATED' && child.children.length <= 1 && others.length === 0;
  return isNamed && isSole;
}

export function isMap({ element }: SchemaTree): boolean {
  return (
    element.converted_type === 'MAP' ||
    element.converted_type === 'MAP_KEY_VALUE' ||
    element.logical_type?.type === 'MAP'
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
