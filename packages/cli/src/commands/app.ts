import { readFile } from 'node:fs/promises';

import { applicationTypes, createApplications } from '@linnet/applications/applications';
import type { Application, ApplicationType } from '@linnet/applications/applications';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toList, toTable } from '../output.ts';
import { addCommand, collect, invoke } from './command.ts';

interface CreateOptions {
  readonly owner: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly redirectUri: readonly string[];
  readonly scope: readonly string[];
  readonly optionalScope?: readonly string[];
  readonly implicit?: boolean;
  readonly actAsOwner?: boolean;
  readonly jwksUri?: string;
  /** Path of a file. */
  readonly jwks?: string;
  readonly json?: boolean;
}

/** `linnet app …` */
export function addApp(program: Command): void {
  const app = program.command('app').description('applications that use the API');
  addCommand(app, { usage: 'create', summary: 'register an application; its secret is shown this once' })
    .requiredOption('--owner <username>', 'account it belongs to')
    .requiredOption('--name <name>', 'name that people are shown')
    .addOption(new Option('--type <type>', 'kind of application').choices(applicationTypes).makeOptionMandatory())
    .option('--redirect-uri <uri>', 'return address; may be given several times', collect, [])
    .option('--scope <words>', 'scopes, separated by spaces; may be given several times', collect, [])
    .option('--optional-scope <words>', 'those that people may leave out; email when it is not said', collect)
    .option('--implicit', 'allows response_type=token; authorization code with PKCE is safer')
    .option('--act-as-owner', 'its own tokens act as the account of its owner')
    .option('--jwks-uri <uri>', 'where it publishes keys of its own, used in place of a secret (private_key_jwt)')
    .addOption(new Option('--jwks <file>', 'the same from a file with a JWK Set').conflicts('jwksUri'))
    .action(createApp);
  addCommand(app, { usage: 'list', summary: 'list applications' })
    .option('--owner <username>', 'only those of one account')
    .action(listApps);
  addCommand(app, { usage: 'show <client_id>', summary: 'show an application' }).action(showApp);
  addCommand(app, { usage: 'suspend <client_id>', summary: 'let nobody use it; its tokens end at once' }).action(
    changeApp('suspend', 'is suspended'),
  );
  addCommand(app, { usage: 'restore <client_id>', summary: 'undo suspend' }).action(
    changeApp('restore', 'can be used again'),
  );
  addCommand(app, { usage: 'delete <client_id>', summary: 'delete it with all it was given; its tokens end' }).action(
    changeApp('delete', 'is deleted'),
  );
  addCommand(app, { usage: 'rotate-secret <client_id>', summary: 'give it another secret, shown this once' })
    .option('--overlap <hours>', 'for how long the other secrets work on; 0: not at all', parseOverlap, defaultOverlap)
    .action(rotateSecret);
}

/** Time enough to move servers to the new one. */
const defaultOverlap = 24;
const maxOverlap = 24 * 365;

function parseOverlap(text: string): number {
  const hours = Number(text);
  if (/^\d{1,5}(?:\.\d+)?$/.test(text) && hours <= maxOverlap) return hours;
  throw new InvalidArgumentError(`Give a number of hours from 0 to ${String(maxOverlap)}.`);
}

const rotationProblems = {
  'no-secrets': 'keeps no secret: it is public, or signs its requests with keys of its own.',
  enough: `has as many secrets as can work at a time. Retire one first, or give --overlap 0.`,
} as const;

async function rotateSecret(
  clientId: string,
  { overlap, json }: { readonly overlap: number; readonly json?: boolean },
): Promise<void> {
  const { config, output } = invoke(json);
  const overlapSeconds = Math.round(overlap * 3600);
  const rotated = await withDatabase(config, (db) => createApplications(db).rotateSecret({ clientId, overlapSeconds }));
  if (rotated.kind === 'absent') throw notFound(clientId);
  if (rotated.kind !== 'rotated') {
    throw new CommandError(`secret-${rotated.kind}`, `The application ${clientId} ${rotationProblems[rotated.kind]}`);
  }
  const document = { client_id: clientId, client_secret: rotated.clientSecret };
  const fate = overlap === 0 ? 'Every other secret has ended.' : `Every other secret ends within ${String(overlap)} h.`;
  output.result(document, `${toText(document)}\nKeep the secret now: it cannot be shown again. ${fate}`);
}

function changeApp(change: 'suspend' | 'restore' | 'delete', outcome: string) {
  return async (clientId: string, options: { readonly json?: boolean }): Promise<void> => {
    const { config, output } = invoke(options.json);
    const isFound = await withDatabase(config, (db) => createApplications(db)[change](clientId));
    if (!isFound) throw notFound(clientId);
    output.result({ ok: true }, `The application ${clientId} ${outcome}.`);
  };
}

function notFound(clientId: string): CommandError {
  return new CommandError('application-not-found', `There is no application ${JSON.stringify(clientId)}.`);
}

async function createApp(options: CreateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const jwks = options.jwks === undefined ? undefined : await readJson(options.jwks);
  const created = await withDatabase(config, (db) =>
    createApplications(db).create({
      owner: options.owner,
      name: options.name,
      type: options.type,
      redirectUris: options.redirectUri,
      scopes: toWords(options.scope),
      // The e-mail address can always be left out of what was registered here.
      optionalScopes: options.optionalScope && [...toWords(options.optionalScope), 'email'],
      implicit: options.implicit === true,
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
  const note = created.clientSecret === undefined ? '' : '\nKeep the secret now: it cannot be shown again.';
  output.result(document, toText(document) + note);
}

function toWords(given: readonly string[]): readonly string[] {
  return given.flatMap((words) => words.split(' ').filter((word) => word !== ''));
}

/** @throws CommandError when the file cannot be read, or is no JSON. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('unreadable-file', `${path}: ${reason}`);
  }
}

async function listApps(options: { readonly owner?: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const applications = await withDatabase(config, (db) => createApplications(db).list(options.owner));
  const rows = applications.map(({ clientId, owner, type, name }) => [clientId, owner, type, name]);
  output.result(applications.map(toDocument), toTable(['client_id', 'owner', 'type', 'name'], rows));
}

async function showApp(clientId: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const application = await withDatabase(config, (db) => createApplications(db).show(clientId));
  if (application === undefined) throw notFound(clientId);
  const document = toDocument(application);
  output.result(document, toText(document));
}

function toDocument(application: Application) {
  return {
    client_id: application.clientId,
    name: application.name,
    owner: application.owner,
    type: application.type,
    redirect_uris: application.redirectUris,
    scope: application.scopes.join(' '),
    optional_scope: application.optionalScopes.join(' '),
    implicit: application.implicit,
    act_as_owner: application.actAsOwner,
    suspended: application.isSuspended,
    paused: application.isPaused,
    token_endpoint_auth_method: authenticationOf(application),
    ...(application.jwksUri === undefined ? {} : { jwks_uri: application.jwksUri }),
    created: application.createdAt.toISOString(),
  };
}

function authenticationOf({ type, jwksUri, hasOwnKeys }: Application): string {
  if (type !== 'confidential') return 'none';
  return jwksUri !== undefined || hasOwnKeys ? 'private_key_jwt' : 'client_secret_basic';
}

function toText(document: object): string {
  return toList(
    Object.entries(document).map(
      ([name, value]: [string, unknown]) => [name, Array.isArray(value) ? value.join(' ') : String(value)] as const,
    ),
  );
}
