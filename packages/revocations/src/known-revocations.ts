import type { RevocableToken } from './revocable-token.ts';
import type { Change, RevocationKind } from './revocation-store.ts';

interface Known {
  readonly epoch: number | null;
  /** Milliseconds of a clock that only runs forward. */
  readonly until: number;
}

/** What a process knows of revocations. */
export interface KnownRevocations {
  learn(change: Change): void;
  isRevoked(token: RevocableToken): boolean;
  /** Forgets what no token is left for. */
  tidy(): void;
}

/** Other processes may have begun to issue a token when its row was written. */
const marginMs = 60_000;

export function createKnownRevocations(now: () => number): KnownRevocations {
  const kinds: Readonly<Record<RevocationKind, Map<string, Known>>> = {
    account: new Map(),
    client: new Map(),
    grant: new Map(),
    key: new Map(),
    token: new Map(),
  };

  function isDead(kind: RevocationKind, id: string | number, epoch: number): boolean {
    const known = kinds[kind].get(String(id));
    return known !== undefined && (known.epoch === null || epoch < known.epoch);
  }

  return {
    learn: ({ kind, id, epoch, secondsLeft }) => {
      kinds[kind].set(id, { epoch, until: now() + secondsLeft * 1000 + marginMs });
    },
    isRevoked: ({ jti, kid, client_id: clientId, ce, gid, ge, acct, ae }) =>
      isDead('client', clientId, ce) ||
      (gid !== undefined && isDead('grant', gid, ge)) ||
      (acct !== undefined && isDead('account', acct, ae)) ||
      isDead('token', jti, 0) ||
      isDead('key', kid, 0),
    tidy: () => {
      for (const known of Object.values(kinds)) {
        for (const [id, { until }] of known) if (until < now()) known.delete(id);
      }
    },
  };
}
