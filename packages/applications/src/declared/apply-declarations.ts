/** `linnet apply`: makes applications and registered APIs what a file declares. And `linnet export`. */
import { ApiRefused, parseIdentifier, parseSettings } from '../apis/api-settings.ts';
import { listApis } from '../apis/api-store.ts';
import { createApis } from '../apis/apis.ts';
import { getOwnerId } from '../application/application-change.ts';
import { findApplications } from '../application/application-store.ts';
import type { ApplicationDatabase } from '../application/application-store.ts';
import { ApplicationRefused } from '../application/application.ts';
import type { Declarations, DeclaredApi, DeclaredApplication } from './declaration.ts';
import { planApplication, pruneApplications } from './declared-applications.ts';
import { describeApi, describeApplication, exportApi, toSubmittedApi, withoutDefaults } from './declared-document.ts';
import type { Document } from './declared-document.ts';
import { findDeclaredApis, findDeclaredFacts, markDeclared } from './declared-store.ts';
import { compare, DeclarationsRefused, isSameOwner } from './plan.ts';
import type { ApplyOptions, Context, Difference, Step, Stored } from './plan.ts';

/**
 * Returns the differences, in the order in which they are made.
 * @throws DeclarationsRefused before anything changes
 * @throws ApplicationRefused, ApiRefused for a name that others have, which is known only at the change
 */
export async function applyDeclarations(
  db: ApplicationDatabase,
  declarations: Declarations,
  options: ApplyOptions,
): Promise<readonly Difference[]> {
  const context: Context = { ...options, db, stored: await readStored(db) };
  const steps = await plan(context, declarations);
  if (options.isDryRun) return steps.map(({ difference }) => difference);
  for (const { apply } of steps) await apply();
  const clientIds = declarations.applications.map((one) => one.client_id);
  await markDeclared(
    db,
    clientIds,
    declarations.apis.map((one) => toIdentifier(one, context)),
  );
  return steps.map(({ difference }) => difference);
}

/** The applications and APIs of an owner, or of all, as a file declares them; secrets stay out. */
export async function exportDeclarations(
  db: ApplicationDatabase,
  owner: string | undefined,
): Promise<{ readonly applications: readonly Document[]; readonly apis: readonly Document[] }> {
  const { applications, facts, apis } = await readStored(db);
  const isOwned = (one: { readonly owner: string | undefined }) =>
    one.owner !== undefined && (owner === undefined || isSameOwner(one.owner, owner));
  return {
    applications: [...applications.values()]
      .filter(isOwned)
      .map((one) => withoutDefaults(describeApplication(one, facts.get(one.clientId)?.jwks ?? null))),
    apis: [...apis.values()].filter(isOwned).map(exportApi),
  };
}

async function readStored(db: ApplicationDatabase): Promise<Stored> {
  const applications = await findApplications(db, undefined);
  const apis = await listApis(db, undefined);
  const facts = await findDeclaredFacts(db);
  return {
    applications: new Map(applications.map((one) => [one.clientId, one])),
    facts: new Map(facts.map((one) => [one.clientId, one])),
    apis: new Map(apis.map((one) => [one.identifier, one])),
    declaredApis: await findDeclaredApis(db),
  };
}

/** Checks everything before the first change. @throws DeclarationsRefused */
async function plan(context: Context, { applications, apis }: Declarations): Promise<readonly Step[]> {
  const problems: string[] = [];
  const steps: Step[] = [];
  const add = async (name: string, find: () => Promise<Step | undefined>) => {
    try {
      const step = await find();
      if (step !== undefined) steps.push(step);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      problems.push(...error.message.split('\n').map((line) => `${name}: ${line}`));
    }
  };
  const clientIds = applications.map((one) => one.client_id);
  const identifiers = apis.map(({ identifier }) => identifier);
  problems.push(...findRepeated([...clientIds, ...identifiers]).map((id) => `${id}: It is declared twice.`));
  for (const one of applications) await add(one.client_id, async () => await planApplication(context, one));
  for (const one of apis) await add(one.identifier, async () => await planApi(context, one, applications));
  if (problems.length > 0) throw new DeclarationsRefused(problems.join('\n'));
  if (!context.prunes) return steps;
  const kept = new Set(apis.map((one) => toIdentifier(one, context)));
  return [...steps, ...pruneApis(context, kept), ...pruneApplications(context, new Set(clientIds))];
}

function isRefusal(error: unknown): error is Error {
  return [DeclarationsRefused, ApplicationRefused, ApiRefused].some((refusal) => error instanceof refusal);
}

function findRepeated(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

function apisOf({ db, rules }: Context) {
  return createApis(db, { baseUrl: rules.baseUrl, names: rules, isOperator: true });
}

function toIdentifier({ identifier }: DeclaredApi, { rules }: Context): string {
  return parseIdentifier(identifier, rules.baseUrl);
}

/** Undefined: there is no difference. @throws DeclarationsRefused, ApiRefused, ApplicationRefused */
async function planApi(
  context: Context,
  declared: DeclaredApi,
  applications: readonly DeclaredApplication[],
): Promise<Step | undefined> {
  const id = toIdentifier(declared, context);
  const { owner } = declared;
  const settings = toSubmittedApi(declared);
  parseSettings(settings);
  const ownerId = await getOwnerId(context.db, owner);
  requireClient(context, declared, applications);
  const stored = context.stored.apis.get(id);
  const after = describeApi({ ...settings, identifier: id, owner: stored?.owner ?? owner });
  if (stored === undefined) {
    const difference = { action: 'create', kind: 'api', id, members: compare({}, after) } as const;
    return { difference, apply: async () => await apisOf(context).create({ ...settings, ownerId, identifier: id }) };
  }
  if (stored.ownerId !== ownerId) throw new DeclarationsRefused('It has another owner, which cannot change.');
  const members = compare(describeApi(stored), after);
  if (Object.keys(members).length === 0) return undefined;
  const difference = { action: 'change', kind: 'api', id, members } as const;
  return { difference, apply: async () => await apisOf(context).update(stored, settings) };
}

/** @throws DeclarationsRefused unless the owner has the application, or the file declares it */
function requireClient(
  { stored }: Context,
  { owner, client_id: clientId }: DeclaredApi,
  applications: readonly DeclaredApplication[],
): void {
  if (clientId === undefined) return;
  const declared = applications.find((one) => one.client_id === clientId);
  if (isSameOwner(declared?.owner ?? stored.applications.get(clientId)?.owner, owner)) return;
  throw new DeclarationsRefused(`${clientId} is no application of the same owner.`);
}

/** Those that an earlier file declared and this one does not. */
function pruneApis(context: Context, kept: ReadonlySet<string>): readonly Step[] {
  const { apis, declaredApis } = context.stored;
  return declaredApis.flatMap((identifier) => {
    const stored = apis.get(identifier);
    if (stored === undefined || kept.has(identifier)) return [];
    const difference = { action: 'delete', kind: 'api', id: identifier, members: {} } as const;
    return [{ difference, apply: async () => await apisOf(context).delete(stored) }];
  });
}
