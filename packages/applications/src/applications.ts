import { defaultNameRules } from '@linnet/accounts/names/name-rules';

import {
  changeApplication,
  getOwnerId,
  prepareApplication,
  refuseOwnerless,
  requireOwner,
} from './application/application-change.ts';
import type { CreatedApplication } from './application/application-change.ts';
import { checkApplicationName } from './application/application-name.ts';
import type { ApplicationNameRules } from './application/application-name.ts';
import { findApplication, findApplications } from './application/application-store.ts';
import type { Application, ApplicationDatabase } from './application/application-store.ts';
import type { ApplicationType } from './application/application-type.ts';
import { isClientUrl } from './application/application.ts';
import { unverifyApplication, verifyApplication } from './application/description-store.ts';
import { endApplicationAccess, restoreApplication, suspendApplication } from './application/operator-changes-store.ts';
import { deleteAnyApplication, insertApplication } from './application/registration-store.ts';
import { insertUnknownClient } from './metadata-documents/metadata-documents.ts';
import { refuseOwnAddresses } from './own-addresses.ts';
import type { NewAuthentication } from './secrets/authentication-change.ts';
import { generateClientSecret, hashClientSecret, maxActiveSecrets } from './secrets/client-secret.ts';
import type { NewSecret } from './secrets/new-secret.ts';
import { deleteSecrets, expireOtherSecrets, insertSecret, lockForRotation } from './secrets/secret-store.ts';
import { parseSettings } from './settings/settings.ts';
import type { Settings } from './settings/settings.ts';

/** Settings of a new application, from an operator. */
export interface ApplicationRequest extends Omit<Settings, 'implicit'> {
  /** Username. */
  readonly owner: string;
  readonly type: ApplicationType;
  /** Whether `response_type=token` is allowed; default false. */
  readonly implicit?: boolean;
}

/** Settings that are undefined are kept. */
export type ApplicationChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined } & {
  readonly authentication?: NewAuthentication | undefined;
};

/** What operators can do with applications. The limit per account does not apply. */
export interface Applications {
  /** @throws ApplicationRefused for an unknown owner or invalid settings */
  create(request: ApplicationRequest): Promise<CreatedApplication>;
  /** Oldest first. @throws ApplicationRefused for an unknown owner */
  list(owner?: string): Promise<readonly Application[]>;
  show(clientId: string): Promise<Application | undefined>;
  /**
   * Changes the given settings and keeps the others, under the rules for its owner's form. Undefined if it does not exist.
   * @throws ApplicationRefused, also if it has a metadata document
   */
  update(clientId: string, change: ApplicationChange): Promise<Application | undefined>;
  /**
   * Blocks the application; its tokens are revoked within a second. The URL of a metadata document is blocked even if it
   * was never used. False if the application does not exist.
   */
  suspend(clientId: string): Promise<boolean>;
  /** Lifts a suspension; revoked tokens remain revoked. False if it does not exist. */
  restore(clientId: string): Promise<boolean>;
  /**
   * Marks it as verified, as it is now. A later change of its name, logo, website or owner ends that. False if it does
   * not exist.
   * @throws ApplicationRefused if it has no owner
   */
  verify(clientId: string): Promise<boolean>;
  /** Removes the mark. False if it does not exist. */
  unverify(clientId: string): Promise<boolean>;
  /** Adds a secret. The others expire after `overlapSeconds`; with 0, they and the access tokens are revoked now. */
  rotateSecret(rotation: SecretRotation): Promise<RotatedSecret>;
  /** Ends its tokens and the consents to it, which people can give again. False if it does not exist. */
  endAccess(clientId: string): Promise<boolean>;
  /** Deletes it with its grants; its tokens are revoked within a second. False if it does not exist. */
  delete(clientId: string): Promise<boolean>;
}

/** `rules`: what names are compared with; by default those of a service with the default name. */
export function createApplications(
  db: ApplicationDatabase,
  rules: ApplicationNameRules = defaultNameRules,
): Applications {
  return {
    create: (request) => createApplication(db, request, rules),
    list: async (owner) => await findApplications(db, owner === undefined ? undefined : await getOwnerId(db, owner)),
    show: (clientId) => findApplication(db, clientId),
    update: async (clientId, change) => await updateSettings(db, clientId, { ...change, rules }),
    suspend: async (clientId) => {
      if (isClientUrl(clientId)) await insertUnknownClient(db, clientId);
      return await suspendApplication(db, clientId);
    },
    restore: (clientId) => restoreApplication(db, clientId),
    verify: async (clientId) => {
      await requireOwner(db, clientId);
      return await verifyApplication(db, clientId);
    },
    unverify: (clientId) => unverifyApplication(db, clientId),
    rotateSecret: (rotation) => rotateSecret(db, rotation),
    endAccess: (clientId) => endApplicationAccess(db, clientId),
    delete: (clientId) => deleteAnyApplication(db, clientId),
  };
}

async function createApplication(
  db: ApplicationDatabase,
  request: ApplicationRequest,
  rules: ApplicationNameRules,
): Promise<CreatedApplication> {
  const { type, implicit = false } = request;
  const settings = parseSettings({ ...request, implicit }, type);
  refuseOwnAddresses(settings, rules.baseUrl);
  const ownerId = await getOwnerId(db, request.owner);
  const { application, created } = prepareApplication({ ...settings, ownerId, type });
  return await db.transaction(async (tx) => {
    await checkApplicationName(tx, application, rules);
    await insertApplication(tx, application);
    return created;
  });
}

async function updateSettings(
  db: ApplicationDatabase,
  clientId: string,
  { rules, ...change }: ApplicationChange & { readonly rules: ApplicationNameRules },
): Promise<Application | undefined> {
  const application = await findApplication(db, clientId);
  if (application === undefined) return undefined;
  if (isClientUrl(clientId)) throw refuseOwnerless('The metadata document of the application has its settings.');
  const ownerId = application.owner === undefined ? null : await getOwnerId(db, application.owner);
  const { name, redirectUris, scopes, implicit, actAsOwner, jwksUri } = application;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings = { name, redirectUris, scopes, implicit, actAsOwner, jwksUri, ...given };
  await changeApplication(db, application, { ...settings, ownerId, rules });
  return await findApplication(db, clientId);
}

interface SecretRotation {
  readonly clientId: string;
  /** How long the other secrets keep working; 0: revoke them now. */
  readonly overlapSeconds: number;
}

type RotatedSecret =
  | { readonly kind: 'rotated'; readonly clientSecret: string }
  | { readonly kind: 'not-found' }
  /** It is public or native, or authenticates with its own keys. */
  | { readonly kind: 'no-secrets' }
  /** One of the active secrets must be retired first. */
  | { readonly kind: 'limit-reached' };

const unnamed: NewSecret = { name: null, expiresAt: null };

/** Adds a secret and expires the others, in one transaction. */
async function rotateSecret(
  db: ApplicationDatabase,
  { clientId, overlapSeconds }: SecretRotation,
): Promise<RotatedSecret> {
  const clientSecret = generateClientSecret();
  const secret = { ...unnamed, clientId, sha256: hashClientSecret(clientSecret), maxActive: maxActiveSecrets };
  return await db.transaction(async (tx): Promise<RotatedSecret> => {
    const found = await lockForRotation(tx, clientId);
    if (found === undefined) return { kind: 'not-found' };
    if (found === 'no-secrets') return { kind: 'no-secrets' };
    if (overlapSeconds === 0) await deleteSecrets(tx, clientId);
    if (!(await insertSecret(tx, secret))) return { kind: 'limit-reached' };
    await expireOtherSecrets(tx, secret, overlapSeconds);
    return { kind: 'rotated', clientSecret };
  });
}
