/** The table `revocation`: triggers write it, and this file for single tokens; every process reads it. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

export type RevocationKind = 'account' | 'client' | 'grant' | 'chain' | 'key' | 'token';

/** A change of something that access tokens depend on. */
export interface Change {
  readonly kind: RevocationKind;
  readonly id: string;
  /** Tokens with a lower epoch are revoked; null: all tokens. */
  readonly epoch: number | null;
  /** Seconds until every token that the change concerns has expired. */
  readonly secondsLeft: number;
}

/** The result of a poll. */
export interface Changes {
  readonly changes: readonly Change[];
  /** The position for the next poll. */
  readonly next: Position;
}

/** What had been committed at a moment. Transaction ids say nothing on another server, or after a crash. */
export interface Position {
  /** pg_snapshot as text. */
  readonly snapshot: string;
  /** The server, from its start or its last crash on. */
  readonly server: string;
}

interface Row extends Position {
  readonly kind: RevocationKind | null;
  readonly id: string;
  readonly epoch: number | null;
  readonly seconds_left: number;
}

/** When the server was started, and when it last reset its statistics, as it does after a crash without another start. */
const serverColumn = `concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) AS server`;

/** No transaction has a higher id. */
const highestXid = '18446744073709551615';

export const changesStatement = statement<readonly [snapshot: string], Row>(
  'revocation_changes',
  // What a snapshot does not show was written by a transaction that was active then (xip) or began later (xmax).
  // `snapshot` is that of this statement. Each row is returned once, even while an old transaction is open.
  // Upper bounds tell the planner that few rows match, and no index serves the difference of times. Otherwise it reads every
  // row until the table is analyzed, for example after a restore: 7 ms for 100,000 rows. OFFSET 0 makes it look in the index for each
  // active transaction. A join read every row once there was one, 30 ms for 100,000 rows.
  `SELECT pg_current_snapshot()::text AS snapshot, ${serverColumn}, r.kind::text AS kind, r.id, r.epoch,
          EXTRACT(EPOCH FROM r.expires_at - now())::float8 AS seconds_left
     FROM (VALUES (1)) AS one (row)
     LEFT JOIN (SELECT * FROM revocation
                 WHERE changed_xid >= pg_snapshot_xmax($1::pg_snapshot) AND changed_xid <= '${highestXid}'
                UNION ALL
                SELECT later.* FROM pg_snapshot_xip($1::pg_snapshot) AS active (xid) CROSS JOIN LATERAL
                  (SELECT * FROM revocation WHERE changed_xid >= active.xid AND changed_xid <= active.xid OFFSET 0) AS later
               ) AS r ON r.expires_at - now() > interval '0'`,
);

/** Reads the changes that were committed since `position`, in one statement. */
export async function readChanges(db: Queryable, position: Position): Promise<Changes> {
  const rows = await db.query(changesStatement, [position.snapshot]);
  const { snapshot, server } = requireRow(rows, changesStatement);
  return {
    next: { snapshot, server },
    changes: rows.flatMap(({ kind, id, epoch, seconds_left: secondsLeft }) =>
      kind === null ? [] : [{ kind, id, epoch, secondsLeft }],
    ),
  };
}

/**
 * Whether `next` says nothing about what followed `position`. A standby that was promoted, a server that has crashed and a restored
 * backup use transaction ids again which had been seen, but not kept.
 */
export function isReplaced(position: Position, next: Position): boolean {
  return position.server !== next.server;
}

/** What a load of the whole table starts with. Changes that are committed during the load follow `position`. */
export interface LoadStart {
  readonly position: Position;
  /** Changes when the table is rewritten, which moves its rows. */
  readonly filenode: number;
  /** Blocks that may contain rows which `position` shows. */
  readonly blocks: number;
}

interface LoadRow extends Position, Omit<LoadStart, 'position'> {}

const loadStatement = statement<readonly [], LoadRow>(
  'revocation_load',
  `SELECT pg_current_snapshot()::text AS snapshot, ${serverColumn}, pg_relation_filenode('revocation')::bigint AS filenode,
          (pg_relation_size('revocation') / current_setting('block_size')::integer)::integer AS blocks`,
);

export async function startLoad(db: Queryable): Promise<LoadStart> {
  const { snapshot, server, ...start } = requireRow(await db.query(loadStatement, []), loadStatement);
  return { position: { snapshot, server }, ...start };
}

interface BlocksRow {
  readonly filenode: number;
  /** One line for each row, with tabs between kind, id, epoch and seconds; null if there is none. */
  readonly lines: string | null;
}

// Reading blocks in their order is sequential, unlike the order of the ids. One text costs a tenth of many rows.
const blocksStatement = statement<readonly [from: string, to: string], BlocksRow>(
  'revocation_blocks',
  `SELECT pg_relation_filenode('revocation')::bigint AS filenode,
          (SELECT string_agg(concat_ws(E'\t', kind, id, COALESCE(epoch, -1),
                                       CEIL(EXTRACT(EPOCH FROM expires_at - now()))::integer), E'\n')
             FROM revocation WHERE ctid >= $1::tid AND ctid < $2::tid AND expires_at > now()) AS lines`,
);

/** Far below what the statement timeout allows; about 8000 rows. */
export const blocksAtOnce = 100;

/** Reads the rows of `blocksAtOnce` blocks; undefined if the table has been rewritten. */
export async function readBlocks(db: Queryable, start: LoadStart, from: number): Promise<Iterable<Change> | undefined> {
  const rows = await db.query(blocksStatement, [firstTid(from), firstTid(from + blocksAtOnce)]);
  const { filenode, lines } = requireRow(rows, blocksStatement);
  return filenode === start.filenode ? parseLines(lines) : undefined;
}

/** The place before the first row of a block. */
function firstTid(block: number): string {
  return `(${String(block)},0)`;
}

function* parseLines(lines: string | null): Generator<Change> {
  if (lines === null) return;
  for (const line of lines.split('\n')) {
    const [kind, id = '', epoch, secondsLeft] = line.split('\t');
    yield {
      kind: kind as RevocationKind, // the enum of the column
      id,
      epoch: epoch === '-1' ? null : Number(epoch),
      secondsLeft: Number(secondsLeft),
    };
  }
}

const revokeStatement = statement<readonly [jti: string], never>(
  'revocation_token',
  `SELECT revoke_tokens('token', $1, NULL)`,
);

/** Revokes one access token by its `jti`. */
export async function revokeToken(db: Queryable, jti: string): Promise<void> {
  await db.query(revokeStatement, [jti]);
}

const sweptAtOnce = 2000;

const sweepStatement = statement<readonly [limit: number], { readonly swept: number }>(
  'revocation_sweep',
  `WITH swept AS (
     DELETE FROM revocation r USING (SELECT kind, id FROM revocation WHERE expires_at < now()
                                      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED) AS expired
      WHERE r.kind = expired.kind AND r.id = expired.id RETURNING 1)
   SELECT count(*)::integer AS swept FROM swept`,
);

/** Deletes up to 2000 expired rows. Returns whether there may be more. */
export async function sweepRevocations(db: Queryable): Promise<boolean> {
  return requireRow(await db.query(sweepStatement, [sweptAtOnce]), sweepStatement).swept === sweptAtOnce;
}
