/** What operators can do with one session or one connected app of an account. */
import { endAccountSession } from '@linnet/accounts/account-sessions-store';
import { lockSubject } from '@linnet/accounts/operators/operator-act';
import { disconnectApplication } from '@linnet/applications/grants/connected-applications-store';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

type Run = (within: Queryable, accountId: number, target: string) => Promise<boolean>;

/** The target is the uid of a session, or a client_id. */
const accessActs = {
  'end-session': endAccountSession,
  'end-grant': disconnectApplication,
} as const satisfies Readonly<Record<string, Run>>;

export type AccessActName = keyof typeof accessActs;

/** Object.keys returns string[]. */
export const accessActNames = Object.keys(accessActs) as readonly AccessActName[];

export interface EndedAccess {
  readonly accountId: number;
  readonly target: string;
}

/** Returns false if there is no such session or app, or if only the command may change the account. */
export async function runAccessAct(
  within: Transactional,
  name: AccessActName,
  { accountId, target }: EndedAccess,
): Promise<boolean> {
  const subject = await lockSubject(within, accountId);
  if (subject === undefined || subject.isOperator) return false;
  return await accessActs[name](within, accountId, target);
}
