import { ApplicationRefused } from './application.ts';
import type { ApplicationType } from './application-type.ts';
import { findApplication, findApplications, findOwnerId } from './application-store.ts';
import type { Application, ApplicationDatabase } from './application-store.ts';
import { prepareApplication } from './new-application.ts';
import type { CreatedApplication } from './new-application.ts';
import { deleteAnyApplication, insertApplication } from './registration-store.ts';
import { rotateSecret } from './secret-rotation.ts';
import type { RotatedSecret, SecretRotation } from './secret-rotation.ts';
import { parseSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { restoreApplication, suspendApplication } from './suspension-store.ts';

export { ApplicationRefused } from './application.ts';
export { applicationTypes } from './application-type.ts';
export type { ApplicationType } from './application-type.ts';
export type { CreatedApplication } from './new-application.ts';
export type { Application } from './application-store.ts';

/** What an operator asks for. */
export interface ApplicationRequest extends Omit<Settings, 'implicit'> {
  /** Username. */
  readonly owner: string;
  readonly type: ApplicationType;
  /** Whether `response_type=token` is allowed; not when left out. */
  readonly implicit?: boolean;
}

/** Registered applications as operators manage them; no cap holds for these. */
export interface Applications {
  /** @throws ApplicationRefused for an unknown owner and for bad settings. */
  create(request: ApplicationRequest): Promise<CreatedApplication>;
  /** Of one owner or of all, the oldest first. @throws ApplicationRefused for an unknown owner. */
  list(owner?: string): Promise<readonly Application[]>;
  /** Undefined when no application has the id. */
  show(clientId: string): Promise<Application | undefined>;
  /** Nobody can let it in any more, and within a second its tokens end. False when there is none. */
  suspend(clientId: string): Promise<boolean>;
  /** Undoes `suspend`; the tokens that ended stay so. */
  restore(clientId: string): Promise<boolean>;
  /** Gives it another secret; those it had work on for the time of `overlapSeconds`, or end at once with its tokens. */
  rotateSecret(rotation: SecretRotation): Promise<RotatedSecret>;
  /** With everything that it was given; within a second its tokens end. False when there is none. */
  delete(clientId: string): Promise<boolean>;
}

export function createApplications(db: ApplicationDatabase): Applications {
  return {
    create: (request) => createApplication(db, request),
    list: async (owner) => await findApplications(db, owner === undefined ? undefined : await getOwnerId(db, owner)),
    show: (clientId) => findApplication(db, clientId),
    suspend: (clientId) => suspendApplication(db, clientId),
    restore: (clientId) => restoreApplication(db, clientId),
    rotateSecret: (rotation) => rotateSecret(db, rotation),
    delete: (clientId) => deleteAnyApplication(db, clientId),
  };
}

async function createApplication(db: ApplicationDatabase, request: ApplicationRequest): Promise<CreatedApplication> {
  const { type, implicit = false } = request;
  const settings = parseSettings({ ...request, implicit }, type);
  const ownerId = await getOwnerId(db, request.owner);
  const { application, created } = prepareApplication({ ...settings, ownerId, type });
  await insertApplication(db, application);
  return created;
}

async function getOwnerId(db: ApplicationDatabase, owner: string): Promise<number> {
  const id = await findOwnerId(db, owner);
  if (id !== undefined) return id;
  throw new ApplicationRefused(
    { field: 'owner', problem: 'unknown', value: owner },
    `There is no account ${JSON.stringify(owner)}.`,
  );
}
