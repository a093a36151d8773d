import type { Row } from './valid-rows.ts';

/** PostgreSQL's code for a value that is too long for its column (string_data_right_truncation). */
const tooLong = '22001';

const documentUrl = 'https://agent.example/client.json';
const keyed = (changes: Row): Row => ({ client_id: 'x'.repeat(16), ...changes });
const strict = {
  ...{ strict: true, require_pushed_authorization_requests: true, dpop_bound_access_tokens: true },
  ...{ id_token_signed_response_alg: 'ES256', jwks_uri: 'https://a.example/' },
};

/** Changes of the valid application, and the constraint that rejects each. */
export const applicationRows: readonly (readonly [rule: string, changes: Row, rejectedBy: string])[] = [
  [
    'ID tokens are signed with a known algorithm',
    { id_token_signed_response_alg: 'HS256' },
    'application_id_token_signed_response_alg_check',
  ],
  [
    'a public application for the admin API',
    { client_id: 'x'.repeat(16), type: 'public', admin_allowed: true },
    'application_admin_allowed_check',
  ],
  ['a negative quota', { registrations_per_hour: -1 }, 'application_registrations_per_hour_check'],
  ['a second application', { client_id: 'ABCDEFGHIJKLMNOP_-09' }, 'accepted'],
  ['a duplicate client id', {}, 'application_pkey'],
  ['a client id of digits only', { client_id: '1234567890123456' }, 'application_client_id_check'],
  ['a client id of 15 characters', { client_id: 'abcdefghijklmno' }, 'application_client_id_check'],
  ['a client id of 65 characters', { client_id: 'x'.repeat(65) }, 'application_client_id_check'],
  ['a URL of 257 characters', { client_id: documentUrl.padEnd(257, 'x') }, tooLong],
  ['a URL of 256 characters', { client_id: documentUrl.padEnd(256, 'x'), owner_id: null }, 'accepted'],
  ['a URL with a space', { client_id: `${documentUrl} x`, owner_id: null }, 'application_client_id_check'],
  ['a URL with an owner', { client_id: documentUrl }, 'application_self_registered_check'],
  [
    'a URL with a registration token',
    { client_id: documentUrl, owner_id: null, registration_token_sha256: Buffer.alloc(32) },
    'application_self_registered_check',
  ],
  ['a client id with a colon', { client_id: 'abcdefghijklmno:p' }, 'application_client_id_check'],
  ['a blank name', { client_id: 'x'.repeat(16), name: ' ' }, 'application_name_check'],
  ['a name of 60 characters', { client_id: 'x'.repeat(16), name: '😀'.repeat(60) }, 'accepted'],
  ['a name of 61 characters', { client_id: 'x'.repeat(16), name: 'x'.repeat(61) }, tooLong],
  ['an optional scope that is not registered', { optional_scopes: ['email'] }, 'application_optional_scopes_check'],
  ['a reason of 201 characters', { scope_reasons: { users: '😀'.repeat(201) } }, 'application_scope_reasons_check'],
  ['a reason that is not a string', { scope_reasons: { users: 1 } }, 'application_scope_reasons_check'],
  ['an unknown type', { client_id: 'x'.repeat(16), type: 'web' }, '22P02'],
  ['an owner that does not exist', { client_id: 'x'.repeat(16), owner_id: 999 }, 'application_owner_id_fkey'],
  ['no owner and no token', keyed({ owner_id: null }), 'application_self_registered_check'],
  [
    'an owner and a registration token',
    keyed({ registration_token_sha256: Buffer.alloc(32) }),
    'application_self_registered_check',
  ],
  [
    'no owner and client credentials',
    keyed({ owner_id: null, registration_token_sha256: Buffer.alloc(32), grant_types: ['client_credentials'] }),
    'application_self_registered_grant_types_check',
  ],
  [
    'a verified application without owner',
    keyed({ owner_id: null, registration_token_sha256: Buffer.alloc(32), verified_at: '2026-11-22' }),
    'application_self_registered_verified_check',
  ],
  [
    'a registration token of 31 bytes',
    keyed({ owner_id: null, registration_token_sha256: Buffer.alloc(31) }),
    'application_registration_token_sha256_check',
  ],
  ['no owner, with a token', keyed({ owner_id: null, registration_token_sha256: Buffer.alloc(32) }), 'accepted'],
  [
    '21 addresses for sign-out',
    keyed({
      post_logout_redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${String(index)}`),
    }),
    'application_post_logout_redirect_uris_check',
  ],
  ['a link with the scheme javascript', keyed({ terms_uri: 'javascript:alert(1)' }), 'application_links_check'],
  ['keys that are not an array', keyed({ jwks: { keys: 1 } }), 'application_jwks_check'],
  ['PKCE off for a public client', keyed({ type: 'public', require_pkce: false }), 'application_require_pkce_check'],
  [
    'another algorithm',
    keyed({ token_endpoint_auth_signing_alg: 'HS256' }),
    'application_token_endpoint_auth_signing_alg_check',
  ],
  ['a short lifetime', keyed({ access_token_lifetime: 59 }), 'application_access_token_lifetime_check'],
  ['a long lifetime', keyed({ access_token_lifetime: 3601 }), 'application_access_token_lifetime_check'],
  ['a short time without use', keyed({ refresh_token_lifetime: 299 }), 'application_refresh_token_lifetime_check'],
  ['a name key without verification', keyed({ name_key: 'a' }), 'application_name_key_check'],
  [
    'a strict application that accepts the token endpoint as audience',
    keyed({ ...strict, accept_endpoint_audience: true }),
    'application_strict_check',
  ],
  ['a strict application', keyed(strict), 'accepted'],
  ['a strict application without keys', keyed({ strict: true }), 'application_strict_check'],
  ['both keys and their URL', keyed({ jwks: { keys: [] }, jwks_uri: 'https://a.example/' }), 'application_keys_check'],
  ['keys of a public client', keyed({ type: 'public', jwks: { keys: [] } }), 'application_keys_check'],
];
