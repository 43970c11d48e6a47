import { announce } from './announcer.ts';
import { element, svgElement } from './element.ts';

const SHOWN_MS = 1500;

/** The longest name of a value: a longer one is neither read nor heard to its end. */
const NAME_UNITS = 100;

/** A button that copies a text, or what gives it by then; `called` says what it is: "Copy SHA-256". */
export function copyButton(called: string, text: string | (() => string)): HTMLButtonElement {
  const name = called.length <= NAME_UNITS ? called : `${called.slice(0, NAME_UNITS)}…`;
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `Copy ${name}`, title: `Copy ${name}` },
    copyIcon(),
    tickIcon(),
  );
  button.addEventListener('click', () => void copy(button, name, typeof text === 'string' ? text : text()));
  return button;
}

async function copy(button: HTMLButtonElement, name: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    return announce(`Not copied: ${error instanceof Error ? error.message : String(error)}`);
  }
  announce(`${name} copied`);
  button.classList.add('is-copied');
  setTimeout(() => button.classList.remove('is-copied'), SHOWN_MS);
}

function copyIcon(): SVGElement {
  const sheet = svgElement('rect', { x: '5.5', y: '5.5', width: '8', height: '8', rx: '1.5' });
  const back = svgElement('path', { d: 'M3.5 10.5h-1v-8h8v1' });
  return svgElement('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, sheet, back);
}

function tickIcon(): SVGElement {
  return svgElement(
    'svg',
    { class: 'icon tick', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    svgElement('path', { d: 'M3 8.5 6.5 12 13 4.5' }),
  );
}
