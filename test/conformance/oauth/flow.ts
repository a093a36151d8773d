import type { World } from './world.ts';

/** What a client library may be able to do, in the words of the table in docs/interoperability.md. */
export const flows = [
  'code + PKCE, confidential',
  'code + PKCE, public',
  'refresh',
  'client credentials',
  'sign-in (OpenID Connect)',
  'PAR',
  'private_key_jwt',
  'device',
  'DPoP',
] as const;

type Flow = (typeof flows)[number];

/** The flows that a library has; each ends with a call of the API, whose status it gives. */
export type LibraryFlows = Readonly<Partial<Record<Flow, (world: World) => Promise<number>>>>;
