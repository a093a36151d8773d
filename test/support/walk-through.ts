import { runLinnet } from './service.ts';
import type { Variables } from './service.ts';

/** Runs a `linnet` command with `--json`. @throws when it fails. */
async function linnetJson(words: readonly string[], env: Variables): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runLinnet([...words, '--json'], env);
  if (exitCode !== 0) throw new Error(`linnet ${words.join(' ')} failed:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>; // operations.md: one JSON object
}

/** Of every account that `createClient` makes. */
export const password = 'correct horse';

export interface Client {
  readonly id: string;
  readonly secret: string;
}

/** An account and a confidential application that acts as it, made by the operator's command. */
export async function createClient(env: Variables, username: string, more: readonly string[] = []): Promise<Client> {
  const names = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--username', username];
  await linnetJson(['user', 'create', '--email', `${username}@example.org`, '--password', password, ...names], env);
  const application = await linnetJson(
    [
      'app',
      'create',
      '--owner',
      username,
      '--name',
      'My bot',
      '--type',
      'confidential',
      '--scope',
      'users posts email',
      '--act-as-owner',
      ...more,
    ],
    env,
  );
  return { id: String(application['client_id']), secret: String(application['client_secret']) };
}

/** A status and a JSON body. */
export interface JsonAnswer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into it freely
  readonly body: any;
}

/** GET of a JSON document. */
export async function getJson(url: string): Promise<JsonAnswer> {
  return await toAnswer(await fetch(url));
}

async function toAnswer(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** POST /oauth/token exactly as the specification sends it. */
export async function requestToken(baseUrl: string, { id, secret }: Client): Promise<JsonAnswer> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      accept: 'application/json',
      'accept-language': 'en',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return await toAnswer(response);
}

/** A caller of the API with one access token. */
export type CallApi = (target: string, body?: unknown) => Promise<JsonAnswer>;

export function createApiCaller(baseUrl: string, accessToken: string): CallApi {
  return async (target, body) => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const response = await fetch(`${baseUrl}/api/v2.0${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await toAnswer(response);
  };
}
