/** Who may register (REGISTRATION): for the registration page, inside and outside of a sign-in, and for POST /auth/register. */
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import type { Account, Registration } from '../account.ts';
import type { NameRules } from '../names/name-rules.ts';
import { hashPassword } from '../password/password-change.ts';
import { recordInvitation, takeInvitation } from './invitation-store.ts';
import { register } from './register.ts';
import { insertRequest } from './request-store.ts';
import type { RequestOrigin } from './request-store.ts';

/** `approval`: an operator decides about each registration. */
type RegistrationMode = 'open' | 'approval' | 'invitation' | 'closed';

export interface Attempt extends RequestOrigin {
  readonly registration: Registration;
  /** The code of an invitation. */
  readonly invitation?: string | undefined;
}

type Invited = Attempt & { readonly invitation: string };

export interface Registered {
  /** If it is pending, the account as it will be. */
  readonly account: Account;
  /** An operator has to approve it first. */
  readonly isPending: boolean;
}

/** Nobody can register; or not without an invitation, and the code is missing, unknown, used up or has expired. */
export class RegistrationClosed extends Error {
  override readonly name = 'RegistrationClosed';
  readonly why: 'closed' | 'invitation';

  constructor(why: 'closed' | 'invitation') {
    super(why === 'closed' ? 'Registration is closed.' : 'Registration needs an invitation that is still valid.');
    this.why = why;
  }
}

export interface Registrar {
  readonly mode: RegistrationMode;
  /** Before the password is hashed, which takes tens of milliseconds. @throws RegistrationClosed */
  requireOpen(invitation: string | undefined): void;
  /** @throws RegistrationClosed, AccountTaken, NameRefused, HashQueueFull */
  register(attempt: Attempt): Promise<Registered>;
  /** Like `register`, in `within`; takes a hash made by `hashPassword`. */
  registerWithin(within: Transactional, attempt: Attempt, passwordHash: string): Promise<Registered>;
}

interface RegistrarOptions {
  readonly db: Transactional;
  readonly mode: RegistrationMode;
  readonly rules: NameRules;
}

export function createRegistrar({ db, mode, rules }: RegistrarOptions): Registrar {
  const requireOpen: Registrar['requireOpen'] = (invitation) => {
    if (mode === 'closed' || (mode === 'invitation' && invitation === undefined)) throw new RegistrationClosed(mode);
  };

  async function create(tx: Queryable, { registration, ...origin }: Attempt, passwordHash: string) {
    const isPending = mode === 'approval' && origin.invitation === undefined;
    const insert = isPending ? insertRequest(origin) : undefined;
    const makeHash = () => Promise.resolve(passwordHash);
    return { account: await register({ db: tx, rules, insert }, registration, makeHash), isPending };
  }

  /** A registration that fails takes no use of the invitation. */
  async function createInvited(tx: Queryable, attempt: Invited, passwordHash: string) {
    const invitationId = await takeInvitation(tx, attempt.invitation);
    if (invitationId === undefined) throw new RegistrationClosed('invitation');
    const registered = await create(tx, attempt, passwordHash);
    await recordInvitation(tx, registered.account.id, invitationId);
    return registered;
  }

  const registerWithin: Registrar['registerWithin'] = async (within, attempt, passwordHash) => {
    const { invitation } = attempt;
    requireOpen(invitation);
    // Where everybody can register, an invitation does not matter.
    if (mode === 'open' || invitation === undefined) return await create(within, attempt, passwordHash);
    return await within.transaction((tx) => createInvited(tx, { ...attempt, invitation }, passwordHash));
  };

  return {
    mode,
    requireOpen,
    register: async (attempt) => {
      requireOpen(attempt.invitation);
      return await registerWithin(db, attempt, await hashPassword(attempt.registration.password));
    },
    registerWithin,
  };
}
