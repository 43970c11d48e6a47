import { byId } from './element.ts';

/** A typist hears of results when typing stops, not at each key. */
const PAUSE_MS = 1000;

/** The longest sentence: one may hold what is in a file, and is not to be read for minutes. */
const SENTENCE_UNITS = 300;

let pending: number | undefined;
let announced = '';

/** Says a sentence to a screen reader, now; the same one again too. */
export function announce(sentence: string): void {
  clearTimeout(pending);
  announced = sentence;
  const said = sentence.length <= SENTENCE_UNITS ? sentence : `${sentence.slice(0, SENTENCE_UNITS)}…`;
  const region = byId('announcer', HTMLDivElement);
  // a live region speaks when it changes: a paragraph that is new is a change, whatever it says
  const paragraph = document.createElement('p');
  paragraph.textContent = said;
  region.replaceChildren(paragraph);
}

/** Says it once nothing else was said for a while, unless it was the last thing said. */
export function announceLater(sentence: string): void {
  clearTimeout(pending);
  pending = setTimeout(() => {
    if (sentence !== announced) announce(sentence);
  }, PAUSE_MS) as unknown as number;
}
