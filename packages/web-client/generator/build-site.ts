/** `node generator/build-site.ts`: writes the files of the client to where `apps/auth` serves them. Only the server knows `%…%` in them. */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

const room = join(import.meta.dirname, '..');
const target = join(room, '../../apps/auth/src/generated/web-client');

interface Scripts {
  readonly main: string;
  /** What `main` imports: the browser fetches it at the same time. */
  readonly imported: readonly string[];
  readonly files: readonly string[];
}

const names = '[name]-[hash].js';

async function bundle(name: string, entry: string, entryFileNames: string): Promise<Scripts> {
  await using build = await rolldown({
    input: { [name]: join(room, entry) },
    platform: 'browser',
    transform: { target: 'es2022' },
  });
  const options = { format: 'esm', minify: true, entryFileNames, chunkFileNames: names } as const;
  const { output } = await build.write({ ...options, dir: target });
  const main = output.find((file) => file.type === 'chunk' && file.isEntry);
  const imported = main?.type === 'chunk' ? main.imports : [];
  return { main: main?.fileName ?? '', imported, files: output.map(({ fileName }) => fileName) };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/%([\w-]+)%/g, (whole, name: string) => values[name] ?? whole);
}

async function fillFile(name: string, values: Readonly<Record<string, string>>): Promise<void> {
  const path = join(target, name);
  await writeFile(path, fill(await readFile(path, 'utf8'), values));
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(target)).toSorted()) hash.update(await readFile(join(target, name)));
  return hash.digest('hex').slice(0, 12);
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await cp(join(room, 'src/public'), target, { recursive: true });
const style = await readFile(join(room, 'src/style.css'));
const styleName = `client-${createHash('sha256').update(style).digest('hex').slice(0, 12)}.css`;
await writeFile(join(target, styleName), style);
// Public pages know it by this name. On its own, so that the client loads one file.
await bundle('public-page', 'src/public-page.tsx', '[name].js');
const scripts = await bundle('client', 'src/main.tsx', names);
const preload = scripts.imported.map((name) => `<link rel="modulepreload" href="/home/${name}" />`).join('');
await fillFile('index.html', { style: styleName, script: scripts.main, preload });
const kept = ['', `/${styleName}`, ...scripts.files.map((name) => `/${name}`), '/icon.svg', '/branch.svg'];
const version = await fingerprint();
await fillFile('worker.js', { version, files: JSON.stringify(kept.map((path) => `/home${path}`)) });
