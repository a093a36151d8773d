import type { Row, Table } from './good-rows.ts';

/** Another application than that of the good rows; it is there, and has nothing. */
export const otherClientId = 'x'.repeat(16);

const nowhere = { client_id: 'y'.repeat(16) };
const otherLogo = { client_id: otherClientId, name: `${'1'.repeat(32)}.png` };

/** Rows of what belongs to an application, and what refuses them; there is a logo already. */
export const applicationPartRows: readonly (readonly [rule: string, table: Table, changes: Row, refusedBy: string])[] =
  [
    ['of no application', 'redirect_uri', nowhere, 'redirect_uri_client_id_fkey'],
    ['of no application', 'application_secret', nowhere, 'application_secret_client_id_fkey'],
    ['with an empty digest', 'application_secret', { sha256: Buffer.alloc(0) }, 'application_secret_sha256_check'],
    ['with a short digest', 'application_secret', { sha256: Buffer.alloc(31) }, 'application_secret_sha256_check'],
    ['with a long digest', 'application_secret', { sha256: Buffer.alloc(33) }, 'application_secret_sha256_check'],
    ['with a name and uses', 'application_secret', { name: 'x', uses: 1, last_used_at: '2026-01-01' }, 'accepted'],
    ['with a blank name', 'application_secret', { name: ' ' }, 'application_secret_name_check'],
    ['that was used at no time', 'application_secret', { uses: 1 }, 'application_secret_uses_check'],
    ['used, and never', 'application_secret', { last_used_at: '2026-01-01' }, 'application_secret_uses_check'],
    ['of no application', 'application_usage', nowhere, 'application_usage_client_id_fkey'],
    ['with more errors than calls', 'application_usage', { calls: 1, errors: 2 }, 'application_usage_counts_check'],
    ['with fewer than no tokens', 'application_usage', { tokens: -1 }, 'application_usage_counts_check'],
    ['beside another logo', 'application_logo', otherLogo, 'accepted'],
    ['of the same application', 'application_logo', { name: otherLogo.name }, 'application_logo_pkey'],
    ['with the name of another', 'application_logo', { client_id: otherClientId }, 'application_logo_name_key'],
    ['of no application', 'application_logo', { ...otherLogo, ...nowhere }, 'application_logo_client_id_fkey'],
    ['that can be guessed', 'application_logo', { ...otherLogo, name: '1.png' }, 'application_logo_name_check'],
    ['that is empty', 'application_logo', { ...otherLogo, bytes: Buffer.alloc(0) }, 'application_logo_bytes_check'],
    [
      'too large',
      'application_logo',
      { ...otherLogo, bytes: Buffer.alloc(2 ** 20 + 1) },
      'application_logo_bytes_check',
    ],
  ];
