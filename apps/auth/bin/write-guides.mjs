// Part of the build: renders docs/developers to src/generated/guides, and copies a script for pages from its package.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';

import { renderGuides } from '../generator/render-guides.ts';

const folder = new URL('../src/generated/guides/', import.meta.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, content] of renderGuides()) await writeFile(new URL(name, folder), content);

const scripts = new URL('../src/generated/script/', import.meta.url);
await mkdir(scripts, { recursive: true });
// The worker that solves challenges of proofs of work.
await copyFile(new URL(import.meta.resolve('altcha/workers/pbkdf2')), new URL('pbkdf2.js', scripts));
