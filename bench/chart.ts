export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Ours, drawn in colour; rivals are grey. */
  readonly isOurs: boolean;
}

const WIDTH = 800;
const LABEL_WIDTH = 400;
const ROW_HEIGHT = 28;
const TOP = 64;

/** Horizontal bars as an SVG that is readable on light and dark pages alike. */
export function barChart(
  title: string,
  subtitle: string,
  bars: readonly Bar[],
  format: (value: number) => string,
): string {
  const height = TOP + bars.length * ROW_HEIGHT + 12;
  // one value far beyond the others would leave them nothing to be compared by: its bar is cut, and faded
  const [longest = 1, second = longest] = bars.map(({ value }) => value).sort((a, b) => b - a);
  const full = longest > 5 * second ? 1.2 * second : longest;
  const rows = bars.map((bar, index) => barRow(bar, TOP + index * ROW_HEIGHT, full, format));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">
<style>text { font: 13px system-ui, sans-serif; fill: #24292f } .title { font-weight: 600; font-size: 16px } .note { fill: #57606a }</style>
<rect width="100%" height="100%" rx="6" fill="#ffffff"/>
<text class="title" x="16" y="26">${escape(title)}</text>
<text class="note" x="16" y="46">${escape(subtitle)}</text>
${rows.join('\n')}
</svg>
`;
}

function barRow({ label, value, isOurs }: Bar, top: number, full: number, format: (value: number) => string): string {
  const length = Math.max(2, ((WIDTH - LABEL_WIDTH - 100) * Math.min(value, full)) / full);
  return `<text x="${LABEL_WIDTH - 8}" y="${top + 17}" text-anchor="end">${escape(label)}</text>
<rect x="${LABEL_WIDTH}" y="${top + 4}" width="${length.toFixed(1)}" height="18" rx="3" fill="${isOurs ? '#0969da' : '#afb8c1'}"${value > full ? ' opacity="0.5"' : ''}/>
<text x="${(LABEL_WIDTH + length + 6).toFixed(1)}" y="${top + 17}">${escape(format(value))}</text>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
