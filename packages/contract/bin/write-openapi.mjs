// Part of `pnpm openapi`: writes the documents in docs/api from the rows of the contract.
import { writeFile } from 'node:fs/promises';

import { createAdminDocument } from '../src/admin/admin-document.ts';
import { createPublishedDocument } from '../src/openapi/document.ts';

const directory = new URL('../../../docs/api/', import.meta.url);
await writeFile(new URL('openapi.json', directory), createPublishedDocument());
await writeFile(new URL('admin-openapi.json', directory), createAdminDocument());
