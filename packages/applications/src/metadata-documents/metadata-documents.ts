/** Clients with a metadata document, without HTTP: what was fetched becomes an application without owner. */

import { createHash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';

import type { ApplicationNameRules } from '../application/application-name.ts';
import type { ApplicationDatabase } from '../application/application-store.ts';
import { updateLinks } from '../application/description-store.ts';
import { insertApplication } from '../application/registration-store.ts';
import { refuseOwnAddresses } from '../own-addresses.ts';
import { TooManyRegistrations } from '../self-registration/self-registration.ts';
import { parseSettings } from '../settings/settings.ts';
import {
  confirmDocument,
  countDocuments,
  evictClients,
  findDocumentState,
  findKnownClient,
  lockDocuments,
  recordReceipt,
  replaceClient,
} from './document-store.ts';
import type { DocumentState, Receipt } from './document-store.ts';
import { chooseName, readMetadataDocument, toHostName } from './read-document.ts';
import type { DocumentedClient } from './read-document.ts';

/** Documents that can be stored at a time. Beyond that, clients that nobody has authorized give way to new ones. */
const maxDocuments = 10_000;
const evictedAtOnce = 100;

/** A document as it was received. */
export interface ReceivedDocument extends Receipt {
  readonly body: Buffer;
  /** Parsed from the body. */
  readonly document: unknown;
}

export interface MetadataDocuments {
  /** Undefined if the client is unknown. */
  find(clientUrl: string): Promise<DocumentState | undefined>;
  /**
   * Stores what a document says. A client that is unknown becomes an application without owner.
   * @throws MetadataRefused, ApplicationRefused, TooManyRegistrations
   */
  store(clientUrl: string, received: ReceivedDocument): Promise<void>;
  /** The document has not changed since it was stored. */
  confirm(clientUrl: string, freshSeconds: number): Promise<void>;
}

interface Options {
  readonly rules: ApplicationNameRules;
  /** How many can be stored; by default 10,000. */
  readonly max?: number;
}

export function createMetadataDocuments(
  db: ApplicationDatabase,
  { rules, max = maxDocuments }: Options,
): MetadataDocuments {
  return {
    find: (clientUrl) => findDocumentState(db, clientUrl),
    store: async (clientUrl, { body, document, ...receipt }) => {
      const client = readMetadataDocument(clientUrl, document);
      refuseOwnAddresses(client.settings, rules.baseUrl);
      const sha256 = createHash('sha256').update(body).digest();
      await db.transaction(async (tx) => {
        await lockDocuments(tx);
        const known = await findKnownClient(tx, clientUrl);
        const isChanged = known?.sha256?.equals(sha256) !== true;
        if (isChanged) {
          const name = await chooseName(tx, clientUrl, { requested: client.settings.name, known: known?.name, rules });
          await write(tx, clientUrl, { ...client, settings: { ...client.settings, name }, isNew: known === undefined });
        }
        await recordReceipt(tx, clientUrl, { ...receipt, sha256 });
        if (known === undefined) await makeRoom(tx, clientUrl, max);
      });
    },
    confirm: (clientUrl, freshSeconds) => confirmDocument(db, clientUrl, freshSeconds),
  };
}

async function write(
  tx: Queryable,
  clientUrl: string,
  { isNew, ...client }: DocumentedClient & { readonly isNew: boolean },
): Promise<void> {
  const { type, settings, links } = client;
  if (isNew) await insertApplication(tx, { ...settings, type, ...ownerless(clientUrl) });
  else await replaceClient(tx, clientUrl, client);
  await updateLinks(tx, ownerless(clientUrl), links);
}

function ownerless(clientId: string) {
  return { clientId, ownerId: null, secretSha256: undefined } as const;
}

async function makeRoom(tx: Queryable, clientUrl: string, max: number): Promise<void> {
  if ((await countDocuments(tx)) <= max) return;
  await evictClients(tx, clientUrl, evictedAtOnce);
  if ((await countDocuments(tx)) > max) throw new TooManyRegistrations();
}

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
