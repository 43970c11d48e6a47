import { readdirSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mustBeLinear } from './support/linear.ts';

const tests = suite('regular expressions');

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Expressions over linear time, each with the bound of its input and the reason why the bound holds. */
const BOUNDED: readonly { readonly source: string; readonly reason: string }[] = [
  { source: '\\S.{0,99}(?= |$)', reason: 'help, whose paragraphs are constants of at most 2,000 characters' },
  { source: '(?:\\.\\w+)+$', reason: 'the name of a file, at most 255 bytes' },
];

/** Values for the parts of a pattern that are no constants of its file, by the text of the part. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "...new Set([...MODIFIERS.keys()].map((name) => name.replace(/^~|=$/g, '')))": 'all|document',
  unescaped: '^"\\\\',
  WHITE_SPACE: '\\t\\n\\f\\r ',
  any: '^"',
  bytes: '\\d.',
  'literal(literals[0]!)': 'a',
  'width - 1': '99',
  "Object.keys(REASONS).join('|')": 'ENOTFOUND|ECONNREFUSED',
};

/** Parts that are neither constants nor have an example. */
const WITHOUT_EXAMPLE: string[] = [];

// biome-ignore lint/suspicious/noExplicitAny: a node of a syntax tree has the members of its type
type Node = any;

function eachNode(node: Node, visit: (node: Node) => void): void {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) eachNode(each, visit);
    return;
  }
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) eachNode(value, visit);
}

const isCallOf = (node: Node, method: string): boolean =>
  node.type === 'CallExpression' && node.callee.property?.name === method;

/** A list of expressions or texts, or of the sources of expressions. */
const isList = (node: Node): boolean => node.type === 'ArrayExpression' || isCallOf(node, 'map');
const listOf = (node: Node): Node[] => (node.type === 'ArrayExpression' ? node.elements : listOf(node.callee.object));

/** Returns the patterns of a file: its literals, and what `RegExp` is called with. */
function patternsIn(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const program = parseAst(text, { lang: 'ts', sourceType: 'module' }, file);
  const constants = new Map<string, Node>();
  eachNode(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.init !== null) constants.set(node.id.name, node.init);
  });

  const textOf = (node: Node): string => {
    if (node.type === 'Literal' && node.regex) return node.regex.pattern;
    if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
    if (node.type === 'BinaryExpression' && node.operator === '+') return textOf(node.left) + textOf(node.right);
    if (node.type === 'TemplateLiteral') return templateText(node, 'cooked');
    if (node.type === 'TaggedTemplateExpression') return templateText(node.quasi, 'raw');
    if (isCallOf(node, 'join') && isList(node.callee.object))
      return listOf(node.callee.object).map(textOf).join(textOf(node.arguments[0]));
    if (node.type === 'MemberExpression' && node.property.name === 'source') return textOf(node.object);
    if (node.type === 'Identifier' && constants.has(node.name)) return textOf(constants.get(node.name));
    const part = text.slice(node.start, node.end);
    if (EXAMPLES[part] === undefined) WITHOUT_EXAMPLE.push(`${file}: ${part}`);
    return EXAMPLES[part] ?? '';
  };

  const templateText = (node: Node, kind: 'cooked' | 'raw'): string => {
    const parts = node.expressions.map(textOf);
    return node.quasis.map((quasi: Node, index: number) => quasi.value[kind] + (parts[index] ?? '')).join('');
  };

  const patterns: Pattern[] = [];
  eachNode(program, (node) => {
    if (node.type === 'Literal' && node.regex) {
      patterns.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    } else if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
      const [source, flags] = node.arguments;
      patterns.push({ file, source: textOf(source), flags: flags === undefined ? '' : textOf(flags) });
    }
  });
  return patterns;
}

const PATTERNS = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .flatMap((name) => patternsIn(`src/${name}`));

/** Whether a pattern takes more than linear time. A guess of the checker's, which it says is one, has to hold. */
async function isSlow({ source, flags }: Pattern): Promise<boolean> {
  const found = await check(source, flags, { randomSeed: 1, timeout: 60_000 });
  if (found.status !== 'vulnerable' || !found.complexity.isFuzz) return found.status !== 'safe';
  const { pumps, suffix } = found.attack;
  const expression = new RegExp(source, flags);
  const textOf = (count: number) => pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
  try {
    mustBeLinear(source, textOf, (text) => text.match(expression), 1 << 10);
    return false;
  } catch {
    return true;
  }
}

tests('every expression that is built has its parts in its file, or examples of them here', () => {
  assert.equal(WITHOUT_EXAMPLE, []);
});

tests('every expression takes linear time, or has a bound and a reason', async () => {
  assert.ok(PATTERNS.length > 200, `${PATTERNS.length} expressions`);
  // without a quantifier that has no limit, an expression takes a time that has one
  const unlimited = PATTERNS.filter(({ source }) => /[*+]|,\}/.test(source));
  const distinct = new Map(unlimited.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values();
  const checked = [...distinct].filter(({ source }) => !BOUNDED.some((each) => each.source === source));
  // one after the other: the checker's limit of time counts from when it is asked
  const slow: string[] = [];
  for (const pattern of checked)
    if (await isSlow(pattern)) slow.push(`${pattern.file} /${pattern.source}/${pattern.flags}`);
  assert.equal(slow, []);
});

tests('a quadratic expression is found', async () => {
  assert.is((await check('!+$', '')).status, 'vulnerable');
});

tests('every exception is an expression of src/', () => {
  const stale = BOUNDED.filter(({ source }) => !PATTERNS.some((each) => each.source === source));
  assert.equal(stale, []);
});

tests.run();
