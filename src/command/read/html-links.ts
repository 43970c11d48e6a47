import { html, Parser, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import type { LinkLines, LinkReader } from './link-lines.ts';
import { linksOfTag, WHITE_SPACE } from './tag-links.ts';

/**
 * An element, a document, or the content of a template, as far as the parser asks for it: what is closed is not kept,
 * since a node knows its parent but not its children.
 */
class Node {
  parent: Node | null = null;
  content: Node | undefined;
  mode = html.DOCUMENT_MODE.NO_QUIRKS;
  /** The number of nodes that were appended to it. */
  appendedCount = 0;
  /** The number of nodes that were inserted before it. */
  insertedCount = 0;
  /** The order among the children of the parent: by `place`, and of one place by `placeBefore`. */
  place = 0;
  placeBefore = Number.POSITIVE_INFINITY;
  readonly tagName: string;
  readonly namespace: html.NS | undefined;
  readonly attributes: Token.Attribute[];

  constructor(tagName: string, namespace?: html.NS, attributes: Token.Attribute[] = []) {
    this.tagName = tagName;
    this.namespace = namespace;
    this.attributes = attributes;
  }

  /** The nodes from the root to this one. */
  path(): Node[] {
    const nodes: Node[] = [];
    for (let node: Node | null = this; node !== null; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }
}

type Nodes = TreeAdapterTypeMap<Node, Node, Node, Node, Node, Node, Node, Node, Node, Node>;

/** Places of nodes in the tree. */
const TREE = {
  createDocument: () => new Node('#document'),
  createDocumentFragment: () => new Node('#document-fragment'),
  createCommentNode: () => new Node('#comment'),
  createTextNode: () => new Node('#text'),
  appendChild(parent: Node, node: Node) {
    node.parent = parent;
    node.place = parent.appendedCount++;
    node.placeBefore = Number.POSITIVE_INFINITY;
  },
  insertBefore(parent: Node, node: Node, reference: Node) {
    node.parent = parent;
    node.place = reference.place;
    node.placeBefore = reference.insertedCount++;
  },
  detachNode(node: Node) {
    node.parent = null;
  },
  setTemplateContent(template: Node, content: Node) {
    template.content = content;
  },
  setDocumentMode(document: Node, mode: html.DOCUMENT_MODE) {
    document.mode = mode;
  },
  getDocumentMode: ({ mode }: Node) => mode,
  getTemplateContent: ({ content }: Node) => content!,
  getParentNode: ({ parent }: Node) => parent,
  getTagName: ({ tagName }: Node) => tagName,
  getNamespaceURI: ({ namespace }: Node) => namespace!,
  getAttrList: ({ attributes }: Node) => attributes,
  isElementNode: (node: Node): node is Node => node.namespace !== undefined,
};

const nothing = () => undefined;
const NO_NODES: Node[] = [];

/** The answers to what the parser asks of children, texts and comments, which are not kept. */
const NOT_KEPT = {
  adoptAttributes: nothing,
  insertText: nothing,
  insertTextBefore: nothing,
  setDocumentType: nothing,
  getNodeSourceCodeLocation: nothing,
  setNodeSourceCodeLocation: nothing,
  updateNodeSourceCodeLocation: nothing,
  getFirstChild: () => null,
  getChildNodes: () => NO_NODES,
  getCommentNodeContent: () => '',
  getTextNodeContent: () => '',
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  isCommentNode: (_: Node): _ is Node => false,
  isTextNode: (_: Node): _ is Node => false,
  isDocumentTypeNode: (_: Node): _ is Node => false,
};

/**
 * Tells of each start tag when the tree has it. The parser drops most tags in a `select`, as the standard had it until
 * 2025. Since then it is an element like others, and is one here: what is in it can be a link or the base.
 */
class TagParser extends Parser<Nodes> {
  readonly #onTag: (token: Token.TagToken) => void;
  #hasSelect = false;
  /** Whether an end tag in foreign content is processed, and a `select` may be open. */
  #mayNotEndSelect = false;

  constructor(treeAdapter: TreeAdapter<Nodes>, onTag: (token: Token.TagToken) => void) {
    super({ treeAdapter, scriptingEnabled: false }); // what is in `noscript` is for those who read the page
    this.#onTag = onTag;
    endTableScopeAtTemplates(this.openElements);
  }

  override onStartTag(token: Token.TagToken): void {
    if (token.tagID === html.TAG_ID.SELECT) {
      token.tagID = html.TAG_ID.UNKNOWN;
      this.#hasSelect = true;
      this.framesetOk = false;
    }
    super.onStartTag(token);
    this.#onTag(token);
  }

  /** @throws where a `select` ends by a tag in foreign content of it: the older standard and the newer read on differently */
  override onEndTag(token: Token.TagToken): void {
    this.#mayNotEndSelect = this.#hasSelect && this.currentNotInHTML;
    if (token.tagID === html.TAG_ID.SELECT) {
      token.tagID = html.TAG_ID.UNKNOWN;
      this.#mustBeOutsideOfForeign();
    }
    super.onEndTag(token);
    this.#mayNotEndSelect = false;
  }

  override onItemPop(node: Node, isTop: boolean): void {
    if (node.tagName === 'select') this.#mustBeOutsideOfForeign();
    super.onItemPop(node, isTop);
  }

  #mustBeOutsideOfForeign(): void {
    if (this.#mayNotEndSelect) throw new Error('a <select> ends inside of its <svg> or <math>');
  }
}

/**
 * Makes a template end the scope of a table, which the parser forgets.
 *
 * @see https://html.spec.whatwg.org/#has-an-element-in-table-scope
 */
function endTableScopeAtTemplates(stack: Parser<Nodes>['openElements']): void {
  const { TEMPLATE, TBODY, THEAD, TFOOT } = html.TAG_ID;
  const hasInTableScope = stack.hasInTableScope.bind(stack);
  const hasTableBody = stack.hasTableBodyContextInTableScope.bind(stack);
  const isBelow = (at: number) => at > stack.indexOfTopmost(TEMPLATE);
  stack.hasInTableScope = (tag) => hasInTableScope(tag) && isBelow(stack.indexOfTopmost(tag));
  stack.hasTableBodyContextInTableScope = () =>
    hasTableBody() && isBelow(stack.indexOfTopmostOf([TBODY, THEAD, TFOOT]));
}

/** A document that a person or a program wrote has fewer elements open at once. */
const OPEN_LIMIT = 1 << 16;
/**
 * Elements not closed in their paragraph, such as `b`, are made again in each one after it: n of them are n * n elements. A
 * document makes fewer for each unit of its text.
 */
const ELEMENTS_PER_UNIT = 8;
const FEW_ELEMENTS = 1000;
/** Bases that are compared by their place; the first counts, and a document needs one. */
const BASE_LIMIT = 100;

/**
 * Reads the links of HTML as its standard has it: those of each start tag once, in the namespace of its element. One that
 * the tree drops counts, as browsers drop different ones, and so does one in a template. The base is that of the first
 * `base` in the document's tree, wherever its tag is.
 */
export class HtmlReader implements LinkReader {
  readonly #lines: LinkLines;
  readonly #parser: TagParser;
  readonly #bases: Node[] = [];
  #unitCount = 0;
  #elementCount = 0;
  /** The element that was made last with attributes: that of the tag, unless the tree drops it. */
  #made: Node | undefined;

  constructor(lines: LinkLines) {
    this.#lines = lines;
    const createElement = (name: string, namespace: html.NS, attributes: Token.Attribute[]) => {
      this.#mustHaveFew();
      const node = new Node(name, namespace, attributes);
      if (attributes.length > 0) this.#made = node;
      return node;
    };
    const appendChild = (parent: Node, node: Node) => {
      TREE.appendChild(parent, node);
      if (isBase(node)) this.#addBase(node);
    };
    const insertBefore = (parent: Node, node: Node, reference: Node) => {
      TREE.insertBefore(parent, node, reference);
      if (isBase(node)) this.#addBase(node);
    };
    const adapter = { ...TREE, ...NOT_KEPT, createElement, appendChild, insertBefore };
    this.#parser = new TagParser(adapter, (token) => this.#readTag(token));
  }

  write(text: string): void {
    this.#unitCount += text.length;
    this.#parser.tokenizer.write(text, false);
  }

  end(): void {
    this.#parser.tokenizer.write('', true);
    const [first] = this.#bases
      .map((base) => base.path())
      .filter(([root]) => root === this.#parser.document)
      .sort(inTreeOrder);
    this.#lines.settle(first && hrefOf(first.at(-1)!.attributes));
  }

  #readTag({ tagName, attrs }: Token.TagToken): void {
    const namespace = this.#made?.attributes === attrs ? this.#made.namespace : html.NS.HTML;
    if (namespace === html.NS.HTML) {
      const valueOf = (attribute: string) => attrs.find(({ name }) => name === attribute)?.value;
      for (const link of linksOfTag(tagName, valueOf)) this.#lines.addWaiting(link);
    } else if (tagName === 'a' || namespace === html.NS.MATHML) {
      const link = hrefOf(attrs);
      if (link !== undefined) this.#lines.addWaiting(link);
    }
  }

  /** A base of the head comes before all others. */
  #addBase(base: Node): void {
    this.#bases.push(base);
    if (this.#bases.length > BASE_LIMIT) throw new Error(`it has more than ${BASE_LIMIT} bases`);
    if (this.#bases.length === 1 && base.parent?.tagName === 'head') this.#lines.settle(hrefOf(base.attributes));
  }

  #mustHaveFew(): void {
    if (this.#parser?.openElements.stackTop > OPEN_LIMIT)
      throw new Error(`more than ${OPEN_LIMIT} of its elements are open at once`);
    if (++this.#elementCount > FEW_ELEMENTS + ELEMENTS_PER_UNIT * this.#unitCount)
      throw new Error(
        'elements that it does not close make more than it has room for: <p><b> without </b>, many times',
      );
  }
}

const CHARSET = new RegExp(
  `charset[${WHITE_SPACE}]*=[${WHITE_SPACE}]*(?:"([^"]*)"|'([^']*)'|([^"'${WHITE_SPACE};][^${WHITE_SPACE};]*))`,
  'i',
);

/**
 * Returns the label of the encoding that the start of a document declares, as its `meta` elements have it.
 *
 * @see https://html.spec.whatwg.org/#change-the-encoding
 */
export function charsetOf(start: string): string | undefined {
  if (!/charset/i.test(start)) return undefined;
  let label: string | undefined;
  const createElement = (name: string, namespace: html.NS, attributes: Token.Attribute[]) =>
    new Node(name, namespace, attributes);
  const parser = new TagParser({ ...TREE, ...NOT_KEPT, createElement }, ({ tagName, attrs }) => {
    if (tagName !== 'meta') return;
    const valueOf = (attribute: string) => attrs.find(({ name }) => name === attribute)?.value;
    const isPragma = valueOf('http-equiv')?.toLowerCase() === 'content-type';
    const declared = isPragma ? CHARSET.exec(valueOf('content') ?? '') : null;
    label = valueOf('charset') ?? declared?.slice(1).find((each) => each !== undefined);
    if (label !== undefined) parser.tokenizer.pause();
  });
  parser.tokenizer.write(start, true);
  return label;
}

function isBase({ tagName, namespace, attributes }: Node): boolean {
  return tagName === 'base' && namespace === html.NS.HTML && hrefOf(attributes) !== undefined;
}

/** Returns the value of `href`, or else of `xlink:href`, which is its older name in SVG. */
function hrefOf(attributes: readonly Token.Attribute[]): string | undefined {
  const found = attributes.filter(({ name }) => name === 'href');
  return (found.find(({ prefix }) => !prefix) ?? found[0])?.value;
}

/** Orders two paths of nodes, neither of which is a part of the other. */
function inTreeOrder(one: readonly Node[], other: readonly Node[]): number {
  const at = one.findIndex((node, index) => node !== other[index]);
  const [left, right] = [one[at]!, other[at]!];
  return left.place - right.place || left.placeBefore - right.placeBefore;
}
