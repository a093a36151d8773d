// Part of `pnpm openapi`: writes src/generated/calls.ts from the rows of the contract.
import { mkdir, writeFile } from 'node:fs/promises';

import { callsSource } from '../generator/calls-source.ts';

const file = new URL('../src/generated/calls.ts', import.meta.url);
await mkdir(new URL('.', file), { recursive: true });
await writeFile(file, callsSource());
