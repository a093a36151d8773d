/** Applications as their owner manages them; to everybody else they are absent. */
import { ApplicationRefused } from './application.ts';
import type { ApplicationType } from './application-type.ts';
import { findApplications, findOwnedApplication } from './application-store.ts';
import type { Application, ApplicationDatabase, OwnedApplication } from './application-store.ts';
import { generateClientSecret, hashClientSecret, maxLivingSecrets } from './client-secret.ts';
import { removeLogo, saveLogo, updateLinks } from './description-store.ts';
import type { NewLogo } from './description-store.ts';
import type { Links } from './links.ts';
import { prepareApplication } from './new-application.ts';
import type { CreatedApplication } from './new-application.ts';
import type { NewSecret } from './new-secret.ts';
import { findEarlier, markDone } from './once-store.ts';
import { countApplications, deleteApplication, insertApplication, updateApplication } from './registration-store.ts';
import { deleteSecret, insertSecret, lockConfidential, renameSecret } from './secret-store.ts';
import { parseSettings } from './settings.ts';
import type { ParsedSettings, Settings } from './settings.ts';
import { pauseApplication, resumeApplication } from './suspension-store.ts';

const maxApplications = 25;

/** Which application it is, and who says that it is theirs. */
interface Mine {
  readonly ownerId: number;
  readonly clientId: string;
}

/** The outcome of something that is done once, however often its form is sent. */
type Once<Outcome> = Outcome | { readonly kind: 'repeated'; readonly clientId: string };

export interface NewApplicationRequest extends Settings {
  readonly ownerId: number;
  readonly type: ApplicationType;
  /** Of the form: the same one creates no second application. */
  readonly mark: string;
}

export interface MyApplications {
  /** The oldest first. */
  list(ownerId: number): Promise<readonly Application[]>;
  find(mine: Mine): Promise<OwnedApplication | undefined>;
  /** @throws ApplicationRefused for bad settings, and for more applications than an account may own. */
  create(
    request: NewApplicationRequest,
  ): Promise<Once<{ readonly kind: 'created'; readonly application: CreatedApplication }>>;
  /**
   * Replaces the settings; false when the application is gone meanwhile.
   * @throws ApplicationRefused
   */
  edit(application: Application, settings: Settings & { readonly ownerId: number }): Promise<boolean>;
  /** Adds a secret beside those that work, so that servers can move to it one by one. */
  addSecret(mine: Mine & Partial<NewSecret> & { readonly mark: string }): Promise<Once<AddedSecret>>;
  /** Calls a secret otherwise, or by its day; false when it has ended meanwhile. */
  renameSecret(mine: Mine & { readonly secretId: string; readonly name: string | null }): Promise<boolean>;
  /** Ends a secret at once. */
  retireSecret(mine: Mine & { readonly secretId: string }): Promise<void>;
  /** Its tokens end, and it gets no others until it is resumed; false when it is gone meanwhile. */
  pause(mine: Mine): Promise<boolean>;
  /** Undoes `pause`; the tokens that ended stay so. */
  resume(mine: Mine): Promise<boolean>;
  /** What people are shown; false when it is gone meanwhile. */
  describe(mine: Mine, links: Links): Promise<boolean>;
  setLogo(mine: Mine, logo: NewLogo): Promise<boolean>;
  removeLogo(mine: Mine): Promise<void>;
  /** Deletes the application with everything that it was given; false when it is gone already. */
  delete(mine: Mine): Promise<boolean>;
}

type AddedSecret =
  | { readonly kind: 'added'; readonly clientSecret: string }
  /** There are as many as there may be. */
  | { readonly kind: 'enough' }
  /** The application keeps no secret, or is gone. */
  | { readonly kind: 'absent' };

/**
 * Hears of each change that token requests have to see, and resolves when they do in every process: whoever
 * is told that a secret is retired, or a scope taken away, may rely on it.
 */
export type Changed = (clientId: string) => Promise<void>;

export function createMyApplications(db: ApplicationDatabase, changed: Changed): MyApplications {
  return {
    list: (ownerId) => findApplications(db, ownerId),
    find: ({ ownerId, clientId }) => findOwnedApplication(db, ownerId, clientId),
    create: (request) => createOnce(db, request),
    edit: async (application, { ownerId, ...settings }) => {
      const { clientId } = application;
      const parsed = parseChange(application, settings);
      const isUpdated = await db.transaction((tx) => updateApplication(tx, { ...parsed, clientId, ownerId }));
      await changed(clientId);
      return isUpdated;
    },
    addSecret: async (request) => {
      const outcome = await addSecretOnce(db, request);
      await changed(request.clientId);
      return outcome;
    },
    // No token depends on it.
    renameSecret: async ({ ownerId, clientId, secretId, name }) =>
      await renameSecret(db, { id: secretId, clientId, ownerId }, name),
    retireSecret: async ({ ownerId, clientId, secretId }) => {
      await deleteSecret(db, { id: secretId, clientId, ownerId });
      await changed(clientId);
    },
    ...createDescriptions(db),
    pause: async ({ ownerId, clientId }) => {
      const isPaused = await pauseApplication(db, ownerId, clientId);
      await changed(clientId);
      return isPaused;
    },
    resume: async ({ ownerId, clientId }) => {
      const isResumed = await resumeApplication(db, ownerId, clientId);
      await changed(clientId);
      return isResumed;
    },
    delete: async ({ ownerId, clientId }) => {
      const isDeleted = await deleteApplication(db, ownerId, clientId);
      await changed(clientId);
      return isDeleted;
    },
  };
}

/** No token depends on these: no process has to be waited for. */
function createDescriptions(db: ApplicationDatabase): Pick<MyApplications, 'describe' | 'setLogo' | 'removeLogo'> {
  return {
    describe: async (mine, links) => await updateLinks(db, mine, links),
    setLogo: async (mine, logo) => await saveLogo(db, mine, logo),
    removeLogo: async (mine) => await removeLogo(db, mine),
  };
}

async function createOnce(
  db: ApplicationDatabase,
  request: NewApplicationRequest,
): ReturnType<MyApplications['create']> {
  const { ownerId, type, mark } = request;
  const key = { purpose: 'create-application', ownerId, mark } as const;
  const prepared = prepareApplication({ ...parseSettings(request, type), ownerId, type });
  const { application, created } = prepared;
  return await db.transaction(async (tx) => {
    // Locks the owner: of two that send the same form, one waits here until the other is done.
    const count = await countApplications(tx, ownerId);
    const earlier = await findEarlier(tx, key);
    if (earlier !== undefined) return { kind: 'repeated', clientId: earlier };
    if (count >= maxApplications) throw tooMany();
    await insertApplication(tx, application);
    await markDone(tx, key, application.clientId);
    return { kind: 'created', application: created };
  });
}

/**
 * How an application proves who it is stays as it was created; the address of its keys may change. What a form
 * does not say of scopes stays as it is.
 */
function parseChange({ type, jwksUri, ...application }: Application, given: Settings): ParsedSettings {
  const settings = {
    ...given,
    optionalScopes: given.optionalScopes ?? application.optionalScopes,
    scopeReasons: given.scopeReasons ?? application.scopeReasons,
  };
  if (jwksUri === undefined) return parseSettings({ ...settings, jwksUri, jwks: undefined }, type);
  const parsed = parseSettings({ ...settings, jwks: undefined }, type);
  if (parsed.jwksUri !== undefined) return parsed;
  throw new ApplicationRefused(
    { field: 'jwks_uri', problem: 'missing' },
    'The application needs the address of its keys.',
  );
}

function tooMany(): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'owner', problem: 'too-many' },
    `An account owns at most ${String(maxApplications)} applications.`,
  );
}

async function addSecretOnce(
  db: ApplicationDatabase,
  { ownerId, clientId, mark, name = null, expiresAt = null }: Mine & Partial<NewSecret> & { readonly mark: string },
): ReturnType<MyApplications['addSecret']> {
  const key = { purpose: 'add-secret', ownerId, mark } as const;
  const clientSecret = generateClientSecret();
  const sha256 = hashClientSecret(clientSecret);
  const secret = { clientId, sha256, maxLiving: maxLivingSecrets, name, expiresAt };
  return await db.transaction(async (tx) => {
    if (!(await lockConfidential(tx, ownerId, clientId))) return { kind: 'absent' };
    const earlier = await findEarlier(tx, key);
    if (earlier !== undefined) return { kind: 'repeated', clientId: earlier };
    if (!(await insertSecret(tx, secret))) return { kind: 'enough' };
    await markDone(tx, key, clientId);
    return { kind: 'added', clientSecret };
  });
}
