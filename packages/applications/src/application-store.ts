import type { Db } from '@linnet/db/database';
import { z } from 'zod';

import type { ApplicationType } from './application-type.ts';
import { isClientId } from './client-id.ts';
import type { Links } from './links.ts';
import type { OwnedSecret } from './secret-advice.ts';

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
  /** By its owner. */
  readonly isPaused: boolean;
  readonly links: Links;
  /** The name of its picture. */
  readonly logo: string | undefined;
}

/** An application as its owner sees it. */
export interface OwnedApplication extends Application {
  /** Those that work, the oldest first. */
  readonly secrets: readonly OwnedSecret[];
  /** Those that ended lately, the oldest first. */
  readonly endedSecrets: readonly OwnedSecret[];
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
  pausedAt: true,
  websiteUri: true,
  termsUri: true,
  privacyUri: true,
  logo: { select: { name: true } },
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
        select: { id: true, name: true, createdAt: true, expiresAt: true, lastUsedAt: true, uses: true },
        orderBy: { id: 'asc' },
      },
    },
  });
  if (row === null) return undefined;
  const { secrets: rows, ...application } = row;
  const now = new Date();
  const secrets = rows.map(toSecret);
  const isLiving = ({ expiresAt }: OwnedSecret) => expiresAt === undefined || expiresAt > now;
  return {
    ...toApplication(application),
    secrets: secrets.filter(isLiving),
    endedSecrets: secrets.filter((secret) => !isLiving(secret)),
  };
}

interface SecretRow {
  readonly id: bigint;
  readonly name: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly uses: bigint;
}

function toSecret({ id, name, createdAt, expiresAt, lastUsedAt, uses }: SecretRow): OwnedSecret {
  return {
    id: String(id),
    name: name ?? undefined,
    createdAt,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    uses: Number(uses),
  };
}

interface Row extends Omit<
  Application,
  | 'owner'
  | 'redirectUris'
  | 'actAsOwner'
  | 'isSuspended'
  | 'isPaused'
  | 'links'
  | 'logo'
  | 'jwksUri'
  | 'hasOwnKeys'
  | 'scopeReasons'
> {
  readonly scopeReasons: unknown;
  readonly suspendedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly websiteUri: string | null;
  readonly termsUri: string | null;
  readonly privacyUri: string | null;
  readonly logo: { readonly name: string } | null;
  readonly jwksUri: string | null;
  readonly jwks: unknown;
  readonly owner: { readonly username: string };
  readonly redirectUris: readonly { readonly uri: string }[];
  readonly grants: readonly unknown[];
}

function toApplication(row: Row): Application {
  const { owner, redirectUris, grants, suspendedAt, pausedAt, jwksUri, jwks, logo, scopeReasons, ...rest } = row;
  const { websiteUri, termsUri, privacyUri, ...application } = rest;
  return {
    ...application,
    scopeReasons: scopeReasonsSchema.parse(scopeReasons),
    owner: owner.username,
    redirectUris: redirectUris.map(({ uri }) => uri),
    actAsOwner: grants.length > 0,
    isSuspended: suspendedAt !== null,
    isPaused: pausedAt !== null,
    links: { website: websiteUri ?? undefined, terms: termsUri ?? undefined, privacy: privacyUri ?? undefined },
    logo: logo?.name,
    jwksUri: jwksUri ?? undefined,
    hasOwnKeys: jwks !== null,
  };
}
