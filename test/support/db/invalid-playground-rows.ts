import type { Row } from './valid-rows.ts';

/** Changes of a second playground run, and the constraint that rejects each. */
export const invalidPlaygroundRows: [changes: Row, rejectedBy: string][] = [
  [{}, 'playground_run_pkey'],
  [{ id: 2 }, 'playground_run_client_id_account_id_key'],
  [{ id: 2, account_id: 999 }, 'playground_run_account_id_fkey'],
  [{ id: 2, client_id: 'x'.repeat(16) }, 'playground_run_client_id_fkey'],
  [{ id: 2, account_id: 2, ends_at: '2020-01-01' }, 'playground_run_ends_at_check'],
  [{ id: 2, account_id: 2, version: -1 }, 'playground_run_version_check'],
  [{ id: 2, account_id: 2, sealed_jwe: '' }, 'playground_run_sealed_jwe_check'],
];
