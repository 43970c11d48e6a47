import { mkdirSync, writeFileSync } from 'node:fs';
import { type Bar, barChart } from './chart.ts';
import { type Measure, ratio } from './measure.ts';

interface Section {
  readonly name: string;
  readonly title: string;
  readonly measures: readonly Measure[];
  /** What the others are compared with. */
  readonly rival: Measure;
  readonly isOurs: (name: string) => boolean;
  /** What the measures count, nanoseconds unless said otherwise. */
  readonly unit?: string;
}

/** Prints each section as it is done; at the end writes them as Markdown, JSON and SVG. */
export class Report {
  readonly #machine: string;
  readonly #sections: Section[] = [];

  constructor(machine: string) {
    this.#machine = machine;
    console.log(machine);
  }

  add(section: Section): void {
    this.#sections.push(section);
    console.log(`\n${markdown(section)}`);
  }

  write(folder: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      `${folder}/report.md`,
      `# Benchmark\n\n${this.#machine}\n\n${this.#sections.map(markdown).join('\n\n')}\n`,
    );
    writeFileSync(
      `${folder}/report.json`,
      `${JSON.stringify({ machine: this.#machine, sections: this.#sections.map(plain) }, null, 2)}\n`,
    );
    for (const section of this.#sections) writeFileSync(`${folder}/${section.name}.svg`, this.#chart(section));
    console.log(`\nwritten to ${folder}/`);
  }

  #chart({ title, measures, isOurs, unit = 'nanoseconds' }: Section): string {
    const bars = measures.map(({ name, value }): Bar => ({ label: name, value, isOurs: isOurs(name) }));
    return barChart(
      title,
      `${unit}, less is better; ${this.#machine.split(',').slice(0, 2).join(',')}`,
      bars,
      (value) => value.toFixed(0),
    );
  }
}

function markdown({ title, measures, rival, unit }: Section): string {
  const rows = measures.map((each) => `| ${each.name} | ${each.value.toFixed(0)} | ${ratio(rival, each).toFixed(2)} |`);
  const than =
    unit === undefined ? `times as fast as \`${rival.name}\`` : `\`${rival.name}\` has so many times as many`;
  return `## ${title}\n\n| | ${unit ?? 'ns'} | ${than} |\n|---|---:|---:|\n${rows.join('\n')}`;
}

function plain({ name, title, measures, rival, unit = 'nanoseconds' }: Section) {
  return {
    name,
    title,
    unit,
    rival: rival.name,
    measures: measures.map((each) => ({ name: each.name, value: each.value, ratio: ratio(rival, each) })),
  };
}
