/** What receivers read: descriptions of streams and security event tokens (RFC 8417), by Shared Signals Framework 1.0 and CAEP 1.0. */
import type { KeyRing } from '@linnet/keys/key-ring';
import { SignJWT, importJWK } from 'jose';

import { signalKinds } from './signal-store.ts';
import type { Signal, SignalKind, SignalledApi, Stream } from './signal-store.ts';

/** The types of events by kind. */
export const eventTypes: Readonly<Record<SignalKind, string>> = {
  'session.revoked': 'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
  'credential.changed': 'https://schemas.openid.net/secevent/caep/event-type/credential-change',
  'stream.verified': 'https://schemas.openid.net/secevent/ssf/event-type/verification',
};

interface SecurityEvent {
  readonly issuer: string;
  /** Of a webhook it is another; streams have these only. */
  readonly kind: string;
  readonly messageId: string;
  /** The stream. */
  readonly endpointId: number;
  readonly accountId: number;
  readonly happenedAt: Date;
  readonly signal: Signal;
  readonly api: SignalledApi;
}

/** The token. Every attempt has the same `jti`. */
export async function signSecurityEvent(keyRing: KeyRing, event: SecurityEvent): Promise<string> {
  const { issuer, kind, messageId, signal, api, happenedAt } = event;
  const jwk = keyRing.current[api.alg];
  const { state, ...change } = signal;
  const isVerification = kind === 'stream.verified';
  const at = { event_timestamp: Math.floor(happenedAt.getTime() / 1000) };
  const { claim, value, epoch, below, ...credential } = change;
  // What the standard leaves open: exactly which tokens are revoked.
  const tokens = claim === undefined ? {} : { tokens: { claim, value, epoch, below } };
  const said = isVerification ? { state } : { ...at, ...credential, ...tokens };
  const type = eventTypes[kind as SignalKind]; // triggers write a signal with these kinds only
  return await new SignJWT({ sub_id: toSubject(event), events: { [type]: said } })
    .setProtectedHeader({ alg: api.alg, kid: jwk.kid, typ: 'secevent+jwt' })
    .setIssuer(issuer)
    .setAudience(api.identifier)
    .setJti(messageId)
    .setIssuedAt()
    .sign(await importJWK({ ...jwk }, api.alg));
}

/** Whom it is about (RFC 9493, SSF §3): a person, one of their authorizations, one token, or an application. */
function toSubject({ issuer, kind, endpointId, accountId, signal: { claim, value }, api }: SecurityEvent): object {
  if (kind === 'stream.verified') return { format: 'opaque', id: String(endpointId) };
  const user = { format: 'iss_sub', iss: issuer, sub: String(accountId) };
  const opaque = { format: 'opaque', id: String(value) };
  switch (claim) {
    case 'gid':
    case 'ch':
      return { format: 'complex', user, session: opaque };
    case 'jti':
      return { format: 'jwt_id', iss: issuer, jti: value };
    case 'client_id':
      return { format: 'complex', application: opaque };
    case 'rs':
      return { format: 'uri', uri: api.identifier };
    default:
      return user;
  }
}

/** Of a push (RFC 8935 §2). `authorization`: the header that the receiver asked for; empty: none. */
export function toPushHeaders(authorization: string): Readonly<Record<string, string>> {
  const headers = { 'content-type': 'application/secevent+jwt', accept: 'application/json' };
  return authorization === '' ? headers : { ...headers, authorization };
}

/** Below `/oauth/ssf`. */
export const streamPaths = {
  configuration: '/.well-known/ssf-configuration',
  stream: '/oauth/ssf/stream',
  status: '/oauth/ssf/status',
  verification: '/oauth/ssf/verify',
  /** Each polled stream has a path below it. */
  poll: '/oauth/ssf/poll',
} as const;

/** By RFC. */
export const deliveryMethods = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' } as const;

/** GET /.well-known/ssf-configuration (SSF §7.1) */
export function describeTransmitter(baseUrl: string) {
  return {
    spec_version: '1_0',
    issuer: baseUrl,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    delivery_methods_supported: Object.values(deliveryMethods),
    configuration_endpoint: baseUrl + streamPaths.stream,
    status_endpoint: baseUrl + streamPaths.status,
    verification_endpoint: baseUrl + streamPaths.verification,
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    default_subjects: 'ALL',
  };
}

/** The configuration of a stream (SSF §8.1.1). */
export function describeStream(baseUrl: string, { id, api, isPolled, url, kinds, description }: Stream) {
  const delivered = kinds.map((kind) => eventTypes[kind]);
  return {
    stream_id: String(id),
    iss: baseUrl,
    aud: api.identifier,
    delivery: { method: isPolled ? deliveryMethods.poll : deliveryMethods.push, endpoint_url: url },
    events_supported: signalKinds.map((kind) => eventTypes[kind]),
    events_requested: delivered,
    events_delivered: delivered,
    ...(description === null ? {} : { description }),
  };
}

/** Its status (SSF §8.1.2). */
export function describeStatus({ id, isPaused, offSince }: Stream) {
  if (offSince !== null) return { stream_id: String(id), status: 'disabled' };
  return { stream_id: String(id), status: isPaused ? 'paused' : 'enabled' };
}
