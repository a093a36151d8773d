import { openDatabase, sessionSettings } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { WrongTimeZone, readSession } from '@linnet/db/connection/pool-size';
import type { Session } from '@linnet/db/connection/pool-size';

import type { ServiceDatabase } from '../start/service-database.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';

/** What two connections show that are open at the same time, one as the service and one as an operator. */
export interface Sessions {
  readonly service: Session;
  readonly operator: Session;
  /** Whether a pooler in transaction mode is in between: a connection got several processes of the server, or both got the same one. */
  readonly isPooled: boolean;
}

/** How often both are read at most. While others use the pooler, each connection may get the same process a few times in a row. */
const maxRounds = 20;

/** Reads the sessions. The first is read again after the second, because a pooler may have changed what it shows. */
export async function readSessions({ url, sessions }: ServiceDatabase): Promise<Sessions> {
  await using service = openDatabase({ url, poolSize: 1, ...sessions });
  await using operator = openDatabase({ url, poolSize: 1, ...sessions, actor: 'operator' });
  try {
    return await compareSessions(service, operator);
  } catch (error) {
    throw explain(error);
  }
}

async function compareSessions(service: Queryable, operator: Queryable): Promise<Sessions> {
  const serviceProcesses = new Set([(await readSession(service)).backend]);
  const operatorProcesses = new Set<number>();
  for (let round = 1; ; round += 1) {
    const sessions = { operator: await readSession(operator), service: await readSession(service) };
    serviceProcesses.add(sessions.service.backend);
    operatorProcesses.add(sessions.operator.backend);
    const hasChanged = serviceProcesses.size > 1 || operatorProcesses.size > 1;
    const isPooled = hasChanged || serviceProcesses.has(sessions.operator.backend);
    if (isPooled || round === maxRounds) return { ...sessions, isPooled };
  }
}

/** 26000: no such prepared statement; 42P05: there is one already. Both mean that connections share a session. */
const preparedCodes = new Set(['26000', '42P05']);

function explain(error: unknown): unknown {
  if (!preparedCodes.has(String(Reflect.get(Object(error), 'code')))) return error;
  return new CheckFailed(
    'DATABASE_URL is a pooler that does not keep prepared statements',
    'Use PgBouncer 1.21 or newer with max_prepared_statements = 200 or more, or set DATABASE_PREPARE=off and DATABASE_STARTUP_OPTIONS=off.',
    { cause: error },
  );
}

/** @throws WrongTimeZone */
export function describeServer({ isEmbedded }: ServiceDatabase, { service }: Sessions): string {
  if (service.settings.TimeZone !== 'UTC') throw new WrongTimeZone(service.settings.TimeZone);
  return `PostgreSQL ${service.version}${isEmbedded ? ' (embedded)' : ''}, in UTC`;
}

/** Warns of timeouts and planner settings that differ from those that start-up options would set. */
export function checkTimeouts({ service }: Sessions): Promise<Check> {
  return runCheck('timeouts', () => {
    const wrong = names.filter((name) => service.settings[name] !== sessionSettings[name]);
    return Promise.resolve(
      wrong.length === 0
        ? `statements ${sessionSettings.statement_timeout}, locks ${sessionSettings.lock_timeout}, idle transactions ${sessionSettings.idle_in_transaction_session_timeout}`
        : describeWrong(wrong, service),
    );
  });
}

type Name = keyof typeof sessionSettings;
const names = Object.keys(sessionSettings) as readonly Name[]; // the keys of a constant

function describeWrong(wrong: readonly Name[], { settings }: Session): Finding {
  const found = wrong.map((name) => `${name} is ${settings[name]}, not ${sessionSettings[name]}`);
  const statements = wrong.map((name) => `ALTER ROLE … SET ${name} = '${sessionSettings[name]}';`);
  return {
    detail: found.join('; '),
    warning: true,
    remedy: `Run for the role of DATABASE_URL, then reconnect the pooler: ${statements.join(' ')}`,
  };
}

/** The audit log needs to know who acts. Without it, accounts that operators create would have unconfirmed addresses. */
export function checkPooling({ sessions }: ServiceDatabase, { service, operator, isPooled }: Sessions): Promise<Check> {
  return runCheck('pooling', () => {
    const kind = isPooled ? 'through a pooler in transaction mode' : 'direct connections, or a pooler in session mode';
    const how = `${sessions.prepare ? 'prepared' : 'unprepared'} statements`;
    if (service.actor === 'service' && operator.actor === 'operator') return Promise.resolve(`${kind}, ${how}`);
    throw new CheckFailed(
      `${kind}, which does not say who acts: the audit log would show unknown actors`,
      sessions.startupOptions
        ? 'The pooler drops start-up options. Set DATABASE_STARTUP_OPTIONS=off, and remove "options" from its ignore_startup_parameters.'
        : 'Use a pooler that passes application_name on, such as PgBouncer.',
    );
  });
}
