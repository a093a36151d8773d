import { describeFailure } from '../report-failure.ts';

/** What a check found: a text, or more. */
export interface Finding {
  readonly detail: string;
  /** Works, but the operator should look at it. */
  readonly warning?: true;
  /** What to do, in one or two sentences. */
  readonly remedy?: string;
}

/** The result of one check. */
export interface Check extends Finding {
  readonly name: string;
  readonly ok: boolean;
}

/** A check failed: `message` says why, `remedy` what to do. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** Remedies for failures that other code reports, by their code (`describeFailure`). */
const remedies: Readonly<Record<string, string>> = {
  configuration: 'Correct the variables. "linnet config check" shows where each value comes from.',
  'database-too-new': 'Start servers of the release that changed it, or restore the backup from before.',
  'database-too-old': 'Export what you need. Then delete DATA_DIR, or set DATABASE_URL to an empty database.',
  'database-unavailable':
    'Check that PostgreSQL runs, that this machine reaches it, and that host, user, password and database of DATABASE_URL are correct.',
  'database-time-zone': `Run: ALTER DATABASE … SET timezone = 'UTC', and restart the service.`,
  'embedded-postgres': 'Read DATA_DIR/postgres/server.log, or set DATABASE_URL to use your own PostgreSQL.',
  migration: 'Run "linnet migrate" with this version of the command.',
  'secret-keys': 'Put the SECRET_KEYS back with which the service ran last, and replace them one after the other.',
};

/** Runs `check`. The detail is what it returns, or the reason why it threw. */
export async function runCheck(name: string, check: () => Promise<string | Finding>): Promise<Check> {
  try {
    const found = await check();
    return { name, ok: true, ...(typeof found === 'string' ? { detail: found } : found) };
  } catch (error) {
    if (error instanceof CheckFailed) return { name, ok: false, detail: error.message, remedy: error.remedy };
    const { code, message } = describeFailure(error);
    const remedy = remedies[code];
    return { name, ok: false, detail: message, ...(remedy === undefined ? {} : { remedy }) };
  }
}

/** What the other side said. */
export function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
