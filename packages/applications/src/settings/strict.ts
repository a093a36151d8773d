/** The setting `strict`: FAPI 2.0 Security Profile §5.3.2. The table `application` has the same rules as a constraint. */
import { ApplicationRefused } from '../application/application.ts';
import type { ClientKeys } from '../secrets/client-keys.ts';
import { findWiderSettings } from './protocol-settings.ts';
import type { ProtocolSettings, SettingName } from './protocol-settings.ts';

/** Without the device flow and `response_type=token`, which send no proof of who started the request. */
const strictGrantTypes = new Set(['authorization_code', 'refresh_token', 'client_credentials']);

/** The algorithm that FAPI 2.0 §5.4.1 excludes. */
const excludedAlgorithm = 'RS256';

/** What the settings are if `strict` is on. */
export function fixSettings(settings: ProtocolSettings): ProtocolSettings {
  return {
    ...settings,
    requirePkce: true,
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    acceptEndpointAudience: false,
    idTokenSignedResponseAlg: 'ES256',
    grantTypes: settings.grantTypes.filter((grantType) => strictGrantTypes.has(grantType)),
  };
}

/**
 * The settings with everything that `strict` fixes. What the application had before is switched; what is chosen against
 * `strict` is refused.
 */
export function applyStrict(
  chosen: ProtocolSettings,
  before: ProtocolSettings,
): { readonly settings: ProtocolSettings; readonly refusals: readonly ApplicationRefused[] } {
  if (!chosen.strict) return { settings: chosen, refusals: [] };
  const settings = fixSettings(chosen);
  const fixed = findWiderSettings(chosen, settings);
  const refusals = findWiderSettings(chosen, before)
    .filter((name) => fixed.includes(name))
    .map(refuse);
  if (chosen.tokenEndpointAuthSigningAlg === excludedAlgorithm) {
    refusals.push(refuse('token_endpoint_auth_signing_alg'));
  }
  const choosesExcluded = chosen.idTokenSignedResponseAlg === excludedAlgorithm;
  const hadExcluded = before.idTokenSignedResponseAlg === excludedAlgorithm;
  if (choosesExcluded && !hadExcluded) refusals.push(refuse('id_token_signed_response_alg'));
  return { settings, refusals };
}

function refuse(name: SettingName): ApplicationRefused {
  return new ApplicationRefused(
    { field: name, problem: 'not-with-strict', value: name },
    `A strict application cannot have this ${name}. Switch strict off first, or choose another value.`,
  );
}

interface KnownKeys {
  readonly given: ClientKeys;
  /** Whether the application has keys already. */
  readonly stored: boolean;
}

/** @throws ApplicationRefused if an application is strict without keys of its own, or with none that it may sign with */
export function requireKeys({ strict }: Pick<ProtocolSettings, 'strict'>, { given, stored }: KnownKeys): void {
  if (strict && given.jwks?.keys.every(({ alg }) => alg === excludedAlgorithm) === true) {
    throw new ApplicationRefused(
      { field: 'strict', problem: 'needs-keys', value: excludedAlgorithm },
      `A strict application cannot sign with ${excludedAlgorithm}. Give it a key for ES256, PS256 or EdDSA.`,
    );
  }
  if (!strict || stored || given.jwksUri !== undefined || given.jwks !== undefined) return;
  throw new ApplicationRefused(
    { field: 'strict', problem: 'needs-keys', value: '' },
    'A strict application authenticates with keys of its own (private_key_jwt), not with a secret. Give it a JWKS URI or a JWK Set.',
  );
}
