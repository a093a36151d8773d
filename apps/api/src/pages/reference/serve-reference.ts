/**
 * The documentation of the API (decisions, Details 12): the OpenAPI document, also for code generators, a reference page that is
 * made of it, and a Postman collection. None of it requires a token. Each is created on its first request and kept compressed.
 */

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import { apiExplorerId, apiExplorerRedirectUri } from '@linnet/applications/application/built-in-store';
import { toGeneratorDocument } from '@linnet/contract/openapi/generator-document';
import type { ViewContext } from '@linnet/social/view-context';
import { loadAssets } from '@linnet/ui/assets';
import type { AssetAddresses } from '@linnet/ui/assets';
import { formatServiceName } from '@linnet/ui/service-name';
import type { Context, Middleware } from 'koa';

import { requireMethod } from '../../http/request-rules.ts';
import { respondToOptions } from '../../http/response-headers.ts';
import { apiPath } from '../../http/router.ts';
import { createPostmanCollection } from './postman-collection.ts';
import { readPublished } from './published-document.ts';
import { toReference } from './reference-model.ts';
import { renderCallback, renderReference } from './reference-view.tsx';
import type { ReferencePaths } from './reference-view.tsx';

/** A file kept in gzip form, which almost every client accepts. */
interface CompressedFile {
  readonly gzipped: Buffer;
  /** Content-Type, including the charset. */
  readonly type: string;
  /** Hash of the content. */
  readonly version: string;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);

async function compressFile(type: string, content: string | Buffer): Promise<CompressedFile> {
  return { gzipped: await compress(content), type, version: hash('sha256', content).slice(0, 16) };
}

/** Sends the file, or 304 if the client has the current version. */
async function sendFile(ctx: Context, file: CompressedFile, cacheControl: string): Promise<void> {
  ctx.status = 200;
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', cacheControl);
  ctx.set('Content-Type', file.type);
  // Weak: both encodings are one version of the file (RFC 9110 §8.8.1).
  ctx.set('ETag', `W/"${file.version}"`);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = file.gzipped;
  } else {
    ctx.body = await expand(file.gzipped);
  }
  ctx.set('Content-Type', file.type); // koa sets application/octet-stream for a Buffer
}

const assetsFolder = new URL('assets/', import.meta.url);

const referenceStyles: readonly URL[] = [new URL('style/reference.css', assetsFolder)];
const referenceScripts: readonly URL[] = ['reference.js', 'callback.js'].map(
  (name) => new URL(`script/${name}`, assetsFolder),
);

const documentPath = `${apiPath}/openapi.json`;
const pagePath = `${apiPath}/docs`;
const callbackPath = `${pagePath}/authorized`;
const generatorsPath = `${pagePath}/generators.json`;
const collectionPath = `${pagePath}/postman.json`;
const readOnly = { methods: ['GET'], writes: false } as const;

const jsonType = 'application/json; charset=utf-8';
const htmlType = 'text/html; charset=utf-8';
const fiveMinutes = 'public, max-age=300';

interface DocumentedService extends Pick<ViewContext, 'baseUrl' | 'serviceName'> {
  /** Whether people can authorize the page (API_EXPLORER). */
  readonly apiExplorer: boolean;
}

type Serve = (ctx: Context) => Promise<void>;

export function serveReference(service: DocumentedService): Middleware {
  const assets = loadAssets({ path: `${pagePath}/files`, styles: referenceStyles, scripts: referenceScripts });
  const served = listServed(service, assets.addresses);
  return async (ctx, next) => {
    const serve = served.get(ctx.path);
    if (serve === undefined) {
      await assets.serve(ctx, next);
    } else if (ctx.method === 'OPTIONS') {
      respondToOptions(ctx, readOnly);
    } else {
      requireMethod(ctx, readOnly);
      await serve(ctx);
    }
  };
}

/** With zod-openapi, which would slow the start. */
async function loadContract() {
  return await import('@linnet/contract/openapi/document');
}

/** What is served, by path. */
function listServed(
  { baseUrl, serviceName, apiExplorer }: DocumentedService,
  assets: AssetAddresses,
): ReadonlyMap<string, Serve> {
  const shownName = formatServiceName(serviceName);
  const paths: ReferencePaths = {
    apiUrl: `${baseUrl}${apiPath}`,
    documentPath,
    generatorsPath,
    collectionPath,
    pagePath,
  };
  const create = async () => (await loadContract()).createOpenApiDocument({ baseUrl, shownName });
  const document = once(async () => JSON.stringify(await create()));
  const forGenerators = once(
    async () => await compressFile(jsonType, JSON.stringify(toGeneratorDocument(await create()))),
  );
  const json = once(async () => await compressFile(jsonType, await document()));
  const collection = once(async () => {
    const created = createPostmanCollection(toReference(readPublished(await document())), {
      serviceName: shownName,
      baseUrl,
    });
    return await compressFile(jsonType, JSON.stringify(created, null, 2));
  });
  const explorer = { clientId: apiExplorerId, redirectUri: apiExplorerRedirectUri(baseUrl) };
  const page = once(async () => {
    const reference = toReference(readPublished(await document()));
    const shown = { serviceName: shownName, reference, assets, ...paths, ...(apiExplorer ? { explorer } : {}) };
    return await compressFile(htmlType, renderReference(shown));
  });
  const callback = once(async () => await compressFile(htmlType, renderCallback({ assets, referencePath: pagePath })));
  const showPage = (html: () => Promise<CompressedFile>) => async (ctx: Context) => {
    ctx.set('Content-Security-Policy', createPagePolicy(baseUrl));
    // Same as the pages of the authorization server, which the reference opens and which return to the callback.
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    await sendFile(ctx, await html(), 'no-cache');
  };
  return new Map<string, Serve>([
    [documentPath, async (ctx) => await sendFile(ctx, await json(), fiveMinutes)],
    [generatorsPath, async (ctx) => await sendFile(ctx, await forGenerators(), fiveMinutes)],
    [collectionPath, async (ctx) => await sendFile(ctx, await collection(), fiveMinutes)],
    [pagePath, showPage(page)],
    [callbackPath, showPage(callback)],
  ]);
}

/** Scripts and styles are our own files; requests go to the API and the token endpoint only. `baseUrl`: the public origin. */
function createPagePolicy(baseUrl: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${baseUrl}/api/ ${baseUrl}/oauth/token`,
  ].join('; ');
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
