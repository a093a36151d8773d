/** `linnet user grant-operator|revoke-operator` */
import { grantOperator, revokeOperator } from '@linnet/accounts/operators/role-store';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { accountNotFound } from './account-not-found.ts';
import { addCommand, invoke } from './command.ts';

interface Options {
  readonly json?: boolean;
}

export function addOperatorRole(user: Command): void {
  addCommand(user, {
    usage: 'grant-operator <username>',
    summary: 'let an account use /admin with the passkeys and the authenticator app that it has now',
  }).action(grant);
  addCommand(user, { usage: 'revoke-operator <username>', summary: 'end that at once' }).action(revoke);
}

async function grant(username: string, { json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  const outcome = await withDatabase(config, (db) => grantOperator(db, username));
  if (outcome === undefined) throw accountNotFound(username);
  if (outcome === 'refused') {
    throw new CommandError(
      'operator-refused',
      `The account ${username} is suspended, or has no passkey and no authenticator app. They add one under /account/security first.`,
    );
  }
  output.result(
    { ok: true },
    `The account ${username} is an operator and can use /admin with its present passkeys and authenticator app. Run this again after they add another one.`,
  );
}

async function revoke(username: string, { json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  if (!(await withDatabase(config, (db) => revokeOperator(db, username)))) throw accountNotFound(username);
  output.result({ ok: true }, `The account ${username} is not an operator.`);
}
