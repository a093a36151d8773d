// Part of `pnpm openapi`: writes docs/api/openapi.json from the rows of the contract.
import { writeFile } from 'node:fs/promises';

import { createPublishedDocument } from '../src/openapi/published-document.ts';

await writeFile(new URL('../../../docs/api/openapi.json', import.meta.url), createPublishedDocument());
