import type { Command } from 'commander';

import type { Config } from '../config.ts';
import { demoPassword, people } from '../demo/people.ts';
import { posts } from '../demo/posts.ts';
import { markComplete, refuseOtherData, seedAccounts, seedLife } from '../demo/seed.ts';
import type { DemoApplication } from '../demo/seed.ts';
import { withService } from '../demo/service.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand, invoke } from './command.ts';

interface SeedOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `linnet demo …` */
export function addDemo(program: Command): void {
  const demo = program.command('demo').description('an invented community to try things with');
  addCommand(demo, {
    usage: 'seed',
    summary: 'add people, posts, pictures and applications that nobody has really made',
  })
    .option('--force', 'also in production, and among accounts that are there already')
    .action(seed);
}

async function seed({ force = false, json }: SeedOptions): Promise<void> {
  const { config, output } = invoke(json);
  if (config.production && !force) {
    throw new CommandError('production', 'NODE_ENV is production: a demo has accounts with a known password.');
  }
  const applications = await seedDemo(config, force);
  const document = {
    password: demoPassword,
    accounts: people.map(({ username }) => username),
    posts: posts.length,
    applications: applications.map(toDocument),
  };
  const rows = applications.map(({ clientId, clientSecret = '', name, owner }) => [
    clientId,
    clientSecret,
    owner,
    name,
  ]);
  const text = [
    `The demo is there: sign in as ${people[0]?.username ?? ''}, or any of the others, with the password "${demoPassword}".`,
    `Accounts: ${people.map(({ username }) => username).join(', ')}`,
    toTable(['client_id', 'client_secret', 'owner', 'name'], rows),
  ];
  output.result(document, text.join('\n'));
}

async function seedDemo(config: Config, isForced: boolean): Promise<readonly DemoApplication[]> {
  return await withDatabase(config, async (db) => {
    await refuseOtherData(db, isForced);
    return await withService(config, async (baseUrl) => {
      const applications = await seedAccounts(db);
      await seedLife(baseUrl, applications);
      await markComplete(db);
      return applications;
    });
  });
}

function toDocument({ clientId, clientSecret, name, owner }: DemoApplication) {
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    name,
    owner,
  };
}
