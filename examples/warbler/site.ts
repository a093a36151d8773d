/** Builds the files of Warbler: index.html with its settings, one script and its parts, the style, the icons. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { rolldown } from 'rolldown';

export interface SiteSettings {
  /** The public origin of the service. */
  readonly issuer: string;
  /** Warbler's own, from the developer area of the service. */
  readonly clientId: string;
  readonly serviceName: string;
  /** Where the service has its pictures, if not at its own origin (`MEDIA_URL`). */
  readonly mediaOrigin?: string | undefined;
}

interface SiteFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The files by path, such as `/index.html`. */
export type Site = ReadonlyMap<string, SiteFile>;

const root = import.meta.dirname;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

export async function buildSite(settings: SiteSettings): Promise<Site> {
  const files = new Map<string, Buffer>();
  for (const name of await readdir(join(root, 'public'))) files.set(name, await readFile(join(root, 'public', name)));
  const style = await readFile(join(root, 'src/style.css'));
  const styleName = `warbler-${fingerprint([style])}.css`;
  files.set(styleName, style);
  const scripts = await bundle();
  for (const [name, code] of scripts.files) files.set(name, code);
  const page = fill(String(files.get('index.html')), {
    ...pageValues(settings),
    style: styleName,
    script: scripts.main,
  });
  files.set('index.html', Buffer.from(page));
  // Static hosts serve it for paths such as /@name, which exist only in the browser.
  files.set('404.html', Buffer.from(page));
  const kept = [...files.keys()].filter((name) => !/\.html$|^worker\.js$/.test(name)).map((name) => `/${name}`);
  const worker = fill(String(files.get('worker.js')), {
    version: fingerprint([...files.values()]),
    files: JSON.stringify(['/', ...kept]),
  });
  files.set('worker.js', Buffer.from(worker));
  return new Map([...files].map(([name, body]) => [`/${name}`, { type: types[extname(name)] ?? 'text/plain', body }]));
}

/** Only Warbler's own files run or style anything; data comes from the service alone. */
function contentPolicy({ issuer, mediaOrigin = issuer }: SiteSettings): string {
  const [origin, pictures] = [issuer, mediaOrigin].map((url) => new URL(url).origin);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: ${String(pictures)}`,
    `connect-src 'self' ${String(origin)}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function pageValues(settings: SiteSettings) {
  const { issuer, clientId, serviceName } = settings;
  return {
    policy: contentPolicy(settings),
    issuer: escapeAttribute(issuer),
    'client-id': escapeAttribute(clientId),
    'service-name': escapeAttribute(serviceName),
  };
}

interface Scripts {
  readonly main: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

async function bundle(): Promise<Scripts> {
  await using build = await rolldown({
    input: { warbler: join(root, 'src/main.tsx') },
    platform: 'browser',
  });
  const names = '[name]-[hash].js';
  const options = { format: 'esm', minify: true, entryFileNames: names, chunkFileNames: names } as const;
  const { output } = await build.generate(options);
  const chunks = output.filter((file) => file.type === 'chunk');
  const main = chunks.find(({ isEntry }) => isEntry)?.fileName ?? '';
  return { main, files: new Map(chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)])) };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/%([\w-]+)%/g, (whole, name: string) => values[name] ?? whole);
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

function fingerprint(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 12);
}
