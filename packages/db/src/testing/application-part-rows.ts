import type { Row, Table } from './good-rows.ts';

/** Rows of what belongs to an application, and what refuses them, for the test of the constraints. */
export const applicationPartRows: readonly (readonly [rule: string, table: Table, changes: Row, refusedBy: string])[] =
  [
    ['with a name and uses', 'application_secret', { name: 'x', uses: 1, last_used_at: '2026-01-01' }, 'accepted'],
    ['with a blank name', 'application_secret', { name: ' ' }, 'application_secret_name_check'],
    ['that was used at no time', 'application_secret', { uses: 1 }, 'application_secret_uses_check'],
    ['used, and never', 'application_secret', { last_used_at: '2026-01-01' }, 'application_secret_uses_check'],
    ['of another application', 'application_usage', { client_id: 'x'.repeat(16) }, 'application_usage_client_id_fkey'],
    ['with more errors than calls', 'application_usage', { calls: 1, errors: 2 }, 'application_usage_counts_check'],
    ['with fewer than no tokens', 'application_usage', { tokens: -1 }, 'application_usage_counts_check'],
    ['of another application', 'application_logo', { client_id: 'x'.repeat(16) }, 'application_logo_client_id_fkey'],
    ['with a name that can be guessed', 'application_logo', { name: '1.png' }, 'application_logo_name_check'],
    ['that is empty', 'application_logo', { bytes: Buffer.alloc(0) }, 'application_logo_bytes_check'],
    ['that is large', 'application_logo', { bytes: Buffer.alloc(2 ** 20 + 1) }, 'application_logo_bytes_check'],
  ];
