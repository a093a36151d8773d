import { retention } from '@linnet/db/keep/retention';
import { firstIdSql } from '@linnet/db/text/id-time';
import type { Row, Table } from './db/valid-rows.ts';

/** A row that a job deletes when `column` is older than the period. */
export interface ExpiringRow {
  readonly table: Table | 'rate_limit';
  /** In `retention`; undefined: `column` is the expiry. */
  readonly period?: string;
  readonly job: string;
  readonly column: string;
  /** Of the valid row. */
  readonly changes?: Row;
  /** The table of `column`, if it is another. */
  readonly of?: string;
  /** SQL that runs whenever the age was set. */
  readonly after?: string;
  /** SQL that runs after the row was inserted. */
  readonly before?: string;
  /** SQL condition of the row; all rows if undefined. */
  readonly left?: string;
}

const another = {
  id: 3,
  username: 'carol_3',
  username_ci: 'carol_3',
  email: 'c@d.ef',
  email_ci: 'c@d.ef',
  display_name: 'Carol',
};
const selfRegistered = { owner_id: null, registration_token_sha256: Buffer.alloc(32) };
const usedId = 'self_registered_and_used';
/** SQL: the rows are due. The column has milliseconds, so `now()` may be rounded up and be a little later than now. */
const makeDue = (table: string) => `UPDATE ${table} SET due_at = now() - interval '1 second'`;

/** Without `revocation`, which the feed of each process sweeps (`packages/revocations`). */
export const expiringRows: readonly ExpiringRow[] = [
  {
    table: 'account',
    period: 'deleted',
    job: 'deletions',
    column: 'deleted_at',
    changes: another,
    left: 'id = 3 AND erased_at IS NULL',
  },
  { table: 'registration_request', period: 'undecided', job: 'registrations', column: 'created_at' },
  { table: 'invitation', period: 'expired', job: 'registrations', column: 'expires_at' },
  { table: 'old_username', job: 'old-usernames', column: 'until' },
  {
    table: 'report_case',
    period: 'resolved',
    job: 'reports',
    column: 'resolved_at',
    changes: { resolved_at: '2026-11-20', outcome: 'dismissed', rule: 'spam' },
  },
  { table: 'word_filter', job: 'word-filters', column: 'ends_at' },
  {
    table: 'draft',
    period: 'decided',
    job: 'drafts',
    column: 'decided_at',
    changes: { status: 'published', decided_at: '2026-11-20' },
  },
  { table: 'mute', job: 'mutes', column: 'ends_at' },
  { table: 'link_card', job: 'old-link-cards', column: 'fresh_until' },
  { table: 'push_subscription', period: 'renewed', job: 'old-push', column: 'renewed_at' },
  { table: 'push_subscription', period: 'failing', job: 'old-push', column: 'failing_since' },
  { table: 'event', period: 'row', job: 'events', column: 'created_at' },
  { table: 'timeline', period: 'unread', job: 'unread-timelines', column: 'read_on' },
  {
    table: 'notification',
    period: 'row',
    job: 'notifications',
    // Its id is its time.
    column: 'created_at',
    of: 'account',
    after: `UPDATE notification SET id = ${firstIdSql('(SELECT created_at FROM account WHERE id = 1)')}`,
  },
  { table: 'webhook_delivery', period: 'row', job: 'webhook-sweep', column: 'created_at' },
  { table: 'media', period: 'unattached', job: 'media-unattached', column: 'created_at' },
  { table: 'session', period: 'expired', job: 'expired', column: 'expires_at' },
  {
    table: 'session',
    period: 'address',
    job: 'addresses',
    column: 'created_at',
    changes: { address: '2001:db8:1:2:3:4:5:6' },
    left: `address <> '2001:db8:1::/48'`,
  },
  {
    table: 'audit_address',
    period: 'full',
    job: 'addresses',
    column: 'at',
    left: `address <> '192.0.2.0/24'`,
  },
  { table: 'known_device', period: 'seen', job: 'mail-links', column: 'seen_at' },
  { table: 'mail', period: 'unsent', job: 'mail', column: 'created_at', after: makeDue('mail') },
  {
    table: 'mail',
    period: 'unsentReset',
    job: 'mail',
    column: 'created_at',
    changes: { kind: 'reset_password', account_id: null },
    after: makeDue('mail'),
  },
  {
    table: 'mail',
    period: 'proposals',
    job: 'mail',
    // When it was sent. Nothing was proposed since.
    column: 'created_at',
    changes: { kind: 'proposals', detail: { from: 1, latest: 1 } },
    after: `UPDATE mail SET due_at = created_at + interval '${retention.mail.proposals}'`,
  },
  { table: 'mail_link', period: 'expired', job: 'mail-links', column: 'expires_at' },
  { table: 'email_change', period: 'expired', job: 'mail-links', column: 'expires_at' },
  {
    table: 'application',
    period: 'unused',
    job: 'self-registered',
    column: 'created_at',
    changes: { client_id: 'never_used_application', ...selfRegistered },
    left: `client_id = 'never_used_application'`,
  },
  {
    table: 'application',
    period: 'registered',
    job: 'self-registered',
    column: 'last_used_at',
    of: 'application_usage',
    changes: { client_id: usedId, created_at: '2020-01-01', ...selfRegistered },
    before: `INSERT INTO application_usage (client_id, day, last_used_at) VALUES ('${usedId}', '2026-11-22', now())`,
    left: `client_id = '${usedId}'`,
  },
  { table: 'application_secret', period: 'expired', job: 'ended-secrets', column: 'expires_at' },
  {
    table: 'application_usage',
    period: 'day',
    job: 'old-usage',
    column: 'day',
    changes: { day: '2020-01-01' },
    before: `INSERT INTO application_usage (client_id, day, last_used_at) SELECT client_id, current_date, now() FROM application_usage`,
    left: 'day < current_date - 80',
  },
  {
    table: 'endpoint_usage',
    period: 'day',
    job: 'old-usage',
    column: 'day',
    changes: { day: '2020-01-01' },
  },
  { table: 'token_status', job: 'expired', column: 'expires_at' },
  { table: 'ended_chain', period: 'ended', job: 'expired', column: 'ended_at' },
  { table: 'grant', period: 'revoked', job: 'expired', column: 'revoked_at' },
  { table: 'oauth_artifact', period: 'expired', job: 'expired', column: 'expires_at' },
  { table: 'oauth_artifact', period: 'pending', job: 'pending', column: 'expires_at', changes: { kind: 'DeviceCode' } },
  {
    table: 'oauth_artifact',
    period: 'pendingInteraction',
    job: 'pending',
    column: 'expires_at',
    changes: { kind: 'Interaction' },
  },
  {
    table: 'backchannel_logout',
    period: 'undelivered',
    job: 'backchannel-logout',
    column: 'created_at',
    // Not public, so that nothing is sent.
    before: `UPDATE application SET backchannel_logout_uri = 'https://127.0.0.1/'`,
    after: makeDue('backchannel_logout'),
  },
  { table: 'request_log', period: 'row', job: 'request-log', column: 'at', left: 'id = 1' },
  { table: 'watched_request', period: 'row', job: 'request-log', column: 'at', left: 'id = 1' },
  { table: 'playground_run', job: 'playground-runs', column: 'ends_at', changes: { created_at: '2020-01-01' } },
  { table: 'idempotency_record', job: 'idempotency-sweep', column: 'expires_at' },
  { table: 'status_sample', period: 'minute', job: 'old-status', column: 'minute' },
  { table: 'dpop_proof', job: 'proof-sweep', column: 'expires_at' },
  { table: 'rate_limit', job: 'rate-limit-sweep', column: 'expire' },
  { table: 'audit_repeat', job: 'audit-repeats', column: 'ends_at' },
];
