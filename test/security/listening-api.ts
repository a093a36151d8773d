import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { inflateSync } from 'node:zlib';

import { registerOutsideApi } from '../support/auth/outside-api.ts';
import type { OutsideApiFixture } from '../support/auth/outside-api.ts';
import { basic } from '../support/auth/running-auth.ts';
import { isRevokedBy, readSignal } from '../support/auth/signal-receiver.ts';
import type { SignalReceiver } from '../support/auth/signal-receiver.ts';
import type { RevocationServers } from '../support/revocation-servers.ts';

type State = 'works' | 'ended';

/** How an API learns of revoked tokens. */
export const waysToLearn = ['introspect', 'read the status list', 'get pushed events', 'poll events'] as const;
type Way = (typeof waysToLearn)[number];

/** A registered API with an owner, a pushed and a polled event stream of its own. */
export interface ListeningApi extends OutsideApiFixture {
  /** Undefined: not known yet, because an event is on its way. */
  ask(way: Way, token: string): Promise<State | undefined>;
}

/** Registers an API that learns in every way. Nobody acknowledges the events that are polled. */
export async function registerListeningApi(
  servers: RevocationServers,
  receiver: SignalReceiver,
): Promise<ListeningApi> {
  const { auth, database } = servers;
  const api = await registerOutsideApi({ ...auth, db: database.db });
  const pushed = await createStream(servers, api, {
    method: 'urn:ietf:rfc:8935',
    endpoint_url: pushUrl(receiver, api),
  });
  const polled = await createStream(servers, api, { method: 'urn:ietf:rfc:8936' });
  const ways: Readonly<Record<Way, (token: string) => Promise<State | undefined>>> = {
    introspect: async (token) => ((await api.introspect(token))['active'] === true ? 'works' : 'ended'),
    'read the status list': async (token) => toState(await isListed(servers, decodeJwt(token))),
    'get pushed events': async (token) => {
      const signals = receiver.received.filter((one) => decodeJwt(one.token).aud === api.identifier);
      if (isRevokedBy(signals, decodeJwt(token))) return 'ended';
      const where = { endpointId: BigInt(pushed), state: 'pending' } as const;
      return (await database.db.prisma.webhookDelivery.count({ where })) === 0 ? 'works' : undefined;
    },
    'poll events': async (token) => {
      const { status, json } = await send(servers, api, [`poll/${polled}`, { returnImmediately: true }]);
      // Whose stream has ended knows of no revocation any more.
      if (status === 401 || status === 404) return 'ended';
      const sets = Object.values(json['sets'] as Record<string, string>); // RFC 8936 §2.5
      return toState(isRevokedBy(sets.map(readSignal), decodeJwt(token)));
    },
  };
  return {
    ...api,
    ask: async (way, token) => ((await isSigned(servers, token)) ? await ways[way](token) : 'ended'),
  };
}

const toState = (isRevoked: boolean): State => (isRevoked ? 'ended' : 'works');
const pushUrl = ({ url }: SignalReceiver, { id }: OutsideApiFixture) => `${url}/${String(id)}`;

async function createStream(servers: RevocationServers, api: OutsideApiFixture, delivery: object): Promise<string> {
  const { status, json, text } = await send(servers, api, ['stream', { delivery }]);
  if (status !== 201) throw new Error(`the stream: ${String(status)} ${text}`);
  return String(json['stream_id']);
}

/** As the application of the API, with a new token: 401 if it gets none. */
async function send({ auth }: RevocationServers, api: OutsideApiFixture, [path, body]: readonly [string, object]) {
  const form = { grant_type: 'client_credentials' };
  const issued = await auth.requestToken(form, basic(api.clientId, api.clientSecret));
  return await auth.send({
    ...{ method: 'POST', path: `/oauth/ssf/${path}`, body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${issued.json.access_token}`, 'content-type': 'application/json' },
  });
}

/** Whether the key of the token is still published. */
async function isSigned({ auth }: RevocationServers, token: string): Promise<boolean> {
  const keys = createLocalJWKSet((await auth.send({ path: '/oauth/jwks' })).json as unknown as JSONWebKeySet); // RFC 7517 §5
  return await jwtVerify(token, keys).then(
    () => true,
    () => false,
  );
}

async function isListed({ auth }: RevocationServers, claims: JWTPayload): Promise<boolean> {
  const { status_list: place } = claims['status'] as { status_list: { idx: number; uri: string } }; // draft-ietf-oauth-status-list §6.1
  const { status, text } = await auth.send({ path: new URL(place.uri).pathname });
  if (status !== 200) throw new Error(`the status list: ${String(status)} ${text}`);
  const { lst } = decodeJwt(text)['status_list'] as { lst: string }; // likewise §5.1
  const bits = inflateSync(Buffer.from(lst, 'base64url'));
  return (((bits[place.idx >> 3] ?? 0) >> (place.idx & 7)) & 1) === 1;
}
