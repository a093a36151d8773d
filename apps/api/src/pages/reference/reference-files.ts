import { readFile } from 'node:fs/promises';

import { compressFile } from './compressed-file.ts';
import type { CompressedFile } from './compressed-file.ts';
import { stylesheet } from './stylesheet.ts';

/** What the page takes besides the document, by the name under which it is served. */
export type ReferenceFiles = Readonly<Record<'scalar.js' | 'start.js' | 'style.css', CompressedFile>>;

const script = 'text/javascript; charset=utf-8';

export async function loadReferenceFiles(documentPath: string): Promise<ReferenceFiles> {
  // The package exports what is for bundlers alone; the file for browsers, complete in itself, lies beside it.
  const scalar = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'));
  return {
    'scalar.js': await compressFile(script, await readFile(scalar)),
    'start.js': await compressFile(script, startScript(documentPath)),
    'style.css': await compressFile('text/css; charset=utf-8', stylesheet),
  };
}

/** What Scalar would do otherwise is in the comments; it calls no host but ours. */
function startScript(documentPath: string): string {
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
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { oauth: { flows: { authorizationCode: { 'x-usePkce': 'SHA-256' } } } },
    },
  };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
}
