/** `linnet app update` */
import { createApplications } from '@linnet/applications/applications';
import type { Application, ApplicationChange } from '@linnet/applications/applications';
import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { notFound, splitScopes, toDocument, toText } from './app-document.ts';
import { addSettingOptions, readSettingOptions } from './app-settings.ts';
import type { SettingOptions } from './app-settings.ts';
import { addCommand, collect, invoke } from './command.ts';

const noJwksUri = 'The application has no JWKS URI. How an application authenticates is fixed when it is created.';

interface UpdateOptions extends SettingOptions {
  readonly name?: string;
  readonly allowName?: boolean;
  readonly redirectUri?: readonly string[];
  readonly scope?: readonly string[];
  readonly optionalScope?: readonly string[];
  readonly actAsOwner?: boolean;
  readonly jwksUri?: string;
  readonly json?: boolean;
}

/** Adds the command with an option for every setting. */
export function addUpdate(app: Command): void {
  const update = addCommand(app, { usage: 'update <client_id>', summary: 'change settings; the others are kept' })
    .option('--name <name>', 'name, as people see it')
    .option('--allow-name', 'accept a name that is reserved or looks like a verified one')
    .option('--redirect-uri <uri>', 'redirect URI; repeatable, replaces the others', collect)
    .option('--scope <scopes>', 'scopes, separated by spaces; repeatable, replaces the others', collect)
    .option('--optional-scope <scopes>', 'scopes that people may decline; repeatable, replaces the others', collect)
    .option('--act-as-owner', 'let its client-credentials tokens act as its owner')
    .option('--no-act-as-owner', 'end that')
    .option('--jwks-uri <uri>', 'URL of its public keys, if it has one already')
    .action(updateApp);
  addSettingOptions(update);
}

async function updateApp(clientId: string, options: UpdateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const updated = await withDatabase(config, async (db) => {
    const rules = { serviceName: config.serviceName, allowsAnyName: options.allowName === true };
    const applications = createApplications(db, rules);
    const stored = await applications.show(clientId);
    return stored === undefined ? undefined : await applications.update(clientId, readChange(options, stored));
  });
  if (updated === undefined) throw notFound(clientId);
  const document = toDocument(updated, config.tokenBounds);
  output.result(document, toText(document));
}

/** Options that are not given are left out. @throws CommandError */
function readChange(options: UpdateOptions, stored: Application): ApplicationChange {
  const { name, redirectUri: redirectUris, scope, optionalScope, actAsOwner, jwksUri } = options;
  if (jwksUri !== undefined && stored.jwksUri === undefined) throw new CommandError('invalid-jwks_uri', noJwksUri);
  const scopes = scope && splitScopes(scope);
  const optionalScopes = optionalScope && splitScopes(optionalScope);
  const protocol = readSettingOptions(options, { type: stored.type, stored });
  const implicit = protocol.grantTypes?.includes('implicit');
  return { name, redirectUris, scopes, optionalScopes, actAsOwner, jwksUri, implicit, protocol };
}
