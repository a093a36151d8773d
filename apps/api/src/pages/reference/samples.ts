/** Requests as people paste them: curl, and fetch. Each has `Accept`, which the API requires. */
import type { Operation } from './published-document.ts';
import { membersOf } from './schema-fields.ts';
import type { Field } from './schema-fields.ts';

export interface Sample {
  readonly language: string;
  readonly code: string;
}

interface Sampled {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  readonly parameters: readonly Field[];
  /** The example of the body, if any. */
  readonly body: unknown;
  /** Whether the response stays open, and sends events. */
  readonly isStream: boolean;
}

export function samplesOf(sampled: Sampled): readonly Sample[] {
  const curl = { language: 'curl', code: asCurl(sampled) };
  // What reads a stream is in the guide.
  return sampled.isStream ? [curl] : [curl, { language: 'JavaScript', code: asFetch(sampled) }];
}

interface Request {
  readonly address: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** curl reads the client's id and secret from its own option. */
  readonly isOfClient: boolean;
  readonly body: string | undefined;
}

function toRequest({ operation, method, url, parameters, body, isStream }: Sampled): Request {
  const schemes = new Set((operation.security ?? []).flatMap((one) => Object.keys(one)));
  const given = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, textOf(example)]]));
  const query = method === 'GET' ? new URLSearchParams(given).toString() : '';
  const text = method === 'POST' && body !== undefined ? bodyOf(operation, body) : undefined;
  return {
    address: query === '' ? url : `${url}?${query}`,
    headers: [
      ...(schemes.has('bearer') ? [['Authorization', 'Bearer $TOKEN'] as const] : []),
      ['Accept', isStream ? 'text/event-stream' : 'application/json'],
      ...(text === undefined ? [] : [['Content-Type', typeOf(operation)] as const]),
    ],
    isOfClient: schemes.has('clientSecret'),
    body: text,
  };
}

/** JSON where the operation takes it. */
function typeOf({ requestBody }: Operation): string {
  return Object.keys(requestBody?.content ?? {})[0] ?? 'application/json';
}

function bodyOf(operation: Operation, body: unknown): string {
  if (typeOf(operation) === 'application/json') return JSON.stringify(body);
  const fields = Object.entries(membersOf(body)).map(([name, value]) => [name, textOf(value)]);
  return new URLSearchParams(fields).toString();
}

/** A value as the query or a form has it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value);
}

function asCurl(sampled: Sampled): string {
  const { address, headers, isOfClient, body } = toRequest(sampled);
  const lines = [
    `curl${sampled.isStream ? ' -N' : ''}${sampled.method === 'POST' && body === undefined ? ' -X POST' : ''} '${address}'`,
    ...(isOfClient ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...headers.map(([name, value]) => `-H ${value.includes('$') ? `"${name}: ${value}"` : `'${name}: ${value}'`}`),
    ...(body === undefined ? [] : [`-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function asFetch(sampled: Sampled): string {
  const { address, headers, isOfClient, body } = toRequest(sampled);
  const basic: readonly (readonly [string, string])[] = isOfClient ? [['Authorization', 'Basic $CREDENTIALS']] : [];
  const written = [...basic, ...headers].map(([name, value]) => {
    const text = value.includes('$')
      ? `\`${value.replace('$TOKEN', '${token}').replace('$CREDENTIALS', '${credentials}')}\``
      : `'${value}'`;
    return `    ${/^\w+$/.test(name) ? name : `'${name}'`}: ${text},`;
  });
  const sent = body === undefined ? [] : [`  body: ${body.startsWith('{') ? `JSON.stringify(${body})` : `'${body}'`},`];
  return [
    `const response = await fetch('${address}', {`,
    ...(sampled.method === 'GET' ? [] : [`  method: '${sampled.method}',`]),
    '  headers: {',
    ...written,
    '  },',
    ...sent,
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}
