import { listSigningKeys } from '@linnet/keys/key-list-store';
import { revokeSigningKey, rotateSigningKeys } from '@linnet/keys/key-changes-store';
import type { ListedKey } from '@linnet/keys/key-list-store';
import { signingAlgorithms } from '@linnet/keys/signing-key';
import type { SigningAlgorithm } from '@linnet/keys/signing-key';
import type { Db } from '@linnet/db/database';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { Secret } from '@linnet/service/config/secret';
import { Option } from 'commander';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import type { Output } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

interface Options {
  readonly json?: boolean;
  readonly force?: boolean;
  readonly alg?: SigningAlgorithm;
}

/** `linnet keys …`; every command prints the list of keys. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('manage the keys that sign tokens');
  addCommand(keys, { usage: 'list', summary: 'list the signing keys' }).action(listKeys);
  addCommand(keys, { usage: 'rotate', summary: 'switch to the next signing keys and publish new ones' })
    .addOption(new Option('--alg <algorithm>', 'only the keys of this algorithm').choices(signingAlgorithms))
    .option(
      '--force',
      'switch now, even if the next key has been published for less than 15 minutes: programs that cache the keys refuse new tokens until they fetch them again',
    )
    .action(rotateKeys);
  addCommand(keys, { usage: 'revoke <kid>', summary: 'revoke a signing key and every token it signed' }).action(
    revokeKey,
  );
}

async function listKeys(options: Options): Promise<void> {
  const { config, output } = invoke(options.json);
  showKeys(output, await withDatabase(config, (db) => listSigningKeys(db)));
}

async function rotateKeys(options: Options): Promise<void> {
  await changeKeys(options, async (db, secretKeys) => {
    const algorithms = options.alg === undefined ? {} : { algorithms: [options.alg] };
    await rotateSigningKeys(db, secretKeys, { force: options.force === true, ...algorithms });
  });
}

async function revokeKey(kid: string, options: Options): Promise<void> {
  await changeKeys(options, async (db, secretKeys) => {
    if (await revokeSigningKey(db, secretKeys, { kid })) return;
    throw new CommandError(
      'key-not-found',
      `There is no signing key ${JSON.stringify(kid)}. "linnet keys list" shows all keys.`,
    );
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
