/** `/home` and below: the files of the web client (packages/web-client). */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

import { nameRoute } from '@linnet/service/http/request-log';
import { formatServiceName } from '@linnet/ui/service-name';
import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';

/** Its generator writes them. */
const folder = new URL('../../generated/web-client/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Their names contain a hash of their content. */
const unchanging = /-[\w-]{8,}\.(?:js|css)$/;
const page = 'index.html';
const compressible = /\.(?:html|js|css|svg|webmanifest)$/;

interface ClientOptions {
  /** CLIENT */
  readonly isOn: boolean;
  readonly baseUrl: string;
  /** A slug. */
  readonly serviceName: string;
  /** Where pictures are besides our own origin. */
  readonly imageSources: readonly string[];
  /** Whether people have to confirm their addresses. */
  readonly sendsMail: boolean;
}

interface ClientFile {
  readonly type: string;
  readonly body: Buffer;
  readonly gzip: Buffer | undefined;
  readonly etag: string;
}

type Files = ReadonlyMap<string, ClientFile>;

/** Every path without a file name is a page, which exists only in the browser. */
export function serveClient(options: ClientOptions): Koa.Middleware {
  const policy = contentPolicy(options);
  let files: Promise<Files> | undefined;
  const find = async (name: string): Promise<ClientFile | undefined> => {
    files ??= readFiles(options);
    return (await files).get(name);
  };
  const announce = async (ctx: Koa.Context) => {
    if (options.isOn && leadsHere.has(ctx.path)) ctx.set('Link', toPrefetch(await find(page)));
  };
  return async (ctx, next) => {
    const name = options.isOn && ['GET', 'HEAD'].includes(ctx.method) ? fileNameOf(ctx.path) : undefined;
    await announce(ctx);
    const file = name === undefined ? undefined : await find(name);
    if (name === undefined || file === undefined) {
      await next();
      return;
    }
    nameRoute(ctx, pagePaths.client);
    ctx.set('Content-Security-Policy', policy);
    ctx.set('Cache-Control', unchanging.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    // The client is one page below `/home`, and `/home` itself.
    if (name === 'worker.js') ctx.set('Service-Worker-Allowed', pagePaths.client);
    if (name === page) ctx.set('X-Frame-Options', 'DENY');
    respond(ctx, file);
  };
}

/** Pages after which people see the client. Browsers fetch its files while they type. */
const leadsHere: ReadonlySet<string> = new Set([pagePaths.login, pagePaths.register]);

/** What the client asks for first. */
const metadata = '/.well-known/oauth-authorization-server';

/** The value of `Link` (RFC 8288) for what the page loads. */
function toPrefetch(found: ClientFile | undefined): string {
  const names = [...String(found?.body).matchAll(/"(\/home\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  const files = names.map((path) => `<${path}>; rel=prefetch; as=${path.endsWith('.js') ? 'script' : 'style'}`);
  return [...files, `<${metadata}>; rel=prefetch; as=fetch; crossorigin`].join(', ');
}

function fileNameOf(path: string): string | undefined {
  if (path === pagePaths.client) return page;
  if (!path.startsWith(`${pagePaths.client}/`)) return undefined;
  const name = path.slice(pagePaths.client.length + 1);
  return /\.\w+$/.test(name) ? name : page;
}

function respond(ctx: Koa.Context, { type, body, gzip, etag }: ClientFile): void {
  ctx.status = 200;
  ctx.set('ETag', etag);
  ctx.vary('Accept-Encoding');
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  if (gzip === undefined || ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = body;
  } else {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = gzip;
  }
}

/** Only the client's own files run or style anything. It talks to the API and the authorization server, and to no other page. */
function contentPolicy({ baseUrl, imageSources }: ClientOptions): string {
  const own = `${baseUrl}${pagePaths.client}/`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    ["img-src 'self' blob:", ...imageSources].join(' '),
    // The worker keeps the page itself, too.
    `connect-src ${own} ${baseUrl}${pagePaths.client} ${baseUrl}/api/ ${baseUrl}/oauth/ ${baseUrl}/.well-known/`,
    `manifest-src ${own}`,
    `worker-src ${own}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** No files in a checkout that was not built. */
async function readFiles({ baseUrl, serviceName, sendsMail }: ClientOptions): Promise<Files> {
  const names = await readdir(folder).catch(() => []);
  const values: Readonly<Record<string, string>> = {
    issuer: baseUrl,
    'service-name': formatServiceName(serviceName),
    'sends-mail': sendsMail ? 'yes' : 'no',
  };
  const read = async (name: string) => {
    const content = await readFile(new URL(name, folder));
    const isTemplate = /\.(?:html|webmanifest)$/.test(name);
    const body = isTemplate ? Buffer.from(fill(String(content), values)) : content;
    const file: ClientFile = {
      type: types[extname(name)] ?? 'application/octet-stream',
      body,
      gzip: compressible.test(name) ? gzipSync(body) : undefined,
      etag: `"${hash('sha256', body).slice(0, 32)}"`,
    };
    return [name, file] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

/** The values are safe in HTML and JSON: an origin, and a name of letters, digits and spaces. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/%([\w-]+)%/g, (whole, name: string) => values[name] ?? whole);
}
