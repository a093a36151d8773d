/** What operators can do with an application on its page. The `linnet` command does the same with the same functions. */
import {
  endApplicationAccess,
  lockApplication,
  restoreApplication,
  suspendApplication,
} from '@linnet/applications/application/operator-changes-store';
import type { ApplicationSubject } from '@linnet/applications/application/operator-changes-store';
import { unverifyApplication, verifyApplication } from '@linnet/applications/application/description-store';
import { recordAct } from '@linnet/accounts/operators/operator-act';
import type { Transactional } from '@linnet/db/statement/transaction';

interface ApplicationAct {
  readonly isPossible: (subject: ApplicationSubject) => boolean;
  readonly run: (within: Transactional, clientId: string) => Promise<boolean>;
}

const applicationActs = {
  suspend: { isPossible: ({ isSuspended }) => !isSuspended, run: suspendApplication },
  restore: { isPossible: ({ isSuspended }) => isSuspended, run: restoreApplication },
  verify: {
    isPossible: ({ isVerified, hasOwner }) => hasOwner && !isVerified,
    run: async (within, clientId) => await verifyApplication(within, clientId),
  },
  unverify: { isPossible: ({ isVerified }) => isVerified, run: unverifyApplication },
  'end-access': {
    isPossible: () => true,
    run: async (within, clientId) => {
      await recordAct(within, 'application.access_ended', { clientId });
      return await endApplicationAccess(within, clientId);
    },
  },
} as const satisfies Readonly<Record<string, ApplicationAct>>;

export type ApplicationActName = keyof typeof applicationActs;

/** In the order of the page. Object.keys returns string[]. */
export const applicationActNames = Object.keys(applicationActs) as readonly ApplicationActName[];

/** What operators can do with several applications at once, in the order of the page. */
export const bulkActNames = ['suspend', 'restore', 'end-access'] as const satisfies ApplicationActName[];

export type BulkActName = (typeof bulkActNames)[number];

/** Those that the page offers. */
export function possibleApplicationActs(subject: ApplicationSubject): readonly ApplicationActName[] {
  return applicationActNames.filter((name) => applicationActs[name].isPossible(subject));
}

/** Returns false if the application has changed, so that the act is impossible. */
export async function runApplicationAct(
  within: Transactional,
  name: ApplicationActName,
  clientId: string,
): Promise<boolean> {
  const subject = await lockApplication(within, clientId);
  if (subject === undefined || !possibleApplicationActs(subject).includes(name)) return false;
  return await applicationActs[name].run(within, clientId);
}
