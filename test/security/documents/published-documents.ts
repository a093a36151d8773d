import { createDpopKey } from '@linnet/test/auth/dpop-key';
import { createSigningKey } from '@linnet/test/auth/signing-application';
import { decodeJwt } from 'jose';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';

import type { Visitor } from '../../conformance/oauth/world.ts';
import listed from './published-documents.json' with { type: 'json' };

/** A client ID metadata document as its client publishes it. The other members are for the service only. */
export interface PublishedDocument {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly token_endpoint_auth_signing_alg?: string;
  readonly jwks_uri?: string;
  readonly dpop_bound_access_tokens?: boolean;
}

export const publishedDocuments: readonly PublishedDocument[] = listed.map(({ document }) => document);

interface Connection {
  readonly issuer: string;
  readonly visitor: Visitor;
  readonly scope: string;
  /** Serves a document at a URL. */
  readonly serve: (url: string, document: object) => void;
}

interface Connected {
  /** The pages that the person saw. */
  readonly seen: readonly string[];
  readonly status: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Serves the document, and connects its client to the person through the redirect URI. A client on the person's device
 * listens on a free port. Keys at `jwks_uri` are of the test, because the client has the private ones.
 */
export async function connectPublished(
  document: PublishedDocument,
  listedUri: string,
  { issuer, visitor, scope, serve }: Connection,
): Promise<Connected> {
  const { client_id: clientId, jwks_uri: keys, token_endpoint_auth_signing_alg: algorithm = 'ES256' } = document;
  serve(clientId, document);
  const key = await createSigningKey(algorithm);
  if (keys !== undefined) serve(keys, { keys: [key.publicJwk] });
  const redirectUri = toRedirectUri(listedUri);
  const verifier = generateRandomCodeVerifier();
  const request = new URL(`${issuer}/oauth/authorize`);
  request.search = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope, state: 'state' },
    ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
  }).toString();
  const { seen, url, html } = await visitor.finish(request);
  const pages = [...seen.map((page) => page.html), html];
  const code = url.searchParams.get('code');
  if (code === null) return { seen: pages, status: 0, claims: {} };
  const isSigning = document.token_endpoint_auth_method === 'private_key_jwt';
  const dpop = await createDpopKey({ baseUrl: issuer });
  const response = await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    headers: document.dpop_bound_access_tokens === true ? { dpop: await dpop.prove() } : {},
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
      ...(isSigning ? await key.assertion({ baseUrl: issuer }, clientId) : { client_id: clientId }),
    }),
  });
  const { access_token: token = '' } = (await response.json()) as { access_token?: string }; // RFC 6749 §5.1
  return { seen: pages, status: response.status, claims: token === '' ? {} : decodeJwt(token) };
}

function toRedirectUri(listedUri: string): string {
  const url = new URL(listedUri);
  if (url.protocol === 'http:') url.port = '53127';
  return url.protocol === 'http:' ? url.href : listedUri;
}
