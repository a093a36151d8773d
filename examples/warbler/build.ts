/** Writes Warbler to `dist`, ready for any static host: `node build.ts --issuer https://… --client-id app_…`. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildSite } from './site.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { issuer: text, 'client-id': text, 'service-name': text, 'media-origin': text },
});
const { issuer = 'http://localhost:3000', 'client-id': clientId = '', 'service-name': serviceName = 'Linnet' } = values;

const folder = join(import.meta.dirname, 'dist');
await rm(folder, { recursive: true, force: true });
await mkdir(folder);
const site = await buildSite({ issuer, clientId, serviceName, mediaOrigin: values['media-origin'] });
for (const [path, { body }] of site) await writeFile(join(folder, path), body);
process.stdout.write(`${folder}: ${String(site.size)} files\n`);
