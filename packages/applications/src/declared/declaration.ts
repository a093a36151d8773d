/** The file of `linnet apply`: its members, which the published JSON Schema describes as well. */
import { z } from 'zod';

import { apiTokenAlgorithms } from '../apis/api-scopes.ts';
import { protocolSettings, settingKeys } from '../settings/protocol-settings.ts';
import type { SettingKey } from '../settings/protocol-settings.ts';

const text = (description: string) => z.string().max(4096).meta({ description });
const texts = (description: string) => z.array(z.string().max(4096)).max(100).meta({ description });

/** Each protocol setting under its registration name, with the JSON type that dynamic registration accepts. */
const settingMembers = Object.fromEntries(settingKeys.map((key) => [protocolSettings[key].name, memberOf(key)]));

function memberOf(key: SettingKey) {
  const { input, choices, summary: description, fromMetadata } = protocolSettings[key];
  const member = () => {
    switch (input) {
      case 'flag':
        return z.boolean();
      case 'choices':
        return z.array(z.enum(choices));
      case 'choice':
        return z.enum(choices);
      case 'lines':
        return z.array(z.string());
      case 'text':
        return fromMetadata(0) === undefined ? z.string() : z.int();
    }
  };
  return member().optional().meta({ description });
}

/** Where a secret is: never in the file itself. */
const secretSource = z
  .union([
    z.strictObject({ file: text('path, relative to the directory of this file') }),
    z.strictObject({ env: text('name of an environment variable') }),
  ])
  .meta({ description: 'Where a client secret of at least 32 characters is.' });

export type SecretSource = z.output<typeof secretSource>;

const applicationSchema = z.strictObject({
  client_id: z
    .string()
    .regex(/^(?!\d+$)[A-Za-z0-9_-]{16,64}$/)
    .meta({ description: 'Its id, which never changes: 16 to 64 letters, digits, hyphens and underscores.' }),
  owner: text('Username of its owner, which never changes.'),
  client_name: text('Name, as people see it.'),
  application_type: z
    .enum(['web', 'native'])
    .default('web')
    .meta({ description: 'native: runs on the device of a person. It never changes.' }),
  token_endpoint_auth_method: z
    .enum(['client_secret_basic', 'private_key_jwt', 'none'])
    .default('client_secret_basic')
    .meta({
      description:
        'client_secret_basic also allows client_secret_post. An application with none cannot get another, nor the reverse.',
    }),
  redirect_uris: texts('Redirect URIs.').default([]),
  scope: text('Scopes, separated by spaces.').default(''),
  optional_scope: text('Scopes that people may decline, separated by spaces.').default('email'),
  scope_reasons: z
    .record(z.string(), z.string().max(4096))
    .default({})
    .meta({ description: 'Why it needs a scope, by scope.' }),
  act_as_owner: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether its client-credentials tokens act as its owner.' }),
  client_uri: text('Website.').default(''),
  tos_uri: text('Terms.').default(''),
  policy_uri: text('Privacy policy.').default(''),
  jwks_uri: text('URL of its public keys, for private_key_jwt.').optional(),
  jwks: z
    .looseObject({ keys: z.array(z.looseObject({})) })
    .optional()
    .meta({ description: 'Its public keys instead of jwks_uri.' }),
  client_secrets: z.array(secretSource).min(1).max(5).optional().meta({
    description:
      'Its secrets. Others that do not expire are removed. Without this member secrets stay; a new application needs one.',
  }),
  ...settingMembers,
});

const apiSchema = z.strictObject({
  identifier: text('Its audience: the value of resource and aud, which never changes.'),
  owner: text('Username of its owner, which never changes.'),
  name: text('Name, as people see it.'),
  client_id: text('Application of the owner that may introspect tokens for it.').optional(),
  access_token_alg: z
    .enum(apiTokenAlgorithms)
    .default('ES256')
    .meta({ description: 'Signature of access tokens for it.' }),
  scopes: z
    .array(z.strictObject({ scope: text('Name.'), description: text('What it allows.') }))
    .min(1)
    .meta({ description: 'In the order in which people see them.' }),
});

export const declarationsSchema = z
  .strictObject({
    applications: z.array(applicationSchema).default([]).meta({ description: 'Applications, by their client_id.' }),
    apis: z.array(apiSchema).default([]).meta({ description: 'Registered APIs, by their identifier.' }),
  })
  .meta({ title: 'Linnet applications', description: 'Applications and registered APIs for `linnet apply`.' });

export type DeclaredApplication = z.output<typeof applicationSchema>;
export type DeclaredApi = z.output<typeof apiSchema>;
export type Declarations = z.output<typeof declarationsSchema>;

/** For editors and checks of the file. */
export function toJsonSchema(): object {
  return z.toJSONSchema(declarationsSchema, { io: 'input' });
}
