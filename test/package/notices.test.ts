import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('what of others is in the package');

const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');

tests('the notices are those of what is bundled', () => {
  execFileSync(process.execPath, ['tools/notices.mjs', '--check'], { stdio: 'pipe' });
});

tests('every package that a file of the library has a part of is in them', () => {
  const modules = JSON.parse(readFileSync('build/modules.json', 'utf8')) as string[];
  const names = new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  assert.ok(names.size >= 4, `only ${[...names].join(', ')}`);
  for (const name of names) assert.ok(notices.includes(`\n${name} `), `${name} is not in THIRD-PARTY-NOTICES`);
});

tests(
  'a dry run of a release lists what is bundled, and would publish with provenance under the tag of its version',
  () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'name' | 'version', string>;
    const output = execFileSync(process.execPath, ['tools/release.mjs', '--dry-run'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    assert.match(output, `+ ${name}@${version}`);
    const { metadata, components } = JSON.parse(readFileSync('build/sbom.cdx.json', 'utf8')) as Sbom;
    assert.is(metadata.component.purl, `pkg:npm/${name}@${version}`);
    assert.is(metadata.component.name, name);
    const listed = components.map(({ purl }) => /^pkg:npm\/(.+)@([\d.]+)$/.exec(decodeURIComponent(purl))!.slice(1, 3));
    assert.equal(
      listed,
      Array.from(notices.matchAll(/^-+\n(@?[a-z]\S*) ([\d.]+) \(/gm), ([, ...parts]) => parts),
    );
  },
);

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly purl: string } };
  readonly components: readonly { readonly purl: string }[];
}

tests.run();
