import type { Db } from '@linnet/db/database';
import { z } from 'zod';

import type { ApplicationType } from './application-type.ts';
import { isClientId } from './client-id.ts';

const scopeReasonsSchema = z.record(z.string(), z.string());

export type ApplicationDatabase = Pick<Db, 'prisma' | 'query' | 'transaction'>;

/** An application as operators see it. */
export interface Application {
  readonly clientId: string;
  /** Username. */
  readonly owner: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Those of them that people may leave out. */
  readonly optionalScopes: readonly string[];
  /** Why it asks for a scope, by the scope. */
  readonly scopeReasons: Readonly<Record<string, string>>;
  /** Whether `response_type=token` is allowed. */
  readonly implicit: boolean;
  /** Whether its client credentials act as the owner's account. */
  readonly actAsOwner: boolean;
  /** Where it publishes keys of its own, by which it proves who it is. */
  readonly jwksUri: string | undefined;
  /** Whether such keys were registered with it. */
  readonly hasOwnKeys: boolean;
  readonly createdAt: Date;
  /** By an operator. */
  readonly isSuspended: boolean;
}

/** One of the secrets of an application. */
interface LivingSecret {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

/** An application as its owner sees it. */
export interface OwnedApplication extends Application {
  /** Those that work, the oldest first. */
  readonly secrets: readonly LivingSecret[];
}

/** The id of the account that bears the username, whatever its case. */
export async function findOwnerId(db: ApplicationDatabase, username: string): Promise<number | undefined> {
  if (!/^\w+$/.test(username)) return undefined;
  const account = await db.prisma.account.findUnique({
    where: { usernameCi: username.toLowerCase() },
    select: { id: true },
  });
  return account === null ? undefined : Number(account.id);
}

const applicationFields = {
  clientId: true,
  name: true,
  type: true,
  scopes: true,
  optionalScopes: true,
  scopeReasons: true,
  implicit: true,
  jwksUri: true,
  jwks: true,
  createdAt: true,
  suspendedAt: true,
  owner: { select: { username: true } },
  redirectUris: { select: { uri: true }, orderBy: { position: 'asc' } },
  grants: { select: { id: true }, where: { kind: 'act_as_owner', revokedAt: null } },
} as const;

/** The applications of an owner, or all, the oldest first. */
export async function findApplications(
  db: ApplicationDatabase,
  ownerId: number | undefined,
): Promise<readonly Application[]> {
  const rows = await db.prisma.application.findMany({
    ...(ownerId === undefined ? {} : { where: { ownerId: BigInt(ownerId) } }),
    select: applicationFields,
    orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }],
  });
  return rows.map(toApplication);
}

export async function findApplication(db: ApplicationDatabase, clientId: string): Promise<Application | undefined> {
  if (!isClientId(clientId)) return undefined;
  const row = await db.prisma.application.findUnique({ where: { clientId }, select: applicationFields });
  return row === null ? undefined : toApplication(row);
}

/** The application with its secrets; undefined when another account owns it, or none. */
export async function findOwnedApplication(
  db: ApplicationDatabase,
  ownerId: number,
  clientId: string,
): Promise<OwnedApplication | undefined> {
  if (!isClientId(clientId)) return undefined;
  const row = await db.prisma.application.findUnique({
    where: { clientId, ownerId: BigInt(ownerId) },
    select: {
      ...applicationFields,
      secrets: {
        select: { id: true, createdAt: true, expiresAt: true },
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        orderBy: { id: 'asc' },
      },
    },
  });
  if (row === null) return undefined;
  const { secrets, ...application } = row;
  return {
    ...toApplication(application),
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id: String(id),
      createdAt,
      expiresAt: expiresAt ?? undefined,
    })),
  };
}

interface Row extends Omit<
  Application,
  'owner' | 'redirectUris' | 'actAsOwner' | 'isSuspended' | 'jwksUri' | 'hasOwnKeys' | 'scopeReasons'
> {
  readonly scopeReasons: unknown;
  readonly suspendedAt: Date | null;
  readonly jwksUri: string | null;
  readonly jwks: unknown;
  readonly owner: { readonly username: string };
  readonly redirectUris: readonly { readonly uri: string }[];
  readonly grants: readonly unknown[];
}

function toApplication(row: Row): Application {
  const { owner, redirectUris, grants, suspendedAt, jwksUri, jwks, scopeReasons, ...application } = row;
  return {
    ...application,
    scopeReasons: scopeReasonsSchema.parse(scopeReasons),
    owner: owner.username,
    redirectUris: redirectUris.map(({ uri }) => uri),
    actAsOwner: grants.length > 0,
    isSuspended: suspendedAt !== null,
    jwksUri: jwksUri ?? undefined,
    hasOwnKeys: jwks !== null,
  };
}
