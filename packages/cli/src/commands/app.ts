import { findChosenApplications, searchApplications } from '@linnet/applications/application/application-facts-store';
import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import { findUnclaimedSchemes } from '@linnet/applications/application/links';
import { allowAdmin, limitRegistrations } from '@linnet/applications/application/operator-changes-store';
import { createApplications } from '@linnet/applications/applications';
import { applicationTypes } from '@linnet/applications/application/application-type';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { requireConfirmation } from '../confirmation.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { notFound, secretNote, splitScopes, toDocument, toText } from './app-document.ts';
import { addSettingOptions, readJsonFile, readSettingOptions } from './app-settings.ts';
import type { SettingOptions } from './app-settings.ts';
import { addUpdate } from './app-update.ts';
import { addCommand } from './add-command.ts';
import { collect, invoke, parseCount } from './command.ts';

/** `linnet app search` */
interface SearchOptions {
  readonly before?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const defaultLimit = 50;
const maxLimit = 1000;

export function addAppSearch(app: Command): void {
  addCommand(app, {
    usage: 'search <text>',
    summary:
      'find applications by the start of a client id or of its owner’s username, or a part of the name, newest first',
  })
    .option('--before <client_id>', 'only applications that were registered before this one, for the next page')
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit)
    .action(search);
}

async function search(text: string, { before, limit, json }: SearchOptions): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => searchApplications(db, { text, before, limit }));
  const rows = found.map((one) => [one.clientId, one.owner ?? '-', one.type, one.name, marksOf(one).join(', ')]);
  output.result(found.map(toFoundDocument), toTable(['client_id', 'owner', 'type', 'name', 'marks'], rows));
}

function marksOf({ isSuspended, isPaused, isVerified }: FoundApplication): readonly string[] {
  return [...(isSuspended ? ['suspended'] : []), ...(isPaused ? ['paused'] : []), ...(isVerified ? ['verified'] : [])];
}

function toFoundDocument(found: FoundApplication) {
  const { clientId, name, owner, type, createdAt, isSuspended, isPaused, isVerified } = found;
  return {
    client_id: clientId,
    name,
    owner,
    type,
    suspended: isSuspended,
    paused: isPaused,
    verified: isVerified,
    created: createdAt.toISOString(),
  };
}

interface CreateOptions extends SettingOptions {
  readonly owner: string;
  readonly name: string;
  readonly allowName?: boolean;
  readonly type: ApplicationType;
  readonly redirectUri?: readonly string[];
  readonly scope?: readonly string[];
  readonly optionalScope?: readonly string[];
  readonly actAsOwner?: boolean;
  readonly jwksUri?: string;
  /** Path of a file with a JWK Set. */
  readonly jwks?: string;
  readonly json?: boolean;
}

/** `linnet app …` */
export function addApp(program: Command): void {
  const app = program.command('app').description('manage applications');
  const create = addCommand(app, { usage: 'create', summary: 'register an application and show its secret once' })
    .requiredOption('--owner <username>', 'username of its owner')
    .requiredOption('--name <name>', 'name, as people see it')
    .option('--allow-name', 'accept a name that is reserved or looks like a verified one')
    .addOption(new Option('--type <type>', 'type of application').choices(applicationTypes).makeOptionMandatory())
    .option('--redirect-uri <uri>', 'redirect URI; repeatable', collect)
    .option('--scope <scopes>', 'scopes, separated by spaces; repeatable', collect)
    .option('--optional-scope <scopes>', 'scopes that people may decline; email is always one of them', collect)
    .option('--act-as-owner', 'let its client-credentials tokens act as its owner')
    .option('--jwks-uri <uri>', 'URL of its public keys, which replace the secret (private_key_jwt)')
    .addOption(
      new Option('--jwks <file>', 'file with its public keys (JWK Set), instead of --jwks-uri').conflicts('jwksUri'),
    )
    .action(createApp);
  addSettingOptions(create);
  addUpdate(app);
  addCommand(app, { usage: 'list', summary: 'list applications' })
    .option('--owner <username>', 'only the applications of this account')
    .action(listApps);
  addAppSearch(app);
  addCommand(app, { usage: 'show <client_id>', summary: 'show an application' }).action(showApp);
  addVerification(app);
  addRegistrationLimit(app);
  addAdminPermission(app);
  addBulkActs(app);
  addCommand(app, { usage: 'delete <client_id>', summary: 'delete an application with its grants and tokens' }).action(
    changeApp('delete', 'is deleted'),
  );
  addCommand(app, { usage: 'rotate-secret <client_id>', summary: 'create a new secret and show it once' })
    .option(
      '--overlap <hours>',
      'how long the other secrets keep working; 0 revokes them now',
      parseOverlap,
      defaultOverlap,
    )
    .action(rotateSecret);
}

function addVerification(app: Command): void {
  addCommand(app, {
    usage: 'verify <client_id>',
    summary: 'mark an application as verified until its name, logo, website or owner changes',
  }).action(changeApp('verify', 'is verified'));
  addCommand(app, { usage: 'unverify <client_id>', summary: 'remove the verified mark' }).action(
    changeApp('unverify', 'is no longer verified'),
  );
}

/** @throws CommandError */
function changeAdmin(isAllowed: boolean, result: string) {
  return async (clientId: string, { json }: { readonly json?: boolean }): Promise<void> => {
    const { config, output } = invoke(json);
    if (!(await withDatabase(config, (db) => allowAdmin(db, clientId, isAllowed)))) {
      const message = `There is no confidential application ${JSON.stringify(clientId)} with an owner.`;
      throw new CommandError('application-not-found', message);
    }
    output.result({ ok: true }, `The application ${clientId} ${result}.`);
  };
}

function addAdminPermission(app: Command): void {
  addCommand(app, {
    usage: 'allow-admin <client_id>',
    summary: 'let it get admin:read and admin:write; it acts for its owner, who must be an operator',
  }).action(changeAdmin(true, 'can get the scopes admin:read and admin:write'));
  addCommand(app, { usage: 'refuse-admin <client_id>', summary: 'end that, and revoke its tokens' }).action(
    changeAdmin(false, 'cannot get the scopes admin:read and admin:write any more'),
  );
}

function addRegistrationLimit(app: Command): void {
  addCommand(app, { usage: 'limit-registrations <client_id>', summary: 'set how many people it can register an hour' })
    .argument('<number|default>', 'registrations an hour', parsePerHour)
    .action(async (clientId: string, perHour: number | null, { json }: { readonly json?: boolean }): Promise<void> => {
      const { config, output } = invoke(json);
      if (!(await withDatabase(config, (db) => limitRegistrations(db, clientId, perHour)))) throw notFound(clientId);
      const many = perHour === null ? 'as many people as others' : `${String(perHour)} people an hour`;
      output.result({ ok: true }, `The application ${clientId} can register ${many}.`);
    });
}

function parsePerHour(text: string): number | null {
  if (text === 'default') return null;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 0 to 999999, or "default".');
}

/** Hours: enough time to move servers to the new secret. */
const defaultOverlap = 24;
const maxOverlap = 24 * 365;

function parseOverlap(text: string): number {
  const hours = Number(text);
  if (/^\d{1,5}(?:\.\d+)?$/.test(text) && hours <= maxOverlap) return hours;
  throw new InvalidArgumentError(`Give a number of hours from 0 to ${String(maxOverlap)}.`);
}

const rotationProblems = {
  'no-secrets': {
    code: 'secret-no-secrets',
    text: 'has no secrets: it is public or native, or authenticates with its own keys.',
  },
  'limit-reached': {
    code: 'secret-enough',
    text: 'already has the maximum number of active secrets. Retire one first, or use "--overlap 0".',
  },
} as const;

async function rotateSecret(
  clientId: string,
  { overlap, json }: { readonly overlap: number; readonly json?: boolean },
): Promise<void> {
  const { config, output } = invoke(json);
  const overlapSeconds = Math.round(overlap * 3600);
  const rotated = await withDatabase(config, (db) => createApplications(db).rotateSecret({ clientId, overlapSeconds }));
  if (rotated.kind === 'not-found') throw notFound(clientId);
  if (rotated.kind !== 'rotated') {
    const { code, text } = rotationProblems[rotated.kind];
    throw new CommandError(code, `The application ${clientId} ${text}`);
  }
  const document = { client_id: clientId, client_secret: rotated.clientSecret };
  const hours = overlap === 1 ? '1 hour' : `${String(overlap)} hours`;
  const others = overlap === 0 ? 'All other secrets are revoked.' : `All other secrets stop working within ${hours}.`;
  output.result(document, `${toText(document)}\n${secretNote} ${others}`);
}

/** Of one or more applications. */
function addBulkActs(app: Command): void {
  const acts = [
    ['suspend', 'block applications and revoke their tokens', 'suspend', 'is suspended'],
    ['restore', 'lift suspensions', 'restore', 'is active again'],
    [
      'end-access',
      'revoke their tokens and the consents to them; people can authorize them again',
      ...(['endAccess', 'has no tokens and no connections any more'] as const),
    ],
  ] as const;
  for (const [name, summary, change, outcome] of acts) {
    addCommand(app, { usage: `${name} <client_ids...>`, summary })
      .option('--yes', 'do not ask before acting on several applications')
      .action(async (clientIds: readonly string[], options: BulkOptions) => {
        const [only = ''] = clientIds;
        if (clientIds.length === 1) await changeApp(change, outcome)(only, options);
        else await changeApps({ verb: name, change, outcome }, [...new Set(clientIds)], options);
      });
  }
}

interface BulkOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface BulkAct {
  readonly verb: string;
  readonly change: 'suspend' | 'restore' | 'endAccess';
  readonly outcome: string;
}

async function changeApps(
  { verb, change, outcome }: BulkAct,
  clientIds: readonly string[],
  { yes = false, json }: BulkOptions,
): Promise<void> {
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const known = new Set((await findChosenApplications(db, clientIds)).map(({ clientId }) => clientId));
    const missing = clientIds.find((one) => !known.has(one));
    if (missing !== undefined) throw notFound(missing);
    await requireConfirmation({ verb, noun: 'application', subjects: clientIds, isConfirmed: yes });
    const applications = createApplications(db);
    const done: { readonly client_id: string; readonly ok: boolean }[] = [];
    // One transaction per application, so that an interrupted run can be repeated.
    for (const clientId of clientIds) done.push({ client_id: clientId, ok: await applications[change](clientId) });
    const rows = done.map((one) => [one.client_id, one.ok ? outcome : 'is unchanged']);
    output.result(done, toTable(['client_id', 'outcome'], rows));
  });
}

function changeApp(change: 'verify' | 'unverify' | BulkAct['change'] | 'delete', outcome: string) {
  return async (clientId: string, options: { readonly json?: boolean }): Promise<void> => {
    const { config, output } = invoke(options.json);
    const isFound = await withDatabase(config, (db) => createApplications(db)[change](clientId));
    if (!isFound) throw notFound(clientId);
    output.result({ ok: true }, `The application ${clientId} ${outcome}.`);
  };
}

async function createApp(options: CreateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const jwks = options.jwks === undefined ? undefined : await readJsonFile(options.jwks);
  const { serviceName, baseUrl } = config;
  const rules = { serviceName, baseUrl, allowsAnyName: options.allowName === true };
  const created = await withDatabase(config, (db) =>
    createApplications(db, rules).create({
      owner: options.owner,
      name: options.name,
      type: options.type,
      redirectUris: options.redirectUri ?? [],
      scopes: splitScopes(options.scope ?? []),
      // Every application registered here offers `email` as an optional scope.
      optionalScopes: options.optionalScope && [...splitScopes(options.optionalScope), 'email'],
      protocol: readSettingOptions(options, { type: options.type }),
      actAsOwner: options.actAsOwner === true,
      jwksUri: options.jwksUri,
      jwks,
    }),
  );
  const document = {
    client_id: created.clientId,
    ...(created.clientSecret === undefined ? {} : { client_secret: created.clientSecret }),
    name: created.name,
    redirect_uris: created.redirectUris,
    scope: created.scopes.join(' '),
  };
  const unclaimed = findUnclaimedSchemes(created.redirectUris);
  const warning = unclaimed.length === 0 ? '' : `\n${schemeWarning(unclaimed)}`;
  const note = (created.clientSecret === undefined ? '' : `\n${secretNote}`) + warning;
  output.result(document, toText(document) + note);
}

function schemeWarning(uris: readonly string[]): string {
  return `Warning: any app on a device can claim the scheme of ${uris.join(', ')}. A reversed domain name, such as com.example.app:/callback, is safer.`;
}

async function listApps(options: { readonly owner?: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const applications = await withDatabase(config, (db) => createApplications(db).list(options.owner));
  const rows = applications.map(({ clientId, owner = '-', type, name, isVerified }) => [
    ...[clientId, owner, type, name],
    isVerified ? 'verified' : '',
  ]);
  output.result(
    applications.map((application) => toDocument(application, config.tokenBounds)),
    toTable(['client_id', 'owner', 'type', 'name', 'verified'], rows),
  );
}

async function showApp(clientId: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const application = await withDatabase(config, (db) => createApplications(db).show(clientId));
  if (application === undefined) throw notFound(clientId);
  const document = toDocument(application, config.tokenBounds);
  output.result(document, toText(document));
}
