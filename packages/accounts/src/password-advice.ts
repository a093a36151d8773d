import { commonPasswords } from './common-passwords.ts';

/** What others try first; the contract lets such passwords pass, our own forms do not (checklist AC1). */
export type PasswordWeakness = 'common' | 'same-as-name';

/** Whose password it shall be. */
export interface PasswordOwner {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** None yet where it is to be generated. */
  readonly username?: string | undefined;
}

/** Why a person should choose another password; undefined for none of these reasons. */
export function findPasswordWeakness(password: string, owner: PasswordOwner): PasswordWeakness | undefined {
  const plain = simplify(password);
  if (namesOf(owner).some((name) => simplify(name) === plain)) return 'same-as-name';
  return commonPasswords.has(plain) ? 'common' : undefined;
}

function namesOf({ firstName, lastName, email, username }: PasswordOwner): readonly string[] {
  const mailbox = email.slice(0, email.lastIndexOf('@'));
  const names = [firstName, lastName, email, mailbox, username ?? ''];
  const joined = ['', ' ', '.', '_', '-'].flatMap((between) => [
    `${firstName}${between}${lastName}`,
    `${lastName}${between}${firstName}`,
  ]);
  return [...names, ...joined];
}

/** Capitals do not make a guess harder. */
function simplify(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
