/** The second factor after a password: codes of an authenticator app, or recovery codes. */
import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';
import { z } from 'zod';

import { isSealedWithFirst, open, seal } from '@linnet/keys/sealing';
import type { SessionDb } from '../visit/session-db-store.ts';
import { findStep, generateRecoveryCodes, generateTotpSecret, hashRecoveryCode, totpUri } from './totp.ts';
import {
  deleteTotp,
  findSealedSecrets,
  findTotp,
  insertTotp,
  replaceCodes,
  replaceSealedSecret,
  useRecoveryCode,
  acceptStep,
} from './totp-store.ts';
import type { Totp } from './totp-store.ts';

/** An authenticator app that is being added. Nothing is stored until it has produced a correct code. */
interface Enrolment {
  /** Base32. */
  readonly secret: string;
  /** The `otpauth:` URI of the QR code. */
  readonly uri: string;
  /** The secret, sealed for a hidden field. */
  readonly sealed: string;
}

type EnrolmentOutcome =
  | { readonly kind: 'added'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong-code'; readonly enrolment: Enrolment }
  /** The page was open for too long, or belongs to another account. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'already-added' };

interface AcceptedCode {
  readonly isRecoveryCode: boolean;
  readonly codesLeft: number;
}

interface Person {
  readonly accountId: number;
  readonly username: string;
}

/** The fields of the form that adds an app. */
interface TypedEnrolment {
  readonly sealed: string;
  readonly code: string;
}

export interface SecondFactor {
  /** Returns undefined if the account has no second factor. */
  find(accountId: number): Promise<Pick<Totp, 'createdAt' | 'codesLeft'> | undefined>;
  begin(person: Person): Enrolment;
  /** Adds the app whose secret is in `sealed` if `code` is correct. */
  add(db: SessionDb, person: Person, typed: TypedEnrolment): Promise<EnrolmentOutcome>;
  /** Accepts a code of the app or a recovery code; each works once. Returns undefined for a wrong code. */
  acceptCode(accountId: number, typed: string): Promise<AcceptedCode | undefined>;
  /** Returns undefined if the account has no second factor. */
  replaceRecoveryCodes(db: SessionDb, accountId: number): Promise<readonly string[] | undefined>;
  remove(accountId: number): Promise<boolean>;
  /** Re-encrypts secrets that were sealed with an old key with the first of SECRET_KEYS, so that the old key can be removed. */
  reseal(): Promise<void>;
}

interface SecondFactorOptions {
  readonly db: Db;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  /** In its display form. */
  readonly serviceName: string;
}

const storedPurpose = 'linnet authenticator secret';
const enrolmentPurpose = 'linnet authenticator enrolment';
const enrolmentMs = 1_800_000;

const enrolmentSchema = z.object({ accountId: z.number(), secret: z.string(), until: z.number() });

export function createSecondFactor(options: SecondFactorOptions): SecondFactor {
  const { db, secretKeys } = options;
  return {
    find: async (accountId) => await findTotp(db, accountId),
    begin: (person) => {
      const secret = generateTotpSecret();
      const enrolment = { accountId: person.accountId, secret, until: Date.now() + enrolmentMs };
      const sealed = seal(JSON.stringify(enrolment), enrolmentPurpose, secretKeys);
      return describe(options, { secret, sealed }, person);
    },
    add: (sessionDb, person, typed) => add(options, sessionDb, { ...typed, person }),
    acceptCode: (accountId, typed) => acceptCode(options, accountId, typed),
    replaceRecoveryCodes: async (sessionDb, accountId) => {
      const codes = generateRecoveryCodes();
      return (await replaceCodes(sessionDb, accountId, hashAll(codes))) ? codes : undefined;
    },
    remove: async (accountId) => await deleteTotp(db, accountId),
    reseal: async () => {
      let last = 0;
      for (;;) {
        const page = await findSealedSecrets(db, last);
        for (const { accountId, secretJwe } of page) await resealOne(options, accountId, secretJwe);
        const end = page.at(-1);
        if (end === undefined) return;
        last = end.accountId;
      }
    },
  };
}

function describe(
  { serviceName }: SecondFactorOptions,
  { secret, sealed }: Pick<Enrolment, 'secret' | 'sealed'>,
  { username }: Person,
): Enrolment {
  return { secret, sealed, uri: totpUri(secret, { issuer: serviceName, username }) };
}

async function add(
  options: SecondFactorOptions,
  sessionDb: SessionDb,
  { person, sealed, code }: TypedEnrolment & { readonly person: Person },
): Promise<EnrolmentOutcome> {
  const { secretKeys } = options;
  const { accountId } = person;
  const secret = readEnrolment(options, sealed, person);
  if (secret === undefined) return { kind: 'expired' };
  const step = findStep(secret, code);
  if (step === undefined) return { kind: 'wrong-code', enrolment: describe(options, { secret, sealed }, person) };
  const recoveryCodes = generateRecoveryCodes();
  const secretJwe = seal(secret, storedPurpose, secretKeys);
  const isAdded = await insertTotp(sessionDb, { accountId, secretJwe, step, codes: hashAll(recoveryCodes) });
  return isAdded ? { kind: 'added', recoveryCodes } : { kind: 'already-added' };
}

function readEnrolment({ secretKeys }: SecondFactorOptions, sealed: string, { accountId }: Person): string | undefined {
  const text = open(sealed, enrolmentPurpose, secretKeys);
  if (text === undefined) return undefined;
  const enrolment = enrolmentSchema.parse(JSON.parse(text));
  return enrolment.accountId === accountId && enrolment.until > Date.now() ? enrolment.secret : undefined;
}

async function acceptCode(
  options: SecondFactorOptions,
  accountId: number,
  typed: string,
): Promise<AcceptedCode | undefined> {
  const { db, secretKeys } = options;
  const totp = await findTotp(db, accountId);
  if (totp === undefined) return undefined;
  const { secretJwe, codesLeft } = totp;
  // If its key was removed from SECRET_KEYS, only recovery codes work.
  const secret = open(secretJwe, storedPurpose, secretKeys);
  const step = secret === undefined ? undefined : findStep(secret, typed);
  if (step !== undefined && (await acceptStep(db, accountId, step))) return { isRecoveryCode: false, codesLeft };
  const sha256 = hashRecoveryCode(typed);
  if (sha256 === undefined || !(await useRecoveryCode(db, accountId, sha256))) return undefined;
  return { isRecoveryCode: true, codesLeft: codesLeft - 1 };
}

async function resealOne({ db, secretKeys }: SecondFactorOptions, accountId: number, secretJwe: string): Promise<void> {
  if (isSealedWithFirst(secretJwe, secretKeys)) return;
  const secret = open(secretJwe, storedPurpose, secretKeys);
  if (secret === undefined) return;
  await replaceSealedSecret(db, { accountId, from: secretJwe, to: seal(secret, storedPurpose, secretKeys) });
}

function hashAll(codes: readonly string[]): readonly Buffer[] {
  return codes.map((code) => {
    const sha256 = hashRecoveryCode(code);
    if (sha256 === undefined) throw new Error('a generated recovery code is malformed');
    return sha256;
  });
}
