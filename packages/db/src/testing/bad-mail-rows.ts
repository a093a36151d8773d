import type { Row } from './good-rows.ts';

type BadRow = [
  table: 'mail' | 'email_change' | 'mail_link' | 'known_device',
  rule: string,
  changes: Row,
  refusedBy: string,
];

/** What makes a row of the tables of mail bad, and the constraint that refuses it. */
export const badMailRows: BadRow[] = [
  ['mail', 'to nobody in particular', { account_id: null }, 'mail_account_id_check'],
  ['mail', 'about an account that is not there', { account_id: 9 }, 'mail_account_id_fkey'],
  ['mail', 'with details that have no names', { detail: '[]' }, 'mail_detail_check'],
  ['mail', 'tried fewer than no times', { attempts: -1 }, 'mail_attempts_check'],
  ['email_change', 'beside another of the account', { id: 2 }, 'email_change_account_id_key'],
  ['email_change', 'of an account that is not there', { id: 2, account_id: 9 }, 'email_change_account_id_fkey'],
  ['mail_link', 'that confirms a change and is for something else', { change_id: 1 }, 'mail_link_change_id_check'],
  ['mail_link', 'of a change that is not there', { purpose: 'change_email', change_id: 9 }, 'mail_link_change_id_fkey'],
  ['mail_link', 'of an account that is not there', { account_id: 9 }, 'mail_link_account_id_fkey'],
  ['mail_link', 'that is no SHA-256', { token_sha256: Buffer.alloc(31) }, 'mail_link_token_sha256_check'],
  ['known_device', 'of an account that is not there', { account_id: 9 }, 'known_device_account_id_fkey'],
  ['known_device', 'that is no SHA-256', { device_sha256: Buffer.alloc(31) }, 'known_device_device_sha256_check'],
];
