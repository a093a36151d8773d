import { LRUCache } from 'lru-cache';

import { isClientId } from '../applications/client-id.ts';
import type { Registration } from './client-store.ts';

export type FindClient = (clientId: string) => Promise<Registration | undefined>;

const maxClients = 1000;
const ttlMs = 5000;

/**
 * Remembers applications for five seconds, so that a warm token request asks the database nothing.
 * Unknown ids are not remembered, or a flood of them would push the known ones out; whoever asks for
 * the same id at the same time shares one look-up.
 */
export function cacheClients(find: FindClient, now: () => number = () => performance.now()): FindClient {
  const known = new LRUCache<string, Registration>({ max: maxClients, ttl: ttlMs, ttlResolution: 0, perf: { now } });
  const underWay = new Map<string, Promise<Registration | undefined>>();

  const lookUp = (clientId: string): Promise<Registration | undefined> => {
    const shared = find(clientId)
      .then((found) => {
        if (found !== undefined) known.set(clientId, found);
        return found;
      })
      .finally(() => underWay.delete(clientId));
    underWay.set(clientId, shared);
    return shared;
  };

  return async (clientId) => {
    if (!isClientId(clientId)) return undefined;
    return known.get(clientId) ?? (await (underWay.get(clientId) ?? lookUp(clientId)));
  };
}
