export type Row = Readonly<Record<string, unknown>>;

const clientId = 'abcdefghijklmnop';

/** One good row of each table; each needs those above it. */
export const rows = {
  account: {
    id: 1,
    username: 'alice_1',
    username_ci: 'alice_1',
    email: 'Alice@example.com',
    email_ci: 'alice@example.com',
    password_hash: '-',
    first_name: 'Alice',
    last_name: 'Ames',
    display_name: 'Alice Ames',
  },
  post: { id: 1, author_id: 1, text: 'hello' },
  comment: { id: 1, post_id: 1, author_id: 1, text: 'hello' },
  post_like: { account_id: 1, post_id: 1, author_id: 1 },
  repost: { account_id: 1, post_id: 1, author_id: 1 },
  media: { id: 1, owner_id: 1, name: `${'0'.repeat(32)}.png`, bytes: 70, width: 1, height: 1 },
  removed_media_file: { name: `${'0'.repeat(32)}.png` },
  follow: { follower_id: 1, followed_id: 2 },
  follow_request: { follower_id: 1, followed_id: 2 },
  old_username: { username_ci: 'alice_0', account_id: 1, until: '2030-01-01' },
  set_aside: { account_id: 1, kind: 'like', id: 1, record: {} },
  application: { client_id: clientId, owner_id: 1, name: 'App', type: 'confidential', scopes: ['users'] },
  redirect_uri: { client_id: clientId, position: 0, uri: 'https://example.com/callback' },
  application_secret: { id: 1, client_id: clientId, sha256: Buffer.alloc(32) },
  application_usage: { client_id: clientId, day: '2026-11-22', last_used_at: '2026-11-22' },
  application_logo: { client_id: clientId, name: `${'0'.repeat(32)}.png`, bytes: Buffer.alloc(1) },
  grant: { id: 'grant-1', account_id: 1, client_id: clientId, kind: 'act_as_owner' },
  oauth_artifact: { kind: 'AccessToken', id_sha256: Buffer.alloc(32), payload: {}, expires_at: '2030-01-01' },
  dpop_proof: { id_sha256: Buffer.alloc(32), expires_at: '2030-01-01' },
  session: { uid: 'one', id_sha256: Buffer.alloc(32), payload: {}, expires_at: '2030-01-01' },
  passkey: { id: 1, account_id: 1, credential_id: Buffer.alloc(16), public_key: Buffer.alloc(77), name: 'Key' },
  totp: { account_id: 1, secret_jwe: '-', last_step: 1 },
  recovery_code: { account_id: 1, sha256: Buffer.alloc(32) },
  idempotency_record: { scope_sha256: Buffer.alloc(32), fingerprint: Buffer.alloc(32), expires_at: '2030-01-01' },
  signing_key: { kid: 'one', alg: 'ES256', state: 'current', public_jwk: { kty: 'EC' }, private_jwe: '-' },
  request_log: {
    id: 1,
    client_id: clientId,
    kind: 'scope',
    endpoint: '/oauth/token',
    error: 'invalid_scope',
    reason: '-',
  },
  audit_event: { id: 1, event: 'account.renamed', actor: 'person', account_id: 1 },
  mail: { id: 1, kind: 'verify_email', account_id: 1, recipient: 'alice@example.com' },
  mail_link: {
    token_sha256: Buffer.alloc(32),
    purpose: 'verify_email',
    account_id: 1,
    email: 'alice@example.com',
    expires_at: '2030-01-01',
  },
  known_device: { account_id: 1, device_sha256: Buffer.alloc(32), mail_id: 1 },
  audit_seal: { number: 1, to_id: 1, events: 1, sha256: Buffer.alloc(32) },
  revocation: { kind: 'grant', id: 'grant-1', epoch: 1, expires_at: '2030-01-01' },
} satisfies Record<string, Row>;

export type Table = keyof typeof rows;
