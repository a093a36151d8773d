import type { Db } from '@linnet/db/database';
import { toId } from '@linnet/db/text/id-time';
import { z } from 'zod';

import type { ApplicationType } from './application-type.ts';
import { isClientId } from './application.ts';
import type { Links } from './links.ts';
import type { OwnedSecret } from '../secrets/secret-advice.ts';
import { pickSettings, settingKeys } from '../settings/protocol-settings.ts';
import type { ProtocolSettings, SettingKey } from '../settings/protocol-settings.ts';

const scopeReasonsSchema = z.record(z.string(), z.string());

export type ApplicationDatabase = Pick<Db, 'prisma' | 'query' | 'transaction'>;

/** An application as operators see it. */
export interface Application {
  readonly clientId: string;
  /** Username; undefined if it registered itself. */
  readonly owner: string | undefined;
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Scopes that people may decline. */
  readonly optionalScopes: readonly string[];
  /** Reasons by scope, shown to people. */
  readonly scopeReasons: Readonly<Record<string, string>>;
  /** Whether `response_type=token` is allowed, which `grantTypes` of `protocol` also says. */
  readonly implicit: boolean;
  readonly protocol: ProtocolSettings;
  /** Whether its client-credentials tokens act as the owner's account. */
  readonly actAsOwner: boolean;
  /** Where it publishes its public keys, if it authenticates with private_key_jwt. */
  readonly jwksUri: string | undefined;
  /** Whether its public keys were registered instead. */
  readonly hasOwnKeys: boolean;
  readonly createdAt: Date;
  /** By an operator. */
  readonly isSuspended: boolean;
  /** By its owner. */
  readonly isPaused: boolean;
  /** By an operator, until its name, logo, website or owner changes. */
  readonly isVerified: boolean;
  readonly links: Links;
  /** File name of the logo. */
  readonly logo: string | undefined;
}

/** An application as its owner sees it. */
export interface OwnedApplication extends Application {
  /** Active secrets, oldest first. */
  readonly secrets: readonly OwnedSecret[];
  /** Recently expired secrets, oldest first. */
  readonly expiredSecrets: readonly OwnedSecret[];
}

/** The id of the account with the username, which is case-insensitive. */
export async function findOwnerId(db: ApplicationDatabase, username: string): Promise<number | undefined> {
  if (!/^\w+$/.test(username)) return undefined;
  const account = await db.prisma.account.findUnique({
    where: { usernameCi: username.toLowerCase() },
    select: { id: true },
  });
  return account === null ? undefined : toId(account.id);
}

type SettingFields = { readonly [Key in SettingKey]: true };

const applicationFields = {
  ...(Object.fromEntries(settingKeys.map((key) => [key, true])) as SettingFields), // one member per key
  clientId: true,
  name: true,
  type: true,
  scopes: true,
  optionalScopes: true,
  scopeReasons: true,
  jwksUri: true,
  jwks: true,
  createdAt: true,
  suspendedAt: true,
  pausedAt: true,
  verifiedAt: true,
  websiteUri: true,
  termsUri: true,
  privacyUri: true,
  logo: { select: { name: true } },
  owner: { select: { username: true } },
  redirectUris: { select: { uri: true }, orderBy: { position: 'asc' } },
  grants: { select: { id: true }, where: { kind: 'act_as_owner', revokedAt: null } },
} as const;

/** The applications of one owner, or all; oldest first. */
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

/** An application in the list of its owner. */
export type ListedApplication = Pick<
  Application,
  'clientId' | 'name' | 'type' | 'createdAt' | 'isSuspended' | 'isPaused' | 'isVerified' | 'logo'
>;

/** The applications of one owner, without their settings, which can be long. Oldest first. */
export async function findListedApplications(
  db: ApplicationDatabase,
  ownerId: number,
): Promise<readonly ListedApplication[]> {
  const rows = await db.prisma.application.findMany({
    where: { ownerId: BigInt(ownerId) },
    select: {
      ...{ clientId: true, name: true, type: true, createdAt: true },
      ...{ suspendedAt: true, pausedAt: true, verifiedAt: true, logo: { select: { name: true } } },
    },
    orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }],
  });
  return rows.map(({ suspendedAt, pausedAt, verifiedAt, logo, ...row }) => ({
    ...row,
    isSuspended: suspendedAt !== null,
    isPaused: pausedAt !== null,
    isVerified: verifiedAt !== null,
    logo: logo?.name,
  }));
}

export async function findApplication(db: ApplicationDatabase, clientId: string): Promise<Application | undefined> {
  if (!isClientId(clientId)) return undefined;
  const row = await db.prisma.application.findUnique({ where: { clientId }, select: applicationFields });
  return row === null ? undefined : toApplication(row);
}

/** The application with its secrets; undefined if the account does not own it. */
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
  const isActive = ({ expiresAt }: OwnedSecret) => expiresAt === undefined || expiresAt > now;
  return {
    ...toApplication(application),
    secrets: secrets.filter(isActive),
    expiredSecrets: secrets.filter((secret) => !isActive(secret)),
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

interface Row
  extends
    ProtocolSettings,
    Omit<
      Application,
      | 'protocol'
      | 'implicit'
      | 'owner'
      | 'redirectUris'
      | 'actAsOwner'
      | 'isSuspended'
      | 'isPaused'
      | 'isVerified'
      | 'links'
      | 'logo'
      | 'jwksUri'
      | 'hasOwnKeys'
      | 'scopeReasons'
    > {
  readonly scopeReasons: unknown;
  readonly suspendedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly websiteUri: string | null;
  readonly termsUri: string | null;
  readonly privacyUri: string | null;
  readonly logo: { readonly name: string } | null;
  readonly jwksUri: string | null;
  readonly jwks: unknown;
  readonly owner: { readonly username: string } | null;
  readonly redirectUris: readonly { readonly uri: string }[];
  readonly grants: readonly unknown[];
}

function toApplication(row: Row): Application {
  const { owner, redirectUris, grants, suspendedAt, pausedAt, jwksUri, jwks, logo, scopeReasons } = row;
  const { clientId, name, type, scopes, optionalScopes, createdAt, websiteUri, termsUri, privacyUri } = row;
  const protocol = pickSettings(row);
  return {
    ...{ clientId, name, type, scopes, optionalScopes, createdAt },
    protocol,
    implicit: protocol.grantTypes.includes('implicit'),
    scopeReasons: scopeReasonsSchema.parse(scopeReasons),
    owner: owner?.username,
    redirectUris: redirectUris.map(({ uri }) => uri),
    actAsOwner: grants.length > 0,
    isSuspended: suspendedAt !== null,
    isPaused: pausedAt !== null,
    isVerified: row.verifiedAt !== null,
    links: { website: websiteUri ?? undefined, terms: termsUri ?? undefined, privacy: privacyUri ?? undefined },
    logo: logo?.name,
    jwksUri: jwksUri ?? undefined,
    hasOwnKeys: jwks !== null,
  };
}
