/**
 * The protocol settings of applications, one row each. Everything else derives from this table: the columns that are
 * read and written, the metadata of the client, the form, the options of `linnet app`, the history and the audit log.
 * The README says how to add one.
 */

import type { ApplicationType } from '../application/application-type.ts';
import { findRedirectUriProblem } from '../application/redirect-uri-policy.ts';
import { choice, choices, flag, seconds, uri, uris } from './setting-kinds.ts';
import type { Setting } from './setting-kinds.ts';

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

const isConfidential = (type: ApplicationType) => type === 'confidential';

const table = {
  /** FAPI 2.0: fixes several of the others, see `strict.ts`. */
  strict: flag({
    name: 'strict',
    summary: 'Strict (FAPI 2.0): requires its own keys, PAR, PKCE and DPoP; refresh tokens do not rotate',
    isFor: isConfidential,
    defaultFor: () => false,
    isRestriction: true,
  }),
  /** `implicit` stands for `response_type=token`. */
  grantTypes: choices({
    name: 'grant_types',
    option: 'grant-type',
    summary: 'grant type that it may use; repeatable, replaces the others',
    choices: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrantType, 'implicit'],
    isChoiceFor: (grantType, type) => grantType !== 'client_credentials' || isConfidential(type),
    defaultFor: (type) => [
      'authorization_code',
      'refresh_token',
      ...(isConfidential(type) ? ['client_credentials'] : []),
    ],
  }),
  /** Public applications have nothing else that protects a stolen code, so they cannot switch it off. */
  requirePkce: flag({
    name: 'require_pkce',
    summary: 'require PKCE; always on for public and native applications',
    isFor: isConfidential,
    defaultFor: (type) => !isConfidential(type),
    isRestriction: true,
  }),
  requirePushedAuthorizationRequests: flag({
    name: 'require_pushed_authorization_requests',
    summary: 'accept authorization requests only from /oauth/par (RFC 9126)',
    defaultFor: () => false,
    isRestriction: true,
  }),
  dpopBoundAccessTokens: flag({
    name: 'dpop_bound_access_tokens',
    summary: 'issue DPoP-bound tokens only (RFC 9449)',
    defaultFor: () => false,
    isRestriction: true,
  }),
  /** Of client assertions; `any` is each of them, for strict applications without RS256 (FAPI 2.0 §5.4.1). */
  tokenEndpointAuthSigningAlg: choice({
    name: 'token_endpoint_auth_signing_alg',
    summary:
      'the only algorithm of its client assertions (private_key_jwt); any: ES256, PS256, EdDSA or, unless strict, RS256',
    choices: ['any', 'ES256', 'PS256', 'EdDSA', 'RS256'],
    isFor: isConfidential,
    defaultFor: () => 'any',
  }),
  /** Many libraries send it. An assertion that was sent to another server with this endpoint in its metadata could be used here. */
  acceptEndpointAudience: flag({
    name: 'accept_endpoint_audience',
    summary: 'accept the token endpoint as the audience of client assertions (private_key_jwt); never if strict',
    isFor: isConfidential,
    defaultFor: () => false,
    isRestriction: false,
  }),
  accessTokenLifetime: seconds({
    name: 'access_token_lifetime',
    summary: 'lifetime of its access tokens',
    min: 60,
    max: 3600,
  }),
  /** Of a refresh token that is not used. */
  refreshTokenLifetime: seconds({
    name: 'refresh_token_lifetime',
    summary: 'lifetime of its refresh tokens while they are not used',
    min: 300,
    max: 31_536_000,
  }),
  /** OpenID Connect Discovery §3 requires RS256, and many clients support nothing else. */
  idTokenSignedResponseAlg: choice({
    name: 'id_token_signed_response_alg',
    summary: 'algorithm that signs its ID tokens',
    choices: ['RS256', 'ES256'],
    defaultFor: () => 'RS256',
  }),
  /** Where people are sent after signing out (OpenID Connect RP-Initiated Logout). */
  postLogoutRedirectUris: uris({
    name: 'post_logout_redirect_uris',
    option: 'post-logout-redirect-uri',
    summary: 'where people may be sent after signing out; repeatable, replaces the others',
    max: 20,
    isValid: (text, type) =>
      findRedirectUriProblem(text, type) === undefined && !new URL(text).searchParams.has('state'),
  }),
  /** Where the application is notified when a session ends (OpenID Connect Back-Channel Logout). */
  backchannelLogoutUri: uri({
    name: 'backchannel_logout_uri',
    summary: 'where it is notified when a session ends; https, or http on a loopback address',
    isValid: (text) => findRedirectUriProblem(text, 'confidential') === undefined,
  }),
  /** Logout tokens always contain `sid`, so nothing depends on it. */
  backchannelLogoutSessionRequired: flag({
    name: 'backchannel_logout_session_required',
    summary: 'it needs the claim sid in logout tokens, which is always there',
    defaultFor: () => false,
    isRestriction: true,
  }),
};

export type SettingKey = keyof typeof table;
type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;
type NameOf<Row> = Row extends { readonly name: infer Name extends string } ? Name : never;
/** Registration names, which are also the names of form fields. */
export type SettingName = { [Key in SettingKey]: NameOf<(typeof table)[Key]> }[SettingKey];

/** The settings of one application. */
export type ProtocolSettings = { readonly [Key in SettingKey]: ValueOf<(typeof table)[Key]> };

/** As submitted by a form or command. Settings that are missing keep their value, or get the default. */
export type SubmittedSettings = { readonly [Key in SettingKey]?: readonly string[] | undefined };

export const protocolSettings: {
  readonly [Key in SettingKey]: Setting<ProtocolSettings[Key], SettingName>;
} = table;

export const settingKeys = Object.keys(table).filter((key) => key in table) as readonly SettingKey[]; // the keys of the table

type Writable = { -readonly [Key in SettingKey]?: ProtocolSettings[Key] };

/** Builds settings from the value of each. */
export function buildSettings(valueOf: <Key extends SettingKey>(key: Key) => ProtocolSettings[Key]): ProtocolSettings {
  const built: Writable = {};
  for (const key of settingKeys) setIn(built, key, valueOf(key));
  return built as ProtocolSettings; // the loop has set every key
}

function setIn<Key extends SettingKey>(built: Writable, key: Key, value: ProtocolSettings[Key]): void {
  built[key] = value;
}

export function defaultSettings(type: ApplicationType): ProtocolSettings {
  return buildSettings((key) => protocolSettings[key].defaultFor(type));
}

/** The members of `row` that are settings. */
export function pickSettings(row: ProtocolSettings): ProtocolSettings {
  return buildSettings((key) => row[key]);
}

/** Each setting under its registration name. */
export function toMetadata(settings: ProtocolSettings): Readonly<Record<SettingName, ProtocolSettings[SettingKey]>> {
  const entries = settingKeys.map((key) => [protocolSettings[key].name, settings[key]] as const);
  return Object.fromEntries(entries) as ReturnType<typeof toMetadata>; // the table has every name
}

/** As a form shows them. */
export function toTexts(settings: ProtocolSettings): Readonly<Record<SettingKey, readonly string[]>> {
  const entries = settingKeys.map((key) => [key, textsOf(key, settings[key])] as const);
  return Object.fromEntries(entries) as ReturnType<typeof toTexts>; // the table has every key
}

function textsOf<Key extends SettingKey>(key: Key, value: ProtocolSettings[Key]): readonly string[] {
  return protocolSettings[key].toTexts(value);
}

/** The settings that allow more in `after` than in `before`. */
export function findWiderSettings(after: ProtocolSettings, before: ProtocolSettings): readonly SettingName[] {
  const wider = settingKeys.filter((key) => isWider(key, after[key], before[key]));
  return wider.map((key) => protocolSettings[key].name);
}

function isWider<Key extends SettingKey>(
  key: Key,
  after: ProtocolSettings[Key],
  before: ProtocolSettings[Key],
): boolean {
  return protocolSettings[key].isWider(after, before);
}

/** The columns of protocol settings in SQL. */
const settings = settingKeys.map((key) => protocolSettings[key]);

/** `"grant_types", …`, for a list of columns. */
export const settingColumns = settings.map(({ name }) => `"${name}"`).join(', ');

/** The same columns of the row `given` that `givenSettings` makes. */
export const givenColumns = settings.map(({ name }) => `given."${name}"`).join(', ');

/** `"grant_types" = given."grant_types", …` */
export const setGivenColumns = settings.map(({ name }) => `"${name}" = given."${name}"`).join(', ');

/** SQL condition over the rows `application` and `given`: a setting allows less than before. */
export const isAnyNarrower = settings.flatMap(({ isNarrower }) => isNarrower ?? []).join(' OR ');

/** SQL expression: the settings of a row of `application` as `ProtocolSettings` in JSON. */
export function settingsAsJson(row: string): string {
  const members = settingKeys.map((key) => `'${key}', ${row}."${protocolSettings[key].name}"`);
  return `json_build_object(${members.join(', ')})`;
}

/** A FROM item: one row `given` with the columns of settings, from a parameter that `toColumns` made. */
export function givenSettings(parameter: string): string {
  return `jsonb_populate_record(NULL::application, ${parameter}::jsonb) AS given`;
}

export function toColumns(protocol: ProtocolSettings): string {
  return JSON.stringify(toMetadata(protocol));
}
