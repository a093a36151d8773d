/** Proof that the owner of a registered API controls its address: its own metadata (RFC 9728) names this service. */
import { z } from 'zod';

import { toStoredIdentifier } from './api-settings.ts';

/** Where the metadata of an API is (RFC 9728 §3.1). */
export function toMetadataUrl(identifier: string): string {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}

const metadataSchema = z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) });

/** Whether a document at that address is the metadata of the API and names the issuer, with or without `/` at the end. */
export function provesControl(document: unknown, identifier: string, issuer: string): boolean {
  const { data } = metadataSchema.safeParse(document);
  if (data === undefined || toStoredIdentifier(data.resource) !== identifier) return false;
  return data.authorization_servers.some((server) => toStoredIdentifier(server) === toStoredIdentifier(issuer));
}
