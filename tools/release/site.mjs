// The site, one folder of static files: the page of demo/ at its root, the guide from docs/ in guide/, with the charts,
// and the API reference in reference/. All addresses in it are relative, so it works under any path, and nothing is loaded
// from elsewhere. `node tools/release/site.mjs FOLDER`, after `npm run build:docs` and `node build.mjs demo`.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { repositoryFields } from './repository.mjs';

const PAGE = 'build/demo';
const REFERENCE = 'build/docs';
const LIST = 'docs/README.md';
const NPM = 'https://www.npmjs.com/package/urlsum';
/** Pages whose address is not their name, as in `guide/bulk.html` and `guide/changelog.html`. */
const ADDRESSES = { 'README.md': 'guide/index.html', [LIST]: 'guide/documents.html' };
const addressOf = (path) => ADDRESSES[path] ?? `guide/${basename(path, '.md').toLowerCase()}.html`;

/** The list of documents: groups of links, `[title, path, anchor]`, each with its name. */
function documents() {
  const groups = readFileSync(LIST, 'utf8')
    .split(/^(?=[A-Z].*:$)/m)
    .slice(1)
    .map((text) => ({
      name: text.slice(0, text.indexOf(':')),
      links: Array.from(text.matchAll(/^- \[(.+?)\]\((.+?)(#.+?)?\)/gm), ([, title, file, anchor = '']) => [
        title,
        posix.join('docs', file),
        anchor,
      ]),
    }));
  groups[0].links.unshift(['Overview', 'README.md', '']);
  groups.at(-1).links.push(['Charts', 'tools/release/site/charts.md', '']);
  const listed = [LIST, ...groups.flatMap(({ links }) => links.map(([, path]) => path))];
  const lost = readdirSync('docs').filter((name) => name.endsWith('.md') && !listed.includes(`docs/${name}`));
  if (lost.length > 0) throw new Error(`${LIST} does not list ${lost.join(', ')}`);
  return groups;
}

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** Makes a page of each document, and collects the files that they link to. */
class Guide {
  #markdown = new MarkdownIt({ html: true });
  #groups = documents();
  /** Titles of documents by their paths. The list of documents stands beside each page, and is one, too. */
  #titles = new Map([
    ...this.#groups
      .flatMap(({ links }) => links.map(([title, path, anchor]) => [path, title, anchor]))
      .filter(([, , anchor]) => anchor === ''),
    [LIST, 'Documents'],
  ]);
  /** Headings of the second level: `[slug, text]`. */
  #headings = new Map();
  files = new Set();
  pages = new Map();

  constructor() {
    const { rules } = this.#markdown.renderer;
    rules.table_open = () => '<div class="wide" tabindex="0"><table>';
    rules.table_close = () => '</table></div>';
    rules.fence = (tokens, index) => `<pre tabindex="0"><code>${escaped(tokens[index].content)}</code></pre>\n`;
    // a heading without a text is none to who hears it
    rules.th_open = (tokens, index) => (tokens[index + 1].content === '' ? '<td>' : '<th scope="col">');
    rules.th_close = (tokens, index) => (tokens[index - 1].content === '' ? '</td>' : '</th>');
    for (const path of this.#titles.keys()) this.pages.set(addressOf(path), this.#page(path));
  }

  #page(path) {
    const tokens = this.#markdown.parse(readFileSync(path, 'utf8'), {});
    const slugger = new GithubSlugger();
    const headings = [];
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') {
        const text = tokens[index + 1].children.map(({ content }) => content).join('');
        const slug = slugger.slug(text);
        token.attrSet('id', slug);
        if (token.tag === 'h2') headings.push([slug, text]);
      }
      if (token.type === 'td_open' && token.attrGet('style')?.includes('right')) token.attrs = [['class', 'right']];
      else if (token.type === 'td_open') token.attrs = null; // a style of its own, which the policy forbids
      for (const [at, child] of token.children?.entries() ?? []) this.#link(path, child, token.children[at + 1]);
    }
    this.#headings.set(path, headings);
    return this.#markdown.renderer.render(tokens, this.#markdown.options, {});
  }

  /** @param next what is shown of a link: the name of a document becomes its title */
  #link(path, token, next) {
    if (token.type === 'image') token.attrSet('alt', token.content);
    for (const name of ['href', 'src']) {
      const target = token.attrGet(name);
      if (target === null || /^[a-z]+:|^#/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const linked = posix.normalize(posix.join(dirname(path), file));
      const isPage = this.#titles.has(linked);
      if (!isPage) this.files.add(linked);
      const to = isPage ? addressOf(linked) : `guide/files/${linked}`;
      if (isPage && /^[\w/-]+\.md$/.test(next?.content)) next.content = this.#titles.get(linked);
      token.attrSet(name, posix.relative('guide', to) + (anchor === undefined ? '' : `#${anchor}`));
    }
  }

  /** The HTML of a page, beside the list of all pages, in which it has its contents. */
  html(address, version, outside) {
    const current = [...this.#titles.keys()].find((path) => addressOf(path) === address);
    return TEMPLATE.replaceAll('{title}', escaped(this.#titles.get(current)))
      .replace('{version}', version)
      .replace('{links}', outside.map(([text, to]) => `<a href="${to}">${text}</a>`).join('\n    '))
      .replace('{pages}', this.#groups.map((group) => this.#group(group, current)).join('\n'))
      .replace('{content}', () => this.pages.get(address));
  }

  #group({ name, links }, current) {
    const items = links.map(([title, path, anchor]) => {
      const isCurrent = path === current && anchor === '';
      const mark = isCurrent ? ' aria-current="page"' : '';
      const contents = isCurrent ? this.#contents(path) : '';
      return `<li><a href="${basename(addressOf(path))}${anchor}"${mark}>${escaped(title)}</a>${contents}</li>`;
    });
    return `<h2>${name}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  }

  #contents(path) {
    const items = this.#headings.get(path).map(([slug, text]) => `<li><a href="#${slug}">${escaped(text)}</a></li>`);
    return items.length === 0 ? '' : `\n<ul>${items.join('\n')}</ul>`;
  }
}

const TEMPLATE = readFileSync('tools/release/site/page.html', 'utf8');
/** The names of colors in either scheme, which the page of demo/ has tested for contrast. */
const colors = () => readFileSync('demo/style.css', 'utf8').split('\n*,')[0];

/** Returns what a release of the site lacks. */
export function siteProblems() {
  return [
    ...(existsSync(`${PAGE}/index.html`) ? [] : ['the page is not built: node build.mjs demo']),
    ...(existsSync(`${REFERENCE}/index.html`) ? [] : ['the API reference is not built: npm run build:docs']),
  ];
}

/**
 * @param repository the fields of package.json that say where the source is; undefined where nothing does
 * @throws where a link leads nowhere
 */
export function writeSite(folder, version, repository) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'guide'), { recursive: true });
  const hasReference = existsSync(`${REFERENCE}/index.html`);
  if (existsSync(PAGE)) cpSync(PAGE, folder, { recursive: true });
  if (hasReference) copyReference(join(folder, 'reference'));
  const guide = new Guide();
  const outside = [...(hasReference ? [['API reference', '../reference/index.html']] : []), ...linksOf(repository)];
  for (const address of guide.pages.keys()) writeFileSync(join(folder, address), guide.html(address, version, outside));
  for (const file of guide.files) cpSync(file, join(folder, 'guide/files', file), { recursive: true });
  writeFileSync(
    join(folder, 'guide/style.css'),
    `${colors()}\n${readFileSync('tools/release/site/style.css', 'utf8')}`,
  );
  if (!existsSync(`${PAGE}/index.html`)) return; // siteProblems says so, and the guide's links to it lead nowhere
  const reference = hasReference ? [['API reference', 'reference/index.html']] : [];
  writeFileSync(join(folder, 'index.html'), firstPage([...reference, ...linksOf(repository)]));
  mustLeadSomewhere(folder);
}

/** Replaces what a page must have. */
function replaced(page, from, to) {
  if (!page.includes(from)) throw new Error(`a page lacks ${from}`);
  return page.replaceAll(from, to);
}

/** Where the package and its source are. */
function linksOf(repository) {
  const [source] = repository?.homepage.split('#') ?? [];
  return [
    ['npm', NPM],
    ...(source === undefined
      ? []
      : [
          ['Source', source],
          ['Issues', repository.bugs.url],
        ]),
  ];
}

/** The page of demo/, with links to what the site has beside it, and to what is outside. */
function firstPage(outside) {
  const page = readFileSync(`${PAGE}/index.html`, 'utf8');
  const links = [['Guide', 'guide/index.html'], ...outside].map(([text, to]) => `<a href="${to}">${text}</a>`);
  return replaced(page, '<p class="install"><code>npm install urlsum</code>', `$& ${links.join(' ')}`);
}

/** TypeDoc's own links are the same on each page, whatever its folder is. */
function copyReference(folder) {
  cpSync(REFERENCE, folder, { recursive: true });
  for (const path of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.html'))) {
    const page = join(folder, path);
    const guide = posix.relative(posix.dirname(`reference/${path}`), 'guide/index.html');
    const place = '<div id="tsd-toolbar-links">';
    writeFileSync(page, replaced(readFileSync(page, 'utf8'), place, `${place}<a href="${guide}">Guide</a>`));
  }
}

function mustLeadSomewhere(folder) {
  const pages = [...readdirSync(join(folder, 'guide')).map((name) => `guide/${name}`), 'index.html'];
  const html = (path) => readFileSync(join(folder, path), 'utf8');
  for (const page of pages.filter((path) => path.endsWith('.html') && existsSync(join(folder, path)))) {
    for (const [, target] of html(page).matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const path = file === '' ? page : posix.normalize(posix.join(dirname(page), decodeURI(file)));
      if (!existsSync(join(folder, path))) throw new Error(`${page}: ${target} is not there`);
      if (anchor && path.endsWith('.html') && !html(path).includes(`id="${anchor}"`))
        throw new Error(`${page}: ${target} names no heading`);
    }
  }
}

if (process.argv[1]?.endsWith('site.mjs')) {
  const [folder = 'build/site'] = process.argv.slice(2);
  for (const problem of siteProblems()) console.error(problem);
  writeSite(folder, JSON.parse(readFileSync('package.json', 'utf8')).version, repositoryFields());
}
