import type { BrowserSession } from '../../protocol/session/session.ts';

/** How long after signing in somebody may do what matters for the account's safety (checklist UI13). */
const recentMs = 600_000;

/** Whether the person need not sign in again to confirm who they are. */
export function isRecent({ signedInAt }: Pick<BrowserSession, 'signedInAt'>, now: number = Date.now()): boolean {
  return now - signedInAt.getTime() < recentMs;
}
