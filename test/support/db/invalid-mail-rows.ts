import type { Row } from './valid-rows.ts';

type InvalidRow = [
  table:
    | 'mail'
    | 'email_change'
    | 'mail_link'
    | 'known_device'
    | 'registration_request'
    | 'invitation'
    | 'imported_item'
    | 'registration_block',
  rule: string,
  changes: Row,
  rejectedBy: string,
];

/** Changes of valid rows in the tables of mail and of registrations that wait, and the constraint that rejects each. */
export const invalidMailRows: InvalidRow[] = [
  ['imported_item', 'of no import', { import_id: 2 }, 'imported_item_import_id_fkey'],
  ['imported_item', 'that is two', { comment_id: 1 }, 'imported_item_one_check'],
  ['invitation', 'with more uses than allowed', { uses: 2 }, 'invitation_uses_check'],
  [
    'invitation',
    'of nobody',
    { id: 2, code_sha256: Buffer.alloc(32, 1), account_id: 999_999 },
    'invitation_account_id_fkey',
  ],
  ['invitation', 'with the code of another one', { id: 2 }, 'invitation_code_sha256_key'],
  ['registration_block', 'of an unknown kind', { kind: 'other' }, 'registration_block_kind_check'],
  ['registration_block', 'with an unknown act', { act: 'other' }, 'registration_block_act_check'],
  ['registration_block', 'in capitals', { value: 'Example.org' }, 'registration_block_value_check'],
  ['registration_block', 'about what another one is about', { id: 2 }, 'registration_block_kind_value_key'],
  [
    'registration_request',
    'with another folded username',
    { username_ci: 'other' },
    'registration_request_username_ci_check',
  ],
  ['registration_request', 'with another folded address', { email_ci: 'other' }, 'registration_request_email_ci_check'],
  [
    'registration_request',
    'with a username that waits',
    { id: 10, email: 'x@y.z', email_ci: 'x@y.z' },
    'registration_request_username_ci_key',
  ],
  [
    'registration_request',
    'with an address that waits',
    { id: 10, username: 'dora_10', username_ci: 'dora_10' },
    'registration_request_email_ci_key',
  ],
  ['mail', 'without an account', { account_id: null }, 'mail_account_id_check'],
  ['mail', 'with an unknown account', { account_id: 9 }, 'mail_account_id_fkey'],
  ['mail', 'with a detail that is not an object', { detail: '[]' }, 'mail_detail_check'],
  ['mail', 'about proposals beside another one', { kind: 'proposals' }, 'mail_proposals_key'],
  ['mail', 'with a negative number of attempts', { attempts: -1 }, 'mail_attempts_check'],
  ['email_change', 'as a second change of the account', { id: 2 }, 'email_change_account_id_key'],
  ['email_change', 'with an unknown account', { id: 2, account_id: 9 }, 'email_change_account_id_fkey'],
  ['mail_link', 'with a change and another purpose', { change_id: 1 }, 'mail_link_change_id_check'],
  ['mail_link', 'with an unknown change', { purpose: 'change_email', change_id: 9 }, 'mail_link_change_id_fkey'],
  ['mail_link', 'with an unknown account', { account_id: 9 }, 'mail_link_account_id_fkey'],
  [
    'mail_link',
    'with a token digest of the wrong length',
    { token_sha256: Buffer.alloc(31) },
    'mail_link_token_sha256_check',
  ],
  ['known_device', 'with an unknown account', { account_id: 9 }, 'known_device_account_id_fkey'],
  [
    'known_device',
    'with a device digest of the wrong length',
    { device_sha256: Buffer.alloc(31) },
    'known_device_device_sha256_check',
  ],
];
