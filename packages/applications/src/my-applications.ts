/** What owners can do with their applications. Applications of other accounts are treated as missing. */
import { defaultNameRules } from '@linnet/accounts/names/name-rules';

import type { NewAuthentication } from './secrets/authentication-change.ts';
import { checkApplicationName } from './application/application-name.ts';
import type { ApplicationNameRules } from './application/application-name.ts';
import { ApplicationRefused } from './application/application.ts';
import type { ApplicationType } from './application/application-type.ts';
import { findListedApplications, findOwnedApplication } from './application/application-store.ts';
import type {
  Application,
  ApplicationDatabase,
  ListedApplication,
  OwnedApplication,
} from './application/application-store.ts';
import { generateClientSecret, hashClientSecret, maxActiveSecrets } from './secrets/client-secret.ts';
import { removeLogo, saveLogo, updateLinks } from './application/description-store.ts';
import type { NewLogo } from './application/description-store.ts';
import { insertApplicationNotice } from './application/application-name-store.ts';
import { changeApplication, findInitialAccess, prepareApplication } from './application/application-change.ts';
import { defaultSettings } from './settings/protocol-settings.ts';
import type { Links } from './application/links.ts';
import type { CreatedApplication } from './application/application-change.ts';
import type { NewSecret } from './secrets/new-secret.ts';
import { findSubmission, recordSubmission } from './application/form-submission-store.ts';
import { countApplications, deleteApplication, insertApplication } from './application/registration-store.ts';
import { deleteSecret, insertSecret, lockWithSecrets, renameSecret } from './secrets/secret-store.ts';
import { refuseOwnAddresses } from './own-addresses.ts';
import { parseSettings } from './settings/settings.ts';
import type { Settings } from './settings/settings.ts';
import { pauseApplication, resumeApplication } from './application/operator-changes-store.ts';

const maxApplications = 25;

/** An application, and the account that claims to own it. */
interface OwnedId {
  readonly ownerId: number;
  readonly clientId: string;
}

/** The outcome of a form that acts once, even if it is submitted again. */
type Once<Outcome> = Outcome | { readonly kind: 'repeated'; readonly clientId: string };

export interface NewApplicationRequest extends Settings {
  readonly ownerId: number;
  readonly type: ApplicationType;
  /** A second request with the same id creates nothing. */
  readonly submissionId: string;
}

export interface MyApplications {
  /** The same, with another database: for what an owner may do only while their session is active. */
  at(db: ApplicationDatabase): MyApplications;
  /** Oldest first. */
  list(ownerId: number): Promise<readonly ListedApplication[]>;
  find(id: OwnedId): Promise<OwnedApplication | undefined>;
  /** @throws ApplicationRefused for invalid settings, or if the account has too many applications */
  create(
    request: NewApplicationRequest,
  ): Promise<Once<{ readonly kind: 'created'; readonly application: CreatedApplication }>>;
  /**
   * Replaces the settings. False if the application no longer exists.
   * @throws ApplicationRefused
   */
  edit(application: Application, settings: Settings & { readonly ownerId: number }): Promise<boolean>;
  /**
   * Replaces its secrets with keys, its keys with others, or its keys with a secret. False if it no longer exists.
   * @throws ApplicationRefused
   */
  authenticate(application: Application, change: AuthenticationChange): Promise<boolean>;
  /** Adds a secret next to the active ones, so that servers can switch one by one. */
  addSecret(request: OwnedId & Partial<NewSecret> & { readonly submissionId: string }): Promise<Once<AddedSecret>>;
  /** Renames a secret; null: shown by its creation date. False if the secret has expired. */
  renameSecret(request: OwnedId & { readonly secretId: string; readonly name: string | null }): Promise<boolean>;
  /** Revokes a secret immediately. False if it is the last lasting one and `evenIfLast` is false: it keeps working. */
  retireSecret(request: OwnedId & { readonly secretId: string; readonly evenIfLast: boolean }): Promise<boolean>;
  /** Revokes its tokens and issues no more until it is resumed. False if it no longer exists. */
  pause(id: OwnedId): Promise<boolean>;
  /** Ends the pause; revoked tokens remain revoked. */
  resume(id: OwnedId): Promise<boolean>;
  /** Replaces the links that people see. False if the application no longer exists. */
  describe(id: OwnedId, links: Links): Promise<boolean>;
  setLogo(id: OwnedId, logo: NewLogo): Promise<boolean>;
  removeLogo(id: OwnedId): Promise<void>;
  /** Deletes the application with its grants and secrets. False if it no longer exists. */
  delete(id: OwnedId): Promise<boolean>;
}

interface AuthenticationChange {
  readonly ownerId: number;
  readonly authentication: NewAuthentication;
}

type AddedSecret =
  | { readonly kind: 'added'; readonly clientSecret: string }
  /** The application already has the maximum number of active secrets. */
  | { readonly kind: 'limit-reached' }
  /** The application does not exist or has no secrets. */
  | { readonly kind: 'not-found' };

/**
 * Called after each change that affects token requests. Resolves once every process has seen the change, so that the
 * owner can rely on it.
 */
export type Changed = (clientId: string) => Promise<void>;

/** `names`: what names are compared with; by default those of a service with the default name. */
export function createMyApplications(
  db: ApplicationDatabase,
  changed: Changed,
  names: ApplicationNameRules = defaultNameRules,
): MyApplications {
  const rules = { ...names, isNamedByOwner: true };
  return {
    at: (other) => createMyApplications(other, changed, names),
    list: (ownerId) => findListedApplications(db, ownerId),
    find: ({ ownerId, clientId }) => findOwnedApplication(db, ownerId, clientId),
    create: (request) => createOnce(db, request, rules),
    edit: async (application, settings) =>
      await announce(application.clientId, changeApplication(db, application, { ...settings, rules })),
    authenticate: async (application, change) => {
      const settings = { ...application, protocol: {}, ...change, rules };
      return await announce(application.clientId, changeApplication(db, application, settings));
    },
    addSecret: async (request) => await announce(request.clientId, addSecretOnce(db, request)),
    // Affects no tokens, so it is not announced.
    renameSecret: async ({ ownerId, clientId, secretId, name }) =>
      await renameSecret(db, { id: secretId, clientId, ownerId }, name),
    retireSecret: async (request) => await announce(request.clientId, retireSecret(db, request)),
    ...createDescriptions(db),
    pause: async ({ ownerId, clientId }) => await announce(clientId, pauseApplication(db, ownerId, clientId)),
    resume: async ({ ownerId, clientId }) => await announce(clientId, resumeApplication(db, ownerId, clientId)),
    delete: async ({ ownerId, clientId }) => await announce(clientId, deleteApplication(db, ownerId, clientId)),
  };

  async function announce<Outcome>(clientId: string, change: Promise<Outcome>): Promise<Outcome> {
    const outcome = await change;
    await changed(clientId);
    return outcome;
  }
}

async function retireSecret(
  db: ApplicationDatabase,
  { ownerId, clientId, secretId, evenIfLast }: Parameters<MyApplications['retireSecret']>[0],
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    // Without the lock, two secrets that are retired at the same time would each be taken for the one that remains.
    if (!(await lockWithSecrets(tx, ownerId, clientId))) return true;
    return await deleteSecret(tx, { id: secretId, clientId, evenIfLast });
  });
}

/** These affect no tokens, so `changed` is not called. */
function createDescriptions(db: ApplicationDatabase): Pick<MyApplications, 'describe' | 'setLogo' | 'removeLogo'> {
  return {
    describe: async (id, links) => await updateLinks(db, id, links),
    setLogo: async (id, logo) => await saveLogo(db, id, logo),
    removeLogo: async (id) => await removeLogo(db, id),
  };
}

async function createOnce(
  db: ApplicationDatabase,
  request: NewApplicationRequest,
  rules: ApplicationNameRules,
): ReturnType<MyApplications['create']> {
  const { ownerId, type, submissionId } = request;
  const key = { purpose: 'create-application', ownerId, submissionId } as const;
  const settings = parseSettings(request, type);
  refuseOwnAddresses(settings, rules.baseUrl);
  const prepared = prepareApplication({ ...settings, ownerId, type });
  const { application, created } = prepared;
  return await db.transaction(async (tx) => {
    // Locks the owner, so that concurrent submissions of the same form are processed one after the other.
    const count = await countApplications(tx, ownerId);
    const earlier = await findSubmission(tx, key);
    if (earlier !== undefined) return { kind: 'repeated', clientId: earlier };
    if (count >= maxApplications) throw refuseTooMany();
    await checkApplicationName(tx, application, rules);
    await insertApplication(tx, application);
    const access = findInitialAccess(application, defaultSettings(type));
    await insertApplicationNotice(tx, { ownerId, name: application.name, change: 'created', ...access });
    await recordSubmission(tx, key, application.clientId);
    return { kind: 'created', application: created };
  });
}

function refuseTooMany(): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'owner', problem: 'too-many' },
    `An account can own up to ${String(maxApplications)} applications. Delete one first.`,
  );
}

async function addSecretOnce(
  db: ApplicationDatabase,
  {
    ownerId,
    clientId,
    submissionId,
    name = null,
    expiresAt = null,
  }: OwnedId & Partial<NewSecret> & { readonly submissionId: string },
): ReturnType<MyApplications['addSecret']> {
  const key = { purpose: 'add-secret', ownerId, submissionId } as const;
  const clientSecret = generateClientSecret();
  const sha256 = hashClientSecret(clientSecret);
  const secret = { clientId, sha256, maxActive: maxActiveSecrets, name, expiresAt };
  return await db.transaction(async (tx) => {
    if (!(await lockWithSecrets(tx, ownerId, clientId))) return { kind: 'not-found' };
    const earlier = await findSubmission(tx, key);
    if (earlier !== undefined) return { kind: 'repeated', clientId: earlier };
    if (!(await insertSecret(tx, secret))) return { kind: 'limit-reached' };
    await recordSubmission(tx, key, clientId);
    return { kind: 'added', clientSecret };
  });
}
