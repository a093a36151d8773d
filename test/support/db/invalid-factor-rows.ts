import { rows } from './valid-rows.ts';
import type { Row } from './valid-rows.ts';

export const factorTables = ['passkey', 'upstream_identity', 'totp', 'recovery_code'] as const;

type InvalidRow = [table: (typeof factorTables)[number], changes: Row, rejectedBy: string];

const another = { id: 2, credential_id: Buffer.alloc(17) };

/** Changes of a second passkey, authenticator app or recovery code, and the constraint that rejects each. */
export const invalidFactorRows: InvalidRow[] = [
  ['passkey', { ...another, credential_id: rows.passkey.credential_id }, 'passkey_credential_id_key'],
  ['passkey', { ...another, id: 1 }, 'passkey_pkey'],
  ['passkey', { ...another, account_id: 999 }, 'passkey_account_id_fkey'],
  ['passkey', { ...another, credential_id: Buffer.alloc(0) }, 'passkey_credential_id_check'],
  ['passkey', { ...another, credential_id: Buffer.alloc(1024) }, 'passkey_credential_id_check'],
  ['passkey', { ...another, public_key: Buffer.alloc(0) }, 'passkey_public_key_check'],
  ['passkey', { ...another, sign_count: -1 }, 'passkey_sign_count_check'],
  ['passkey', { ...another, name: '' }, 'passkey_name_check'],
  ['upstream_identity', { subject: '2', account_id: 2 }, 'upstream_identity_pkey'],
  ['upstream_identity', { id: 2, account_id: 2 }, 'upstream_identity_subject_key'],
  ['upstream_identity', { id: 2, subject: '2' }, 'upstream_identity_account_id_key'],
  ['upstream_identity', { id: 2, account_id: 2, subject: '' }, 'upstream_identity_subject_check'],
  ['totp', {}, 'totp_pkey'],
  ['totp', { account_id: 999 }, 'totp_account_id_fkey'],
  ['totp', { secret_jwe: '' }, 'totp_secret_jwe_check'],
  ['totp', { last_step: -1 }, 'totp_last_step_check'],
  ['recovery_code', {}, 'recovery_code_pkey'],
  ['recovery_code', { account_id: 999, sha256: Buffer.alloc(32, 1) }, 'recovery_code_account_id_fkey'],
  ['recovery_code', { sha256: Buffer.alloc(31) }, 'recovery_code_sha256_check'],
];
