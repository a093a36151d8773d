/** The reference as a Postman collection (format 2.1), which Postman, Bruno, Insomnia and newman read. */
import type { Reference, ReferenceOperation } from './reference-model.ts';
import { membersOf } from './schema-fields.ts';
import { textOf } from './samples.ts';
import type { Field } from './schema-fields.ts';

interface CollectionOptions {
  /** The service name as people read it. */
  readonly serviceName: string;
  /** The public address of the service. */
  readonly baseUrl: string;
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function createPostmanCollection({ subjects }: Reference, { serviceName, baseUrl }: CollectionOptions): object {
  return {
    info: {
      name: `${serviceName} API`,
      description:
        'Set the variable token to an access token; OAuth requests take clientId and clientSecret. Optional parameters are switched off.',
      schema,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'token', value: '' },
      { key: 'clientId', value: '' },
      { key: 'clientSecret', value: '' },
    ],
    item: subjects.map(({ name, description, operations }) => ({
      name,
      description,
      // A page for browsers is no request of a collection, and a stream never ends.
      item: operations
        .filter(({ returns, isStream }) => returns !== '' && !isStream)
        .map((operation) => toItem(operation, baseUrl)),
    })),
  };
}

function toItem(operation: ReferenceOperation, baseUrl: string): object {
  const { title, method, description, url, parameters, requests, responses, bodyType, isOfClient } = operation;
  const path = url.slice(baseUrl.length);
  const query = method === 'GET' ? parameters.map(toQuery) : [];
  const sent = parameters.filter(({ example }) => method === 'GET' && example !== undefined);
  const text = new URLSearchParams(sent.map(({ name, example }) => [name, textOf(example)])).toString();
  const request = {
    method,
    description,
    header: [{ key: 'Accept', value: 'application/json' }],
    url: {
      raw: `{{baseUrl}}${path}${text === '' ? '' : `?${text}`}`,
      host: ['{{baseUrl}}'],
      path: path.split('/').slice(1),
      ...(query.length === 0 ? {} : { query }),
    },
    ...(isOfClient ? { auth: basic } : {}),
    ...(method === 'POST' ? { body: toBody(requests[0]?.value ?? {}, bodyType) } : {}),
  };
  return {
    name: title,
    request,
    response: responses.map((example) => ({
      name: example.title,
      originalRequest: request,
      status: 'OK',
      code: 200,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: JSON.stringify(example.value, null, 2),
    })),
  };
}

function toQuery({ name, example, description, isRequired }: Field): object {
  return { key: name, value: example === undefined ? '' : textOf(example), description, disabled: !isRequired };
}

const basic = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{clientId}}', type: 'string' },
    { key: 'password', value: '{{clientSecret}}', type: 'string' },
  ],
};

function toBody(value: unknown, type: string): object {
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(membersOf(value));
    return { mode: 'urlencoded', urlencoded: fields.map(([key, one]) => ({ key, value: textOf(one), type: 'text' })) };
  }
  return { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } };
}
