/** What operators can do with an account on its page. The `linnet` command does the same with the same functions. */
import { createAccounts } from '@linnet/accounts/accounts';
import { deleteByOperator } from '@linnet/accounts/deletion-store';
import { lockSubject, recordAct } from '@linnet/accounts/operators/operator-act';
import type { Subject } from '@linnet/accounts/operators/operator-act';
import { limitAccount, unlimitAccount } from '@linnet/accounts/suspension-store';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { resetFactors } from '@linnet/applications/grants/first-proof-store';
import type { Transactional } from '@linnet/db/statement/transaction';

import { queueVerification } from '../../../mail/mail-store.ts';

export interface PersonActInput {
  readonly id: number;
  /** What the person is shown. */
  readonly shownReason?: string | undefined;
}

interface PersonAct {
  readonly isPossible: (subject: Subject) => boolean;
  /** Returns false if it was not possible after all. */
  readonly run: (within: Transactional, subject: Subject & PersonActInput) => Promise<boolean>;
}

const personActs = {
  suspend: {
    isPossible: (one) => !one.isSuspended && !one.isDeleted,
    run: async (within, { username, shownReason }) => await createAccounts(within).suspend(username, shownReason),
  },
  limit: {
    isPossible: (one) => !one.isLimited && !one.isDeleted,
    run: async (within, { username }) => await limitAccount(within, username),
  },
  unlimit: {
    isPossible: (one) => one.isLimited && !one.isDeleted,
    run: async (within, { username }) => await unlimitAccount(within, username),
  },
  restore: {
    isPossible: (one) => one.isSuspended || one.isDeleted,
    run: async (within, { username }) => await createAccounts(within).restore(username),
  },
  delete: {
    isPossible: (one) => !one.isDeleted,
    run: async (within, { username }) => (await deleteByOperator(within, username, { isFinal: false })) !== undefined,
  },
  verify: {
    isPossible: (one) => !one.isVerified && !one.isDeleted,
    run: async (within, { username }) => await createAccounts(within).setVerified(username, true),
  },
  unverify: {
    isPossible: (one) => one.isVerified && !one.isDeleted,
    run: async (within, { username }) => await createAccounts(within).setVerified(username, false),
  },
  'end-access': {
    isPossible: (one) => !one.isSuspended && !one.isDeleted,
    run: async (within, { id }) => {
      await createAccounts(within).endSessions(id, (tx) => revokeAllGrants(tx, id));
      return true;
    },
  },
  'resend-confirmation': {
    isPossible: (one) => !one.isEmailConfirmed && !one.isSuspended && !one.isDeleted,
    run: async (within, { id }) => {
      await queueVerification(within, id);
      await recordAct(within, 'account.confirmation_resent', { accountId: id });
      return true;
    },
  },
  'reset-factors': {
    isPossible: (one) => one.hasFactors && !one.isDeleted,
    run: async (within, { username }) => await resetFactors(within, username),
  },
} as const satisfies Readonly<Record<string, PersonAct>>;

export type PersonActName = keyof typeof personActs;

/** In the order of the page. Object.keys returns string[]. */
export const personActNames = Object.keys(personActs) as readonly PersonActName[];

/** What operators can do with several accounts at once, in the order of the page. */
export const bulkActNames = ['limit', 'unlimit', 'suspend', 'restore', 'delete'] as const satisfies PersonActName[];

export type BulkActName = (typeof bulkActNames)[number];

/** Those that the page offers; none for operators, whom only the command changes. */
export function possibleActs(subject: Subject): readonly PersonActName[] {
  return subject.isOperator ? [] : personActNames.filter((name) => personActs[name].isPossible(subject));
}

/** Returns false if the account has changed, so that the act is impossible. */
export async function runPersonAct(
  within: Transactional,
  name: PersonActName,
  input: PersonActInput,
): Promise<boolean> {
  const subject = await lockSubject(within, input.id);
  if (subject === undefined || !possibleActs(subject).includes(name)) return false;
  return await personActs[name].run(within, { ...subject, ...input });
}
