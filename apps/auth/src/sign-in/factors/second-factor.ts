/** The second factor after a password: codes of an authenticator app, or recovery codes instead. */
import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/secret';
import { z } from 'zod';

import { isSealedWithFirst, open, seal } from '@linnet/keys/sealing';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-code.ts';
import {
  deleteTotp,
  findSealedSecrets,
  findTotp,
  insertTotp,
  replaceCodes,
  replaceSealedSecret,
  takeRecoveryCode,
  takeStep,
} from './totp-store.ts';
import type { Totp } from './totp-store.ts';
import { findStep, makeTotpSecret, totpAddress } from './totp.ts';

/** An authenticator app that is about to be added: nothing is stored before it has proved itself. */
interface Enrolment {
  /** Base32. */
  readonly secret: string;
  /** What the QR code says. */
  readonly address: string;
  /** The same sealed, for a hidden field. */
  readonly sealed: string;
}

type EnrolmentOutcome =
  | { readonly kind: 'added'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong-code'; readonly enrolment: Enrolment }
  /** The page was open for too long, or was another person's. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'there-is-one' };

/** What a code was, and how many recovery codes are left. */
interface TakenCode {
  readonly isRecoveryCode: boolean;
  readonly codesLeft: number;
}

interface Person {
  readonly accountId: number;
  readonly username: string;
}

export interface SecondFactor {
  /** Undefined: the password is enough. */
  find(accountId: number): Promise<Pick<Totp, 'createdAt' | 'codesLeft'> | undefined>;
  begin(person: Person): Promise<Enrolment>;
  /** Adds the app that `sealed` is of when `code` is one that it shows. */
  add(person: Person, sealed: string, code: string): Promise<EnrolmentOutcome>;
  /** Takes a code of the app or a recovery code, each once; undefined for a wrong one. */
  take(accountId: number, typed: string): Promise<TakenCode | undefined>;
  /** Recovery codes in the place of the former ones; undefined without an app. */
  renewRecoveryCodes(accountId: number): Promise<readonly string[] | undefined>;
  remove(accountId: number): Promise<boolean>;
  /** Seals with the first of SECRET_KEYS what was sealed with another, so that the other can be given up. */
  reseal(): Promise<void>;
}

interface SecondFactorOptions {
  readonly db: Db;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  /** As apps show it. */
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
    begin: async (person) => {
      const secret = makeTotpSecret();
      const enrolment = { accountId: person.accountId, secret, until: Date.now() + enrolmentMs };
      const sealed = await seal(JSON.stringify(enrolment), enrolmentPurpose, secretKeys);
      return describe(options, { secret, sealed }, person);
    },
    add: (person, sealed, code) => add(options, person, { sealed, code }),
    take: (accountId, typed) => take(options, accountId, typed),
    renewRecoveryCodes: async (accountId) => {
      const codes = makeRecoveryCodes();
      return (await replaceCodes(db, accountId, hashAll(codes))) ? codes : undefined;
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
  return { secret, sealed, address: totpAddress(secret, { issuer: serviceName, username }) };
}

async function add(
  options: SecondFactorOptions,
  person: Person,
  { sealed, code }: { readonly sealed: string; readonly code: string },
): Promise<EnrolmentOutcome> {
  const { db, secretKeys } = options;
  const { accountId } = person;
  const secret = await readEnrolment(options, sealed, person);
  if (secret === undefined) return { kind: 'expired' };
  const step = findStep(secret, code);
  if (step === undefined) return { kind: 'wrong-code', enrolment: describe(options, { secret, sealed }, person) };
  const recoveryCodes = makeRecoveryCodes();
  const secretJwe = await seal(secret, storedPurpose, secretKeys);
  const isAdded = await insertTotp(db, { accountId, secretJwe, step, codes: hashAll(recoveryCodes) });
  return isAdded ? { kind: 'added', recoveryCodes } : { kind: 'there-is-one' };
}

async function readEnrolment(
  { secretKeys }: SecondFactorOptions,
  sealed: string,
  { accountId }: Person,
): Promise<string | undefined> {
  const text = await open(sealed, enrolmentPurpose, secretKeys);
  if (text === undefined) return undefined;
  const enrolment = enrolmentSchema.parse(JSON.parse(text));
  return enrolment.accountId === accountId && enrolment.until > Date.now() ? enrolment.secret : undefined;
}

async function take(options: SecondFactorOptions, accountId: number, typed: string): Promise<TakenCode | undefined> {
  const { db, secretKeys } = options;
  const totp = await findTotp(db, accountId);
  if (totp === undefined) return undefined;
  const { secretJwe, codesLeft } = totp;
  // Without the key that it was sealed with, only recovery codes are left.
  const secret = await open(secretJwe, storedPurpose, secretKeys);
  const step = secret === undefined ? undefined : findStep(secret, typed);
  if (step !== undefined && (await takeStep(db, accountId, step))) return { isRecoveryCode: false, codesLeft };
  const sha256 = hashRecoveryCode(typed);
  if (sha256 === undefined || !(await takeRecoveryCode(db, accountId, sha256))) return undefined;
  return { isRecoveryCode: true, codesLeft: codesLeft - 1 };
}

async function resealOne({ db, secretKeys }: SecondFactorOptions, accountId: number, former: string): Promise<void> {
  if (isSealedWithFirst(former, secretKeys)) return;
  const secret = await open(former, storedPurpose, secretKeys);
  if (secret === undefined) return;
  await replaceSealedSecret(db, { accountId, former, jwe: await seal(secret, storedPurpose, secretKeys) });
}

function hashAll(codes: readonly string[]): readonly Buffer[] {
  return codes.flatMap((code) => hashRecoveryCode(code) ?? []);
}
