/** Blocks of registrations (table `registration_block`). */
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import { findAccountById } from '../account-store.ts';
import type { Account } from '../account.ts';
import { NameRefused } from '../names/name-rules.ts';
import { domainsOf, findBlock, findBlockedName } from './block.ts';
import type { BlockRule, NewBlock, Newcomer } from './block.ts';
import { findMailServers } from './mail-server.ts';

export interface RegistrationBlock extends NewBlock {
  readonly id: number;
  readonly createdAt: Date;
  readonly hasEnded: boolean;
}

const isInForce = '(expires_at IS NULL OR expires_at > clock_timestamp())';

const rulesStatement = statement<readonly [domains: readonly string[]], BlockRule>(
  'registration_block_rules',
  `SELECT kind, value, act FROM registration_block
    WHERE (kind IN ('mail_server', 'network', 'word') OR (kind = 'mail_domain' AND value = ANY($1::text[]))) AND ${isInForce}`,
);

/** Nobody knows whether a block matches. */
const unanswered: BlockRule = { kind: 'mail_server', value: '', act: 'mark' };

/** The gravest block that matches. DNS is asked only if there are blocks of mail servers. While it does not answer, they mark. */
export async function findBlockOf(db: Queryable, newcomer: Newcomer): Promise<BlockRule | undefined> {
  const domains = domainsOf(newcomer.email);
  const rules = await db.query(rulesStatement, [domains]);
  if (!rules.some(({ kind }) => kind === 'mail_server')) return findBlock(rules, newcomer);
  const mailServers = await findMailServers(domains[0] ?? '');
  if (mailServers !== undefined) return findBlock(rules, { ...newcomer, mailServers });
  return findBlock(rules, newcomer) ?? unanswered;
}

/** Whether accounts may not change their address to this one: nobody could decide about it. */
export async function isEmailRefused(db: Queryable, email: string): Promise<boolean> {
  const block = await findBlockOf(db, { email, address: '', names: [] });
  return block !== undefined && block.act !== 'mark';
}

type NameChange = { readonly [Name in 'username' | 'displayName' | 'firstName' | 'lastName']?: string | undefined };

/**
 * Blocks with words hold for changes of names, too: nobody could decide about them. What the account has already, it keeps.
 * @throws NameRefused
 */
export async function checkWords(db: Queryable, accountId: number, change: NameChange): Promise<void> {
  const account = await findAccountById(db, accountId);
  if (account === undefined) return;
  const field = findBlockedName(await db.query(rulesStatement, [[]]), toNames(account), toNames(account, change));
  if (field !== undefined) throw new NameRefused('blocked', field);
}

function toNames(account: Account, change: NameChange = {}) {
  const { username = account.username, displayName = account.displayName } = change;
  const { firstName = account.firstName, lastName = account.lastName } = change;
  return { username, displayName, fullName: `${firstName} ${lastName}` };
}

type SaveParams = readonly [
  kinds: readonly string[],
  values: readonly string[],
  acts: readonly string[],
  notes: readonly string[],
  ends: readonly (string | null)[],
];

// Of several about the same, the last one counts.
const saveStatement = statement<SaveParams, { readonly ids: readonly number[] }>(
  'registration_block_save',
  `WITH given AS (
     SELECT kind, CASE kind WHEN 'network' THEN network(value::inet)::text ELSE value END AS value, act, note, ends, number
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY g(kind, value, act, note, ends, number)
   ), saved AS (
     INSERT INTO registration_block (kind, value, act, note, expires_at)
     SELECT DISTINCT ON (kind, value) kind, value, act, note, ends FROM given ORDER BY kind, value, number DESC
     ON CONFLICT (kind, value) DO UPDATE SET act = EXCLUDED.act, note = EXCLUDED.note, expires_at = EXCLUDED.expires_at
     RETURNING id, kind, act
   ), written AS (
     SELECT array_agg(id ORDER BY id) AS ids, CASE count(*)
              WHEN 1 THEN jsonb_build_object('block', min(id)::text, 'kind', min(kind), 'act', min(act))
              ELSE jsonb_build_object('blocks', count(*)) END AS detail
       FROM saved HAVING count(*) > 0
   )
   SELECT ids, audit('registration_block.saved', 'service', NULL, NULL, detail) FROM written`,
);

/** Adds blocks, or changes those about the same. Returns their ids. One event of the audit log. */
export async function saveBlocks(db: Queryable, blocks: readonly NewBlock[]): Promise<readonly number[]> {
  if (blocks.length === 0) return [];
  const rows = await db.query(saveStatement, [
    blocks.map(({ kind }) => kind),
    blocks.map(({ value }) => value),
    blocks.map(({ act }) => act),
    blocks.map(({ note }) => note),
    blocks.map(({ expiresAt }) => expiresAt?.toISOString() ?? null),
  ]);
  return requireRow(rows, saveStatement).ids;
}

const listStatement = statement<
  readonly [part: string, before: number | null, limit: number | null],
  RegistrationBlock
>(
  'registration_blocks',
  `SELECT id, kind, value, act, note, created_at AS "createdAt", expires_at AS "expiresAt", NOT ${isInForce} AS "hasEnded"
     FROM registration_block WHERE ($1 = '' OR position($1 IN value) > 0) AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
);

interface BlockPage {
  /** A part of what they are about. */
  readonly text?: string;
  /** The last one of the page before. */
  readonly before?: number | undefined;
  /** By default all. */
  readonly limit?: number;
}

/** Newest first, with those that have ended. */
export async function findBlocks(
  db: Queryable,
  { text = '', before, limit }: BlockPage = {},
): Promise<readonly RegistrationBlock[]> {
  return await db.query(listStatement, [text.trim().toLowerCase(), before ?? null, limit ?? null]);
}

const removeStatement = statement<readonly [ids: readonly number[]], { readonly id: number }>(
  'registration_block_remove',
  `WITH gone AS (DELETE FROM registration_block WHERE id = ANY($1::bigint[]) RETURNING id, kind, act)
   SELECT id, audit('registration_block.removed', 'service', NULL, NULL,
     jsonb_build_object('block', id::text, 'kind', kind, 'act', act)) FROM gone`,
);

/** Returns the ids of those that existed. */
export async function removeBlocks(db: Queryable, ids: readonly number[]): Promise<readonly number[]> {
  return (await db.query(removeStatement, [ids])).map(({ id }) => id);
}
