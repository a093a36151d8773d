/**
 * An API that verifies access tokens itself and yet refuses revoked ones. It asks the authorization server about no token: it learns
 * from pushed security events, or from the status list. Needs: npm install jose
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';

import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';

const { ISSUER: issuer = 'http://localhost:3000', LEARNS_BY: learnsBy, PORT: port } = process.env;
const audience = process.env['AUDIENCE'] ?? ''; // the identifier of your API
const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));

/** Tokens are revoked whose `claim` has this value, and whose claim `epoch` is below, if there is one. */
interface Rule {
  readonly claim: string;
  readonly value: string | number;
  readonly epoch?: string;
  readonly below?: number;
}

// Keep them for an hour, as long as tokens live, and where all processes of your API find them.
const rules = new Map<string, Rule>();

/** Takes a security event token that was pushed (RFC 8935) or fetched (RFC 8936). Throws if it is not for this API. */
async function receive(event: string): Promise<void> {
  const { payload } = await jwtVerify(event, keys, { issuer, audience, typ: 'secevent+jwt' });
  const events = payload['events'] as Record<string, { tokens?: Rule }>; // signed by the service
  for (const { tokens } of Object.values(events)) {
    if (tokens !== undefined) rules.set(`${tokens.claim} ${String(tokens.value)}`, tokens);
  }
}

function isRevokedByEvent(claims: JWTPayload): boolean {
  return ['acct', 'client_id', 'gid', 'ch', 'jti', 'rs'].some((claim) => {
    const { epoch, below = 0 } = rules.get(`${claim} ${String(claims[claim])}`) ?? { epoch: 'none' };
    return epoch === undefined || Number(claims[epoch]) < below;
  });
}

interface List {
  readonly bits: Buffer;
  readonly until: number;
}

const lists = new Map<string, Promise<List>>();

async function fetchList(uri: string): Promise<List> {
  const expected = { issuer, subject: uri, typ: 'statuslist+jwt' };
  const { payload } = await jwtVerify(await (await fetch(uri)).text(), keys, expected);
  const { lst } = payload['status_list'] as { lst: string }; // likewise
  return { bits: inflateSync(Buffer.from(lst, 'base64url')), until: Date.now() + Number(payload['ttl']) * 1000 };
}

/** One request in some seconds, however many tokens are used. Throws if the list cannot be read: then refuse the token. */
async function isRevokedInList(claims: JWTPayload): Promise<boolean> {
  const status = claims['status'] as { status_list: { idx: number; uri: string } }; // likewise
  const { idx, uri } = status.status_list;
  let list = await lists.get(uri)?.catch(() => undefined);
  if (list === undefined || list.until < Date.now()) {
    const fetched = fetchList(uri);
    lists.set(uri, fetched);
    list = await fetched;
  }
  return (((list.bits[idx >> 3] ?? 255) >> (idx & 7)) & 1) === 1;
}

async function isAccepted(token: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
    return !(learnsBy === 'events' ? isRevokedByEvent(payload) : await isRevokedInList(payload));
  } catch {
    return false;
  }
}

async function respond(request: IncomingMessage): Promise<number> {
  if (request.method === 'POST' && request.url === '/events') {
    return await receive(await text(request)).then(
      () => 202,
      () => 400,
    );
  }
  return (await isAccepted(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) ? 200 : 401;
}

createServer((request, response) => {
  void respond(request).then((status) => response.writeHead(status).end());
}).listen(Number(port ?? 4000), '127.0.0.1');
