// `pnpm --filter @linnet/accounts common-passwords`: writes data/common-passwords.bloom.
import { writeFile } from 'node:fs/promises';

import { makeCommonPasswordFilter } from '../generator/common-password-filter.ts';

await writeFile(new URL('../data/common-passwords.bloom', import.meta.url), makeCommonPasswordFilter());
