// A plugin for rolldown. Bundlers leave out what a program does not use if they know that making it does nothing. They
// do not know it of a class with a computed name, of a spread, or of 1 << 20: for a constant alone webpack kept 85 kB.
// Nothing else runs when a file of the library is imported, so each such initialiser becomes a call marked as pure.
import { parseAst } from 'rolldown/parseAst';

const MARK = '/* @__PURE__ */';

/** What every bundler knows to do nothing. */
const INERT = {
  Literal: () => [],
  Identifier: () => [],
  FunctionExpression: () => [],
  ArrowFunctionExpression: () => [],
  UnaryExpression: ({ argument }) => [argument],
  TemplateLiteral: ({ expressions }) => expressions.map(() => undefined), // whose text may be asked of an object
  ArrayExpression: ({ elements }) => elements,
  ObjectExpression: ({ properties }) => properties,
  Property: ({ computed, value }) => [...(computed ? [undefined] : []), value],
  // one with a base is not: to a bundler, what it extends may be anything
  ClassExpression: ({ superClass, body }) => [...(superClass ? [undefined] : []), ...body.body],
  MethodDefinition: ({ computed }) => (computed ? [undefined] : []),
  PropertyDefinition: ({ computed, static: isStatic, value }) => [
    ...(computed ? [undefined] : []),
    ...(isStatic && value !== null ? [value] : []),
  ],
};

function isInert(node) {
  return node?.type in INERT && INERT[node.type](node).every(isInert);
}

/** The initialisers of a file's own variables, the last one first. */
function initialisers({ body }) {
  return body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter((init) => init != null)
    .reverse();
}

/** Such a call goes with its arguments. */
function isMarked(code, { start, arguments: values }) {
  return code.slice(0, start).trimEnd().endsWith(MARK) && values?.every(isInert) === true;
}

function marked(code) {
  let text = code;
  for (const init of initialisers(parseAst(code))) {
    if (isInert(init) || isMarked(code, init)) continue;
    text = `${text.slice(0, init.start)}${MARK} (() => (${text.slice(init.start, init.end)}))()${text.slice(init.end)}`;
  }
  return text;
}

export const pureInitialisers = {
  name: 'pure initialisers',
  // not before: to minify is to take the marks away
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = marked(file.code);
  },
};
