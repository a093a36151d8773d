import type { Row } from './good-rows.ts';

/** PostgreSQL's code for a value that its column cannot hold. */
const tooLong = '22001';

const keyed = (changes: Row): Row => ({ client_id: 'x'.repeat(16), ...changes });

/** What makes a good application another one, and what refuses it then. */
export const applicationRows: readonly (readonly [rule: string, changes: Row, refusedBy: string])[] = [
  ['a second application', { client_id: 'ABCDEFGHIJKLMNOP_-09' }, 'accepted'],
  ['a client id twice', {}, 'application_pkey'],
  ['a client id of digits alone', { client_id: '1234567890123456' }, 'application_client_id_check'],
  ['a client id of 15 characters', { client_id: 'abcdefghijklmno' }, 'application_client_id_check'],
  ['a client id of 65 characters', { client_id: 'x'.repeat(65) }, tooLong],
  ['a client id with a colon', { client_id: 'abcdefghijklmno:p' }, 'application_client_id_check'],
  ['a blank name', { client_id: 'x'.repeat(16), name: ' ' }, 'application_name_check'],
  ['a name of 60 characters', { client_id: 'x'.repeat(16), name: '😀'.repeat(60) }, 'accepted'],
  ['a name of 61 characters', { client_id: 'x'.repeat(16), name: 'x'.repeat(61) }, tooLong],
  ['a scope to leave out that it has not', { optional_scopes: ['email'] }, 'application_optional_scopes_check'],
  ['a reason of 201 characters', { scope_reasons: { users: '😀'.repeat(201) } }, 'application_scope_reasons_check'],
  ['a reason that is no text', { scope_reasons: { users: 1 } }, 'application_scope_reasons_check'],
  ['an unknown type', { client_id: 'x'.repeat(16), type: 'web' }, '22P02'],
  ['an owner that does not exist', { client_id: 'x'.repeat(16), owner_id: 999 }, 'application_owner_id_fkey'],
  ['a link that runs', keyed({ terms_uri: 'javascript:alert(1)' }), 'application_links_check'],
  ['keys that are no list', keyed({ jwks: { keys: 1 } }), 'application_jwks_check'],
  ['keys and their address', keyed({ jwks: { keys: [] }, jwks_uri: 'https://a.example/' }), 'application_keys_check'],
  ['keys that cannot be kept', keyed({ type: 'public', jwks: { keys: [] } }), 'application_keys_check'],
];
