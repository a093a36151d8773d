// Part of the build: renders docs/developers to src/generated/guides.
import { mkdir, rm, writeFile } from 'node:fs/promises';

import { renderGuides } from '../generator/render-guides.ts';

const folder = new URL('../src/generated/guides/', import.meta.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, content] of renderGuides()) await writeFile(new URL(name, folder), content);
