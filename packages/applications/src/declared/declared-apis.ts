/** What a file declares about registered APIs, compared with what is stored. */
import { parseIdentifier, parseSettings } from '../apis/api-settings.ts';
import { createApis } from '../apis/apis.ts';
import { getOwnerId } from '../application/application-change.ts';
import type { DeclaredApi, DeclaredApplication } from './declaration.ts';
import { describeApi, toSubmittedApi } from './declared-document.ts';
import { compare, DeclarationsRefused, isSameOwner } from './plan.ts';
import type { Context, Step } from './plan.ts';

function apisOf({ db, rules }: Context) {
  return createApis(db, { baseUrl: rules.baseUrl, names: rules, isOperator: true });
}

export function toIdentifier({ identifier }: DeclaredApi, { rules }: Context): string {
  return parseIdentifier(identifier, rules.baseUrl);
}

/** Undefined: there is no difference. @throws DeclarationsRefused, ApiRefused, ApplicationRefused */
export async function planApi(
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
export function pruneApis(context: Context, kept: ReadonlySet<string>): readonly Step[] {
  const { apis, declaredApis } = context.stored;
  return declaredApis.flatMap((identifier) => {
    const stored = apis.get(identifier);
    if (stored === undefined || kept.has(identifier)) return [];
    const difference = { action: 'delete', kind: 'api', id: identifier, members: {} } as const;
    return [{ difference, apply: async () => await apisOf(context).delete(stored) }];
  });
}
