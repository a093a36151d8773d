import type { Command } from 'commander';

import type { Config } from '../config.ts';
import { demoPassword, people } from '../demo/people.ts';
import { posts } from '../demo/posts.ts';
import { markComplete, requireDemoDatabase, seedAccounts, seedContent } from '../demo/seed.ts';
import type { DemoApplication, DemoApplications } from '../demo/seed.ts';
import { withService } from '../demo/service.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

interface SeedOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `linnet demo …` */
export function addDemo(program: Command): void {
  const demo = program.command('demo').description('add demo data');
  addCommand(demo, {
    usage: 'seed',
    summary: 'add a fictional community: people, posts, pictures and applications',
  })
    .option('--force', 'add it even in production, or if there are other accounts')
    .action(seed);
}

async function seed({ force = false, json }: SeedOptions): Promise<void> {
  const { config, output } = invoke(json);
  if (config.production && !force) {
    throw new CommandError(
      'production',
      'The password of the demo accounts is public, so production refuses them. "--force" adds them anyway.',
    );
  }
  const applications = Object.values({ ...(await seedDemo(config, force)) });
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
    `Added the demo data. Sign in as any of these people with the password "${demoPassword}":`,
    people.map(({ username }) => username).join(', '),
    '',
    toTable(['client_id', 'client_secret', 'owner', 'name'], rows),
  ];
  output.result(document, text.join('\n'));
}

async function seedDemo(config: Config, isForced: boolean): Promise<DemoApplications> {
  return await withDatabase(config, async (db) => {
    await requireDemoDatabase(db, isForced);
    return await withService(config, async (baseUrl) => {
      const applications = await seedAccounts(db);
      await seedContent(baseUrl, applications);
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
