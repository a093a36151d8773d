/**
 * Each seal is a hash over a batch of events and the previous seal (`audit_seal_of` in the database), so `audit verify` can
 * detect missing or changed events. Ids ascend with time, but transactions commit in another order: a batch is sealed only
 * when no transaction can add to it.
 */
import type { Queryable, Transactional } from '@linnet/db/database';
import { runExclusively } from '@linnet/db/run-exclusively';
import { statement } from '@linnet/db/statement';

/** Maximum number of events per seal, and per read of the verification. */
const perSeal = 1000;
/** Margin between an event getting its id and its transaction becoming visible as writing, which takes microseconds. */
const graceMs = 2000;

interface Moment {
  /** Events up to this id have their ids … */
  readonly id: string;
  /** … and are visible, or never will be, once every transaction before this one has ended. */
  readonly xid: string;
}

const momentStatement = statement<readonly [graceMs: number], Moment & { readonly oldest: string }>(
  'audit_seal_moment',
  `SELECT (((EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint - 1767225600000 - $1::bigint) << 12)::text AS id,
     pg_snapshot_xmax(pg_current_snapshot())::text AS xid, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`,
);

const sealStatement = statement<readonly [upTo: string], { readonly events: number }>(
  'audit_seal_add',
  `WITH last AS (
     SELECT COALESCE(max(number), 0) AS number, COALESCE(max(to_id), 0) AS to_id FROM audit_seal
   ), batch AS (
     SELECT max(id) AS to_id FROM (
       SELECT id FROM audit_event WHERE id > (SELECT to_id FROM last) AND id <= $1::bigint ORDER BY id LIMIT ${String(perSeal)}
     ) AS next
   )
   INSERT INTO audit_seal (number, to_id, events, sha256)
   SELECT last.number + 1, batch.to_id, made.events, made.sha256
     FROM last CROSS JOIN batch
     CROSS JOIN LATERAL audit_seal_of(
       COALESCE((SELECT sha256 FROM audit_seal WHERE number = last.number), ''), last.to_id, batch.to_id) AS made
    WHERE batch.to_id IS NOT NULL
   RETURNING events`,
);

/** Seals the events that can no longer change. Every process runs the job; a lock admits one at a time. */
export function createSealer(db: Queryable & Transactional): (stopping: AbortSignal) => Promise<void> {
  let settling: Moment | undefined;
  return async (stopping) => {
    const [now] = await db.query(momentStatement, [graceMs]);
    if (now === undefined) return;
    if (settling !== undefined && BigInt(now.oldest) < BigInt(settling.xid)) return;
    const settled = settling;
    settling = now;
    if (settled !== undefined) await sealUpTo(db, settled.id, stopping);
  };
}

async function sealUpTo(db: Transactional, id: string, stopping: AbortSignal): Promise<void> {
  let events = perSeal;
  while (events === perSeal && !stopping.aborted) {
    events = 0;
    await runExclusively(db, 'audit-seal', async (tx) => {
      const [sealed] = await tx.query(sealStatement, [id]);
      events = sealed?.events ?? 0;
    });
  }
}

/** Where the log does not match its seals. */
interface AuditBreak {
  readonly seal: number;
  /** It covers the events after `afterId`, up to `toId`. */
  readonly afterId: number;
  readonly toId: number;
  /** `changed`: the number of events matches, but an event or the seal differs. */
  readonly reason: 'events-removed' | 'events-added' | 'changed' | 'seal-removed';
}

export interface AuditVerification {
  readonly seals: number;
  readonly events: number;
  /** Events since the last seal. */
  readonly unsealed: number;
  /** The last seal in hexadecimal. Store it elsewhere to detect later that the end of the log was removed. */
  readonly head: string | undefined;
  readonly broken: AuditBreak | undefined;
  /** True if the expected seal was found; undefined if none was given. */
  readonly knowsExpected: boolean | undefined;
}

interface CheckedSeal {
  readonly number: number;
  readonly toId: number;
  readonly afterId: number;
  readonly events: number;
  readonly found: number;
  readonly isSame: boolean;
  readonly isNext: boolean;
  readonly sha256: string;
}

const checkStatement = statement<readonly [after: number, limit: number], CheckedSeal>(
  'audit_seal_check',
  `SELECT s.number, s.to_id AS "toId", COALESCE(p.to_id, 0) AS "afterId", s.events, made.events AS found,
     made.sha256 = s.sha256 AS "isSame", s.number = 1 OR p.number IS NOT NULL AS "isNext", encode(s.sha256, 'hex') AS sha256
   FROM (SELECT * FROM audit_seal WHERE number > $1 ORDER BY number LIMIT $2) s
   LEFT JOIN audit_seal p ON p.number = s.number - 1
   CROSS JOIN LATERAL audit_seal_of(COALESCE(p.sha256, ''), COALESCE(p.to_id, 0), s.to_id) AS made
   ORDER BY s.number`,
);

const unsealedStatement = statement<readonly [after: number], { readonly count: number }>(
  'audit_unsealed',
  'SELECT count(*) AS count FROM audit_event WHERE id > $1',
);

/** Recomputes every seal and reports the first mismatch. `expected` is a seal that was stored earlier. */
export async function verifyAudit(db: Queryable, expected?: string): Promise<AuditVerification> {
  const seen = { seals: 0, events: 0, toId: 0 };
  let head: string | undefined;
  let knowsExpected = expected === undefined ? undefined : false;
  let broken: AuditBreak | undefined;
  for await (const seal of readSeals(db)) {
    seen.seals += 1;
    seen.events += seal.found;
    seen.toId = seal.toId;
    head = seal.sha256;
    if (seal.sha256 === expected) knowsExpected = true;
    const reason = broken === undefined ? whyBroken(seal) : undefined;
    if (reason !== undefined) broken = { seal: seal.number, afterId: seal.afterId, toId: seal.toId, reason };
  }
  const [rest] = await db.query(unsealedStatement, [seen.toId]);
  const { seals, events } = seen;
  if (rest === undefined) throw new TypeError('count(*) returned no row');
  return { seals, events, head, unsealed: rest.count, broken, knowsExpected };
}

const perPage = 20;

async function* readSeals(db: Queryable): AsyncGenerator<CheckedSeal> {
  let page: readonly CheckedSeal[] = [];
  do {
    page = await db.query(checkStatement, [page.at(-1)?.number ?? 0, perPage]);
    yield* page;
  } while (page.length === perPage);
}

function whyBroken({ isNext, isSame, found, events }: CheckedSeal): AuditBreak['reason'] | undefined {
  if (!isNext) return 'seal-removed';
  if (isSame && found === events) return undefined;
  if (found < events) return 'events-removed';
  return found > events ? 'events-added' : 'changed';
}
