/** Applications and APIs as the file of `linnet apply` describes them: the declared and the stored ones, to compare and to export. */
import { isDeepStrictEqual } from 'node:util';

import type { SubmittedApi } from '../apis/api-settings.ts';
import type { RegisteredApi } from '../apis/api-store.ts';
import { ApplicationRefused } from '../application/application.ts';
import type { Application } from '../application/application-store.ts';
import type { ApplicationType } from '../application/application-type.ts';
import { parseLinks } from '../application/links.ts';
import type { Links } from '../application/links.ts';
import type { PublicKeySet } from '../secrets/client-keys.ts';
import { defaultSettings, protocolSettings, settingKeys, toMetadata, toTexts } from '../settings/protocol-settings.ts';
import type { ProtocolSettings, SettingKey } from '../settings/protocol-settings.ts';
import { parseSettings } from '../settings/settings.ts';
import type { ParsedSettings, Settings } from '../settings/settings.ts';
import { fixSettings } from '../settings/strict.ts';
import type { DeclaredApi, DeclaredApplication } from './declaration.ts';

/** A declaration: its members by their names. */
export type Document = Readonly<Record<string, unknown>>;

/** A declared application, checked. */
export interface WantedApplication {
  readonly clientId: string;
  readonly owner: string;
  readonly type: ApplicationType;
  readonly settings: Settings;
  readonly parsed: ParsedSettings;
  readonly links: Links;
  readonly document: Document;
}

/** @throws ApplicationRefused with every problem */
export function readApplication(declared: DeclaredApplication): WantedApplication {
  const { client_id: clientId, owner, token_endpoint_auth_method: method } = declared;
  const type = method === 'none' ? publicTypes[declared.application_type] : 'confidential';
  const settings: Settings = {
    name: declared.client_name,
    redirectUris: declared.redirect_uris,
    scopes: toWords(declared.scope),
    optionalScopes: toWords(declared.optional_scope),
    scopeReasons: declared.scope_reasons,
    implicit: false,
    actAsOwner: declared.act_as_owner,
    jwksUri: declared.jwks_uri,
    jwks: declared.jwks,
    protocol: readProtocol(declared, type),
  };
  const parsed = parseSettings(settings, type);
  const hasKeys = parsed.jwksUri !== undefined || parsed.jwks !== undefined;
  if (hasKeys !== (method === 'private_key_jwt')) {
    const message = 'An application has jwks_uri or jwks exactly if its token_endpoint_auth_method is private_key_jwt.';
    throw new ApplicationRefused({ field: 'jwks_uri', problem: 'none' }, message);
  }
  const links = readLinks(declared);
  return {
    ...{ clientId, owner, type, settings, parsed, links },
    document: toDocument({ ...{ clientId, owner, type, links }, ...parsed }),
  };
}

const publicTypes = { web: 'public', native: 'native' } as const;

function toWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Every setting: those that are not declared get the default, not what is stored. */
function readProtocol(declared: Document, type: ApplicationType) {
  const plain = defaultSettings(type);
  const defaults: ProtocolSettings = declared['strict'] === true ? fixSettings(plain) : plain;
  const given = settingKeys.flatMap((key): readonly (readonly [SettingKey, readonly string[]])[] => {
    const { name, fromMetadata } = protocolSettings[key];
    const texts = fromMetadata(declared[name]);
    return texts === undefined ? [] : [[key, texts]];
  });
  return { ...toTexts(defaults), ...Object.fromEntries(given) };
}

/** @throws ApplicationRefused */
function readLinks({ client_uri: website, tos_uri: terms, policy_uri: privacy }: DeclaredApplication): Links {
  const { links } = parseLinks({ website, terms, privacy });
  if (links !== undefined) return links;
  const message = 'client_uri, tos_uri and policy_uri must be web addresses.';
  throw new ApplicationRefused({ field: 'redirect_uris', problem: 'not-absolute', value: website }, message);
}

interface Described extends Pick<
  ParsedSettings,
  'name' | 'redirectUris' | 'optionalScopes' | 'scopeReasons' | 'actAsOwner' | 'protocol' | 'jwksUri' | 'jwks'
> {
  readonly clientId: string;
  readonly owner: string;
  readonly type: ApplicationType;
  readonly scopes: readonly string[];
  readonly links: Links;
}

/** With every member that has a value, in the order of the schema. */
function toDocument(described: Described): Document {
  const { type, links, protocol, jwksUri, jwks, name, owner } = described;
  const members = {
    client_id: described.clientId,
    owner,
    client_name: name,
    application_type: type === 'native' ? 'native' : 'web',
    token_endpoint_auth_method: methodOf(described),
    redirect_uris: described.redirectUris,
    scope: described.scopes.join(' '),
    optional_scope: described.optionalScopes.join(' '),
    scope_reasons: described.scopeReasons,
    act_as_owner: described.actAsOwner,
    client_uri: links.website,
    tos_uri: links.terms,
    policy_uri: links.privacy,
    jwks_uri: jwksUri,
    jwks,
    ...toMetadata(protocol),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

function methodOf({ type, jwksUri, jwks }: Described): string {
  if (type !== 'confidential') return 'none';
  return jwksUri === undefined && jwks === undefined ? 'client_secret_basic' : 'private_key_jwt';
}

/** A stored application with an owner. */
export function describeApplication(stored: Application, jwks: PublicKeySet | null): Document {
  const { owner = '', optionalScopes, ...application } = stored;
  const known = stored.scopes.filter((scope) => optionalScopes.includes(scope));
  return toDocument({
    ...application,
    owner,
    optionalScopes: known as Described['optionalScopes'], // stored ones are registered scopes
    jwks: jwks ?? undefined,
  });
}

/** Without what an application of its type has anyway. */
export function withoutDefaults(document: Document): Document {
  const method = document['token_endpoint_auth_method'];
  const type =
    method === 'none' ? publicTypes[document['application_type'] === 'native' ? 'native' : 'web'] : 'confidential';
  const plain = defaultSettings(type);
  const protocol = document['strict'] === true ? fixSettings(plain) : plain;
  const defaults: Document = {
    ...{ application_type: 'web', token_endpoint_auth_method: 'client_secret_basic', redirect_uris: [], scope: '' },
    // `email` is optional unless the file says otherwise.
    optional_scope: String(document['scope']).split(' ').includes('email') ? 'email' : '',
    ...{ scope_reasons: {}, act_as_owner: false, ...toMetadata(protocol) },
  };
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => !isDeepStrictEqual(value, defaults[name])),
  );
}

/** As it would be stored. */
export function toSubmittedApi(declared: DeclaredApi): SubmittedApi {
  const { name, scopes, client_id: clientId, access_token_alg: accessTokenAlg } = declared;
  return { name: name.trim(), scopes, clientId, accessTokenAlg };
}

export function describeApi(api: SubmittedApi & Pick<RegisteredApi, 'identifier' | 'owner'>): Document {
  const { identifier, owner, name, clientId, accessTokenAlg, scopes } = api;
  const client = clientId === undefined ? {} : { client_id: clientId };
  return {
    ...{ identifier, owner, name, ...client, access_token_alg: accessTokenAlg },
    scopes: scopes.map(({ scope, description }) => ({ scope, description })),
  };
}

/** Without what every API has anyway. */
export function exportApi(api: RegisteredApi): Document {
  return Object.fromEntries(
    Object.entries(describeApi(api)).filter(([name, value]) => name !== 'access_token_alg' || value !== 'ES256'),
  );
}
