import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** More rows are estimated, so that the page costs the same however large the service is. */
export const countedRows = 10_000;

interface SigningKeyState {
  readonly kid: string;
  readonly alg: string;
  readonly state: 'current' | 'next' | 'retired' | 'revoked';
  /** How long it has been in this state. */
  readonly ageSeconds: number;
}

/** Counters of a limit that have not expired. */
interface LimitCounters {
  readonly name: string;
  readonly counters: number;
}

export interface ServiceState {
  readonly people: number;
  readonly suspended: number;
  readonly applications: number;
  readonly posts: number;
  /** Accounts, posts and comments with open reports, at most 10,001. */
  readonly reports: number;
  /** That wait for a decision, at most 10,001. */
  readonly registrations: number;
  readonly sessions: number;
  /** At most 10,001, as all that waits. */
  readonly mail: number;
  /** How long the first message has been due; null: none is due. */
  readonly mailDelaySeconds: number | null;
  readonly logoutNotices: number;
  readonly removedMedia: number;
  readonly keys: readonly SigningKeyState[];
  /** The most first. */
  readonly limits: readonly LimitCounters[];
}

const few = (from: string) =>
  `(SELECT count(*)::float8 FROM (SELECT FROM ${from} LIMIT ${String(countedRows + 1)}) AS few)`;

/** The number of rows, estimated by the planner where there are many. */
function about(table: string, condition: string): string {
  return `(SELECT CASE WHEN n <= ${String(countedRows)} THEN n ELSE GREATEST(n,
    (SELECT reltuples::float8 FROM pg_class WHERE oid = '${table}'::regclass)) END
    FROM (SELECT ${few(`${table} WHERE ${condition}`)} AS n) AS counted)`;
}

const stateStatement = statement<readonly [], ServiceState>(
  'admin_overview',
  `SELECT ${about('account', 'deleted_at IS NULL')} AS people, ${few('account WHERE suspended_at IS NOT NULL')} AS suspended,
     ${about('application', 'true')} AS applications, ${about('post', 'true')} AS posts, ${few('report_case WHERE resolved_at IS NULL')} AS reports,
     ${few('registration_request')} AS registrations,
     ${about('session', 'revoked_at IS NULL AND expires_at > now()')} AS sessions,
     ${few('mail')} AS mail, ${few('backchannel_logout')} AS "logoutNotices", ${few('removed_media_file')} AS "removedMedia",
     EXTRACT(EPOCH FROM now() - (SELECT min(due_at) FROM mail WHERE due_at < now()))::float8 AS "mailDelaySeconds",
     COALESCE((SELECT json_agg(json_build_object('kid', kid, 'alg', alg, 'state', state,
       'ageSeconds', EXTRACT(EPOCH FROM now() - state_since)) ORDER BY alg, state, state_since DESC)
       FROM (SELECT * FROM signing_key ORDER BY state_since DESC LIMIT 20) AS newest), '[]') AS keys,
     COALESCE((SELECT json_agg(json_build_object('name', name, 'counters', counters) ORDER BY counters DESC, name)
       FROM (SELECT split_part(key, ':', CASE WHEN key LIKE 'api:%' THEN 2 ELSE 1 END) AS name, count(*) AS counters
         FROM (SELECT key FROM rate_limit WHERE expire > now() LIMIT ${String(countedRows)}) AS counted
         GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20) AS named), '[]') AS limits`,
);

/** What operators see at a glance, in one statement. */
export async function findServiceState(db: Queryable): Promise<ServiceState> {
  const [state] = await db.query(stateStatement, []);
  if (state === undefined) throw new TypeError('a statement without conditions returned no row');
  return state;
}
