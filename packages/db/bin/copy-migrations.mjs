// Part of the build: a deployment has the migrations next to the code that applies them (migrations-directory.ts).
import { cp, rm } from 'node:fs/promises';

const source = new URL('../../../prisma/migrations/', import.meta.url);
const target = new URL('../dist/migrations/', import.meta.url);

await rm(target, { recursive: true, force: true });
await cp(source, target, { recursive: true });
