import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { compressFile } from './compressed-file.ts';
import type { CompressedFile } from './compressed-file.ts';
import { hostScript, sandboxScript } from './sandbox-scripts.ts';
import { stylesheet } from './stylesheet.ts';

export const fileNames = ['host.js', 'sandbox.js', 'scalar.js', 'start.js', 'style.css'] as const;
export type FileName = (typeof fileNames)[number];

/** The files of the reference page by the name under which they are served. */
export type ReferenceFiles = Readonly<Record<FileName, CompressedFile>>;

const script = 'text/javascript; charset=utf-8';

interface LoadOptions {
  readonly documentPath: string;
  /** Of the page around the sandbox, which receives codes. */
  readonly redirectUri: string;
}

export async function loadReferenceFiles({ documentPath, redirectUri }: LoadOptions): Promise<ReferenceFiles> {
  return {
    'host.js': await compressFile(script, hostScript),
    'sandbox.js': await compressFile(script, sandboxScript),
    'scalar.js': await compressFile(script, await readScalar()),
    'start.js': await compressFile(script, startScript({ documentPath, redirectUri })),
    'style.css': await compressFile('text/css; charset=utf-8', stylesheet),
  };
}

async function readScalar(): Promise<Buffer> {
  // The package exports only its bundler entry; the standalone browser build lies beside it.
  const file = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));
  // `pnpm release` compresses it.
  const compressed = new URL(`${file.href}.gz`);
  return existsSync(compressed) ? await promisify(gunzip)(await readFile(compressed)) : await readFile(file);
}

/** Keeps Scalar from calling other hosts. The comments name the default behaviour that a setting turns off. */
function startScript({ documentPath, redirectUri }: LoadOptions): string {
  const configuration = {
    url: documentPath,
    withDefaultFonts: false, // fonts.scalar.com
    telemetry: false, // on
    agent: { disabled: true }, // sends the document to a service
    mcp: { disabled: true },
    showDeveloperTools: 'never', // on localhost; leads to scalar.com
    hideClientButton: true, // client.scalar.com
    persistAuth: false,
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenAllTags: false,
    modelsSectionLabel: 'Objects',
    oauth2RedirectUri: redirectUri, // the address of the sandbox
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { oauth: { flows: { authorizationCode: { 'x-usePkce': 'SHA-256' } } } },
    },
  };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
}
