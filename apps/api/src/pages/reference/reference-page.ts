/**
 * The page of the reference, and the document that it frames. Scalar's script runs only in the document, whose policy
 * gives it an opaque origin: it reaches neither the cookies nor the pages of this service.
 */
import { formatServiceName } from '@linnet/ui/service-name';

import type { FileName, ReferenceFiles } from './reference-files.ts';

export interface PageOptions {
  readonly serviceName: string;
  readonly documentPath: string;
  /** Of the framed document. */
  readonly sandboxPath: string;
  /** Path prefix of the files, without a trailing slash. */
  readonly filesPath: string;
  readonly logoPath: string;
  readonly files: ReferenceFiles;
}

const nothingElse = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];

/** Policy of the page around the sandbox. `baseUrl`: the public origin. */
export function createPagePolicy(baseUrl: string): string {
  return [
    ...nothingElse,
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "frame-src 'self'",
    `connect-src ${baseUrl}/oauth/token`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Policy of the framed document. Scalar inserts its stylesheet into the page and supports no nonce, so inline styles are
 * allowed; inline scripts are not. New windows, for links, are outside the sandbox and cannot be read from it.
 */
export function createSandboxPolicy(baseUrl: string): string {
  return [
    'sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox',
    ...nothingElse,
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${baseUrl}/api/`,
    "frame-ancestors 'self'",
  ].join('; ');
}

/** SERVICE_NAME is a slug, so nothing needs escaping. */
export function createReferencePage({ documentPath, logoPath, sandboxPath, ...options }: PageOptions): string {
  const serviceName = formatServiceName(options.serviceName);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${serviceName}</title>
<link rel="icon" href="${logoPath}" type="image/svg+xml">
<link rel="stylesheet" href="${addressOf(options, 'style.css')}">
</head>
<body class="host">
<header class="top">
<img src="${logoPath}" alt="" width="28" height="28">
<strong>${serviceName} API</strong>
<nav aria-label="${serviceName}"><a href="${documentPath}">openapi.json</a> <a href="/developer">My applications</a></nav>
</header>
<noscript><p>The reference requires JavaScript. Without it, read <a href="${documentPath}">openapi.json</a>.</p></noscript>
<iframe id="reference" title="API reference" data-source="${sandboxPath}"></iframe>
<script src="${addressOf(options, 'host.js')}"></script>
</body>
</html>
`;
}

/** The document in the frame. */
export function createSandboxDocument(options: Pick<PageOptions, 'filesPath' | 'files'>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference</title>
<link rel="stylesheet" href="${addressOf(options, 'style.css')}">
</head>
<body>
<div id="reference"></div>
<script src="${addressOf(options, 'sandbox.js')}"></script>
<script src="${addressOf(options, 'scalar.js')}"></script>
<script src="${addressOf(options, 'start.js')}"></script>
</body>
</html>
`;
}

function addressOf({ files, filesPath }: Pick<PageOptions, 'filesPath' | 'files'>, name: FileName): string {
  return `${filesPath}/${name}?v=${files[name].version}`;
}
