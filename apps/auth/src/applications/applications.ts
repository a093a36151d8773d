import { ApplicationRefused, parseApplicationName, parseRedirectUris, parseScopes } from './application.ts';
import type { RegistrableScope } from './application.ts';
import type { ApplicationType } from './application-type.ts';
import { findApplication, findApplications, findOwnerId, insertApplication } from './application-store.ts';
import type { Application, ApplicationDatabase } from './application-store.ts';
import { generateClientId } from './client-id.ts';
import { generateClientSecret, hashClientSecret } from './client-secret.ts';

export { ApplicationRefused } from './application.ts';
export type { ApplicationProblem } from './application.ts';
export { applicationTypes } from './application-type.ts';
export type { ApplicationType } from './application-type.ts';
export type { Application } from './application-store.ts';

/** What a developer asks for. */
export interface ApplicationRequest {
  /** Username. */
  readonly owner: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Lets the client credentials act as the owner's account; ignored for public and native applications. */
  readonly actAsOwner: boolean;
}

export interface CreatedApplication {
  readonly clientId: string;
  /** Confidential applications only; it cannot be shown again. */
  readonly clientSecret?: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly RegistrableScope[];
}

/** Registered applications: the one place that creates them. */
export interface Applications {
  /** @throws ApplicationRefused for an unknown owner, a bad name, scope or return address. */
  create(request: ApplicationRequest): Promise<CreatedApplication>;
  /** Of one owner or of all, the oldest first. @throws ApplicationRefused for an unknown owner. */
  list(owner?: string): Promise<readonly Application[]>;
  /** Undefined when no application has the id. */
  show(clientId: string): Promise<Application | undefined>;
}

export function createApplications(db: ApplicationDatabase): Applications {
  return {
    create: (request) => createApplication(db, request),
    list: async (owner) => await findApplications(db, owner === undefined ? undefined : await getOwnerId(db, owner)),
    show: (clientId) => findApplication(db, clientId),
  };
}

async function createApplication(db: ApplicationDatabase, request: ApplicationRequest): Promise<CreatedApplication> {
  const { type } = request;
  const name = parseApplicationName(request.name);
  const scopes = parseScopes(request.scopes);
  const redirectUris = parseRedirectUris(request.redirectUris, type);
  const ownerId = await getOwnerId(db, request.owner);
  const clientId = generateClientId();
  if (type !== 'confidential') {
    await insertApplication(db, { clientId, ownerId, name, type, scopes, redirectUris, actAsOwner: false });
    return { clientId, name, redirectUris, scopes };
  }
  const clientSecret = generateClientSecret();
  const secretSha256 = hashClientSecret(clientSecret);
  const { actAsOwner } = request;
  await insertApplication(db, { clientId, ownerId, name, type, scopes, redirectUris, secretSha256, actAsOwner });
  return { clientId, clientSecret, name, redirectUris, scopes };
}

async function getOwnerId(db: ApplicationDatabase, owner: string): Promise<number> {
  const id = await findOwnerId(db, owner);
  if (id !== undefined) return id;
  throw new ApplicationRefused(
    { field: 'owner', problem: 'unknown', value: owner },
    `There is no account ${JSON.stringify(owner)}.`,
  );
}
