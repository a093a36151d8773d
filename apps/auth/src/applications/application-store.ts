import type { Db } from '@linnet/db/database';

import type { ApplicationType } from './application-type.ts';
import { isClientId } from './client-id.ts';
import { generateGrantId } from './grant-id.ts';

export type ApplicationDatabase = Pick<Db, 'prisma'>;

/** An application as it is inserted, all at once. */
export interface NewApplication {
  readonly clientId: string;
  readonly ownerId: number;
  readonly name: string;
  readonly type: ApplicationType;
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  /** Hex SHA-256 of the secret; left out for an application that cannot keep one. */
  readonly secretSha256?: string;
  /** Whether its client credentials act as the owner's account. */
  readonly actAsOwner: boolean;
}

/** An application as its owner and operators see it. */
export interface Application {
  readonly clientId: string;
  /** Username. */
  readonly owner: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly actAsOwner: boolean;
  readonly createdAt: Date;
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

/** Inserts the application with its return addresses, its secret and its grant in one transaction. */
export async function insertApplication(db: ApplicationDatabase, application: NewApplication): Promise<void> {
  const { clientId, name, type, secretSha256, actAsOwner } = application;
  const ownerId = BigInt(application.ownerId);
  await db.prisma.application.create({
    data: {
      clientId,
      ownerId,
      name,
      type,
      scopes: [...application.scopes],
      redirectUris: { create: application.redirectUris.map((uri, position) => ({ uri, position })) },
      secrets: { create: secretSha256 === undefined ? [] : [{ sha256: Buffer.from(secretSha256, 'hex') }] },
      grants: { create: actAsOwner ? [{ id: generateGrantId(), accountId: ownerId, kind: 'act_as_owner' }] : [] },
    },
    select: { clientId: true },
  });
}

const applicationFields = {
  clientId: true,
  name: true,
  type: true,
  scopes: true,
  createdAt: true,
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

interface Row extends Omit<Application, 'owner' | 'redirectUris' | 'actAsOwner'> {
  readonly owner: { readonly username: string };
  readonly redirectUris: readonly { readonly uri: string }[];
  readonly grants: readonly unknown[];
}

function toApplication({ owner, redirectUris, grants, ...application }: Row): Application {
  return {
    ...application,
    owner: owner.username,
    redirectUris: redirectUris.map(({ uri }) => uri),
    actAsOwner: grants.length > 0,
  };
}
