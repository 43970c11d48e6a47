import { svgElement } from '../widgets/element.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** Ours are drawn full, the others as an outline. */
  readonly isOurs: boolean;
}

const ROW_HEIGHT = 52;
const BAR_TOP = 24;
const BAR_HEIGHT = 12;

/**
 * Horizontal bars, longer for more. Positions are in percent and pixels, so that it fits any width without being
 * scaled.
 */
export function barChart(title: string, bars: readonly Bar[]): SVGSVGElement {
  const longest = Math.max(...bars.map(({ value }) => value));
  const drawn = bars.flatMap((bar, index) => barRow(bar, index * ROW_HEIGHT, longest));
  return svgElement(
    'svg',
    { class: 'chart', width: '100%', height: String(bars.length * ROW_HEIGHT), role: 'img', 'aria-label': title },
    ...drawn,
  );
}

function barRow({ label, value, text, isOurs }: Bar, top: number, longest: number): SVGElement[] {
  const width = `${Math.max(0.3, (100 * value) / longest).toFixed(2)}%`;
  return [
    svgElement('text', { x: '0', y: String(top + 15) }, label),
    svgElement('text', { x: '100%', y: String(top + 15), 'text-anchor': 'end', class: 'amount' }, text),
    svgElement('rect', {
      x: '0',
      y: String(top + BAR_TOP),
      width: '100%',
      height: String(BAR_HEIGHT),
      rx: '2',
      class: 'track',
    }),
    svgElement('rect', {
      x: '0',
      y: String(top + BAR_TOP),
      width,
      height: String(BAR_HEIGHT),
      rx: '2',
      class: isOurs ? 'bar ours' : 'bar',
    }),
  ];
}
