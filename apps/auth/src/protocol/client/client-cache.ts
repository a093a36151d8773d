import {
  apiExplorerId,
  registerApiExplorer,
  registerWebClient,
  webClientId,
} from '@linnet/applications/application/built-in-store';
import { formatServiceName } from '@linnet/ui/service-name';
import { isClientId } from '@linnet/applications/application/application';
import type { Transactional } from '@linnet/db/statement/transaction';
import type { Change } from '@linnet/revocations/revocation-store';
import { LRUCache } from 'lru-cache';

import type { Registration } from './client-store.ts';

export type FindClient = (clientId: string) => Promise<Registration | undefined>;

const maxClients = 1000;
/** A change reaches every process within a second, even if the feed misses it. */
const ttlMs = 900;
/** When one is used that has been cached for longer, those in use are read again: together, and no request waits. */
const renewAfterMs = 500;

export interface ClientCache {
  readonly find: FindClient;
  /** At once, and only if it is cached. */
  readonly peek: (clientId: string) => Registration | undefined;
  /** Reads the database in any case, for what another process may have changed, and caches the result. */
  readonly reload: FindClient;
  /** Call after a change in this process. */
  readonly forget: (clientId: string) => void;
  /** Call for each change that the revocation feed reports. */
  readonly applyChange: (change: Pick<Change, 'kind' | 'id'>) => void;
}

/** The applications that are cached, and which of them were used since they were read. */
function createKnownClients(now: () => number) {
  const used = new Set<string>();
  const known = new LRUCache<string, Registration>({
    ...{ max: maxClients, ttl: ttlMs, ttlResolution: 0, perf: { now } },
    dispose: (_registration, clientId) => void used.delete(clientId),
  });
  return {
    use: (clientId: string): Registration | undefined => {
      const found = known.get(clientId);
      if (found !== undefined) used.add(clientId);
      return found;
    },
    /** Undefined removes it. */
    store: (clientId: string, found: Registration | undefined): void => {
      if (found === undefined) known.delete(clientId);
      else known.set(clientId, found);
    },
    /** All in use, if this one is due to be read again. */
    listDueWith: (clientId: string): readonly string[] =>
      known.getRemainingTTL(clientId) < ttlMs - renewAfterMs ? [...used].filter((id) => known.has(id)) : [],
    entries: () => known.entries(),
  };
}

/**
 * Caches applications for less than a second, so that most token requests send no query for their client. Those in use
 * are read again before they expire. Unknown ids are not cached: a flood of them would evict the known ones. Concurrent
 * requests for one id share a query.
 */
export function cacheClients(find: FindClient, now: () => number = () => performance.now()): ClientCache {
  const known = createKnownClients(now);
  const pending = new Map<string, Promise<Registration | undefined>>();

  const query = (clientId: string): Promise<Registration | undefined> => {
    // A query that was forgotten or replaced in between may have read the state before the change.
    const isCurrent = () => pending.get(clientId) === shared;
    const shared = find(clientId)
      .then((found) => {
        if (isCurrent()) known.store(clientId, found);
        return found;
      })
      .finally(() => {
        if (isCurrent()) pending.delete(clientId);
      });
    pending.set(clientId, shared);
    return shared;
  };

  const peek = (clientId: string): Registration | undefined => {
    const found = known.use(clientId);
    if (found === undefined || pending.has(clientId)) return found;
    for (const due of known.listDueWith(clientId)) {
      // If that fails, the request that finds it expired reports it.
      if (!pending.has(due)) query(due).catch(() => undefined);
    }
    return found;
  };

  const forget = (clientId: string) => {
    known.store(clientId, undefined);
    pending.delete(clientId);
  };

  return {
    find: async (clientId) => {
      if (!isClientId(clientId)) return undefined;
      return peek(clientId) ?? (await (pending.get(clientId) ?? query(clientId)));
    },
    peek,
    // Not shared: a pending query may have read the state before the change.
    reload: query,
    forget,
    applyChange: ({ kind, id }) => {
      if (kind === 'client') forget(id);
      if (kind !== 'account' && kind !== 'grant') return;
      // Changes are rare, and a scan of a thousand entries is fast.
      for (const [clientId, registration] of known.entries()) if (actsBy(registration, kind, id)) forget(clientId);
      // Pending queries may have read the state before the change.
      pending.clear();
    },
  };
}

function actsBy({ actingGrant }: Registration, kind: 'account' | 'grant', id: string): boolean {
  return String(kind === 'grant' ? actingGrant?.id : actingGrant?.accountId) === id;
}

interface BuiltInOptions {
  readonly db: Pick<Transactional, 'transaction'>;
  readonly baseUrl: string;
  /** The name of the web client. */
  readonly serviceName: string;
  /** API_EXPLORER */
  readonly apiExplorer: boolean;
  /** CLIENT */
  readonly webClient: boolean;
}

/** Registers the service's own applications when they are first looked up. Switched off, one is unknown, even if it was registered before. */
export function withBuiltIn(find: FindClient, options: BuiltInOptions): FindClient {
  const { db, baseUrl, serviceName, apiExplorer, webClient } = options;
  const name = formatServiceName(serviceName);
  const registrations = new Map([
    [apiExplorerId, { isOn: apiExplorer, register: async () => await registerApiExplorer(db, baseUrl) }],
    [webClientId, { isOn: webClient, register: async () => await registerWebClient(db, { baseUrl, name }) }],
  ]);
  const registered = new Map<string, Promise<void>>();
  return async (clientId) => {
    const builtIn = registrations.get(clientId);
    if (builtIn === undefined) return await find(clientId);
    if (!builtIn.isOn) return undefined;
    const registering = registered.get(clientId) ?? builtIn.register();
    registered.set(clientId, registering);
    try {
      await registering;
    } catch (error) {
      registered.delete(clientId);
      throw error;
    }
    return await find(clientId);
  };
}
