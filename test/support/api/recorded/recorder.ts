import type { RecordedCall, RecordedExamples } from '@linnet/contract/openapi/recorded-calls';
import { routesByName } from '@linnet/contract/routes';

import type { RunningApi } from '../running-api.ts';

type Parameters = Readonly<Record<string, unknown>>;

interface Sent {
  /** The acting account; absent: the application alone. */
  readonly as?: number;
  readonly parameters?: Parameters;
}

interface Titled extends Sent {
  readonly title?: string;
  readonly byOtherMethod?: boolean;
}

/** Calls the API as an application does, and records requests and responses. */
export interface Recorder {
  readonly recorded: { readonly calls: Record<string, RecordedCall[]>; readonly problems: Record<string, unknown> };
  /** Records a call of a row, by its first method. Returns the response. @throws Error unless it succeeds. */
  readonly record: (name: string, sent: Titled) => Promise<Body>;
  /** Like `record`, without recording. */
  readonly prepare: (name: string, sent: Sent) => Promise<Body>;
  /** Records a problem under its code. @throws Error if the response has another code. */
  readonly recordProblem: (code: string, response: Promise<{ readonly body: Body }>) => Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the calls read into responses freely
type Body = any;

export const clientId = 'app_8Jr2tqkVZ0mXwL5yNcD3bQ';
export const json = { 'content-type': 'application/json' };

export function createRecorder(api: RunningApi): Recorder {
  const recorded: Recorder['recorded'] = { calls: {}, problems: {} } satisfies RecordedExamples;
  const send = async (name: string, { as, parameters = {} }: Sent, byOtherMethod = false) => {
    const route = routesByName[name];
    const method = route?.methods[byOtherMethod ? 1 : 0];
    if (route === undefined || method === undefined) throw new Error(`there is no row ${name}`);
    const acting = { client_id: clientId, ...(as === undefined ? {} : { acct: as }) };
    const { status, body } =
      method === 'GET'
        ? await api.call(`GET ${route.path}${queryOf(parameters)}`, { claims: acting })
        : await api.call(`POST ${route.path}`, { claims: acting, headers: json, body: JSON.stringify(parameters) });
    if (status !== 200) throw new Error(`${name}: ${String(status)} ${JSON.stringify(body)}`);
    return { body, operationId: operationIdOf(route.id, method, byOtherMethod) };
  };
  return {
    recorded,
    prepare: async (name, sent) => (await send(name, sent)).body,
    record: async (name, { title = 'Success', byOtherMethod, ...sent }) => {
      const { body, operationId } = await send(name, sent, byOtherMethod);
      (recorded.calls[operationId] ??= []).push({ title, request: sent.parameters ?? {}, response: body });
      return body;
    },
    recordProblem: async (code, response) => {
      const { body } = await response;
      if (body.code !== code) throw new Error(`expected ${code}: ${JSON.stringify(body)}`);
      recorded.problems[code] = body;
    },
  };
}

function operationIdOf(id: string, method: string, isOther: boolean): string {
  const name = id.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return isOther ? `${name}By${method === 'GET' ? 'Get' : 'Post'}` : name;
}

function queryOf(parameters: Parameters): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}
