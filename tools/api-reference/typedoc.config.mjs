// The API reference from the docstrings: what is exported and not documented fails, and so does a broken link.
import { Converter } from 'typedoc';
import { ENTRIES } from '../entries.mjs';

/** Modules go by what programs import. */
function nameModules({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children)
      module.name = module.name === 'index' ? 'urlsum' : module.name.replace('entries', 'urlsum');
  });
}

export default {
  name: 'urlsum',
  includeVersion: true,
  entryPoints: ENTRIES.map(({ source }) => `../../${source}`),
  tsconfig: 'tsconfig.json',
  out: '../../build/docs',
  plugin: [nameModules],
  readme: 'first-page.md',
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  requiredToBeDocumented: [
    ...['Variable', 'Function', 'Class', 'Interface', 'TypeAlias'],
    ...['Constructor', 'Property', 'Method', 'Accessor', 'Parameter'],
  ],
  // types that are only those of members have no name of their own: docs/api.md
  validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
