/** Who may register (REGISTRATION): for the registration page, inside and outside of a sign-in, and for POST /auth/register. */
import type { RegistrationMark } from '@linnet/contract/registration-block';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import type { Account, Registration } from '../account.ts';
import type { NameRules } from '../names/name-rules.ts';
import { hashPassword } from '../password/password-change.ts';
import type { BlockRule } from './block.ts';
import { findBlockOf } from './block-store.ts';
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
  /** IP address that it came from; empty if that is not known. */
  readonly address: string;
  /** The page got no proof of work, so an operator decides. */
  readonly lacksProof?: boolean;
}

/** An attempt that nothing refuses so far. */
export interface Admitted extends Attempt {
  readonly mark: RegistrationMark | undefined;
  /** An operator decides, also about who is invited. */
  readonly mustWait: boolean;
}

type Invited = Admitted & { readonly invitation: string };
type Creating = Admitted & { readonly invitedBy?: number | undefined };

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

/** A block refuses it. Which one is not said: it would tell how to get around it. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

export interface Registrar {
  readonly mode: RegistrationMode;
  /** Before the password is hashed, which takes tens of milliseconds. @throws RegistrationClosed, RegistrationRefused */
  admit(attempt: Attempt): Promise<Admitted>;
  /** @throws RegistrationClosed, RegistrationRefused, AccountTaken, NameRefused, HashQueueFull */
  register(attempt: Attempt): Promise<Registered>;
  /** The end of `register`, in `within`; takes a hash made by `hashPassword`. */
  registerWithin(within: Transactional, admitted: Admitted, passwordHash: string): Promise<Registered>;
}

interface RegistrarOptions {
  readonly db: Transactional;
  readonly mode: RegistrationMode;
  /** Whether invitations of people are valid, too, or only those of operators. */
  readonly mayPeopleInvite: boolean;
  readonly rules: NameRules;
}

function judge(block: BlockRule | undefined, lacksProof = false): Pick<Admitted, 'mark' | 'mustWait'> {
  return {
    mark: block?.kind ?? (lacksProof ? 'no_proof' : undefined),
    mustWait: lacksProof || block?.act === 'approve',
  };
}

export function createRegistrar({ db, mode, mayPeopleInvite, rules }: RegistrarOptions): Registrar {
  const admit: Registrar['admit'] = async (attempt) => {
    const { registration, invitation, address, lacksProof } = attempt;
    if (mode === 'closed' || (mode === 'invitation' && invitation === undefined)) throw new RegistrationClosed(mode);
    const { email, username = '', firstName, lastName } = registration;
    const block = await findBlockOf(db, { email, address, names: [username, `${firstName} ${lastName}`] });
    if (block?.act === 'refuse') throw new RegistrationRefused('A block refuses it.');
    return { ...attempt, ...judge(block, lacksProof) };
  };

  /** An invitation replaces the decision of an operator, unless it must wait: codes get into wrong hands. */
  async function create(tx: Queryable, creating: Creating, passwordHash: string) {
    const { registration, mark, mustWait, invitedBy, ...origin } = creating;
    const isPending = mustWait || (mode === 'approval' && origin.invitation === undefined);
    const insert = isPending ? insertRequest(origin) : undefined;
    const makeHash = () => Promise.resolve(passwordHash);
    return { account: await register({ db: tx, rules, insert, mark, invitedBy }, registration, makeHash), isPending };
  }

  /** A registration that fails takes no use of the invitation. */
  async function createInvited(tx: Queryable, attempt: Invited, passwordHash: string) {
    const taken = await takeInvitation(tx, attempt.invitation, mayPeopleInvite);
    if (taken === undefined) throw new RegistrationClosed('invitation');
    const { invitedBy, isLimited } = taken;
    // Who is limited is not told.
    const limits = isLimited ? ({ mustWait: true, mark: attempt.mark ?? 'limited_inviter' } as const) : {};
    const registered = await create(tx, { ...attempt, ...limits, invitedBy: invitedBy ?? undefined }, passwordHash);
    await recordInvitation(tx, registered.account.id, taken);
    return registered;
  }

  const registerWithin: Registrar['registerWithin'] = async (within, admitted, passwordHash) => {
    const { invitation } = admitted;
    // Where everybody can register, an invitation does not matter.
    if (mode === 'open' || invitation === undefined) return await create(within, admitted, passwordHash);
    return await within.transaction((tx) => createInvited(tx, { ...admitted, invitation }, passwordHash));
  };

  return {
    mode,
    admit,
    register: async (attempt) => {
      const admitted = await admit(attempt);
      return await registerWithin(db, admitted, await hashPassword(attempt.registration.password));
    },
    registerWithin,
  };
}
