import { isCommonPassword } from './common-passwords.ts';

/**
 * Passwords that are guessed first. The API accepts them, because the contract does; the pages and the `linnet` command
 * do not (checklist AC1, decision D42).
 */
export type PasswordWeakness = 'common' | 'same-as-name';

/** The person who chooses the password. */
export interface PasswordOwner {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Absent if it will be generated. */
  readonly username?: string | undefined;
}

/** Returns why a person should choose another password, or `undefined`. */
export function findPasswordWeakness(password: string, owner: PasswordOwner): PasswordWeakness | undefined {
  const plain = simplify(password);
  if (namesOf(owner).some((name) => simplify(name) === plain)) return 'same-as-name';
  return isCommonPassword(plain) ? 'common' : undefined;
}

function namesOf({ firstName, lastName, email, username }: PasswordOwner): readonly string[] {
  const mailbox = email.slice(0, email.lastIndexOf('@'));
  const names = [firstName, lastName, email, mailbox, ...(username === undefined ? [] : [username])];
  const joined = ['', ' ', '.', '_', '-'].flatMap((between) => [
    `${firstName}${between}${lastName}`,
    `${lastName}${between}${firstName}`,
  ]);
  return [...names, ...joined];
}

/** Upper case does not make a password harder to guess. */
function simplify(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
