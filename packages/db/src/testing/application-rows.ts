import type { Row, Table } from './good-rows.ts';

/** Rows of what belongs to an application, and what refuses them, for the test of the constraints. */
export const applicationRows: readonly (readonly [rule: string, table: Table, changes: Row, refusedBy: string])[] = [
  ['with a name and uses', 'application_secret', { name: 'x', uses: 1, last_used_at: '2026-01-01' }, 'accepted'],
  ['with a blank name', 'application_secret', { name: ' ' }, 'application_secret_name_check'],
  ['that was used at no time', 'application_secret', { uses: 1 }, 'application_secret_uses_check'],
  ['used, and never', 'application_secret', { last_used_at: '2026-01-01' }, 'application_secret_uses_check'],
];
