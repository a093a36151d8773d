import type { Change } from '@linnet/revocations/revocation-store';
import { LRUCache } from 'lru-cache';

import { isClientId } from '@linnet/applications/client-id';
import type { Registration } from './client-store.ts';

export type FindClient = (clientId: string) => Promise<Registration | undefined>;

const maxClients = 1000;
/** What one process changes holds in every other within a second, whether the feed tells of it or not. */
const ttlMs = 900;

export interface ClientCache {
  readonly find: FindClient;
  /** As the database has it now, for what another process may have changed; remembered from then on. */
  readonly reload: FindClient;
  /** After a change in this process. */
  readonly forget: (clientId: string) => void;
  /** After a change in any process, as the feed tells it. */
  readonly applyChange: (change: Pick<Change, 'kind' | 'id'>) => void;
}

/**
 * Remembers applications for a moment, so that a warm token request asks the database nothing.
 * Unknown ids are not remembered, or a flood of them would push the known ones out; whoever asks for
 * the same id at the same time shares one look-up.
 */
export function cacheClients(find: FindClient, now: () => number = () => performance.now()): ClientCache {
  const known = new LRUCache<string, Registration>({ max: maxClients, ttl: ttlMs, ttlResolution: 0, perf: { now } });
  const underWay = new Map<string, Promise<Registration | undefined>>();

  const remember = (clientId: string, found: Registration | undefined) => {
    if (found === undefined) known.delete(clientId);
    else known.set(clientId, found);
  };

  const lookUp = (clientId: string): Promise<Registration | undefined> => {
    // One that was forgotten on its way, or overtaken, may have seen what was before the change.
    const isCurrent = () => underWay.get(clientId) === shared;
    const shared = find(clientId)
      .then((found) => {
        if (isCurrent()) remember(clientId, found);
        return found;
      })
      .finally(() => {
        if (isCurrent()) underWay.delete(clientId);
      });
    underWay.set(clientId, shared);
    return shared;
  };

  const forget = (clientId: string) => {
    known.delete(clientId);
    underWay.delete(clientId);
  };

  return {
    find: async (clientId) => {
      if (!isClientId(clientId)) return undefined;
      return known.get(clientId) ?? (await (underWay.get(clientId) ?? lookUp(clientId)));
    },
    // Not shared: a look-up that is under way may have seen what was before the change.
    reload: lookUp,
    forget,
    applyChange: ({ kind, id }) => {
      if (kind === 'client') forget(id);
      if (kind !== 'account' && kind !== 'grant') return;
      // Few change, and a thousand applications are looked through in no time.
      for (const [clientId, { actingGrant }] of known) {
        if (String(kind === 'grant' ? actingGrant?.id : actingGrant?.accountId) === id) forget(clientId);
      }
      // What those under way will find may be from before the change.
      underWay.clear();
    },
  };
}
