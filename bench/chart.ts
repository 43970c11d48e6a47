export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The least and the greatest of the rounds. */
  readonly range?: readonly [number, number] | undefined;
  /** Ours, drawn in colour; rivals are grey. */
  readonly isOurs: boolean;
}

export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  /** Bars that are compared with one another; a chart of one group gives it no title. */
  readonly groups: readonly { readonly title?: string | undefined; readonly bars: readonly Bar[] }[];
  readonly format: (value: number) => string;
}

// Pixels. A label stands above its bar, so that long ones take no width from it.
const WIDTH = 800;
const MARGIN = 16;
const HEAD = 60;
const GROUP_TITLE = 28;
const ROW = 46;
const LABEL = 16;
const BAR = 16;
const VALUE_WIDTH = 80;
const FULL = WIDTH - 2 * MARGIN - VALUE_WIDTH;
/** A bar that stands for more than the scale shows is broken here. */
const BREAK = FULL - 60;
/** Times the middle value: up to there the least is still to be seen. */
const BREAK_RATIO = 8;

// An SVG in an <img> has no style but its own, which follows the reader's colour scheme.
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 16px } .group { font-weight: 600 } .note { fill: #59636e }
.page { fill: #ffffff } .rival { fill: #b5bcc4 } .ours { fill: #0969da }
.range { stroke: #1f2328; stroke-width: 1.5; fill: none } .break { stroke: #ffffff; stroke-width: 4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .note { fill: #9198a1 }
  .page { fill: #0d1117 } .rival { fill: #6e7681 } .ours { fill: #388bfd }
  .range { stroke: #e6edf3 } .break { stroke: #0d1117 }
}`;

/** Horizontal bars, true to scale; values far beyond the others have a visible break in their bars. */
export function barChart({ title, subtitle, groups, format }: Chart): string {
  const scale = scaleOf(groups.flatMap(({ bars }) => bars));
  const parts: string[] = [];
  let top = HEAD;
  for (const group of groups) {
    if (group.title !== undefined) {
      parts.push(text(MARGIN, top + 18, group.title, 'group'));
      top += GROUP_TITLE;
    }
    for (const bar of group.bars) {
      parts.push(barRow(bar, top, scale, format));
      top += ROW;
    }
  }
  const height = top + MARGIN / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<rect class="page" width="100%" height="100%" rx="6"/>
${text(MARGIN, 26, title, 'title')}
${text(MARGIN, 46, subtitle, 'note')}
${parts.join('\n')}
</svg>
`;
}

interface Scale {
  readonly pixelsPerUnit: number;
  /** The greatest value that is drawn to scale. */
  readonly greatest: number;
}

/** Values far beyond the others would leave them nothing to be compared by: they do not count. */
function scaleOf(bars: readonly Bar[]): Scale {
  const values = bars.map(({ value }) => value).sort((one, other) => one - other);
  const limit = BREAK_RATIO * (values[values.length >> 1] ?? 1);
  const whole = bars.filter(({ value }) => value <= limit);
  const greatest = Math.max(1, ...whole.map(endOf));
  return { pixelsPerUnit: (whole.length < bars.length ? BREAK - 40 : FULL) / greatest, greatest };
}

function endOf({ value, range }: Bar): number {
  return Math.max(value, range?.[1] ?? 0);
}

function barRow(bar: Bar, top: number, { pixelsPerUnit, greatest }: Scale, format: Chart['format']): string {
  const isBroken = bar.value > greatest;
  const length = isBroken ? FULL : Math.max(2, bar.value * pixelsPerUnit);
  const end = isBroken ? FULL : Math.max(length, endOf(bar) * pixelsPerUnit);
  const y = top + LABEL + 4;
  return [
    text(MARGIN, top + 13, bar.label),
    `<rect class="${bar.isOurs ? 'ours' : 'rival'}" x="${MARGIN}" y="${y}" width="${length.toFixed(1)}" height="${BAR}"/>`,
    isBroken ? breakMark(y) : rangeMark(bar, y, pixelsPerUnit),
    text(MARGIN + end + 8, y + 13, format(bar.value)),
  ].join('\n');
}

/** Two slanted cuts through the bar. */
function breakMark(y: number): string {
  const cut = (x: number) => `<path class="break" d="M${x} ${y + BAR + 2} l8 ${-BAR - 4}"/>`;
  return cut(MARGIN + BREAK) + cut(MARGIN + BREAK + 10);
}

/** From the fastest round to the slowest. */
function rangeMark({ range }: Bar, y: number, pixelsPerUnit: number): string {
  if (range === undefined) return '';
  const [from, to] = range.map((value) => (MARGIN + value * pixelsPerUnit).toFixed(1));
  return `<path class="range" d="M${from} ${y + 4} v8 m0 -4 H${to} m0 -4 v8"/>`;
}

function text(x: number, y: number, content: string, className?: string): string {
  const attribute = className === undefined ? '' : ` class="${className}"`;
  return `<text${attribute} x="${x.toFixed(0)}" y="${y}">${escape(content)}</text>`;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
