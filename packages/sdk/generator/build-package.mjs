// Part of the build: dist/browser.js, and the files that the service offers at /developers/sdk.
import { copyFile, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeArchive } from './archive.mjs';
import { writeBrowserFile } from './browser-file.mjs';
import { writeWheel } from './wheel.ts';

const room = fileURLToPath(new URL('..', import.meta.url));
const served = fileURLToPath(new URL('../../../apps/auth/src/generated/sdk/', import.meta.url));
const dependency = dirname(createRequire(import.meta.url).resolve('oauth4webapi/package.json'));
const { version } = JSON.parse(await readFile(join(room, 'package.json'), 'utf8'));
const browserFile = join(room, 'dist/browser.js');

await writeBrowserFile({ room, dependency, version, file: browserFile });
await writeArchive({ room, dependency, file: join(served, 'linnet-sdk.tgz') });
await copyFile(browserFile, join(served, 'linnet-sdk.js'));
await writeWheel({ project: join(room, 'python'), folder: served });
