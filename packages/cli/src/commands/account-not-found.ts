import { CommandError } from '../failure.ts';

export function accountNotFound(username: string): CommandError {
  return new CommandError('account-not-found', `There is no account with the username ${JSON.stringify(username)}.`);
}
