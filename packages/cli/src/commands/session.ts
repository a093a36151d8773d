import type { Account } from '@linnet/accounts/account';
import { endAccountSession, findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { createAccounts } from '@linnet/accounts/accounts';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import type { Db } from '@linnet/db/database';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { accountNotFound } from './user-targets.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

/** An account has at most a few; more are never shown. */
const maxSessions = 1000;

/** `linnet session …` */
export function addSession(program: Command): void {
  const session = program.command('session').description('see where people are signed in, and sign them out');
  addCommand(session, { usage: 'list <username>', summary: 'list the sessions of an account, last used first' }).action(
    listSessions,
  );
  addCommand(session, { usage: 'end <username> [session]', summary: 'end one session of an account' })
    .option('--all', 'end every session, and revoke access of all its connected apps')
    .action(endSession);
}

interface Options {
  readonly json?: boolean;
}

async function listSessions(username: string, { json }: Options): Promise<void> {
  const { config, output } = invoke(json);
  const sessions = await withDatabase(config, async (db) => {
    const { id } = await findAccount(db, username);
    return await findAccountSessions(db, id, { limit: maxSessions, offset: 0 });
  });
  const documents = sessions.map(({ uid, userAgent, address, signedInAt, lastSeenAt }) => ({
    session: uid,
    address,
    user_agent: userAgent,
    signed_in: signedInAt.toISOString(),
    last_seen: lastSeenAt.toISOString(),
  }));
  const rows = documents.map(({ session, address, signed_in, last_seen, user_agent }) => [
    ...[session, address, signed_in, last_seen, user_agent],
  ]);
  output.result(documents, toTable(['session', 'address', 'signed in', 'last seen', 'browser'], rows));
}

async function endSession(
  username: string,
  uid: string | undefined,
  { all = false, json }: Options & { readonly all?: boolean },
): Promise<void> {
  if ((uid === undefined) !== all) {
    throw new CommandError('usage', 'Name a session of "linnet session list", or use "--all".');
  }
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const { id } = await findAccount(db, username);
    if (uid === undefined) await createAccounts(db).endSessions(id, (tx) => revokeAllGrants(tx, id));
    else if (!(await endAccountSession(db, id, uid))) {
      throw new CommandError(
        'session-not-found',
        `The account ${username} has no active session ${JSON.stringify(uid)}.`,
      );
    }
  });
  const ended = uid === undefined ? 'All sessions and connected apps' : 'One session';
  output.result({ ok: true }, `${ended} of ${username} ended.`);
}

/** @throws CommandError */
async function findAccount(db: Db, username: string): Promise<Account> {
  const account = await createAccounts(db).findByUsername(username);
  if (account === undefined) throw accountNotFound(username);
  return account;
}
