/** Passkeys (WebAuthn): discoverable, so that nobody types a name; with user verification, so that they are two factors in one. */
import { isIP } from 'node:net';

import type { Queryable } from '@linnet/db/database';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { CredentialDeviceType } from '@simplewebauthn/server';

import type { AuthenticationMethods } from '../../protocol/session/session.ts';
import type { Challenges, ChallengeScope } from './challenge.ts';
import { readAssertion, readAttestation, readChallenge } from './passkey-answer.ts';
import {
  deletePasskey,
  findCredential,
  findCredentials,
  findPasskeys,
  insertPasskey,
  markPasskeyUsed,
} from './passkey-store.ts';
import type { Credential, Passkey } from './passkey-store.ts';

/** Who a passkey is for. */
interface PasskeyOwner {
  readonly accountId: number;
  readonly username: string;
  readonly displayName: string;
}

/** A passkey that answered. */
interface ShownPasskey {
  readonly accountId: number;
  readonly methods: AuthenticationMethods;
}

interface AddedPasskey {
  readonly accountId: number;
  readonly browser: string;
  readonly answer: string;
  readonly name: string;
}

export interface Passkeys {
  /** Browsers know them for names alone, on https or localhost: false under an IP address, or over plain http. */
  readonly isPossible: boolean;
  /** What the browser's `navigator.credentials.create` is given, as JSON. `browser` is the token of its forms. */
  askToAdd(owner: PasskeyOwner, browser: string): Promise<string>;
  /** Adds what the browser answered; false when the answer is no good, somebody has it, or there are too many. */
  add(added: AddedPasskey): Promise<boolean>;
  /** What `navigator.credentials.get` is given: any passkey, or one of the account. */
  ask(browser: string, accountId?: number): Promise<string>;
  /** Whose passkey answered, once for each question; undefined when the answer is no good. */
  check(browser: string, answer: string): Promise<ShownPasskey | undefined>;
  /** The oldest first. */
  list(accountId: number): Promise<readonly Passkey[]>;
  remove(accountId: number, id: number): Promise<boolean>;
}

interface PasskeysOptions {
  readonly db: Queryable;
  readonly baseUrl: string;
  /** As people know it. */
  readonly serviceName: string;
  readonly challenges: Challenges;
}

export function createPasskeys(options: PasskeysOptions): Passkeys {
  const { db, baseUrl } = options;
  const { origin, hostname } = new URL(baseUrl);
  const checker = { ...options, hostname, expected: { expectedOrigin: origin, expectedRPID: hostname } };
  return {
    isPossible: canHavePasskeys(baseUrl),
    askToAdd: (owner, browser) => askToAdd(checker, owner, browser),
    add: (added) => add(checker, added),
    ask: (browser, accountId) => ask(checker, browser, accountId),
    check: (browser, answer) => check(checker, browser, answer),
    list: async (accountId) => await findPasskeys(db, accountId),
    remove: async (accountId, id) => await deletePasskey(db, accountId, id),
  };
}

interface Checker extends PasskeysOptions {
  readonly hostname: string;
  readonly expected: { readonly expectedOrigin: string; readonly expectedRPID: string };
}

const adding = (accountId: number, browser: string): ChallengeScope => ({ act: `add ${String(accountId)}`, browser });
const showing = (browser: string): ChallengeScope => ({ act: 'show', browser });

async function askToAdd(checker: Checker, owner: PasskeyOwner, browser: string): Promise<string> {
  const { db, challenges, hostname, serviceName } = checker;
  const { accountId, username, displayName } = owner;
  const question = await generateRegistrationOptions({
    rpName: serviceName,
    rpID: hostname,
    userID: userHandle(accountId),
    userName: username,
    userDisplayName: displayName,
    challenge: challenges.make(adding(accountId, browser)),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: (await findCredentials(db, accountId)).map(describe),
    supportedAlgorithmIDs: [...algorithms],
    timeout: askTimeoutMs,
  });
  return JSON.stringify(question);
}

async function add({ db, challenges, expected }: Checker, added: AddedPasskey): Promise<boolean> {
  const { accountId, browser, answer, name } = added;
  const response = readAttestation(answer);
  if (response === undefined) return false;
  const outcome = await unlessRefused(
    verifyRegistrationResponse({
      ...expected,
      response,
      expectedChallenge: (given) => challenges.isGood(given, adding(accountId, browser)),
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    }),
  );
  if (outcome?.verified !== true || !(await challenges.use(readChallenge(response)))) return false;
  const { id, publicKey, counter } = outcome.registrationInfo.credential;
  return await insertPasskey(db, {
    accountId,
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: response.response.transports ?? [],
    name,
  });
}

async function ask({ db, challenges, hostname }: Checker, browser: string, accountId?: number): Promise<string> {
  const allowed = accountId === undefined ? [] : await findCredentials(db, accountId);
  const question = await generateAuthenticationOptions({
    rpID: hostname,
    challenge: challenges.make(showing(browser)),
    userVerification: 'required',
    allowCredentials: allowed.map(describe),
    timeout: askTimeoutMs,
  });
  return JSON.stringify(question);
}

async function check(
  { db, challenges, expected }: Checker,
  browser: string,
  answer: string,
): Promise<ShownPasskey | undefined> {
  const response = readAssertion(answer);
  if (response === undefined) return undefined;
  const found = await findCredential(db, Buffer.from(response.id, 'base64url'));
  if (found === undefined || !isHandleOf(found, response.response.userHandle)) return undefined;
  const outcome = await unlessRefused(
    verifyAuthenticationResponse({
      ...expected,
      response,
      expectedChallenge: (given) => challenges.isGood(given, showing(browser)),
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(found.publicKey), counter: found.signCount },
    }),
  );
  if (outcome?.verified !== true || !(await challenges.use(readChallenge(response)))) return undefined;
  const { newCounter, credentialDeviceType } = outcome.authenticationInfo;
  if (!(await markPasskeyUsed(db, found.id, newCounter))) return undefined;
  return { accountId: found.accountId, methods: methodsOf(credentialDeviceType) };
}

/** RFC 8176: a key that is copied among devices is kept by software. Its owner unlocked it, which is a factor more. */
function methodsOf(device: CredentialDeviceType): AuthenticationMethods {
  return [device === 'multiDevice' ? 'swk' : 'hwk', 'mfa'];
}

const askTimeoutMs = 300_000;
/** EdDSA, ES256, RS256 (COSE): what every authenticator knows one of. */
const algorithms = [-8, -7, -257] as const;

function canHavePasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function describe({ credentialId, transports }: Credential) {
  return { id: credentialId.toString('base64url'), transports: [...transports] };
}

/** What the authenticator keeps of whose it is: the id, which tells nothing of the person (WebAuthn §14.6.1). */
function userHandle(accountId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`account ${String(accountId)}`));
}

/** An authenticator that was told which passkey to take need not say whose it is. */
function isHandleOf({ accountId }: Credential, handle = ''): boolean {
  return handle === '' || Buffer.from(userHandle(accountId)).equals(Buffer.from(handle, 'base64url'));
}

/** The library throws for whatever is wrong with an answer; it asks nobody else. */
async function unlessRefused<Result>(checking: Promise<Result>): Promise<Result | undefined> {
  return await checking.catch(() => undefined);
}
