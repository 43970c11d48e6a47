import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';

/** A fenced block of code. */
export interface Block {
  /** The path of the Markdown file, from the project's folder. */
  readonly path: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From the comment `<!-- not run: REASON -->` before the block. */
  readonly reasonNotRun: string | undefined;
  /** The block after it that the comment `<!-- prints -->` joins to it: its standard output. */
  readonly printed: string | undefined;
}

export interface Document {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The targets of links and images, as written. */
  readonly links: readonly string[];
  /** The anchors that `#…` can name: a heading as GitHub spells it. */
  readonly anchors: ReadonlySet<string>;
  /** The code spans of its prose. */
  readonly spans: readonly string[];
}

const FOLDERS_NOT_OURS = ['node_modules', 'build', 'dist', '.git'];
const NOT_RUN = /^<!-- not run: (.+) -->\s*$/;
const PRINTS = '<!-- prints -->';

/** Every Markdown file of the project. */
export function documents(): Document[] {
  return pathsIn('.').map(documentOf);
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return FOLDERS_NOT_OURS.includes(entry.name) ? [] : pathsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function documentOf(path: string): Document {
  const text = readFileSync(path, 'utf8');
  const tokens = new MarkdownIt({ html: true }).parse(text, {});
  const inline = tokens.flatMap((token) => token.children ?? []);
  const target = (name: string) => inline.flatMap((token) => token.attrGet(name) ?? []).map(String);
  return {
    path,
    text,
    blocks: blocksOf(path, tokens),
    links: [...target('href'), ...target('src')],
    anchors: anchorsOf(tokens),
    spans: inline.filter(({ type }) => type === 'code_inline').map(({ content }) => content),
  };
}

function blocksOf(path: string, tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'fence' && token.type !== 'code_block') return [];
    const before = tokens[index - 1];
    const reasonNotRun = before?.type === 'html_block' ? NOT_RUN.exec(before.content)?.[1] : undefined;
    const printed = tokens[index + 1]?.content.trim() === PRINTS ? tokens[index + 2]!.content : undefined;
    return [{ path, line: token.map![0] + 1, language: token.info.trim(), text: token.content, reasonNotRun, printed }];
  });
}

function anchorsOf(tokens: readonly Token[]): Set<string> {
  const slugger = new GithubSlugger();
  const headings = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
  const plain = (heading: Token) => heading.children!.map(({ content }) => content).join('');
  return new Set(headings.map((heading) => slugger.slug(plain(heading))));
}
