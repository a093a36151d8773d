/**
 * The documentation of the API (decisions, Details 12): the OpenAPI document, an interactive reference page
 * and the files of that page. None of it requires a token. Each file is created on its first request and kept
 * compressed (1.3 MB, mostly Scalar's script).
 */
import type { Context, Middleware } from 'koa';

import { respondToOptions } from '../../http/cors.ts';
import { requireMethod } from '../../http/request-rules.ts';
import { apiPath } from '../../http/router.ts';
import { compressFile, sendFile } from './compressed-file.ts';
import type { CompressedFile } from './compressed-file.ts';
import { createDocumentFile } from './openapi-document.ts';
import type { DocumentedService } from './openapi-document.ts';
import { fileNames, loadReferenceFiles } from './reference-files.ts';
import { createPagePolicy, createReferencePage, createSandboxDocument, createSandboxPolicy } from './reference-page.ts';

const documentPath = `${apiPath}/openapi.json`;
const pagePath = `${apiPath}/docs`;
const sandboxPath = `${pagePath}/sandbox`;
/** Served with the public pages. */
const logoPath = '/p/assets/logo.svg';
const readOnly = { methods: ['GET'], writes: false } as const;

const fiveMinutes = 'public, max-age=300';
const oneYear = 'public, max-age=31536000, immutable';

type Serve = (ctx: Context) => Promise<void>;

export function serveReference(service: DocumentedService): Middleware {
  const served = listServed(service);
  return async (ctx, next) => {
    const serve = served.get(ctx.path);
    if (serve === undefined) {
      await next();
    } else if (ctx.method === 'OPTIONS') {
      respondToOptions(ctx, readOnly);
    } else {
      requireMethod(ctx, readOnly);
      await serve(ctx);
    }
  };
}

/** What is served, by path. */
function listServed(service: DocumentedService): ReadonlyMap<string, Serve> {
  const { serviceName, baseUrl } = service;
  const document = once(async () => await createDocumentFile(service));
  const files = once(async () => await loadReferenceFiles({ documentPath, redirectUri: `${baseUrl}${pagePath}` }));
  const page = once(async () => {
    const options = { serviceName, documentPath, sandboxPath, logoPath, filesPath: pagePath, files: await files() };
    return await compressFile('text/html; charset=utf-8', createReferencePage(options));
  });
  const sandbox = once(async () => {
    const html = createSandboxDocument({ filesPath: pagePath, files: await files() });
    return await compressFile('text/html; charset=utf-8', html);
  });
  const showPage: Serve = async (ctx) => {
    ctx.set('Content-Security-Policy', createPagePolicy(baseUrl));
    // Same as the pages of the authorization server, which this page opens and which return with a code.
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    await sendFile(ctx, await page(), 'no-cache');
  };
  // Browsers show no document that has both a sandbox and Cross-Origin-Opener-Policy.
  const showSandbox: Serve = async (ctx) => {
    ctx.set('Content-Security-Policy', createSandboxPolicy(baseUrl));
    await sendFile(ctx, await sandbox(), 'no-cache');
  };
  return new Map<string, Serve>([
    [documentPath, async (ctx) => await sendFile(ctx, await document(), fiveMinutes)],
    [pagePath, showPage],
    [sandboxPath, showSandbox],
    ...fileNames.map((name): [string, Serve] => [
      `${pagePath}/${name}`,
      async (ctx) => await sendVersion(ctx, (await files())[name]),
    ]),
  ]);
}

/** During a rollout an older process may be asked for a newer version; clients must not cache its response. */
async function sendVersion(ctx: Context, file: CompressedFile): Promise<void> {
  await sendFile(ctx, file, ctx.query['v'] === file.version ? oneYear : 'no-cache');
}

/** Runs `create` once and shares its promise; after a failure the next request tries again. */
function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return async () => {
    created ??= create().catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return await created;
  };
}
