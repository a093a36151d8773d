// Part of the build: writes what both SDKs have from the rows of the contract.
import { mkdir, writeFile } from 'node:fs/promises';

import { adminCallsSource, callsSource } from '../generator/calls-source.ts';
import { pythonCallsSource, pythonProblemsSource } from '../generator/python-calls-source.ts';

const typescript = new URL('../src/generated/', import.meta.url);
const python = new URL('../python/src/linnet_sdk/', import.meta.url);
await Promise.all([typescript, python].map((folder) => mkdir(folder, { recursive: true })));
await writeFile(new URL('calls.ts', typescript), callsSource());
await writeFile(new URL('admin-calls.ts', typescript), adminCallsSource());
await writeFile(new URL('calls.py', python), pythonCallsSource());
await writeFile(new URL('problems.py', python), pythonProblemsSource());
