import type { ApplicationType } from '../application/application-type.ts';
import {
  ApplicationRefused,
  parseApplicationName,
  parseRedirectUris,
  parseScopes,
  throwRefusals,
} from '../application/application.ts';
import type { RegistrableScope } from '../application/application.ts';
import { parseClientKeys } from '../secrets/client-keys.ts';
import type { ClientKeys } from '../secrets/client-keys.ts';
import { buildSettings, defaultSettings, protocolSettings } from './protocol-settings.ts';
import type { ProtocolSettings, SettingKey, SubmittedSettings } from './protocol-settings.ts';
import { parseScopeSettings } from './scope-settings.ts';
import type { ParsedScopeSettings, ScopeSettings } from './scope-settings.ts';
import { applyStrict, requireKeys } from './strict.ts';

/** Settings as submitted. */
export interface Settings extends ScopeSettings {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Whether `response_type=token` is allowed; the grant type `implicit` means the same. */
  readonly implicit: boolean;
  /** Missing ones keep their value, or get the default. */
  readonly protocol?: SubmittedSettings | undefined;
  /** Whether client-credentials tokens act as the owner's account; ignored for public and native applications. */
  readonly actAsOwner: boolean;
  /** Where a confidential application publishes its public keys, which replace a secret. */
  readonly jwksUri?: string | undefined;
  /** The same keys as a JWK Set, parsed from JSON. */
  readonly jwks?: unknown;
}

/** Settings as they are stored. */
export interface ParsedSettings
  extends Omit<Settings, 'protocol' | keyof ClientKeys | keyof ScopeSettings>, ClientKeys, ParsedScopeSettings {
  readonly scopes: readonly RegistrableScope[];
  /** `grantTypes` contains `implicit` if `implicit` is true. */
  readonly protocol: ProtocolSettings;
}

/**
 * Checks the settings of an application of this type. `stored` has what an existing one keeps.
 * @throws ApplicationRefused with every problem
 */
export function parseSettings(settings: Settings, type: ApplicationType, stored?: StoredSettings): ParsedSettings {
  const refusals: ApplicationRefused[] = [];
  const attempt = <Parsed>(parse: () => Parsed, fallback: Parsed): Parsed => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      refusals.push(error);
      return fallback;
    }
  };
  const isImplicit = settings.implicit || settings.protocol?.grantTypes?.includes(implicitGrantType) === true;
  const name = attempt(() => parseApplicationName(settings.name), '');
  const redirectUris = attempt(() => parseRedirectUris(settings.redirectUris, type), settings.redirectUris);
  const scopes = attempt(() => parseScopes(settings.scopes), []);
  const scopeSettings = attempt(() => parseScopeSettings(scopes, settings), { optionalScopes: [], scopeReasons: {} });
  const parseProtocol = () => parseProtocolSettings(settings.protocol ?? {}, { type, stored: stored?.protocol });
  const { grantTypes, ...protocol } = attempt(parseProtocol, defaultSettings(type));
  const { strict } = protocol;
  const wasImplicit = stored?.protocol.grantTypes.includes(implicitGrantType) === true;
  const implicit = attempt(() => parseImplicit({ isImplicit, type, redirectUris, strict, wasImplicit }), false);
  const keys = attempt(() => parseClientKeys(settings, type), { jwksUri: undefined, jwks: undefined });
  attempt(() => requireKeys(protocol, { given: keys, stored: stored?.hasKeys === true }), undefined);
  throwRefusals(refusals);
  const actAsOwner = settings.actAsOwner && type === 'confidential';
  const otherGrantTypes = grantTypes.filter((grantType) => grantType !== implicitGrantType);
  return {
    name,
    redirectUris,
    scopes,
    ...scopeSettings,
    implicit,
    actAsOwner,
    ...keys,
    protocol: {
      ...protocol,
      grantTypes: implicit ? [...otherGrantTypes, implicitGrantType] : otherGrantTypes,
    },
  };
}

const implicitGrantType = 'implicit';

/** What an existing application keeps if a change does not give it. */
interface StoredSettings {
  readonly protocol: ProtocolSettings;
  /** Whether it authenticates with keys of its own. */
  readonly hasKeys: boolean;
}

interface ImplicitRequest {
  readonly isImplicit: boolean;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
  readonly strict: boolean;
  /** Whether it was allowed before the change. */
  readonly wasImplicit: boolean;
}

/**
 * Whether `response_type=token` is allowed (D46). Never for native applications: another one on the device could
 * receive their redirects (RFC 8252 §8.2). For other types, the redirect URI policy ensures that the token is sent over
 * https or stays on the device.
 * @throws ApplicationRefused
 */
function parseImplicit({ isImplicit, type, redirectUris, strict, wasImplicit }: ImplicitRequest): boolean {
  if (isImplicit && type === 'native') {
    throw new ApplicationRefused(
      { field: 'implicit', problem: 'native' },
      'Native applications cannot use response_type=token.',
    );
  }
  if (isImplicit && redirectUris.length === 0) {
    throw new ApplicationRefused(
      { field: 'implicit', problem: 'no-redirect-uri' },
      'response_type=token needs a redirect URI to receive the token.',
    );
  }
  if (isImplicit && strict && !wasImplicit) {
    throw new ApplicationRefused(
      { field: 'implicit', problem: 'strict' },
      'A strict application cannot use response_type=token.',
    );
  }
  return isImplicit && !strict;
}

interface Origin {
  readonly type: ApplicationType;
  /** The stored settings; of a new application undefined. */
  readonly stored: ProtocolSettings | undefined;
}

/**
 * Checks submitted protocol settings. Those that are missing keep their value; of a new application they get the default.
 * @throws ApplicationRefused with every problem
 */
export function parseProtocolSettings(submitted: SubmittedSettings, { type, stored }: Origin): ProtocolSettings {
  const kept = stored ?? defaultSettings(type);
  const refusals: ApplicationRefused[] = [];
  const parse = <Key extends SettingKey>(key: Key): ProtocolSettings[Key] => {
    const setting = protocolSettings[key];
    const texts = submitted[key];
    if (!setting.isFor(type)) {
      if (key === 'strict' && texts?.some((text) => text !== '') === true) refusals.push(refuseStrict(type));
      return setting.defaultFor(type);
    }
    // A form without a choice leaves it as it is.
    const isMissing = texts === undefined || (setting.input === 'choice' && texts.length === 0);
    if (isMissing) return kept[key];
    const parsed = setting.parse(texts, type);
    if (parsed.refusals === undefined) return parsed.value;
    for (const { message, ...refusal } of parsed.refusals) {
      refusals.push(new ApplicationRefused({ field: setting.name, ...refusal }, message));
    }
    return kept[key];
  };
  const { settings, refusals: strictRefusals } = applyStrict(buildSettings(parse), kept);
  throwRefusals([...refusals, ...strictRefusals]);
  return settings;
}

function refuseStrict(type: ApplicationType): ApplicationRefused {
  return new ApplicationRefused(
    { field: 'strict', problem: 'not-for-type', value: 'strict' },
    `Only confidential applications can be strict, because it needs client authentication by key. This one is ${type}.`,
  );
}
