import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from '@linnet/keys/key-ring';
import type { ListedKey } from '@linnet/keys/key-ring';
import type { Db } from '@linnet/db/database';
import { resolveSecretKeys } from '@linnet/service/secret-keys';
import type { Secret } from '@linnet/service/secret';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import type { Output } from '../output.ts';
import { addCommand, invoke } from './command.ts';

interface Options {
  readonly json?: boolean;
  readonly force?: boolean;
}

/** `linnet keys …`; each answers the list of keys. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('keys that sign tokens');
  addCommand(keys, { usage: 'list', summary: 'list the signing keys' }).action(listKeys);
  addCommand(keys, { usage: 'rotate', summary: 'publish another key, and sign with the one that is next' })
    .option('--force', 'sign with it at once, though others may keep the published keys for five minutes')
    .action(rotateKeys);
  addCommand(keys, { usage: 'revoke <kid>', summary: 'end a key, and at once every token that it signed' }).action(
    revokeKey,
  );
}

async function listKeys(options: Options): Promise<void> {
  const { config, output } = invoke(options.json);
  showKeys(output, await withDatabase(config, (db) => listSigningKeys(db)));
}

async function rotateKeys(options: Options): Promise<void> {
  await changeKeys(options, async (db, secretKeys) => {
    await rotateSigningKeys(db, secretKeys, { force: options.force === true });
  });
}

async function revokeKey(kid: string, options: Options): Promise<void> {
  await changeKeys(options, async (db, secretKeys) => {
    if (await revokeSigningKey(db, secretKeys, kid)) return;
    throw new CommandError('key-not-found', `There is no signing key ${JSON.stringify(kid)}.`);
  });
}

async function changeKeys(
  options: Options,
  change: (db: Db, secretKeys: readonly Secret[]) => Promise<void>,
): Promise<void> {
  const { config, output } = invoke(options.json);
  const keys = await withDatabase(config, async (db) => {
    await change(db, await resolveSecretKeys(config));
    return await listSigningKeys(db);
  });
  showKeys(output, keys);
}

function showKeys(output: Output, keys: readonly ListedKey[]): void {
  const rows = keys.map(({ kid, alg, state, created }) => [kid, alg, state, created]);
  output.result(keys, toTable(['kid', 'alg', 'state', 'created'], rows));
}
