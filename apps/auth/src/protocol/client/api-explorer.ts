import { apiExplorerId, registerApiExplorer } from '@linnet/applications/application/api-explorer-store';
import type { Transactional } from '@linnet/db/database';

import type { FindClient } from './client-cache.ts';

interface ExplorerOptions {
  readonly db: Pick<Transactional, 'transaction'>;
  readonly baseUrl: string;
  /** API_EXPLORER */
  readonly apiExplorer: boolean;
}

/** Registers the API Explorer when it is first looked up. Switched off, it is unknown, even if it was registered before. */
export function withApiExplorer(find: FindClient, { db, baseUrl, apiExplorer }: ExplorerOptions): FindClient {
  let registered: Promise<void> | undefined;
  return async (clientId) => {
    if (clientId !== apiExplorerId) return await find(clientId);
    if (!apiExplorer) return undefined;
    registered ??= registerApiExplorer(db, baseUrl).catch((error: unknown) => {
      registered = undefined;
      throw error;
    });
    await registered;
    return await find(clientId);
  };
}
