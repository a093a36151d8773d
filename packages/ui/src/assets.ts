import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

import type Koa from 'koa';

import { assetsFolder, minifyStyles, readStylesheet } from './stylesheet.ts';

/** Paths with a version in the query, for use in pages. */
export interface AssetAddresses {
  readonly style: string;
  readonly logo: string;
  /** Stylesheets that single pages need in addition. The key is the file name. */
  readonly extraStyles: Readonly<Record<string, string>>;
  /** The key is the file name. */
  readonly scripts: Readonly<Record<string, string>>;
}

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly version: string;
}

export interface Assets {
  /** The version in an address changes with the content of the file. */
  readonly addresses: AssetAddresses;
  /** Serves the files; passes other requests on. */
  readonly serve: Koa.Middleware;
}

const oneYear = 'public, max-age=31536000, immutable';

interface AssetOptions {
  /** The path below which they are served, such as `/assets`. */
  readonly path: string;
  /** The stylesheets of the server's own pages. */
  readonly styles: readonly URL[];
  /** Stylesheets that single pages load in addition. */
  readonly extraStyles?: readonly URL[];
  /** Scripts. A page must allow each one in its Content-Security-Policy. */
  readonly scripts?: readonly URL[];
  /** Files that clients request without a link, such as `/favicon.ico`. */
  readonly rootFiles?: readonly URL[];
}

const rootFileTypes: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/** Reads the stylesheets, the logo, the scripts and the root files of a server into memory. */
export function loadAssets({ path, styles, extraStyles = [], scripts = [], rootFiles = [] }: AssetOptions): Assets {
  const styleFiles = Object.fromEntries(extraStyles.map((file) => [basename(file.pathname), readExtraStyle(file)]));
  const scriptFiles = Object.fromEntries(scripts.map((file) => [basename(file.pathname), readScript(file)]));
  const files = {
    'style.css': createAsset('text/css; charset=utf-8', readStylesheet(styles)),
    'logo.svg': createAsset('image/svg+xml', readFileSync(new URL('logo.svg', assetsFolder))),
    ...styleFiles,
    ...scriptFiles,
  };
  const addressesOf = (group: Readonly<Record<string, Asset>>) =>
    Object.fromEntries(Object.entries(group).map(([name, { version }]) => [name, `${path}/${name}?v=${version}`]));
  const byPath = new Map<string, Asset>([
    ...Object.entries(files).map(([name, asset]) => [`${path}/${name}`, asset] as const),
    ...rootFiles.map(({ pathname }) => [`/${basename(pathname)}`, readRootFile(pathname)] as const),
  ]);
  return {
    addresses: {
      style: `${path}/style.css?v=${files['style.css'].version}`,
      logo: `${path}/logo.svg?v=${files['logo.svg'].version}`,
      extraStyles: addressesOf(styleFiles),
      scripts: addressesOf(scriptFiles),
    },
    serve: async (ctx, next) => {
      const asset = byPath.get(ctx.path);
      if (asset === undefined || !['GET', 'HEAD'].includes(ctx.method)) await next();
      else respond(ctx, asset);
    },
  };
}

function readExtraStyle(file: URL): Asset {
  return createAsset('text/css; charset=utf-8', minifyStyles([readFileSync(file, 'utf8')]));
}

function readScript(file: URL): Asset {
  return createAsset('text/javascript; charset=utf-8', readFileSync(file));
}

/** @throws Error for an unknown type. */
function readRootFile(path: string): Asset {
  const type = rootFileTypes[extname(path)];
  if (type === undefined) throw new Error(`${path} has an unknown type`);
  return createAsset(type, readFileSync(path));
}

function createAsset(type: string, body: Buffer): Asset {
  return { body, type, version: hash('sha256', body).slice(0, 16) };
}

function respond(ctx: Koa.Context, { body, type, version }: Asset): void {
  ctx.status = 200;
  ctx.set('Content-Type', type);
  ctx.etag = version;
  // During a rollout, an old process may receive a request for a new version. Its response must not be cached.
  ctx.set('Cache-Control', ctx.query['v'] === version ? oneYear : 'no-cache');
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.body = body;
}

/** The logo of the service, as SVG. */
export function readLogo(): string {
  return readFileSync(new URL('logo.svg', assetsFolder), 'utf8');
}
