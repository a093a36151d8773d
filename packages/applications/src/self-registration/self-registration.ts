/** Dynamic client registration (RFC 7591) and its management (RFC 7592), without HTTP. */
import { isDeepStrictEqual } from 'node:util';

import { changeApplication, prepareApplication } from '../application/application-change.ts';
import { checkApplicationName } from '../application/application-name.ts';
import type { ApplicationNameRules } from '../application/application-name.ts';
import { findApplication } from '../application/application-store.ts';
import type { ApplicationDatabase } from '../application/application-store.ts';
import { isClientId } from '../application/application.ts';
import { parseClientKeys } from '../secrets/client-keys.ts';
import type { PublicKeySet } from '../secrets/client-keys.ts';
import { generateClientSecret, hashClientSecret } from '../secrets/client-secret.ts';
import { updateLinks } from '../application/description-store.ts';
import { deleteAnyApplication, insertApplication } from '../application/registration-store.ts';
import { refuseOwnAddresses } from '../own-addresses.ts';
import { parseSettings } from '../settings/settings.ts';
import { MetadataRefused, parseClientMetadata, toClientMetadata } from './client-metadata.ts';
import { requireSelfRegistrable } from './self-registrable.ts';
import { countSelfRegistered, findByRegistrationToken } from './self-registration-store.ts';

/** Bounds what strangers can store. */
const defaultMax = 10_000;

/** As many applications as possible have registered themselves. */
export class TooManyRegistrations extends Error {
  override readonly name = 'TooManyRegistrations';
}

type Metadata = Readonly<Record<string, unknown>>;

interface Credentials {
  readonly clientId: string;
  /** The registration access token. */
  readonly token: string;
}

/** Why a registration cannot be managed: the token is not its own, or an operator suspended the application. */
export type Unmanageable = 'unknown' | 'suspended';

export interface SelfRegistrations {
  /**
   * Registers a client with the metadata. Returns what was stored, with its credentials.
   * @throws MetadataRefused, ApplicationRefused, TooManyRegistrations
   */
  register(document: unknown): Promise<{ readonly metadata: Metadata; readonly token: string }>;
  read(credentials: Credentials): Promise<Metadata | Unmanageable>;
  /** Replaces the metadata. @throws MetadataRefused, ApplicationRefused */
  update(credentials: Credentials, document: unknown): Promise<Metadata | Unmanageable>;
  /** Deletes the application with its grants. */
  delete(credentials: Credentials): Promise<'deleted' | Unmanageable>;
}

/** `max`: applications without an owner that can exist at a time. */
export function createSelfRegistrations(
  db: ApplicationDatabase,
  names: ApplicationNameRules,
  max: number = defaultMax,
): SelfRegistrations {
  const rules = { ...names, isNamedByOwner: true };
  return {
    register: (document) => register(db, document, { rules, max }),
    read: async (credentials) => {
      const found = await find(db, credentials);
      return typeof found === 'string' ? found : await describe(db, credentials.clientId, found.jwks);
    },
    update: async (credentials, document) => await update(db, credentials, { document, rules }),
    delete: async (credentials) => {
      const found = await find(db, credentials);
      if (typeof found === 'string') return found;
      return (await deleteAnyApplication(db, credentials.clientId)) ? 'deleted' : 'unknown';
    },
  };
}

async function register(
  db: ApplicationDatabase,
  document: unknown,
  { rules, max }: { readonly rules: ApplicationNameRules; readonly max: number },
): ReturnType<SelfRegistrations['register']> {
  const { type, method, settings, links } = parseClientMetadata(document);
  const parsed = parseSettings(settings, type);
  requireSelfRegistrable(parsed);
  refuseOwnAddresses(parsed, rules.baseUrl);
  const { application, created } = prepareApplication({ ...parsed, ownerId: null, type });
  const token = generateClientSecret();
  await db.transaction(async (tx) => {
    if ((await countSelfRegistered(tx)) >= max) throw new TooManyRegistrations();
    await checkApplicationName(tx, application, rules);
    await insertApplication(tx, { ...application, registrationTokenSha256: hashClientSecret(token) });
    await updateLinks(tx, { ownerId: null, clientId: created.clientId }, links);
  });
  const stored = { ...application, createdAt: new Date(), links };
  const { clientSecret } = created;
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 };
  return { token, metadata: { ...toClientMetadata(stored, method), ...secret } };
}

type Found = Exclude<Awaited<ReturnType<typeof findByRegistrationToken>>, undefined>;

async function find(db: ApplicationDatabase, { clientId, token }: Credentials): Promise<Found | Unmanageable> {
  if (!isClientId(clientId)) return 'unknown';
  const found = await findByRegistrationToken(db, clientId, hashClientSecret(token));
  if (found === undefined) return 'unknown';
  return found.isSuspended ? 'suspended' : found;
}

async function describe(
  db: ApplicationDatabase,
  clientId: string,
  jwks: PublicKeySet | null,
): Promise<Metadata | Unmanageable> {
  const application = await findApplication(db, clientId);
  return application === undefined ? 'unknown' : toClientMetadata({ ...application, jwks: jwks ?? undefined });
}

interface Update {
  readonly document: unknown;
  readonly rules: ApplicationNameRules;
}

async function update(
  db: ApplicationDatabase,
  credentials: Credentials,
  { document, rules }: Update,
): Promise<Metadata | Unmanageable> {
  const { clientId } = credentials;
  const found = await find(db, credentials);
  if (typeof found === 'string') return found;
  const application = await findApplication(db, clientId);
  if (application === undefined) return 'unknown';
  const { type, method, settings, links, repeated } = parseClientMetadata(document, application.type);
  if (repeated.clientId !== clientId) throw new MetadataRefused('client_id must be the one that was registered.');
  const secret = repeated.clientSecret;
  if (secret !== undefined && !found.secrets.includes(hashClientSecret(secret))) {
    throw new MetadataRefused('client_secret must be the one that was registered, or be left out.');
  }
  const stored = toClientMetadata({ ...application, jwks: found.jwks ?? undefined });
  const usesKeys = stored['token_endpoint_auth_method'] === 'private_key_jwt';
  if (usesKeys !== (method === 'private_key_jwt')) {
    throw new MetadataRefused('token_endpoint_auth_method cannot change. Register again instead.');
  }
  requireSameKeys(settings, found.jwks, type);
  const isChanged = await changeApplication(db, application, { ...settings, links, ownerId: null, rules });
  if (!isChanged) return 'unknown';
  return await describe(db, clientId, found.jwks);
}

/** Keys that were registered directly cannot change; those of a `jwks_uri` change where they are published. */
function requireSameKeys(
  settings: Parameters<typeof parseClientKeys>[0],
  stored: PublicKeySet | null,
  type: Parameters<typeof parseClientKeys>[1],
): void {
  const { jwks } = parseClientKeys(settings, type);
  if (isDeepStrictEqual(jwks ?? null, stored)) return;
  throw new MetadataRefused('jwks cannot change. Use jwks_uri, or register again.');
}
