import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createClient, requestToken } from '../support/api-client.ts';
import { findFreePort } from '../support/service.ts';
import { startFixture } from './mcp-fixture.ts';
import { createPerson } from './oauth/world.ts';
import type { WorldPerson } from './oauth/world.ts';

/**
 * The official conformance suite of the Model Context Protocol against `/mcp`, and against a server that has the tools and
 * resources which the suite calls (`mcp-fixture.ts`).
 */

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const execute = promisify(execFile);
const cleanup = new AsyncDisposableStack();
let url: string;
let fixtureUrl: string;

beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  const client = await createClient(env, `agent_${randomBytes(3).toString('hex')}`);
  const { body } = await requestToken(baseUrl, client);
  url = `${await startTokenProxy(baseUrl, String(body['access_token']))}/mcp`;
  fixtureUrl = await startFixture(cleanup);
});
afterAll(async () => await cleanup.disposeAsync());

/** The suite sends no token, so this adds one. @returns its origin */
async function startTokenProxy(target: string, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { host } = new URL(target);
    const headers = { ...incoming.headers, host: incoming.headers.host === ownHost() ? host : incoming.headers.host };
    const options = { method: incoming.method, headers: { ...headers, authorization: `Bearer ${token}` } };
    const upstream = request(new URL(incoming.url ?? '/', target), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  });
  const ownHost = () => `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${ownHost()}`;
}

/** Checks of what Linnet does not offer: it has no prompts, and nothing that a client could subscribe to. */
const ofOthers = new Set([
  'sep-2549-prompts-list-caching-hints',
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]);
/** The check calls a tool that asks the client something, or that logs. */
const untestable = /^Not testable: server does not list the diagnostic tool/;

const named = (names: string, prefix = '') => names.split(' ').map((name) => prefix + name);

/** Scenarios that the service itself has to pass. All others are for the fixture. */
const ofTheService = new Set([
  ...named('server-initialize server-stateless ping tools-list resources-list sep-2164-resource-not-found caching'),
  ...named('http-header-validation dns-rebinding-protection'),
]);

/** Scenarios of what Linnet does not offer, by the reason; some in one revision only. The protocol requires none of it. */
const notOffered = {
  'prompts: people say themselves what an agent does': [
    'prompts-list',
    ...named('simple with-args embedded-resource with-image', 'prompts-get-'),
  ],
  'completion of arguments: tools have JSON Schema': ['completion-complete'],
  'results that are not JSON: tools and resources return what the API returns': [
    ...named('image audio embedded-resource mixed-content', 'tools-call-'),
    'resources-read-binary',
  ],
  'questions to the client: the pages of the service ask people': [
    ...named('tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums'),
    ...named('basic-elicitation basic-sampling basic-list-roots request-state', 'input-required-result-'),
    ...named('multiple-input-requests multi-round missing-input-response', 'input-required-result-'),
    ...named('non-tool-request result-type tampered-state capability-check', 'input-required-result-'),
    'input-required-result-ignore-extra-params',
  ],
  'messages while a call runs: it takes milliseconds': named('with-logging with-progress', 'tools-call-'),
  'logs: those are for operators': ['logging-set-level'],
  'sessions and streams: any worker answers the next request': [
    ...named('server-session-lifecycle server-sse-polling resources-subscribe resources-unsubscribe'),
    'server-sse-multiple-streams 2025-11-25',
  ],
  'parameters in headers: no tool declares one': ['http-custom-header-server-validation'],
  'tasks, an extension: a call takes milliseconds': [
    ...named(
      'lifecycle capability-negotiation wire-fields request-state-removal mrtr-input mrtr-composition',
      'tasks-',
    ),
    ...named('request-headers dispatch-and-envelope status-notifications required-task-error', 'tasks-'),
  ],
};

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks in a folder of results by scenario. Removes the folder. */
async function takeChecks(folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const read = async (name: string): Promise<readonly [string, readonly Check[]]> => {
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[];
    return [name.replace(/^(?:server|authorization)-|-\d{4}-\d\d-\d\dT.*$/g, ''), checks];
  };
  const checks = new Map(await Promise.all((await readdir(folder)).map(read)));
  await rm(folder, { recursive: true });
  return checks;
}

/** Runs all scenarios of a revision. */
async function runScenarios(revision: string, server: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-suite-'));
  const args = ['server', '--url', server, '--requirements', revision, '-o', folder];
  await execute(process.execPath, [suite, ...args]).catch(() => undefined);
  return await takeChecks(folder);
}

/** What failed. A scenario whose own checks were all skipped has failed, too. */
function findFailures(checks: readonly Check[]): readonly string[] {
  const failed = checks.filter(
    ({ status, id, errorMessage = '' }) => status === 'FAILURE' && !ofOthers.has(id) && !untestable.test(errorMessage),
  );
  const succeeded = checks.some(({ id, status }) => status === 'SUCCESS' && !id.startsWith('wire-schema'));
  return [...failed.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`), ...(succeeded ? [] : ['skipped'])];
}

const revisions = ['2025-11-25', '2026-07-28'];

test.concurrent.each(revisions)(
  'of revision %s every scenario passes, but those of what Linnet does not offer',
  { timeout: 120_000 },
  async (revision) => {
    const [service, fixture] = await Promise.all([runScenarios(revision, url), runScenarios(revision, fixtureUrl)]);
    const outcomes = [...fixture].map(([name, checks]) => ({
      name,
      failures: findFailures(ofTheService.has(name) ? (service.get(name) ?? []) : checks),
    }));
    const isOffered = ({ name }: { readonly name: string }) =>
      !Object.values(notOffered).some((names) => names.includes(name) || names.includes(`${name} ${revision}`));
    expect(outcomes.filter((outcome) => outcome.failures.length > 0 && isOffered(outcome))).toEqual([]);
    // Otherwise the table would hide what Linnet offers by now.
    expect(outcomes.filter((outcome) => outcome.failures.length === 0 && !isOffered(outcome))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(30);
  },
);

/** Runs the scenarios of an authorization server; a person opens the URL that the suite prints. @returns their checks */
async function runAuthorization(revision: string, person: WorldPerson): Promise<ReadonlyMap<string, readonly Check[]>> {
  const { baseUrl } = inject('service');
  const port = String(await findFreePort());
  const application = ['--owner', person.username, '--name', 'Suite', '--type', 'native', '--scope', 'users posts'];
  const redirectUri = ['--redirect-uri', `http://127.0.0.1:${port}/callback`];
  const { client_id: clientId = '' } = await person.run(['app', 'create', ...application, ...redirectUri]);
  const folder = await mkdtemp(join(tmpdir(), 'mcp-suite-'));
  const options = ['--url', baseUrl, '--client-id', clientId, '--port', port, '--spec-version', revision, '-o', folder];
  const running = spawn(process.execPath, [suite, 'authorization', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanup.defer(() => void running.kill());
  const closed = once(running, 'close');
  for await (const line of createInterface(running.stdout)) {
    if (line.startsWith(`${baseUrl}/oauth/authorize?`)) await fetch((await person.visitor().finish(line)).url);
  }
  await closed;
  return await takeChecks(folder);
}

test.each(revisions)('of revision %s the authorization server passes every scenario', async (revision) => {
  const checks = await runAuthorization(revision, await createPerson(inject('service')));
  expect([...checks.keys()]).toHaveLength(2);
  expect([...checks.values()].flatMap(findFailures)).toEqual([]);
});
