import { operate } from './operator.ts';
import { retryUnavailable } from './service.ts';
import type { Variables } from './service.ts';

/** Runs a `linnet` command with `--json`. @throws Error when it fails. */
async function runJson(args: readonly string[], env: Variables): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await operate([...args, '--json'], env);
  if (exitCode !== 0) throw new Error(`linnet ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>; // docs/operations/README.md: one JSON object
}

/** The password of every account that `createClient` creates. */
export const password = 'correct horse';

export interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Creates an account, and a confidential application that acts as it. `more` are further arguments of `app create`. */
export async function createClient(env: Variables, username: string, more: readonly string[] = []): Promise<Client> {
  return await createNamedClient(env, { username, firstName: 'Ada', lastName: 'Lovelace' }, more);
}

/** The same for somebody whom searches for Ada Lovelace do not find. */
export async function createNamedClient(
  env: Variables,
  { username, firstName, lastName }: Readonly<Record<'username' | 'firstName' | 'lastName', string>>,
  more: readonly string[] = [],
): Promise<Client> {
  const names = ['--first-name', firstName, '--last-name', lastName, '--username', username];
  await runJson(['user', 'create', '--email', `${username}@example.org`, '--password', password, ...names], env);
  const application = await runJson(
    [
      ...['app', 'create', '--owner', username, '--name', 'My bot', '--type', 'confidential'],
      ...['--scope', 'users posts email', '--act-as-owner', ...more],
    ],
    env,
  );
  return { id: String(application['client_id']), secret: String(application['client_secret']) };
}

export interface JsonResponse {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly body: any;
}

/** GET of a JSON document. */
export async function getJson(url: string): Promise<JsonResponse> {
  return await readJson(await fetch(url));
}

async function readJson(response: Response): Promise<JsonResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** POST /oauth/token, exactly as the specification shows it. */
export async function requestToken(baseUrl: string, { id, secret }: Client): Promise<JsonResponse> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      accept: 'application/json',
      'accept-language': 'en',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  };
  return await retryUnavailable(async () => await readJson(await fetch(`${baseUrl}/oauth/token`, request)));
}

/** Sends a request with one access token: method and path below /api/v2.0, and a JSON body. */
export type CallApi = (target: string, body?: unknown) => Promise<JsonResponse>;

export function createApiCaller(baseUrl: string, accessToken: string): CallApi {
  return async (target, body) => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const request = {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return await retryUnavailable(async () => await readJson(await fetch(`${baseUrl}/api/v2.0${path}`, request)));
  };
}
