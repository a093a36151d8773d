import { formatServiceName } from '@linnet/ui/service-name';

import type { ReferenceFiles } from './reference-files.ts';

export interface PageOptions {
  readonly serviceName: string;
  readonly documentPath: string;
  /** Path prefix of the files, without a trailing slash. */
  readonly filesPath: string;
  readonly logoPath: string;
  readonly files: ReferenceFiles;
}

/**
 * Everything comes from our own origin. Scalar inserts its stylesheet into the page and supports no nonce,
 * so inline styles are allowed; inline scripts are not.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The HTML document around the reference. SERVICE_NAME is a slug, so nothing needs escaping. */
export function createReferencePage({ documentPath, filesPath, logoPath, ...options }: PageOptions): string {
  const { files } = options;
  const serviceName = formatServiceName(options.serviceName);
  const addressOf = (name: keyof ReferenceFiles) => `${filesPath}/${name}?v=${files[name].version}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${serviceName}</title>
<link rel="icon" href="${logoPath}" type="image/svg+xml">
<link rel="stylesheet" href="${addressOf('style.css')}">
</head>
<body>
<header class="top">
<img src="${logoPath}" alt="" width="28" height="28">
<strong>${serviceName} API</strong>
<nav aria-label="${serviceName}"><a href="${documentPath}">openapi.json</a> <a href="/developer">My applications</a></nav>
</header>
<noscript><p>The reference requires JavaScript. Without it, read <a href="${documentPath}">openapi.json</a>.</p></noscript>
<div id="reference"></div>
<script src="${addressOf('scalar.js')}"></script>
<script src="${addressOf('start.js')}"></script>
</body>
</html>
`;
}
