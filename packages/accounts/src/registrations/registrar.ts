/** Who may register (REGISTRATION): for the registration page, inside and outside of a sign-in, and for POST /auth/register. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import type { Account, Registration } from '../account.ts';
import type { NameRules } from '../names/name-rules.ts';
import { hashPassword } from '../password/password-change.ts';
import { register } from './register.ts';
import { insertRequest } from './request-store.ts';
import type { RequestOrigin } from './request-store.ts';

/** `approval`: an operator decides about each registration. */
export type RegistrationMode = 'open' | 'approval' | 'invitation' | 'closed';

export interface Attempt extends RequestOrigin {
  readonly registration: Registration;
}

export interface Registered {
  /** If it is pending, the account as it will be. */
  readonly account: Account;
  /** An operator has to approve it first. */
  readonly isPending: boolean;
}

/** Nobody can register, or not without an invitation. */
export class RegistrationClosed extends Error {
  override readonly name = 'RegistrationClosed';
  readonly why: 'closed' | 'invitation';

  constructor(why: 'closed' | 'invitation') {
    super(why === 'closed' ? 'Registration is closed.' : 'Registration needs an invitation.');
    this.why = why;
  }
}

export interface Registrar {
  readonly mode: RegistrationMode;
  /** Before the password is hashed, which takes tens of milliseconds. @throws RegistrationClosed */
  requireOpen(): void;
  /** @throws RegistrationClosed, AccountTaken, NameRefused, HashQueueFull */
  register(attempt: Attempt): Promise<Registered>;
  /** Like `register`, in a transaction; takes a hash made by `hashPassword`. */
  registerInTransaction(tx: Queryable, attempt: Attempt, passwordHash: string): Promise<Registered>;
}

interface RegistrarOptions {
  readonly db: Transactional;
  readonly mode: RegistrationMode;
  readonly rules: NameRules;
}

export function createRegistrar({ db, mode, rules }: RegistrarOptions): Registrar {
  const requireOpen = (): void => {
    if (mode === 'closed' || mode === 'invitation') throw new RegistrationClosed(mode);
  };

  async function registerInTransaction(
    tx: Queryable,
    { registration, ...origin }: Attempt,
    passwordHash: string,
  ): Promise<Registered> {
    requireOpen();
    const isPending = mode === 'approval';
    const insert = isPending ? insertRequest(origin) : undefined;
    const makeHash = () => Promise.resolve(passwordHash);
    return { account: await register({ db: tx, rules, insert }, registration, makeHash), isPending };
  }

  return {
    mode,
    requireOpen,
    register: async (attempt) => {
      requireOpen();
      const passwordHash = await hashPassword(attempt.registration.password);
      return await db.transaction((tx) => registerInTransaction(tx, attempt, passwordHash));
    },
    registerInTransaction,
  };
}
