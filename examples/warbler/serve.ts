/** Builds Warbler and serves it for development: `node serve.ts --client-id app_…`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

import { buildSite } from './site.ts';
import type { Site, SiteSettings } from './site.ts';

interface ServeOptions extends SiteSettings {
  readonly port: number;
}

/** Serves Warbler at `http://127.0.0.1:<port>`; `/callback` there is its redirect URI. */
export async function serveWarbler(options: ServeOptions): Promise<AsyncDisposable & { readonly home: string }> {
  const site = await buildSite(options);
  const server = createServer((request, response) => respond(site, request, response));
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    home: `http://127.0.0.1:${String(options.port)}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(site: Site, { url, method }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url ?? '/', 'http://127.0.0.1');
  // Paths of pages exist only in the browser; names of files contain a dot.
  const isPage = pathname === '/' || !/\.\w+$/.test(pathname);
  const file = site.get(isPage ? '/index.html' : pathname);
  // A <meta> element cannot forbid frames.
  response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader(
    'Cache-Control',
    /-[\w-]{8,}\.(?:js|css)$/.test(pathname) ? 'max-age=31536000, immutable' : 'no-cache',
  );
  if (file === undefined || (method !== 'GET' && method !== 'HEAD')) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
    return;
  }
  response.writeHead(200, { 'Content-Type': file.type }).end(method === 'HEAD' ? undefined : file.body);
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { issuer: text, 'client-id': text, 'service-name': text, port: text };
  const { values } = parseArgs({ options });
  const { issuer = 'http://localhost:3000', 'client-id': clientId = '', port = '4100' } = values;
  const { 'service-name': serviceName = 'Linnet' } = values;
  try {
    const { home } = await serveWarbler({ issuer, clientId, serviceName, port: Number(port) });
    process.stdout.write(`Warbler:        ${home}\n`);
  } catch (error) {
    process.stderr.write(`Warbler did not start: ${String(error)}\n`);
    process.exitCode = 1;
  }
}
