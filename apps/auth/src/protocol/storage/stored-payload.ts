/** What the provider hands over to be kept, and gets back. */
import type { AdapterPayload } from 'oidc-provider';

/** A record as the provider knows it; its id is not kept in clear and comes from the question. */
export function withId(id: string, payload: Readonly<Record<string, unknown>> | undefined): AdapterPayload | undefined {
  return payload === undefined ? undefined : { ...payload, jti: id };
}

/** The provider gives a lifetime to everything that is kept here. */
export function afterSeconds(seconds: number | undefined): Date {
  return new Date(Date.now() + (seconds ?? 0) * 1000);
}
