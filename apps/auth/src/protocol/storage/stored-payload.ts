/** Conversions between the records of the provider and the stored ones. */
import type { AdapterPayload } from 'oidc-provider';

/** Adds the id, which is not stored in clear text. */
export function withId(id: string, payload: Readonly<Record<string, unknown>> | undefined): AdapterPayload | undefined {
  return payload === undefined ? undefined : { ...payload, jti: id };
}

/** @throws TypeError without a lifetime; the provider gives one to every record that is stored here. */
export function afterSeconds(seconds: number | undefined): Date {
  if (seconds === undefined) throw new TypeError('the provider saved a record without a lifetime');
  return new Date(Date.now() + seconds * 1000);
}
