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
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
}

// Pixels. As wide as a phone, on which it is not made smaller; a label stands above its bar, and takes no width from it.
const WIDTH = 440;
const MARGIN = 16;
const LINE = 20;
const ROW = 50;
const LABEL = 17;
const BAR = 18;
const VALUE_WIDTH = 72;
const FULL = WIDTH - 2 * MARGIN - VALUE_WIDTH;
/** A bar that stands for more than the scale shows is broken here. */
const BREAK = FULL - 60;
/** Times the middle value: up to there the least is still to be seen. */
const BREAK_RATIO = 8;
/** The lengths of the widest texts that fit: bold ones of 16 pixels, and of 13. */
const TITLE_UNITS = 40;
const NOTE_UNITS = 56;

// An SVG in an <img> has no style but its own, which follows the reader's colour scheme.
const STYLE = `
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 16px } .note { font-size: 13px; fill: #59636e }
.page { fill: #ffffff } .rival { fill: #b5bcc4 } .ours { fill: #0969da }
.range { fill: #59636e; opacity: 0.45 } .break { stroke: #ffffff; stroke-width: 4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .note { fill: #9198a1 }
  .page { fill: #0d1117 } .rival { fill: #6e7681 } .ours { fill: #388bfd }
  .range { fill: #9198a1 } .break { stroke: #0d1117 }
}`;

/** Horizontal bars, true to scale; values far beyond the others have a visible break in their bars. */
export function barChart({ title, subtitle, bars, format }: Chart): string {
  const scale = scaleOf(bars);
  const parts: string[] = [];
  let top = 8;
  const addLine = (content: string, className: string) => parts.push(text(MARGIN, (top += LINE), content, className));
  for (const line of wrapped(title, TITLE_UNITS)) addLine(line, 'title');
  for (const line of wrapped(subtitle, NOTE_UNITS)) addLine(line, 'note');
  parts.push(legend(bars, (top += LINE)));
  top += 14;
  for (const bar of bars) {
    parts.push(barRow(bar, top, scale, format));
    top += ROW;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}" role="img">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<rect class="page" width="100%" height="100%" rx="6"/>
${parts.join('\n')}
</svg>
`;
}

/** Whose bars are of which colour, and what the line below one is; only what the chart has. */
function legend(bars: readonly Bar[], y: number): string {
  const square = (name: string, x: number) =>
    `<rect class="${name} key" x="${x}" y="${y - 10}" width="11" height="11"/>`;
  const line = (x: number) => `<rect class="range key" x="${x}" y="${y - 6}" width="18" height="3"/>`;
  const entries = [
    ...(bars.some(({ isOurs }) => isOurs) ? [['urlsum', 78, 17, (x: number) => square('ours', x)] as const] : []),
    ...(bars.some(({ isOurs }) => !isOurs) ? [['others', 78, 17, (x: number) => square('rival', x)] as const] : []),
    ...(bars.some(({ range }) => range !== undefined) ? [['fastest to slowest run', 0, 24, line] as const] : []),
  ];
  let x = MARGIN;
  return entries
    .map(([name, width, gap, mark]) => {
      const drawn = mark(x) + text(x + gap, y, name, 'note');
      x += width;
      return drawn;
    })
    .join('\n');
}

/** Lines of at most so many characters. */
function wrapped(content: string, width: number): string[] {
  return content.match(new RegExp(`.{1,${width}}(?:\\s|$)`, 'g'))?.map((line) => line.trim()) ?? [];
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
  const y = top + LABEL;
  return [
    text(MARGIN, top + 12, bar.label),
    `<rect class="${bar.isOurs ? 'ours' : 'rival'}" x="${MARGIN}" y="${y}" width="${length.toFixed(1)}" height="${BAR}"/>`,
    isBroken ? breakMark(y) : rangeMark(bar, y, pixelsPerUnit),
    text(MARGIN + length + 8, y + 14, format(bar.value)),
  ].join('\n');
}

/** Two slanted cuts through the bar. */
function breakMark(y: number): string {
  const cut = (x: number) => `<path class="break" d="M${x} ${y + BAR + 2} l8 ${-BAR - 4}"/>`;
  return cut(MARGIN + BREAK) + cut(MARGIN + BREAK + 10);
}

/** From the fastest round to the slowest, below the bar: less loud than what it is the spread of. */
function rangeMark({ range }: Bar, y: number, pixelsPerUnit: number): string {
  if (range === undefined) return '';
  const [from, to] = range.map((value) => MARGIN + value * pixelsPerUnit) as [number, number];
  return `<rect class="range" x="${from.toFixed(1)}" y="${y + BAR + 2}" width="${(to - from).toFixed(1)}" height="3"/>`;
}

function text(x: number, y: number, content: string, className?: string): string {
  const attribute = className === undefined ? '' : ` class="${className}"`;
  return `<text${attribute} x="${x.toFixed(0)}" y="${y}">${escape(content)}</text>`;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
