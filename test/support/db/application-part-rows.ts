import { webhookRows } from './webhook-rows.ts';
import { resourceServerRows } from './resource-server-rows.ts';
import type { Row, Table } from './valid-rows.ts';

/** An application beside that of `rows`, without related rows. */
export const otherClientId = 'x'.repeat(16);

const unknown = { client_id: 'y'.repeat(16) };
const otherLogo = { client_id: otherClientId, name: `${'1'.repeat(32)}.png` };

/** Rows that belong to an application, and the constraint that rejects each. One logo exists already. */
export const applicationPartRows: readonly (readonly [rule: string, table: Table, changes: Row, rejectedBy: string])[] =
  [
    ['an unknown application', 'redirect_uri', unknown, 'redirect_uri_client_id_fkey'],
    ['an unknown application', 'application_secret', unknown, 'application_secret_client_id_fkey'],
    ['an empty digest', 'application_secret', { sha256: Buffer.alloc(0) }, 'application_secret_sha256_check'],
    ['a short digest', 'application_secret', { sha256: Buffer.alloc(31) }, 'application_secret_sha256_check'],
    ['a long digest', 'application_secret', { sha256: Buffer.alloc(33) }, 'application_secret_sha256_check'],
    ['a name and uses', 'application_secret', { name: 'x', uses: 1, last_used_at: '2026-01-01' }, 'accepted'],
    ['a blank name', 'application_secret', { name: ' ' }, 'application_secret_name_check'],
    ['uses without a time', 'application_secret', { uses: 1 }, 'application_secret_uses_check'],
    ['a time without uses', 'application_secret', { last_used_at: '2026-01-01' }, 'application_secret_uses_check'],
    ['an unknown application', 'backchannel_logout', unknown, 'backchannel_logout_client_id_fkey'],
    ['an unknown account', 'backchannel_logout', { account_id: 999 }, 'backchannel_logout_account_id_fkey'],
    ['a negative number of attempts', 'backchannel_logout', { attempts: -1 }, 'backchannel_logout_attempts_check'],
    ['an unknown application', 'application_usage', unknown, 'application_usage_client_id_fkey'],
    ['an unknown application', 'client_metadata_document', unknown, 'client_metadata_document_client_id_fkey'],
    [
      'a short digest',
      'client_metadata_document',
      { sha256: Buffer.alloc(31) },
      'client_metadata_document_sha256_check',
    ],
    ['more errors than calls', 'application_usage', { calls: 1, errors: 2 }, 'application_usage_counts_check'],
    ['a negative number of tokens', 'application_usage', { tokens: -1 }, 'application_usage_counts_check'],
    ['an unknown application', 'watched_request', unknown, 'watched_request_client_id_fkey'],
    ['an unknown application', 'endpoint_usage', unknown, 'endpoint_usage_client_id_fkey'],
    ['a negative number of requests', 'endpoint_usage', { failed: -1 }, 'endpoint_usage_counts_check'],
    ['another application', 'application_logo', otherLogo, 'accepted'],
    ['a second logo', 'application_logo', { name: otherLogo.name }, 'application_logo_pkey'],
    ['a duplicate name', 'application_logo', { client_id: otherClientId }, 'application_logo_name_key'],
    ['an unknown application', 'application_logo', { ...otherLogo, ...unknown }, 'application_logo_client_id_fkey'],
    ['a guessable name', 'application_logo', { ...otherLogo, name: '1.png' }, 'application_logo_name_check'],
    ['an empty file', 'application_logo', { ...otherLogo, bytes: Buffer.alloc(0) }, 'application_logo_bytes_check'],
    [
      'a file that is too large',
      'application_logo',
      { ...otherLogo, bytes: Buffer.alloc(2 ** 20 + 1) },
      'application_logo_bytes_check',
    ],
    ...webhookRows,
    ...resourceServerRows,
  ];
