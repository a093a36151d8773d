import { readFileSync } from 'node:fs';

import { assetsFolder } from './stylesheet.ts';

/** The logo of the service, as SVG. */
export function readLogo(): string {
  return readFileSync(new URL('logo.svg', assetsFolder), 'utf8');
}
