// For runtimes with a console and modules of JSON: reads no file itself, so that Deno needs no permission.
import material from './material.json' with { type: 'json' };
import { probe } from './probe.ts';

probe(material).then((outcome) => console.log(JSON.stringify(outcome)));
