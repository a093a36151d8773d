import type { RevocableToken } from './revocable-token.ts';
import type { Change, RevocationKind } from './revocation-store.ts';

interface Entry {
  readonly epoch: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly expiresAt: number;
}

/** The revocations that a process has read from the database. */
export interface KnownRevocations {
  add(change: Change): void;
  isRevoked(token: RevocableToken): boolean;
  /** Forgets expired entries. */
  sweep(): void;
}

/** Entries outlive their row by this time: a process may have started to issue a token when the row was written. */
const marginMs = 60_000;

/** @param now A monotonic clock in milliseconds. */
export function createKnownRevocations(now: () => number): KnownRevocations {
  const kinds: Readonly<Record<RevocationKind, Map<string, Entry>>> = {
    account: new Map(),
    client: new Map(),
    grant: new Map(),
    key: new Map(),
    token: new Map(),
  };

  function isRevokedBy(kind: RevocationKind, id: string | number, epoch: number): boolean {
    const entry = kinds[kind].get(String(id));
    return entry !== undefined && (entry.epoch === null || epoch < entry.epoch);
  }

  return {
    add: ({ kind, id, epoch, secondsLeft }) => {
      kinds[kind].set(id, { epoch, expiresAt: now() + secondsLeft * 1000 + marginMs });
    },
    isRevoked: ({ jti, kid, client_id: clientId, ce, gid, ge, acct, ae }) =>
      isRevokedBy('client', clientId, ce) ||
      (gid !== undefined && isRevokedBy('grant', gid, ge)) ||
      (acct !== undefined && isRevokedBy('account', acct, ae)) ||
      isRevokedBy('token', jti, 0) ||
      isRevokedBy('key', kid, 0),
    sweep: () => {
      for (const entries of Object.values(kinds)) {
        for (const [id, { expiresAt }] of entries) if (expiresAt < now()) entries.delete(id);
      }
    },
  };
}
