/** `linnet app update` */
import { createApplications } from '@linnet/applications/applications';
import type { ApplicationChange } from '@linnet/applications/applications';
import type { Application } from '@linnet/applications/application/application-store';
import type { NewAuthentication } from '@linnet/applications/secrets/authentication-change';
import { generateClientSecret } from '@linnet/applications/secrets/client-secret';
import { Option } from 'commander';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { notFound, secretNote, splitScopes, toDocument, toText } from './app-document.ts';
import { addSettingOptions, readJsonFile, readSettingOptions } from './app-settings.ts';
import type { SettingOptions } from './app-settings.ts';
import { addCommand } from './add-command.ts';
import { collect, invoke } from './command.ts';

interface UpdateOptions extends SettingOptions {
  readonly name?: string;
  readonly allowName?: boolean;
  readonly redirectUri?: readonly string[];
  readonly scope?: readonly string[];
  readonly optionalScope?: readonly string[];
  readonly actAsOwner?: boolean;
  readonly jwksUri?: string;
  /** Path of a file with a JWK Set. */
  readonly jwks?: string;
  readonly clientSecret?: boolean;
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
    .option('--jwks-uri <uri>', 'URL of its public keys, which replace its secrets or other keys (private_key_jwt)')
    .addOption(
      new Option('--jwks <file>', 'file with its public keys (JWK Set), instead of --jwks-uri').conflicts('jwksUri'),
    )
    .addOption(
      new Option('--client-secret', 'create a secret, shown once, which replaces its keys').conflicts([
        'jwksUri',
        'jwks',
      ]),
    )
    .action(updateApp);
  addSettingOptions(update);
}

async function updateApp(clientId: string, options: UpdateOptions): Promise<void> {
  const { config, output } = invoke(options.json);
  const jwks = options.jwks === undefined ? undefined : await readJsonFile(options.jwks);
  const clientSecret = options.clientSecret === true ? generateClientSecret() : undefined;
  const updated = await withDatabase(config, async (db) => {
    const { serviceName, baseUrl } = config;
    const rules = { serviceName, baseUrl, allowsAnyName: options.allowName === true };
    const applications = createApplications(db, rules);
    const stored = await applications.show(clientId);
    if (stored === undefined) return undefined;
    const authentication = readAuthentication(options, { stored, jwks, clientSecret });
    return await applications.update(clientId, { ...readChange(options, stored), authentication });
  });
  if (updated === undefined) throw notFound(clientId);
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
  const document = { ...toDocument(updated, config.tokenBounds), ...secret };
  output.result(document, toText(document) + (clientSecret === undefined ? '' : `\n${secretNote}`));
}

interface Given {
  readonly stored: Application;
  readonly jwks: unknown;
  readonly clientSecret: string | undefined;
}

/** Undefined: the application authenticates as before. Another JWKS URI is a setting of one that has one. */
function readAuthentication({ jwksUri }: UpdateOptions, given: Given): NewAuthentication | undefined {
  const { stored, jwks, clientSecret } = given;
  if (clientSecret !== undefined) return { method: 'client_secret', clientSecret };
  if (jwks !== undefined) return { method: 'private_key_jwt', jwks };
  const isNew = jwksUri !== undefined && stored.jwksUri === undefined;
  return isNew ? { method: 'private_key_jwt', jwksUri } : undefined;
}

/** Options that are not given are left out. */
function readChange(options: UpdateOptions, stored: Application): ApplicationChange {
  const { name, redirectUri: redirectUris, scope, optionalScope, actAsOwner, jwksUri } = options;
  const scopes = scope && splitScopes(scope);
  const optionalScopes = optionalScope && splitScopes(optionalScope);
  const protocol = readSettingOptions(options, { type: stored.type, stored });
  const implicit = protocol.grantTypes?.includes('implicit');
  return { name, redirectUris, scopes, optionalScopes, actAsOwner, jwksUri, implicit, protocol };
}
