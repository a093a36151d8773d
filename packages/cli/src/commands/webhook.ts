import { findApplication } from '@linnet/applications/application/application-store';
import { listDeliveries, replayDeliveries } from '@linnet/auth/webhooks/delivery-store';
import type { LoggedDelivery } from '@linnet/auth/webhooks/delivery-store';
import { deleteEndpoint, findEndpoint, listEndpoints } from '@linnet/auth/webhooks/endpoint-store';
import type { Endpoint } from '@linnet/auth/webhooks/endpoint-store';
import { isWebhookEvent, webhookEventNames } from '@linnet/auth/webhooks/events';
import { createWebhooks } from '@linnet/auth/webhooks/webhooks';
import type { EndpointProblem, Webhooks } from '@linnet/auth/webhooks/webhooks';
import type { Db } from '@linnet/db/database';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { collect, invoke, parseCount } from './command.ts';

interface Options {
  readonly json?: boolean;
}

/** `linnet webhook …` */
export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('manage the webhooks of applications');
  addCommand(webhook, { usage: 'list', summary: 'list endpoints, with what waits for each' })
    .option('--application <client_id>', 'only those of this application')
    .action(list);
  addCommand(webhook, { usage: 'add', summary: 'ask an address for its consent and add it; prints its secret' })
    .requiredOption('--application <client_id>', 'the application')
    .requiredOption('--url <url>', 'the address')
    .requiredOption('--event <event>', `an event, repeatable: ${webhookEventNames.join(', ')}`, collect)
    .action(add);
  addCommand(webhook, { usage: 'log <endpoint>', summary: 'list the latest messages to an endpoint' })
    .option('--limit <number>', 'at most this many', parseCount(1000), 50)
    .action(log);
  addCommand(webhook, { usage: 'replay <endpoint>', summary: 'send a message now, or all that wait or were given up' })
    .option('--message <id>', 'only this message')
    .action(replay);
  addCommand(webhook, {
    usage: 'change-secret <endpoint>',
    summary: 'create another secret; the last one signs too for a day',
  }).action(changeSecret);
  addCommand(webhook, { usage: 'turn-on <endpoint>', summary: 'switch an endpoint on that was switched off' }).action(
    turnOn,
  );
  addCommand(webhook, { usage: 'delete <endpoint>', summary: 'delete an endpoint with its messages' }).action(remove);
}

function toDocument(endpoint: Endpoint) {
  const { id, clientId, url, events, createdAt, failingSince, offSince, waiting } = endpoint;
  return {
    id,
    client_id: clientId,
    url,
    events,
    created: createdAt.toISOString(),
    failing_since: failingSince?.toISOString() ?? null,
    off_since: offSince?.toISOString() ?? null,
    waiting,
  };
}

function stateOf({ offSince, failingSince }: Endpoint): string {
  if (offSince !== null) return 'off';
  return failingSince === null ? 'on' : 'failing';
}

async function list(options: Options & { readonly application?: string }): Promise<void> {
  const { config, output } = invoke(options.json);
  const endpoints = await withDatabase(config, async (db) => await listEndpoints(db, options.application));
  const rows = endpoints.map((one) => [String(one.id), one.clientId, stateOf(one), String(one.waiting), one.url]);
  output.result(endpoints.map(toDocument), toTable(['endpoint', 'client_id', 'state', 'waiting', 'url'], rows));
}

type Task<Result> = (work: { readonly db: Db; readonly webhooks: Webhooks }) => Promise<Result>;

async function withWebhooks<Result>(options: Options, task: Task<Result>): Promise<Result> {
  const { config } = invoke(options.json);
  return await withDatabase(config, async (db) => {
    const secretKeys = await resolveSecretKeys(config);
    const { baseUrl, mediaFetchAllow: allow } = config;
    return await task({ db, webhooks: createWebhooks({ db, baseUrl, secretKeys, allow }) });
  });
}

interface AddOptions extends Options {
  readonly application: string;
  readonly url: string;
  readonly event: readonly string[];
}

const problemTexts: Readonly<Record<EndpointProblem, string>> = {
  'bad-url': 'The URL must be an absolute https or http URL, without user name, password and fragment.',
  'no-events': 'Give at least one event.',
  'not-public': 'There is no public address for this host and port.',
  tls: 'The TLS connection failed: check the certificate, its names and its chain.',
  timeout: 'The address did not respond within five seconds.',
  'no-connection': 'The connection was refused or closed.',
  'wrong-status': 'The address did not respond with status 200.',
  'wrong-challenge': 'The address responded with status 200, but not with the text of the challenge.',
  'too-many-or-known': 'There is no such application, or it has this URL already, or as many endpoints as it can have.',
  'too-often': 'Too many checks for this application in the last hour.',
};

async function add(options: AddOptions): Promise<void> {
  const { output } = invoke(options.json);
  const unknown = options.event.find((event) => !isWebhookEvent(event));
  if (unknown !== undefined) throw new CommandError('invalid-event', `There is no event ${JSON.stringify(unknown)}.`);
  const { application: clientId, url } = options;
  const events = options.event.filter(isWebhookEvent);
  const added = await withWebhooks(options, async ({ db, webhooks }) => {
    const application = await findApplication(db, clientId);
    return application === undefined ? 'too-many-or-known' : await webhooks.register({ clientId, url, events });
  });
  if (typeof added === 'string') throw new CommandError(added, problemTexts[added]);
  output.result(added, `endpoint: ${String(added.id)}\nsecret: ${added.secret}\n\nThe secret is shown only now.`);
}

async function getEndpoint(db: Db, text: string): Promise<Endpoint> {
  const endpoint = /^\d{1,16}$/.test(text) ? await findEndpoint(db, Number(text)) : undefined;
  if (endpoint !== undefined) return endpoint;
  throw new CommandError('endpoint-not-found', `There is no endpoint ${text}. "linnet webhook list" shows all.`);
}

async function log(id: string, options: Options & { readonly limit: number }): Promise<void> {
  const { config, output } = invoke(options.json);
  const lines = await withDatabase(config, async (db) => {
    const endpoint = await getEndpoint(db, id);
    return await listDeliveries(db, endpoint.id, options.limit);
  });
  const documents = lines.map(toLine);
  const rows = documents.map((one) => [
    one.message,
    one.type,
    one.state,
    String(one.attempts),
    String(one.status ?? '-'),
    one.created,
  ]);
  output.result(documents, toTable(['message', 'type', 'state', 'attempts', 'status', 'created'], rows));
}

function toLine({ messageId, kind, accountId, state, attempts, status, createdAt }: LoggedDelivery) {
  const created = createdAt.toISOString();
  return { message: messageId, type: kind, user_id: accountId, state, attempts, status, created };
}

async function replay(id: string, options: Options & { readonly message?: string }): Promise<void> {
  const { config, output } = invoke(options.json);
  const messages = await withDatabase(config, async (db) => {
    const endpoint = await getEndpoint(db, id);
    return await replayDeliveries(db, endpoint.id, options.message);
  });
  output.result({ messages }, `Messages that are sent now: ${String(messages)}`);
}

async function changeSecret(id: string, options: Options): Promise<void> {
  const { output } = invoke(options.json);
  const secret = await withWebhooks(options, async ({ db, webhooks }) => {
    const endpoint = await getEndpoint(db, id);
    return await webhooks.changeSecret(endpoint.id);
  });
  output.result({ secret }, `secret: ${secret}\n\nThe secret is shown only now. The last one signs too for a day.`);
}

async function turnOn(id: string, options: Options): Promise<void> {
  const { output } = invoke(options.json);
  const turned = await withWebhooks(
    options,
    async ({ db, webhooks }) => await webhooks.turnOn(await getEndpoint(db, id)),
  );
  if (turned !== true) throw new CommandError(turned, problemTexts[turned]);
  output.result({ ok: true }, 'The endpoint is on.');
}

async function remove(id: string, options: Options): Promise<void> {
  const { config, output } = invoke(options.json);
  await withDatabase(config, async (db) => {
    const endpoint = await getEndpoint(db, id);
    await deleteEndpoint(db, endpoint.id);
  });
  output.result({ ok: true }, 'The endpoint is deleted.');
}
