import type { Row, Table } from './valid-rows.ts';

const other = { id: 2, identifier: 'https://other.example.com/' };

/** Rows beside those of `rows` for an API and a grant, and the constraint that rejects each. */
export const resourceServerRows: readonly (readonly [rule: string, table: Table, changes: Row, rejectedBy: string])[] =
  [
    ['another API', 'resource_server', other, 'accepted'],
    ['a duplicate identifier', 'resource_server', { id: 2 }, 'resource_server_identifier_key'],
    [
      'an identifier with a fragment',
      'resource_server',
      { ...other, identifier: 'https://a/#b' },
      'resource_server_identifier_check',
    ],
    [
      'an identifier with a space',
      'resource_server',
      { ...other, identifier: 'https://a/ b' },
      'resource_server_identifier_check',
    ],
    [
      'an identifier of another scheme',
      'resource_server',
      { ...other, identifier: 'ftp://a/' },
      'resource_server_identifier_check',
    ],
    ['an unknown owner', 'resource_server', { ...other, owner_id: 999 }, 'resource_server_owner_id_fkey'],
    [
      'an unknown application',
      'resource_server',
      { ...other, client_id: 'y'.repeat(16) },
      'resource_server_client_id_fkey',
    ],
    ['a blank name', 'resource_server', { ...other, name: ' ' }, 'resource_server_name_check'],
    ['no scopes', 'resource_server', { ...other, scopes: [] }, 'resource_server_scopes_check'],
    [
      'a list of descriptions',
      'resource_server',
      { ...other, scope_descriptions: '[]' },
      'resource_server_scope_descriptions_check',
    ],
    ['a scope with a #', 'resource_server', { ...other, scopes: ['a#b'] }, 'resource_server_scopes_check'],
    ['a scope with a tab', 'resource_server', { ...other, scopes: ['a\tb'] }, 'resource_server_scopes_check'],
    [
      'another signature',
      'resource_server',
      { ...other, access_token_alg: 'HS256' },
      'resource_server_access_token_alg_check',
    ],
    ['a grant', 'grant_resource_server', {}, 'accepted'],
    ['an unknown grant', 'grant_resource_server', { grant_id: 'grant-2' }, 'grant_resource_server_grant_id_fkey'],
    [
      'an unknown API',
      'grant_resource_server',
      { resource_server_id: 2 },
      'grant_resource_server_resource_server_id_fkey',
    ],
  ];
