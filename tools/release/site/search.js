// Finds sections of the guide by any of the words: those that few sections have count more, and those in a heading. What
// is searched is loaded when somebody searches. A classic script, so that it also runs from a file.

const field = document.getElementById('search');
const list = document.getElementById('found');
const count = document.getElementById('count');
const MOST_FOUND = 20;
/** A word in a heading counts as much as this often in the text, where more often counts no more. */
const HEADING_SCORE = 6;
const PAGE_SCORE = 1;
/** What people call what the guide names otherwise. */
const SYNONYMS = {
  allowlist: 'exception list',
  blocklist: 'list',
  cloudflare: 'worker',
  csp: 'policy',
  dedupe: 'dedup unseen new',
  deduplicate: 'dedup unseen new',
  duplicate: 'dedup unseen new',
  fast: 'performance',
  fingerprint: 'key',
  gclid: 'tracking',
  malware: 'browsing',
  normalize: 'canonical',
  phishing: 'browsing',
  remove: 'drop without',
  slow: 'performance',
  speed: 'performance',
  splunk: 'log',
  strip: 'drop without',
  utm: 'tracking',
};
let chosen = -1;

field.addEventListener('focus', load, { once: true });
field.addEventListener('input', show);
field.addEventListener('keydown', (event) => {
  const options = [...list.children];
  if (event.key === 'Escape') return close();
  if (event.key === 'Enter' && options.length > 0) return void options[Math.max(chosen, 0)].click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || options.length === 0) return;
  event.preventDefault();
  choose((chosen + step + options.length) % options.length);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  field.focus();
});

function load() {
  const script = document.createElement('script');
  script.src = 'sections.js';
  script.addEventListener('load', show);
  document.head.append(script);
}

function close() {
  list.hidden = true;
  field.setAttribute('aria-expanded', 'false');
  field.removeAttribute('aria-activedescendant');
  chosen = -1;
}

function choose(index) {
  chosen = index;
  for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index));
  field.setAttribute('aria-activedescendant', `found-${index}`);
  list.children[index].scrollIntoView({ block: 'nearest' });
}

/** Begins with a word, whatever its end: `dedupe` finds `--dedup`, and `removes` finds `removed`. */
const patternOf = (word) =>
  new RegExp(`\\b${word.replace(/(?<=...)(?:ing|es|ed|e|s)$/, '').replace(/[^\w]/g, '\\$&')}`, 'gi');

/** How much of a section a word is about; what only a synonym finds counts half. */
function countOf([, page, heading, text], word) {
  const count = (pattern) =>
    (heading.match(pattern) ? HEADING_SCORE : 0) +
    (page.match(pattern) ? PAGE_SCORE : 0) +
    Math.min(text.match(pattern)?.length ?? 0, HEADING_SCORE);
  const others = (SYNONYMS[word] ?? '').split(' ').filter(Boolean);
  return Math.max(count(patternOf(word)), ...others.map((other) => count(patternOf(other)) / 2));
}

/** The sections with any of the words, the best first: those with all before those with one of them. */
function found(words) {
  const matches = globalThis.sections.map((section) => ({ section, score: 0, wordCount: 0 }));
  for (const word of words) {
    const counts = matches.map(({ section }) => countOf(section, word));
    const rarity = Math.log(1 + counts.length / (1 + counts.filter(Boolean).length));
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue;
      matches[index].score += rarity * count;
      matches[index].wordCount++;
    }
  }
  return matches
    .filter(({ wordCount }) => wordCount > 0)
    .sort((a, b) => b.wordCount - a.wordCount || b.score - a.score)
    .slice(0, MOST_FOUND);
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  close();
  count.textContent = '';
  if (words.length === 0 || globalThis.sections === undefined) return;
  const results = found(words);
  list.replaceChildren(...results.map(({ section }, index) => optionOf(section, index)));
  list.hidden = results.length === 0;
  field.setAttribute('aria-expanded', String(results.length > 0));
  count.textContent = results.length === 0 ? 'Nothing found' : `${results.length} found`;
}

function optionOf([address, page, heading], index) {
  const option = document.createElement('div');
  option.id = `found-${index}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.textContent = page === heading ? page : `${page}: ${heading}`;
  option.addEventListener('click', () => {
    close();
    location.assign(address);
  });
  return option;
}
