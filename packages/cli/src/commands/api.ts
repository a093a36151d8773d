import { apiTokenAlgorithms, parseScopeLines } from '@linnet/applications/apis/api-scopes';
import type { ApiTokenAlgorithm } from '@linnet/applications/apis/api-scopes';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { createApis } from '@linnet/applications/apis/apis';
import type { Apis } from '@linnet/applications/apis/apis';
import { findOwnerId } from '@linnet/applications/application/application-store';
import type { ApplicationDatabase } from '@linnet/applications/application/application-store';
import { Option } from 'commander';
import type { Command } from 'commander';
import { createJsonFetch } from '@linnet/auth/protocol/client/document-fetch';

import type { Config } from '../config.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { toText } from './app-document.ts';
import { addCommand } from './add-command.ts';
import { collect, invoke } from './command.ts';

interface ApiOptions {
  readonly name?: string;
  readonly allowName?: boolean;
  readonly scope?: readonly string[];
  /** False: `--no-client-id`. */
  readonly clientId?: string | false;
  readonly accessTokenAlg?: ApiTokenAlgorithm;
  readonly json?: boolean;
}

interface CreateOptions extends ApiOptions {
  readonly owner: string;
  readonly identifier: string;
  readonly name: string;
  readonly scope: readonly string[];
}

const scopeHelp = 'scope and its description, such as "notes:read Read your notes"; repeatable';

/** `linnet api …` */
export function addApi(program: Command): void {
  const api = program.command('api').description('manage APIs of developers, which accept tokens of this service');
  addCommand(api, { usage: 'create', summary: 'register an API with its scopes' })
    .requiredOption('--owner <username>', 'username of its owner')
    .requiredOption('--identifier <url>', 'its audience: the value of resource and aud; it never changes')
    .requiredOption('--name <name>', 'name, as people see it')
    .option('--allow-name', 'accept a name that is reserved or looks like a verified one')
    .requiredOption('--scope <scope>', scopeHelp, collect)
    .option('--client-id <client_id>', 'application of the owner that may introspect tokens for the API')
    .addOption(algorithmOption())
    .action(createApi);
  addCommand(api, { usage: 'list', summary: 'list APIs' })
    .option('--owner <username>', 'only the APIs of this account')
    .action(listApis);
  addCommand(api, { usage: 'show <identifier>', summary: 'show an API' }).action(showApi);
  addCommand(api, { usage: 'update <identifier>', summary: 'change settings; the others are kept' })
    .option('--name <name>', 'name, as people see it')
    .option('--allow-name', 'accept a name that is reserved or looks like a verified one')
    .option('--scope <scope>', `${scopeHelp}, replaces the others`, collect)
    .option('--client-id <client_id>', 'application of the owner that may introspect tokens for the API')
    .option('--no-client-id', 'end that')
    .addOption(algorithmOption())
    .action(updateApi);
  addCommand(api, {
    usage: 'check <identifier>',
    summary:
      'check whether the own metadata of an API (RFC 9728) names this service, which proves control of the address',
  }).action(checkApi);
  addCommand(api, {
    usage: 'delete <identifier>',
    summary: 'delete an API with its scopes in every grant; its tokens are no longer active',
  }).action(deleteApi);
}

function algorithmOption(): Option {
  const help = 'signature of access tokens for it; a new API has ES256';
  return new Option('--access-token-alg <algorithm>', help).choices(apiTokenAlgorithms);
}

/** The setting, if it is given. */
function chosenAlgorithm({ accessTokenAlg }: ApiOptions) {
  return accessTokenAlg === undefined ? {} : { accessTokenAlg };
}

type Task<Result> = (apis: Apis, db: ApplicationDatabase) => Promise<Result>;

async function withApis<Result>(config: Config, { allowName }: ApiOptions, task: Task<Result>): Promise<Result> {
  const names = { serviceName: config.serviceName, allowsAnyName: allowName === true };
  return await withDatabase(
    config,
    async (db) => await task(createApis(db, { baseUrl: config.baseUrl, names, isOperator: true }), db),
  );
}

async function createApi(options: CreateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const created = await withApis(config, options, async (apis, db) => {
    const ownerId = await getOwnerId(db, options.owner);
    const { identifier, name } = options;
    const scopes = parseScopeLines(options.scope);
    const clientId = options.clientId === false ? undefined : options.clientId;
    const outcome = await apis.create({ ownerId, identifier, name, scopes, clientId, ...chosenAlgorithm(options) });
    if (outcome.kind === 'repeated') throw alreadyRegistered(identifier);
    return await apis.find({ ownerId, id: outcome.id });
  });
  if (created === undefined) throw notFound(options.identifier);
  const document = toDocument(created);
  output.result(document, toText(document));
}

async function listApis(options: { readonly owner?: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const listed = await withApis(
    config,
    {},
    async (apis, db) => await apis.list(options.owner === undefined ? undefined : await getOwnerId(db, options.owner)),
  );
  const rows = listed.map(({ identifier, owner, name, clientId }) => [identifier, owner, name, clientId ?? '-']);
  output.result(listed.map(toDocument), toTable(['identifier', 'owner', 'name', 'client_id'], rows));
}

async function showApi(identifier: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const document = toDocument(await withApis(config, {}, async (apis) => await getApi(apis, identifier)));
  output.result(document, toText(document));
}

async function updateApi(identifier: string, options: ApiOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const updated = await withApis(config, options, async (apis) => {
    const api = await getApi(apis, identifier);
    const { name = api.name, scope, clientId = api.clientId } = options;
    const scopes = scope === undefined ? api.scopes : parseScopeLines(scope);
    const { accessTokenAlg } = { ...api, ...chosenAlgorithm(options) };
    await apis.update(api, { name, scopes, clientId: clientId === false ? undefined : clientId, accessTokenAlg });
    return await getApi(apis, identifier);
  });
  const document = toDocument(updated);
  output.result(document, toText(document));
}

async function checkApi(identifier: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const checked = await withApis(config, {}, async (apis) => {
    await apis.prove(await getApi(apis, identifier), createJsonFetch(config));
    return await getApi(apis, identifier);
  });
  const document = toDocument(checked);
  output.result(document, toText(document));
}

async function deleteApi(identifier: string, options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  await withApis(config, {}, async (apis) => {
    if (!(await apis.delete(await getApi(apis, identifier)))) throw notFound(identifier);
  });
  output.result({ ok: true }, `The API ${identifier} is deleted.`);
}

async function getApi(apis: Apis, identifier: string): Promise<RegisteredApi> {
  const api = await apis.findByIdentifier(identifier);
  if (api === undefined) throw notFound(identifier);
  return api;
}

async function getOwnerId(db: ApplicationDatabase, owner: string): Promise<number> {
  const id = await findOwnerId(db, owner);
  if (id !== undefined) return id;
  throw new CommandError('invalid-owner', `There is no account with the username ${JSON.stringify(owner)}.`);
}

/** How the commands for registered APIs print one. */
export function toDocument(api: RegisteredApi) {
  return {
    identifier: api.identifier,
    name: api.name,
    owner: api.owner,
    // Null: only the application that a token was issued to can introspect it.
    client_id: api.clientId ?? null,
    scope: api.scopes.map(({ scope }) => scope).join(' '),
    scope_descriptions: api.scopes.map(({ scope, description }) => `${scope} ${description}`),
    access_token_alg: api.accessTokenAlg,
    verified: api.isProven,
    created: api.createdAt.toISOString(),
  };
}

export function notFound(identifier: string): CommandError {
  return new CommandError(
    'api-not-found',
    `There is no API ${JSON.stringify(identifier)}. "linnet api list" shows all APIs.`,
  );
}

export function alreadyRegistered(identifier: string): CommandError {
  return new CommandError('invalid-identifier', `The identifier ${JSON.stringify(identifier)} is registered already.`);
}
