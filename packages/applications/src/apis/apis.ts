/** What developers and operators can do with registered APIs. */
import type { NameRules } from '@linnet/accounts/names/name-rules';
import { z } from 'zod';

import { checkApplicationName } from '../application/application-name.ts';
import type { ApplicationDatabase } from '../application/application-store.ts';
import { countApis, deleteApi, insertApi, isConfidentialClient, setProven, updateApi } from './api-change-store.ts';
import type { ApiSettings, NewApi } from './api-change-store.ts';
import {
  ApiRefused,
  parseIdentifier,
  parseSettings,
  refuseIdentifier,
  toApiRefused,
  toStoredIdentifier,
} from './api-settings.ts';
import type { SubmittedApi } from './api-settings.ts';
import { findApis, findOwnApi, listApis } from './api-store.ts';
import type { RegisteredApi } from './api-store.ts';

const maxApis = 10;

interface OwnedApiId {
  readonly ownerId: number;
  readonly id: number;
}

export interface Apis {
  /** The same, with another database: for what an owner may do only while their session is active. */
  at(db: ApplicationDatabase): Apis;
  /** Those of one owner, or all; oldest first. */
  list(ownerId?: number): Promise<readonly RegisteredApi[]>;
  find(id: OwnedApiId): Promise<RegisteredApi | undefined>;
  /** By its identifier, of any owner. */
  findByIdentifier(identifier: string): Promise<RegisteredApi | undefined>;
  /**
   * `repeated`: the owner has registered the identifier already; nothing changes.
   * @throws ApiRefused for invalid settings, or if the account has too many APIs
   */
  create(
    api: SubmittedApi & { readonly ownerId: number; readonly identifier: string },
  ): Promise<{ readonly kind: 'created' | 'repeated'; readonly id: number }>;
  /**
   * Replaces the settings. A removed scope leaves every grant, and tokens that were issued before are no longer active.
   * False if the account does not own it.
   * @throws ApiRefused
   */
  update(id: OwnedApiId, api: SubmittedApi): Promise<boolean>;
  /** Fetches the API's own metadata. True if it names this service, which proves that the owner controls the address. */
  prove(api: RegisteredApi, fetchDocument: FetchDocument): Promise<boolean>;
  /** Deletes it with all its scopes in grants; its tokens are no longer active. False if the account does not own it. */
  delete(id: OwnedApiId): Promise<boolean>;
}

/** Fetches a JSON document of another server; undefined if there is none. */
export type FetchDocument = (url: string) => Promise<unknown>;

interface ApisOptions {
  /** The address of this service, which no API may have. */
  readonly baseUrl: string;
  readonly names: NameRules;
  /** An operator: the limit per account does not apply. */
  readonly isOperator?: boolean;
}

export function createApis(db: ApplicationDatabase, options: ApisOptions): Apis {
  return {
    at: (other) => createApis(other, options),
    list: (ownerId) => listApis(db, ownerId),
    find: ({ ownerId, id }) => findOwnApi(db, ownerId, id),
    findByIdentifier: async (identifier) => (await findApis(db, [toStoredIdentifier(identifier)]))[0],
    create: async (api) => {
      const identifier = parseIdentifier(api.identifier, options.baseUrl);
      return await createOnce(db, { ...parseSettings(api), identifier, ownerId: api.ownerId }, options);
    },
    update: async ({ ownerId, id }, api) => await change(db, { ...parseSettings(api), ownerId, id }, options),
    prove: async (api, fetchDocument) => {
      const document = await fetchDocument(toMetadataUrl(api.identifier));
      const isProven = provesControl(document, api.identifier, options.baseUrl);
      await setProven(db, api, isProven);
      return isProven;
    },
    delete: ({ ownerId, id }) => deleteApi(db, ownerId, id),
  };
}

async function createOnce(db: ApplicationDatabase, api: NewApi, options: ApisOptions): ReturnType<Apis['create']> {
  const { ownerId, identifier, clientId } = api;
  return await db.transaction(async (tx) => {
    const count = await countApis(tx, ownerId);
    const [earlier] = await findApis(tx, [identifier]);
    if (earlier?.ownerId === ownerId) return { kind: 'repeated', id: earlier.id };
    if (earlier !== undefined) throw refuseIdentifier(identifier, 'taken');
    if (options.isOperator !== true && count >= maxApis) throw refuseTooMany();
    await checkName(tx, api, options);
    await requireClient(tx, clientId, ownerId);
    const id = await insertApi(tx, api);
    if (id === undefined) throw refuseIdentifier(identifier, 'taken');
    return { kind: 'created', id };
  });
}

async function change(db: ApplicationDatabase, api: ApiSettings & OwnedApiId, options: ApisOptions): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await findOwnApi(tx, api.ownerId, api.id);
    if (stored === undefined) return false;
    // A name that was allowed once stays allowed, as for applications.
    if (stored.name !== api.name) await checkName(tx, api, options);
    await requireClient(tx, api.clientId, api.ownerId);
    return await updateApi(tx, api);
  });
}

type Transaction = Parameters<Parameters<ApplicationDatabase['transaction']>[0]>[0];

async function checkName(
  tx: Transaction,
  { name, ownerId }: { readonly name: string; readonly ownerId: number },
  { names }: ApisOptions,
): Promise<void> {
  try {
    await checkApplicationName(tx, { name, ownerId }, { ...names, isNamedByOwner: true });
  } catch (error) {
    throw toApiRefused(error);
  }
}

/** @throws ApiRefused unless the account owns the application, and it can authenticate */
async function requireClient(tx: Transaction, clientId: string | undefined, ownerId: number): Promise<void> {
  if (clientId === undefined) return;
  const isConfidential = await isConfidentialClient(tx, clientId, ownerId);
  if (isConfidential === true) return;
  const problem = isConfidential === undefined ? 'unknown' : 'not-confidential';
  const texts = {
    unknown: 'is no application of the same owner.',
    'not-confidential': 'is not a confidential application, so it cannot authenticate.',
  };
  throw new ApiRefused({ field: 'client_id', problem, value: clientId }, `${clientId} ${texts[problem]}`);
}

function refuseTooMany(): ApiRefused {
  return new ApiRefused(
    { field: 'owner', problem: 'too-many' },
    `An account can register up to ${String(maxApis)} APIs. Delete one first.`,
  );
}

/** Where the metadata of an API is (RFC 9728 §3.1). */
export function toMetadataUrl(identifier: string): string {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}

const metadataSchema = z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) });

/** Proof that the owner controls the address: whether a document there is the metadata of the API and names the issuer, with or without `/` at the end. */
function provesControl(document: unknown, identifier: string, issuer: string): boolean {
  const { data } = metadataSchema.safeParse(document);
  if (data === undefined || toStoredIdentifier(data.resource) !== identifier) return false;
  return data.authorization_servers.some((server) => toStoredIdentifier(server) === toStoredIdentifier(issuer));
}
