import type { RevocableToken } from './revocable-token.ts';
import type { Change, RevocationKind } from './revocation-store.ts';
import { RevocationTable, everyEpoch } from './revocation-table.ts';

/** The revocations that a process has read from the database. */
export interface KnownRevocations {
  add(change: Change): void;
  isRevoked(token: RevocableToken): boolean;
  /** The number of entries. */
  size(): number;
  /** Forgets expired entries. */
  sweep(): Promise<void>;
}

/** Entries outlive their row by this time: a process may have started to issue a token when the row was written. */
const marginSeconds = 60;

/** @param now A monotonic clock in milliseconds. */
export function createKnownRevocations(now: () => number): KnownRevocations {
  const tables: Readonly<Record<RevocationKind, RevocationTable>> = {
    account: new RevocationTable(),
    client: new RevocationTable(),
    grant: new RevocationTable(),
    chain: new RevocationTable(),
    key: new RevocationTable(),
    token: new RevocationTable(),
  };
  const seconds = () => Math.floor(now() / 1000);

  function isRevokedBy(kind: RevocationKind, id: string | number, epoch: number): boolean {
    const lowestEpoch = tables[kind].get(String(id));
    return lowestEpoch !== undefined && epoch < lowestEpoch;
  }

  return {
    add: ({ kind, id, epoch, secondsLeft }) => {
      const expiresAt = seconds() + Math.ceil(secondsLeft) + marginSeconds;
      tables[kind].set(id, { epoch: epoch ?? everyEpoch, expiresAt });
    },
    isRevoked: ({ jti, kid, client_id: clientId, ce, gid, ge, ch, acct, ae }) =>
      isRevokedBy('client', clientId, ce) ||
      (gid !== undefined && isRevokedBy('grant', gid, ge)) ||
      (ch !== undefined && isRevokedBy('chain', ch, 0)) ||
      (acct !== undefined && isRevokedBy('account', acct, ae)) ||
      isRevokedBy('token', jti, 0) ||
      isRevokedBy('key', kid, 0),
    size: () => Object.values(tables).reduce((sum, table) => sum + table.size, 0),
    sweep: async () => {
      for (const table of Object.values(tables)) await table.sweep(seconds());
    },
  };
}
