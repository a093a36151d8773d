import type { Row, Table } from './valid-rows.ts';

const other = { endpoint_sha256: Buffer.alloc(32, 1) };

/** Rows of webhooks, Web Push and status lists, and the constraint that rejects each. One endpoint and one delivery exist already. */
export const webhookRows: readonly (readonly [rule: string, table: Table, changes: Row, rejectedBy: string])[] = [
  ['a second address', 'webhook_endpoint', { id: 2, url: 'https://example.com/other' }, 'accepted'],
  ['the same address', 'webhook_endpoint', { id: 2 }, 'webhook_endpoint_client_id_url_key'],
  [
    'an unknown application',
    'webhook_endpoint',
    { id: 2, client_id: 'y'.repeat(16) },
    'webhook_endpoint_client_id_fkey',
  ],
  [
    'no events',
    'webhook_endpoint',
    { id: 2, url: 'https://example.com/2', events: '{}' },
    'webhook_endpoint_events_check',
  ],
  [
    'a previous secret for ever',
    'webhook_endpoint',
    { id: 2, url: 'https://example.com/2', previous_secret_jwe: '-' },
    'webhook_endpoint_previous_check',
  ],
  [
    'a webhook that is fetched',
    'webhook_endpoint',
    { id: 2, url: 'https://example.com/2', is_polled: true },
    'webhook_endpoint_stream_check',
  ],
  [
    'an unknown endpoint',
    'webhook_delivery',
    { id: 2, message_id: 'msg_2', endpoint_id: 999 },
    'webhook_delivery_endpoint_id_fkey',
  ],
  [
    'an unknown account',
    'webhook_delivery',
    { id: 2, message_id: 'msg_2', account_id: 999 },
    'webhook_delivery_account_id_fkey',
  ],
  ['a negative number of attempts', 'webhook_delivery', { id: 2, attempts: -1 }, 'webhook_delivery_attempts_check'],
  ['the same message', 'webhook_delivery', { id: 2 }, 'webhook_delivery_message_id_key'],
  ['a second cursor', 'webhook_cursor', { only: false }, 'webhook_cursor_only_check'],
  ['a second cursor', 'push_cursor', { only: false }, 'push_cursor_only_check'],
  ['the same address', 'push_subscription', {}, 'push_subscription_pkey'],
  ['half an id', 'push_subscription', { endpoint_sha256: Buffer.alloc(16) }, 'push_subscription_endpoint_sha256_check'],
  ['half a key', 'push_subscription', { ...other, p256dh: Buffer.alloc(32) }, 'push_subscription_p256dh_check'],
  ['half a secret', 'push_subscription', { ...other, auth: Buffer.alloc(8) }, 'push_subscription_auth_check'],
  ['no types', 'push_subscription', { ...other, types: '{}' }, 'push_subscription_types_check'],
  ['an unknown account', 'push_subscription', { ...other, account_id: 999 }, 'push_subscription_account_id_fkey'],
  ['an unknown application', 'push_subscription', { ...other, client_id: 'y' }, 'push_subscription_client_id_fkey'],
  ['an unknown grant', 'push_subscription', { ...other, grant_id: 'y' }, 'push_subscription_grant_id_fkey'],
  ['a place that is taken', 'token_status', {}, 'token_status_pkey'],
  ['the same place of another API', 'token_status', { resource_server_id: 2 }, 'accepted'],
  ['a place outside the list', 'token_status', { idx: 1_048_576 }, 'token_status_idx_check'],
];
