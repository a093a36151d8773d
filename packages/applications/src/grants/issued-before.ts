import { endAccountsIssuedBefore } from '@linnet/accounts/issued-before-store';
import type { Db } from '@linnet/db/database';

import { endApplicationTokens, endGrants, endPendingRequests, endPlaygroundRuns } from './issued-before-store.ts';
import type { EndedRows, EndScope } from './issued-before-store.ts';

export type { EndScope } from './issued-before-store.ts';

/** How many were ended. */
export interface EndedAccess {
  /** Whose sessions and access tokens ended. */
  readonly accounts: number;
  /** Whose access tokens ended. */
  readonly applications: number;
  /** With their codes, refresh tokens and access tokens. */
  readonly consents: number;
  /** Sign-ins in progress, pushed requests and device codes. */
  readonly pendingRequests: number;
  readonly playgroundRuns: number;
}

/**
 * Ends everything that was issued before a moment, for all accounts and applications, one of them, or one account at one
 * application. Each step is a transaction of its own, so that requests wait for a few rows only; after an error, calling it
 * again is safe. What ends is in docs/operations/recovery.md.
 */
export async function endIssuedBefore(db: Db, scope: EndScope): Promise<EndedAccess> {
  const { accountId, clientId, before } = scope;
  const applications =
    accountId === undefined ? await endAll(async (after) => await endApplicationTokens(db, scope, after)) : 0;
  const accounts = clientId === undefined ? await endOfAccounts(db, scope) : 0;
  // After the sessions, which could give more of them.
  const consents = await endAll(async (after) => await endGrants(db, scope, after));
  const isEverything = accountId === undefined && clientId === undefined;
  return {
    accounts,
    applications,
    consents,
    pendingRequests: isEverything ? await endOfPending(db, before) : 0,
    playgroundRuns: await endPlaygroundRuns(db, scope),
  };
}

async function endAll(step: (after: string) => Promise<EndedRows>): Promise<number> {
  let sum = 0;
  for (let after: string | null = ''; after !== null;) {
    const { last, ended } = await step(after);
    sum += ended;
    after = last;
  }
  return sum;
}

async function endOfAccounts(db: Db, { accountId, before }: EndScope): Promise<number> {
  let sum = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const batch = { accountId, before, after };
    const ended: readonly number[] = await db.transaction(async (tx) => await endAccountsIssuedBefore(tx, batch));
    sum += ended.length;
    after = ended.at(-1);
  }
  return sum;
}

async function endOfPending(db: Db, before: EndScope['before']): Promise<number> {
  let sum = 0;
  for (let ended = -1; ended !== 0; sum += ended) ended = await endPendingRequests(db, before);
  return sum;
}
