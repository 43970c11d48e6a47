import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Bar, barChart } from '../../bench/chart.ts';

const tests = suite('charts');

const chart = (...bars: readonly Bar[]) =>
  barChart({ title: 'A < B', subtitle: '', bars, format: (value) => `${value} ns` });
const bar = (value: number, range?: [number, number]): Bar => ({ label: `${value}`, value, range, isOurs: false });
const widths = (svg: string) =>
  [...svg.matchAll(/<rect class="rival" [^>]*width="([\d.]+)"/g)].map(([, w]) => Number(w));
const count = (svg: string, piece: string) => svg.split(piece).length - 1;

tests('bars are true to scale', () => {
  const [first, second, third] = widths(chart(bar(100), bar(200), bar(400))) as [number, number, number];
  assert.ok(Math.abs(third / first - 4) < 0.01 && Math.abs(second / first - 2) < 0.01, `${first} ${second} ${third}`);
});

tests('a bar that is cut has a visible break, and the others are true to scale', () => {
  const svg = chart(bar(100), bar(200), bar(2000));
  const [first, second, cut] = widths(svg) as [number, number, number];
  assert.ok(Math.abs(second / first - 2) < 0.01 && cut > second);
  assert.is(count(svg, 'class="break"'), 2);
  assert.is(count(chart(bar(100), bar(200), bar(900)), 'class="break"'), 0);
  const many = chart(bar(100), bar(200), bar(300), bar(3000), bar(9000));
  assert.is(count(many, 'class="break"'), 4);
  assert.is(widths(many)[3], widths(many)[4]);
});

tests('the range of the rounds is drawn to the same scale', () => {
  const svg = chart(bar(100), bar(200, [150, 400]));
  const [from, length] = [...svg.matchAll(/class="range" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)]
    .at(-1)!
    .slice(1)
    .map(Number);
  const [first] = widths(svg) as [number];
  assert.ok(Math.abs(length! / first - 2.5) < 0.01 && Math.abs((from! - 16) / first - 1.5) < 0.01);
  assert.is(count(chart(bar(100)), 'class="range"'), 0);
});

tests('the legend names what the chart has, and nothing else', () => {
  const legendOf = (svg: string) =>
    ['urlsum', 'others', 'fastest to slowest run'].filter((name) => svg.includes(`>${name}</text>`));
  assert.equal(legendOf(chart(bar(1), { ...bar(2), isOurs: true })), ['urlsum', 'others']);
  assert.equal(legendOf(chart(bar(1, [1, 2]))), ['others', 'fastest to slowest run']);
});

tests('texts fit, and the value stands at the end of its bar', () => {
  const svg = barChart({
    title: 'word '.repeat(20),
    subtitle: '',
    bars: [bar(50, [1, 99]), bar(100)],
    format: String,
  });
  assert.equal(
    svg.match(/class="title"[^<]*/g)?.map((line) => line.split('>')[1]!.length),
    [39, 39, 19],
  );
  const ends = widths(svg).map((width) => Math.round(16 + width + 8));
  const places = [...svg.matchAll(/<text x="(\d+)" y="\d+">(?:50|100)<\/text>/g)].map(([, x]) => Number(x));
  assert.equal(
    places.filter((x) => x !== 16),
    ends,
  );
});

tests.run();
