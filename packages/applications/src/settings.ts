import { ApplicationRefused, parseApplicationName, parseRedirectUris, parseScopes, throwAll } from './application.ts';
import type { RegistrableScope } from './application.ts';
import type { ApplicationType } from './application-type.ts';
import { parseAskedScopes } from './asked-scopes.ts';
import type { AskedScopes, ParsedAskedScopes } from './asked-scopes.ts';
import { parseClientKeys } from './client-keys.ts';
import type { ClientKeys } from './client-keys.ts';

/** What a developer asks for, as it comes. */
export interface Settings extends AskedScopes {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Whether `response_type=token` is allowed. */
  readonly implicit: boolean;
  /** Lets the client credentials act as the owner's account; ignored for public and native applications. */
  readonly actAsOwner: boolean;
  /** Where a confidential application publishes keys of its own, which it uses in place of a secret. */
  readonly jwksUri?: string | undefined;
  /** The same as a JWK Set that was read from JSON. */
  readonly jwks?: unknown;
}

/** The same, as it may be stored. */
export interface ParsedSettings
  extends Omit<Settings, keyof ClientKeys | keyof AskedScopes>, ClientKeys, ParsedAskedScopes {
  readonly scopes: readonly RegistrableScope[];
}

/**
 * All that is said of an application of `type`.
 * @throws ApplicationRefused with everything that is wrong.
 */
export function parseSettings(settings: Settings, type: ApplicationType): ParsedSettings {
  const refusals: ApplicationRefused[] = [];
  const attempt = <Parsed>(parse: () => Parsed, otherwise: Parsed): Parsed => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      refusals.push(error);
      return otherwise;
    }
  };
  const { redirectUris: given, implicit: isImplicit } = settings;
  const name = attempt(() => parseApplicationName(settings.name), '');
  const redirectUris = attempt(() => parseRedirectUris(given, type), given);
  const scopes = attempt(() => parseScopes(settings.scopes), []);
  const asked = attempt(() => parseAskedScopes(scopes, settings), { optionalScopes: [], scopeReasons: {} });
  const implicit = attempt(() => parseImplicit({ isImplicit, type, redirectUris }), false);
  const keys = attempt(() => parseClientKeys(settings, type), { jwksUri: undefined, jwks: undefined });
  throwAll(refusals);
  const actAsOwner = settings.actAsOwner && type === 'confidential';
  return { name, redirectUris, scopes, ...asked, implicit, actAsOwner, ...keys };
}

interface ImplicitRequest {
  readonly isImplicit: boolean;
  readonly type: ApplicationType;
  readonly redirectUris: readonly string[];
}

/**
 * Whether `response_type=token` is allowed (decisions D46). A native application may not have it: any
 * other could take its return address (RFC 8252 §8.2). Of the others the policy for return addresses
 * sees to it that the token travels over https, or stays on the device.
 * @throws ApplicationRefused
 */
function parseImplicit({ isImplicit, type, redirectUris }: ImplicitRequest): boolean {
  if (isImplicit && type === 'native') {
    throw new ApplicationRefused(
      { field: 'implicit', problem: 'native' },
      'A native application cannot have response_type=token.',
    );
  }
  if (isImplicit && redirectUris.length === 0) {
    throw new ApplicationRefused(
      { field: 'implicit', problem: 'no-redirect-uri' },
      'response_type=token needs a return address.',
    );
  }
  return isImplicit;
}
