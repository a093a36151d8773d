/** Client metadata of RFC 7591 §2 as settings of an application, and back. */
import { scopes as apiScopes, isScope } from '@linnet/contract/scopes';
import { z } from 'zod';

import { ApplicationRefused } from '../application/application.ts';
import type { ApplicationType } from '../application/application-type.ts';
import type { PublicKeySet } from '../secrets/client-keys.ts';
import { parseLinks } from '../application/links.ts';
import type { Links } from '../application/links.ts';
import { defaultSettings, protocolSettings, settingKeys, toMetadata, toTexts } from '../settings/protocol-settings.ts';
import type { ProtocolSettings, SettingKey, SubmittedSettings } from '../settings/protocol-settings.ts';
import { fixSettings } from '../settings/strict.ts';
import type { Settings } from '../settings/settings.ts';
import { selfRegisteredGrantTypes } from './self-registrable.ts';

/** The metadata breaks a rule that no setting of an application has. The message is for the client. */
export class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused';
}

const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export type AuthenticationMethod = (typeof methods)[number];

const maxText = 4096;
const text = z.string().max(maxText);
const texts = z.array(text).max(100);

const documentSchema = z.looseObject({
  redirect_uris: texts.optional(),
  token_endpoint_auth_method: z.enum(methods).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  grant_types: texts.optional(),
  response_types: texts.optional(),
  client_name: text.optional(),
  client_uri: text.optional(),
  tos_uri: text.optional(),
  policy_uri: text.optional(),
  scope: text.optional(),
  jwks_uri: text.optional(),
  jwks: z.looseObject({ keys: z.array(z.looseObject({})) }).optional(),
  client_id: text.optional(),
  client_secret: text.optional(),
  // Pairwise subjects would promise more privacy than there is.
  subject_type: z.literal('public').optional(),
  // Not used. Browsers would be sent there (OpenID Connect Dynamic Client Registration §2).
  initiate_login_uri: text.refine((uri) => URL.parse(uri)?.protocol === 'https:').optional(),
});

/** Parsed metadata. */
export interface ClientMetadata {
  readonly type: ApplicationType;
  readonly method: AuthenticationMethod;
  readonly settings: Settings;
  readonly links: Links;
  /** What an update repeats of the registration (RFC 7592 §2.2). */
  readonly repeated: { readonly clientId: string | undefined; readonly clientSecret: string | undefined };
}

/**
 * Reads metadata that a client sends. Members that this service does not know are ignored, as RFC 7591 §2 requires.
 * `storedType` is the type of a registration that is updated.
 * @throws MetadataRefused
 * @throws ApplicationRefused for settings that are not valid for any application
 */
export function parseClientMetadata(document: unknown, storedType?: ApplicationType): ClientMetadata {
  const given = documentSchema.safeParse(withoutNulls(document));
  if (!given.success) throw new MetadataRefused(describe(given.error));
  const metadata = leaveOutExcess(given.data);
  requireCodeFlow(metadata);
  const redirectUris = metadata.redirect_uris ?? [];
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  const type = storedType ?? typeOf(method, metadata.application_type, redirectUris);
  if ((type === 'confidential') === (method === 'none')) {
    throw new MetadataRefused('token_endpoint_auth_method cannot change. Register again instead.');
  }
  return {
    ...{ type, method },
    links: parseMetadataLinks(metadata),
    settings: {
      name: metadata.client_name ?? nameOf(redirectUris),
      redirectUris,
      scopes: parseScopeText(metadata.scope),
      implicit: false,
      actAsOwner: false,
      ...keysOf(metadata, method),
      protocol: parseProtocol(metadata, type),
    },
    repeated: { clientId: metadata.client_id, clientSecret: metadata.client_secret },
  };
}

/** RFC 7591 §2: a member that is null counts as omitted. */
function withoutNulls(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  const [member] = issue?.path ?? [];
  return member === undefined ? 'The body must be a JSON object.' : `${String(member)} is not valid.`;
}

type Document = z.output<typeof documentSchema>;

/**
 * Clients ask for everything that the metadata of the service lists. RFC 7591 §2 lets a server leave out what this
 * registration cannot have; the response says what it got.
 */
function leaveOutExcess(metadata: Document): Document {
  const grants = metadata.grant_types?.filter((grantType) => selfRegisteredGrantTypes.includes(grantType));
  return { ...metadata, grant_types: grants };
}

function requireCodeFlow({
  redirect_uris: uris = [],
  grant_types: grants,
  response_types: responses = [],
}: Document): void {
  if (uris.length === 0) {
    throw new ApplicationRefused(
      { field: 'redirect_uris', problem: 'not-absolute', value: '' },
      'redirect_uris needs at least one redirect URI.',
    );
  }
  if (responses.length > 0 && !responses.includes('code')) {
    throw new MetadataRefused('response_types must include code.');
  }
  if (grants?.includes('authorization_code') === false) {
    throw new MetadataRefused('grant_types must include authorization_code.');
  }
}

/**
 * A public client whose redirect URIs all lead to a program on the person's device is native, even if it does not say so:
 * such programs listen on any free port.
 */
function typeOf(
  method: AuthenticationMethod,
  applicationType: 'web' | 'native' | undefined,
  redirectUris: readonly string[],
): ApplicationType {
  if (method !== 'none') return 'confidential';
  if (applicationType === undefined) return redirectUris.every(isOnDevice) ? 'native' : 'public';
  return applicationType === 'native' ? 'native' : 'public';
}

function isOnDevice(uri: string): boolean {
  const protocol = URL.parse(uri)?.protocol;
  return protocol !== undefined && protocol !== 'https:';
}

/** Other methods of authentication need no keys, so what such a client names is checked for its type and not stored. */
function keysOf(
  { jwks_uri: jwksUri, jwks }: Document,
  method: AuthenticationMethod,
): Pick<Settings, 'jwksUri' | 'jwks'> {
  const hasUri = jwksUri !== undefined && jwksUri.trim() !== '';
  if (hasUri && jwks !== undefined) throw new MetadataRefused('Give either jwks_uri or jwks, not both.');
  if (method !== 'private_key_jwt') return {};
  if (!hasUri && jwks === undefined) throw new MetadataRefused('private_key_jwt needs jwks_uri or jwks.');
  return { jwksUri, jwks };
}

/** People see it in place of a name. */
function nameOf([redirectUri = '']: readonly string[]): string {
  const url = URL.parse(redirectUri);
  if (url === null) return redirectUri;
  return url.host === '' ? url.protocol.slice(0, -1) : url.host;
}

/**
 * Without `scope` all scopes, because clients learn which ones they need only from the API (RFC 6750 §3). People see and
 * decide about those of each request. Others are left out (RFC 7591 §2): clients of a registered API name its scopes,
 * which need no registration; every application may request `profile`; and every code comes with a refresh token, so
 * `offline_access` means nothing. A `:read` scope comes with the one that implies it: agents register what the first
 * challenge named, and ask people for more later.
 */
function parseScopeText(scope: string | undefined): readonly string[] {
  if (scope === undefined || scope.trim() === '') return ['openid', ...apiScopes];
  const names = scope.split(' ');
  const wider = names.filter((name) => name.endsWith(':read')).map((name) => name.slice(0, -':read'.length));
  return [...names, ...wider].filter((name) => name === 'openid' || isScope(name));
}

function parseMetadataLinks({
  client_uri: website = '',
  tos_uri: terms = '',
  policy_uri: privacy = '',
}: Document): Links {
  const parsed = parseLinks({ website, terms, privacy });
  if (parsed.links !== undefined) return parsed.links;
  const members = { website: 'client_uri', terms: 'tos_uri', privacy: 'policy_uri' };
  const wrong = Object.entries(members).filter(([name]) => name in parsed.problems);
  throw new MetadataRefused(`${wrong.map(([, member]) => member).join(', ')} must be a web address.`);
}

/** Settings that the document omits get their default, as RFC 7592 §2.2 asks; those that `strict` fixes are as it says. */
function parseProtocol(metadata: Document, type: ApplicationType): SubmittedSettings {
  const plain: ProtocolSettings = {
    ...defaultSettings(type),
    grantTypes: defaultSettings(type).grantTypes.filter((grantType) => selfRegisteredGrantTypes.includes(grantType)),
  };
  const defaults = metadata['strict'] === true ? fixSettings(plain) : plain;
  const submitted = settingKeys.flatMap((key): readonly (readonly [SettingKey, readonly string[]])[] => {
    const { name, fromMetadata } = protocolSettings[key];
    const value = metadata[name];
    if (value === undefined) return [];
    const given = fromMetadata(value);
    if (given === undefined) throw new MetadataRefused(`${name} is not valid.`);
    return [[key, given]];
  });
  return { ...toTexts(defaults), ...Object.fromEntries(submitted) };
}

/** An application as RFC 7591 §3.2.1 describes it. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly createdAt: Date;
  readonly type: ApplicationType;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly protocol: ProtocolSettings;
  readonly links: Links;
  readonly jwksUri: string | undefined;
  readonly jwks: PublicKeySet | undefined;
}

/** The metadata that the service has stored. `method`: the one the client named, if that is known. */
export function toClientMetadata(
  client: RegisteredClient,
  method = methodOf(client),
): Readonly<Record<string, unknown>> {
  const { type, name, redirectUris, scopes, protocol, links, jwksUri, jwks } = client;
  const { tokenEndpointAuthSigningAlg: algorithm } = protocol;
  const document = {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_name: name,
    application_type: type === 'native' ? 'native' : 'web',
    redirect_uris: redirectUris,
    response_types: ['code'],
    token_endpoint_auth_method: method,
    // An empty text would mean all scopes in an update that repeats it.
    scope: scopes.length === 0 ? 'profile' : scopes.join(' '),
    client_uri: links.website,
    tos_uri: links.terms,
    policy_uri: links.privacy,
    jwks_uri: jwksUri,
    jwks,
    ...toMetadata(protocol),
    token_endpoint_auth_signing_alg: algorithm === 'any' ? undefined : algorithm,
  };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined && value !== null));
}

function methodOf({ type, jwksUri, jwks }: RegisteredClient): AuthenticationMethod {
  if (type !== 'confidential') return 'none';
  return jwksUri === undefined && jwks === undefined ? 'client_secret_basic' : 'private_key_jwt';
}
