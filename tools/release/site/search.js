// Finds sections of the guide: all words must be in one, and those in its heading count more. What is searched is loaded
// when somebody searches. A classic script, so that it also runs from a file.

const field = document.getElementById('search');
const list = document.getElementById('found');
const count = document.getElementById('count');
const MOST_FOUND = 20;
/** A word in a heading counts as much as this often in the text, where more often counts no more. */
const HEADING_SCORE = 10;
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

function scoreOf([, , heading, text], words) {
  let score = 0;
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word) ? HEADING_SCORE : 0;
    const inText = Math.min(text.toLowerCase().split(word).length - 1, HEADING_SCORE);
    if (inHeading + inText === 0) return 0;
    score += inHeading + inText;
  }
  return score;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  close();
  count.textContent = '';
  if (words.length === 0 || globalThis.sections === undefined) return;
  const found = globalThis.sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND);
  list.replaceChildren(...found.map(({ section }, index) => optionOf(section, index)));
  list.hidden = found.length === 0;
  field.setAttribute('aria-expanded', String(found.length > 0));
  count.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
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
