import type { World } from './world.ts';

/** Features of client libraries, named as in docs/evidence/interoperability.md. */
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

export type Flow = (typeof flows)[number];

/** The flows that a library supports. Each ends with an API request and returns its status. */
export type LibraryFlows = Readonly<Partial<Record<Flow, (world: World) => Promise<number>>>>;
