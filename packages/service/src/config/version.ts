import { readFileSync } from 'node:fs';

import { z } from 'zod';

const description = z.object({ version: z.string() });

/** The version of the service. Every room has the same one. */
export const version: string = description.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;
