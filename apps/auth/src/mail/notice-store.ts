/** What notices are about: a sign-in and its device, decisions about reports, an application, proposals. */
import { hash } from 'node:crypto';

import type { DraftCall } from '@linnet/contract/draft';
import type { ReportReason, ReportSubject } from '@linnet/contract/report';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ClaimedMail } from './mail-store.ts';

export interface SignInSession {
  readonly userAgent: string;
  readonly address: string;
}

const sessionStatement = statement<readonly [uid: string, accountId: number], SignInSession>(
  'mail_session',
  'SELECT user_agent AS "userAgent", address FROM session WHERE uid = $1 AND account_id = $2',
);

/** The origin of a sign-in. */
export async function findSignInSession(
  db: Queryable,
  uid: string,
  accountId: number,
): Promise<SignInSession | undefined> {
  const [found] = await db.query(sessionStatement, [uid, accountId]);
  return found;
}

const noteStatement = statement<
  readonly [accountId: number, deviceSha256: Buffer, mailId: number],
  { readonly isNew: boolean; readonly isFirst: boolean }
>(
  'known_device_note',
  // The subquery sees the table before the insert: is this the account's first device?
  `INSERT INTO known_device AS d (account_id, device_sha256, mail_id) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, device_sha256) DO UPDATE SET seen_at = clock_timestamp()
   RETURNING d.mail_id = $3 AS "isNew",
     NOT EXISTS (SELECT 1 FROM known_device o WHERE o.account_id = $1 AND o.device_sha256 <> $2) AS "isFirst"`,
);

export interface SeenDevice {
  readonly accountId: number;
  /** The properties that distinguish devices. */
  readonly traits: readonly string[];
  /** The mail about the sign-in. If it is composed again, the device still counts as new. */
  readonly mailId: number;
}

/** Stores a device. Returns true if the account has other devices and this one is new. */
export async function rememberDevice(db: Queryable, { accountId, traits, mailId }: SeenDevice): Promise<boolean> {
  const deviceSha256 = hash('sha256', JSON.stringify(traits), 'buffer');
  const [seen] = await db.query(noteStatement, [accountId, deviceSha256, mailId]);
  return seen !== undefined && seen.isNew && !seen.isFirst;
}

/** What operators decided about reports. */
export interface Decision {
  readonly caseId: number;
  readonly type: ReportSubject;
  /** The account that was reported, or whose post or comment was. */
  readonly username: string;
  readonly hasActed: boolean;
  readonly rule: ReportReason;
  readonly arePostsDeleted: boolean;
  /** As it was last reported. */
  readonly content: string;
}

const decisionSql = (where: string) => `SELECT c.id AS "caseId", c.subject_type AS type, o.username,
     c.outcome <> 'dismissed' AS "hasActed", c.rule, c.posts_deleted AS "arePostsDeleted",
     (SELECT content FROM report WHERE case_id = c.id ORDER BY id DESC LIMIT 1) AS content
   FROM report_case c JOIN account o ON o.id = c.account_id WHERE c.resolved_at IS NOT NULL AND ${where}`;

const decisionStatement = statement<readonly [caseId: number], Decision>('mail_decision', decisionSql('c.id = $1'));
const suspendingStatement = statement<readonly [accountId: number], Decision>(
  'mail_suspending_decision',
  decisionSql(
    `c.account_id = $1 AND c.outcome = 'suspended' AND c.resolved_at >= o.suspended_at ORDER BY c.id DESC LIMIT 1`,
  ),
);

/** Undefined: the case was deleted in the meantime. */
export async function findDecision(db: Queryable, caseId: number): Promise<Decision | undefined> {
  const [found] = await db.query(decisionStatement, [caseId]);
  return found;
}

/** The decision that suspended the account. Undefined: an operator suspended it without a report. */
export async function findSuspendingDecision(db: Queryable, accountId: number): Promise<Decision | undefined> {
  const [found] = await db.query(suspendingStatement, [accountId]);
  return found;
}

export interface GrantedApplication {
  readonly clientId: string;
  readonly name: string;
  /** Username; null if it has no owner. */
  readonly owner: string | null;
}

const applicationStatement = statement<readonly [grantId: string, accountId: number], GrantedApplication>(
  'mail_application',
  `SELECT p.client_id AS "clientId", p.name, o.username AS owner FROM "grant" g
     JOIN application p ON p.client_id = g.client_id LEFT JOIN account o ON o.id = p.owner_id
    WHERE g.id = $1 AND g.account_id = $2`,
);

export async function findGrantedApplication(
  db: Queryable,
  grantId: string,
  accountId: number,
): Promise<GrantedApplication | undefined> {
  const [found] = await db.query(applicationStatement, [grantId, accountId]);
  return found;
}

const proposedStatement = statement<readonly [accountId: number, from: number, latest: number], ProposedCalls>(
  'mail_proposed',
  `SELECT d.client_id AS "clientId", COALESCE(p.name, d.client_id) AS name, d.call, count(*)::integer AS count
     FROM draft d LEFT JOIN application p ON p.client_id = d.client_id
    WHERE d.account_id = $1 AND d.status = 'proposed' AND d.id BETWEEN $2 AND $3
      AND EXISTS (SELECT 1 FROM notification_setting s WHERE s.account_id = $1 AND s.proposal_mail)
    GROUP BY d.client_id, p.name, d.call ORDER BY min(d.id)`,
);

/** How many calls of a kind an application proposes. */
interface ProposedCalls {
  readonly clientId: string;
  /** Of the application. */
  readonly name: string;
  readonly call: DraftCall;
  readonly count: number;
}

/** What the mail is about and still waits; none if the account wants no such mail. */
export async function findProposed(
  db: Queryable,
  id: number,
  { detail }: ClaimedMail,
): Promise<readonly ProposedCalls[]> {
  return await db.query(proposedStatement, [id, Number(detail['from']), Number(detail['latest'])]);
}
