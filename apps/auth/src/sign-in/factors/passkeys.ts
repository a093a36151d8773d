/** Passkeys (WebAuthn): discoverable, so no username is typed; with user verification, so each counts as two factors. */
import { isIP } from 'node:net';

import type { Queryable } from '@linnet/db/statement/transaction';
import type { CredentialDeviceType } from '@simplewebauthn/server';

import type { AuthenticationMethods } from '../../protocol/session/session.ts';
import type { SessionDb } from '../visit/session-db-store.ts';
import type { Challenges, ChallengeScope } from './challenge.ts';
import { readAssertion, readAttestation, readChallenge } from './passkey-answer.ts';
import {
  deletePasskey,
  findCredential,
  findCredentials,
  findPasskeys,
  insertPasskey,
  recordPasskeyUse,
} from './passkey-store.ts';
import type { Credential, Passkey } from './passkey-store.ts';

interface PasskeyOwner {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
}

interface VerifiedPasskey {
  readonly accountId: number;
  readonly methods: AuthenticationMethods;
  /** The account is deleted and can be restored. */
  readonly isHidden: boolean;
}

interface PasskeyRegistration {
  readonly accountId: number;
  readonly browser: string;
  /** The browser's response, as JSON. */
  readonly answer: string;
  readonly name: string;
}

export interface Passkeys {
  /** Browsers require a domain name and https, or localhost: false for an IP address or plain http. */
  readonly isPossible: boolean;
  /** Options for `navigator.credentials.create`, as JSON. `browser` is the CSRF token of the browser. */
  createRegistrationOptions(owner: PasskeyOwner, browser: string): Promise<string>;
  /** Returns false if the response is invalid, the passkey is registered already, or the account has the maximum number. */
  add(db: SessionDb, registration: PasskeyRegistration): Promise<boolean>;
  /** Options for `navigator.credentials.get`, as JSON: any passkey, or one of the account. Undefined if there can be none. */
  createSignInOptions(browser: string, accountId?: number): Promise<string | undefined>;
  /** Verifies the browser's response, once per challenge. Returns undefined if it is invalid. */
  verify(browser: string, answer: string): Promise<VerifiedPasskey | undefined>;
  /** Oldest first. */
  list(accountId: number): Promise<readonly Passkey[]>;
  remove(accountId: number, id: number): Promise<boolean>;
}

interface PasskeysOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  /** In its display form. */
  readonly serviceName: string;
  readonly challenges: Challenges;
}

export function createPasskeys(options: PasskeysOptions): Passkeys {
  const { db, baseUrl } = options;
  const { origin, hostname } = new URL(baseUrl);
  const verifier = { ...options, hostname, expected: { expectedOrigin: origin, expectedRPID: hostname } };
  return {
    isPossible: canHavePasskeys(baseUrl),
    createRegistrationOptions: (owner, browser) => createRegistrationOptions(verifier, owner, browser),
    add: (sessionDb, registration) => add(verifier, sessionDb, registration),
    createSignInOptions: (browser, accountId) => createSignInOptions(verifier, browser, accountId),
    verify: (browser, answer) => verify(verifier, browser, answer),
    list: async (accountId) => await findPasskeys(db, accountId),
    remove: async (accountId, id) => await deletePasskey(db, accountId, id),
  };
}

interface Verifier extends PasskeysOptions {
  readonly hostname: string;
  readonly expected: { readonly expectedOrigin: string; readonly expectedRPID: string };
}

/** Loaded with the first passkey: few people have one, and it loads libraries for certificates. */
async function webauthn() {
  return await import('@simplewebauthn/server');
}

const registrationScope = (accountId: number, browser: string): ChallengeScope => ({
  act: `add ${String(accountId)}`,
  browser,
});
const signInScope = (browser: string): ChallengeScope => ({ act: 'show', browser });

async function createRegistrationOptions(verifier: Verifier, owner: PasskeyOwner, browser: string): Promise<string> {
  const { db, challenges, hostname, serviceName } = verifier;
  const { accountId, username, displayName } = owner;
  const { generateRegistrationOptions } = await webauthn();
  const registrationOptions = await generateRegistrationOptions({
    rpName: serviceName,
    rpID: hostname,
    userID: userHandle(accountId),
    userName: username,
    userDisplayName: displayName,
    challenge: challenges.create(registrationScope(accountId, browser)),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: (await findCredentials(db, accountId)).map(describe),
    supportedAlgorithmIDs: [...algorithms],
    timeout: timeoutMs,
  });
  return JSON.stringify(registrationOptions);
}

async function add(
  { challenges, expected }: Verifier,
  sessionDb: SessionDb,
  registration: PasskeyRegistration,
): Promise<boolean> {
  const { accountId, browser, answer, name } = registration;
  const response = readAttestation(answer);
  if (response === undefined) return false;
  const { verifyRegistrationResponse } = await webauthn();
  const outcome = await orUndefined(
    verifyRegistrationResponse({
      ...expected,
      response,
      expectedChallenge: (given) => challenges.isValid(given, registrationScope(accountId, browser)),
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    }),
  );
  if (outcome?.verified !== true || !(await challenges.use(readChallenge(response)))) return false;
  const { id, publicKey, counter } = outcome.registrationInfo.credential;
  return await insertPasskey(sessionDb, {
    accountId,
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: response.response.transports ?? [],
    name,
  });
}

async function createSignInOptions(
  { db, baseUrl, challenges, hostname }: Verifier,
  browser: string,
  accountId?: number,
): Promise<string | undefined> {
  if (!canHavePasskeys(baseUrl)) return undefined;
  const allowed = accountId === undefined ? [] : await findCredentials(db, accountId);
  if (accountId !== undefined && allowed.length === 0) return undefined;
  const { generateAuthenticationOptions } = await webauthn();
  const signInOptions = await generateAuthenticationOptions({
    rpID: hostname,
    challenge: challenges.create(signInScope(browser)),
    userVerification: 'required',
    allowCredentials: allowed.map(describe),
    timeout: timeoutMs,
  });
  return JSON.stringify(signInOptions);
}

async function verify(
  { db, challenges, expected }: Verifier,
  browser: string,
  answer: string,
): Promise<VerifiedPasskey | undefined> {
  const response = readAssertion(answer);
  if (response === undefined) return undefined;
  const found = await findCredential(db, Buffer.from(response.id, 'base64url'));
  if (found === undefined || !isHandleOf(found, response.response.userHandle)) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const outcome = await orUndefined(
    verifyAuthenticationResponse({
      ...expected,
      response,
      expectedChallenge: (given) => challenges.isValid(given, signInScope(browser)),
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(found.publicKey), counter: found.signCount },
    }),
  );
  if (outcome?.verified !== true || !(await challenges.use(readChallenge(response)))) return undefined;
  const { newCounter, credentialDeviceType } = outcome.authenticationInfo;
  if (!(await recordPasskeyUse(db, found.id, newCounter))) return undefined;
  return { accountId: found.accountId, methods: methodsOf(credentialDeviceType), isHidden: found.isHidden };
}

/** RFC 8176: a synced key is a software key (`swk`). User verification makes it multi-factor. */
function methodsOf(device: CredentialDeviceType): AuthenticationMethods {
  return [device === 'multiDevice' ? 'swk' : 'hwk', 'mfa'];
}

const timeoutMs = 300_000;
/** EdDSA, ES256, RS256 (COSE): every authenticator supports one of them. */
const algorithms = [-8, -7, -257] as const;

function canHavePasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function describe({ credentialId, transports }: Credential) {
  return { id: credentialId.toString('base64url'), transports: [...transports] };
}

/** The user handle must not contain personal data (WebAuthn §14.6.1). */
function userHandle(accountId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`account ${String(accountId)}`));
}

/** The handle is optional when `allowCredentials` was given. */
function isHandleOf({ accountId }: Credential, handle = ''): boolean {
  return handle === '' || Buffer.from(userHandle(accountId)).equals(Buffer.from(handle, 'base64url'));
}

/** The library throws for every kind of invalid response; it does no I/O, so no other error is hidden. */
async function orUndefined<Result>(verification: Promise<Result>): Promise<Result | undefined> {
  return await verification.catch(() => undefined);
}
