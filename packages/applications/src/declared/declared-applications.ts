/** What a file declares about applications, compared with what is stored. */
import { isDeepStrictEqual } from 'node:util';

import type { Queryable } from '@linnet/db/statement/transaction';

import { changeApplication, getOwnerId } from '../application/application-change.ts';
import { checkApplicationName } from '../application/application-name.ts';
import type { Application } from '../application/application-store.ts';
import { ApplicationRefused } from '../application/application.ts';
import { updateLinks } from '../application/description-store.ts';
import { deleteAnyApplication, insertApplication } from '../application/registration-store.ts';
import { refuseOwnAddresses } from '../own-addresses.ts';
import type { NewAuthentication } from '../secrets/authentication-change.ts';
import { hashClientSecret } from '../secrets/client-secret.ts';
import { lockForRotation } from '../secrets/secret-store.ts';
import type { DeclaredApplication } from './declaration.ts';
import { describeApplication, readApplication } from './declared-document.ts';
import type { WantedApplication } from './declared-document.ts';
import { replaceLastingSecrets } from './declared-store.ts';
import { compare, DeclarationsRefused, isSameOwner } from './plan.ts';
import type { Context, Difference, Step } from './plan.ts';

/** Undefined: there is no difference. @throws DeclarationsRefused, ApplicationRefused */
export async function planApplication(context: Context, declared: DeclaredApplication): Promise<Step | undefined> {
  const wanted = readApplication(declared);
  refuseOwnAddresses(wanted.parsed, context.rules.baseUrl);
  const ownerId = await getOwnerId(context.db, wanted.owner);
  const secrets = await readSecrets(context, declared);
  const work: Work = { ...wanted, ownerId, secrets };
  const stored = context.stored.applications.get(wanted.clientId);
  return stored === undefined ? planNew(context, work) : planChange(context, stored, work);
}

/** @throws DeclarationsRefused */
function planNew(context: Context, work: Work): Step {
  const { clientId: id, document, secrets } = work;
  if (document['token_endpoint_auth_method'] === 'client_secret_basic' && secrets === undefined) {
    throw new DeclarationsRefused('A new application with secrets needs client_secrets.');
  }
  const difference = { action: 'create', kind: 'application', id, members: compare({}, document) } as const;
  return { difference, apply: async () => await create(context, work) };
}

/** Undefined: there is no difference. @throws DeclarationsRefused */
function planChange(context: Context, stored: Application, work: Work): Step | undefined {
  const { clientId: id, owner, type, document, secrets } = work;
  if (!isSameOwner(stored.owner, owner)) throw new DeclarationsRefused('It has another owner, which cannot change.');
  if (stored.type !== type) {
    throw new DeclarationsRefused(`Its type is ${stored.type}, which cannot change. Declare another client_id.`);
  }
  const facts = context.stored.facts.get(id);
  const settings = compare(describeApplication(stored, facts?.jwks ?? null), { ...document, owner: stored.owner });
  const hashes = secrets?.map(({ sha256 }) => sha256);
  const isSame = hashes === undefined || isDeepStrictEqual(hashes, facts?.secrets);
  const members = isSame ? settings : { ...settings, client_secrets: { before: undefined, after: undefined } };
  if (Object.keys(members).length === 0) return undefined;
  const difference = { action: 'change', kind: 'application', id, members } as const;
  return { difference, apply: async () => await change(context, stored, { ...work, members }) };
}

interface Secret {
  readonly secret: string;
  readonly sha256: string;
}

const minSecretLength = 32;

/** Sorted by hash; undefined: those that are stored stay. */
async function readSecrets(
  { readSecret }: Context,
  { client_secrets: sources, token_endpoint_auth_method: method }: DeclaredApplication,
): Promise<readonly Secret[] | undefined> {
  if (sources === undefined) return undefined;
  if (method !== 'client_secret_basic') {
    throw new DeclarationsRefused(`An application with ${method} has no client_secrets.`);
  }
  const secrets: Secret[] = [];
  for (const source of sources) {
    const secret = await readSecret(source);
    // Secrets are stored as SHA-256, which protects only those that nobody can guess.
    if (secret.length < minSecretLength || secret.length > 256 || !/^[!-~]+$/.test(secret)) {
      throw new DeclarationsRefused(`A client secret has ${String(minSecretLength)} to 256 visible ASCII characters.`);
    }
    secrets.push({ secret, sha256: hashClientSecret(secret) });
  }
  const bySha256 = new Map(secrets.map((one) => [one.sha256, one]));
  return [...bySha256.values()].toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
}

interface Work extends WantedApplication {
  readonly ownerId: number;
  readonly secrets: readonly Secret[] | undefined;
}

async function create(
  { db, rules }: Context,
  { clientId, ownerId, type, parsed, links, secrets }: Work,
): Promise<void> {
  await db.transaction(async (tx) => {
    await checkApplicationName(tx, { name: parsed.name, ownerId }, rules);
    await insertApplication(tx, { ...parsed, clientId, ownerId, type, secretSha256: undefined });
    await updateLinks(tx, { clientId, ownerId }, links);
    if (secrets !== undefined) await storeSecrets(tx, clientId, secrets);
  });
}

async function change(
  { db, rules }: Context,
  stored: Application,
  { clientId, ownerId, settings, links, secrets, members }: Work & Pick<Difference, 'members'>,
): Promise<void> {
  const authentication = findAuthentication(members, settings, secrets);
  if (Object.keys(members).some((name) => name !== 'client_secrets')) {
    await changeApplication(db, stored, { ...settings, links, ownerId, rules, authentication });
  }
  if (secrets === undefined || members['client_secrets'] === undefined) return;
  await db.transaction(async (tx) => {
    if ((await lockForRotation(tx, clientId)) !== 'secrets') return;
    await storeSecrets(tx, clientId, secrets);
  });
}

async function storeSecrets(tx: Queryable, clientId: string, secrets: readonly Secret[]): Promise<void> {
  const hashes = secrets.map(({ sha256 }) => sha256);
  await replaceLastingSecrets(tx, clientId, hashes);
}

/** Undefined: it authenticates as before. @throws ApplicationRefused */
function findAuthentication(
  members: Difference['members'],
  { jwksUri, jwks }: WantedApplication['settings'],
  secrets: readonly Secret[] | undefined,
): NewAuthentication | undefined {
  if (['token_endpoint_auth_method', 'jwks_uri', 'jwks'].every((name) => members[name] === undefined)) return undefined;
  if (jwksUri !== undefined || jwks !== undefined) return { method: 'private_key_jwt', jwksUri, jwks };
  const [first] = secrets ?? [];
  if (first !== undefined) return { method: 'client_secret', clientSecret: first.secret };
  const message = 'An application that gives up its keys needs client_secrets.';
  throw new ApplicationRefused({ field: 'jwks_uri', problem: 'missing' }, message);
}

/** Those that an earlier file declared and this one does not. */
export function pruneApplications({ db, stored }: Context, kept: ReadonlySet<string>): readonly Step[] {
  const gone = [...stored.facts.values()].filter(({ clientId, isDeclared }) => isDeclared && !kept.has(clientId));
  return gone.map(({ clientId }) => {
    const difference = { action: 'delete', kind: 'application', id: clientId, members: {} } as const;
    return { difference, apply: async () => await deleteAnyApplication(db, clientId) };
  });
}
