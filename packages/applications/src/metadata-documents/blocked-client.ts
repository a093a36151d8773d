import type { ApplicationDatabase } from '../application-store.ts';
import { insertApplication } from '../registration-store.ts';
import { parseSettings } from '../settings.ts';
import { lockDocuments } from './document-bound-store.ts';
import { toHostName } from './document-name.ts';
import { findKnownClient } from './documented-client-store.ts';

/** Adds a client that an operator blocks before it was ever seen. False if there is one already. */
export async function insertUnknownClient(db: ApplicationDatabase, clientUrl: string): Promise<boolean> {
  const plain = { name: toHostName(clientUrl), redirectUris: [], scopes: [], implicit: false, actAsOwner: false };
  const settings = parseSettings(plain, 'public');
  return await db.transaction(async (tx) => {
    await lockDocuments(tx);
    if ((await findKnownClient(tx, clientUrl)) !== undefined) return false;
    await insertApplication(tx, {
      ...settings,
      type: 'public',
      clientId: clientUrl,
      ownerId: null,
      secretSha256: undefined,
    });
    return true;
  });
}
