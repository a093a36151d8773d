import type { Fields } from '../modules/module.ts';
import type { RegisteredApplication } from '../world.ts';
import type { RawClient } from './raw-client.ts';

interface Credentials {
  readonly header: Readonly<Record<string, string>>;
  readonly fields: Fields;
}

/** The header and the parameters with which the client authenticates at the token endpoint. */
export function authenticate(
  method: RawClient['token']['authentication'],
  { id, secret }: RegisteredApplication,
): Credentials {
  const basic = (text: string) => ({ header: { authorization: `Basic ${btoa(text)}` }, fields: {} });
  const methods: Readonly<Record<typeof method, Credentials>> = {
    basic: basic(`${id}:${secret}`),
    'basic, encoded': basic(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`),
    body: { header: {}, fields: { client_id: id, client_secret: secret } },
    none: { header: {}, fields: { client_id: id } },
  };
  return methods[method];
}
