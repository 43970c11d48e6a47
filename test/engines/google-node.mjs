// Looks URLs up by Google's client in JavaScript, as versions 4 and 5: node google-node.mjs FOLDER SERVER URL…
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, rootUrl, ...urls] = process.argv.slice(2);
const { safebrowsing } = createRequire(join(folder, 'package.json'))('@googleapis/safebrowsing');
const clientOf = (version) => safebrowsing({ version, auth: 'KEY', rootUrl });

const requestBody = {
  client: { clientId: 'test', clientVersion: '1' },
  threatInfo: {
    threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING'],
    platformTypes: ['ANY_PLATFORM'],
    threatEntryTypes: ['URL'],
    threatEntries: urls.map((url) => ({ url })),
  },
};
const v4 = (await clientOf('v4').threatMatches.find({ requestBody })).data;
const v5 = (await clientOf('v5').urls.search({ urls })).data;
console.log(JSON.stringify({ v4, v5 }));
