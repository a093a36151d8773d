import { expect } from 'vitest';

import { checkJson } from './conditions.ts';
import type { Suite, SuiteModules } from './suite.ts';

/**
 * `oidcc-config-certification-test-plan`. The suite also requires https, which the service of the tests does not have:
 * here, each address has the origin of the issuer, so it has https where the issuer has.
 */

/** The registered names of metadata that the service could use (IANA, OAuth Authorization Server Metadata), and that of a draft. */
const knownNames =
  /^(issuer|jwks_uri|service_documentation|op_(policy|tos)_uri|(authorization|token|userinfo|registration|revocation|introspection|pushed_authorization_request|device_authorization|end_session)_endpoint|(token|revocation|introspection)_endpoint_auth_(methods|signing_alg_values)_supported|(response_types|response_modes|grant_types|scopes|ui_locales|subject_types|claims|claim_types|acr_values|prompt_values|code_challenge_methods|(id_token|dpop|userinfo)_signing_alg_values)_supported|(claims|request|request_uri|authorization_response_iss)_parameter_supported|backchannel_logout(_session)?_supported|client_id_metadata_document_supported|require_pushed_authorization_requests|protected_resources|refresh_token_expiration_types_supported)$/;

const canonicalLocale = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Every address in the metadata. */
export function checkAddresses({ stage }: Suite): void {
  const addresses = Object.entries(stage.metadata).filter(([name]) => /(_endpoint|_uri)$/.test(name));
  const origins = addresses.map(([name, address]) => [name, new URL(String(address)).origin]);
  expect(origins).toEqual(addresses.map(([name]) => [name, new URL(stage.world.issuer).origin]));
}

const listOf = ({ stage }: Suite, name: string): readonly string[] => {
  const list: unknown = stage.metadata[name];
  expect(Array.isArray(list), name).toBe(true);
  return [list].flat().map(String);
};

async function checkKeys({ stage }: Suite): Promise<void> {
  const response = await fetch(String(stage.metadata['jwks_uri']));
  expect(response.status).toBe(200);
  const { keys }: { keys: readonly Readonly<Record<string, unknown>>[] } = await response.json();
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatchObject({ kid: expect.any(String), kty: expect.stringMatching(/^(RSA|EC)$/), use: 'sig' });
    for (const secret of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secret);
  }
}

export const oidccConfig: SuiteModules = {
  'oidcc-discovery-endpoint-verification': {
    run: async (suite) => {
      const { stage } = suite;
      const { status, headers } = await fetch(`${stage.world.issuer}/.well-known/openid-configuration`);
      expect(status).toBe(200);
      checkJson(headers);
      expect(stage.metadata['issuer']).toBe(stage.world.issuer);
      checkAddresses(suite);
      suite.warnUnless(
        'CheckForUnexpectedParametersInServerMetadata',
        Object.keys(stage.metadata).every((name) => knownNames.test(name)),
      );
      for (const [name, value] of Object.entries(stage.metadata)) {
        const isSwitch = /_(parameter|session|logout|document)_supported$/.test(name);
        if (isSwitch) expect([name, typeof value]).toEqual([name, 'boolean']);
        else if (name.endsWith('_supported')) expect(listOf(suite, name)).not.toEqual([]);
      }
      expect(listOf(suite, 'response_types_supported')).toContain('code');
      expect(listOf(suite, 'subject_types_supported')).toContain('public');
      expect(listOf(suite, 'id_token_signing_alg_values_supported')).toContain('RS256');
      expect(listOf(suite, 'code_challenge_methods_supported')).toContain('S256');
      expect(listOf(suite, 'claims_supported')).toContain('sub');
      expect(listOf(suite, 'grant_types_supported')).toContain('authorization_code');
      const scopes = listOf(suite, 'scopes_supported');
      expect(scopes).toContain('openid');
      for (const scope of scopes) expect(scope).toMatch(scopeToken);
      for (const locale of listOf(suite, 'ui_locales_supported')) expect(locale).toMatch(canonicalLocale);
      for (const name of ['authorization', 'token', 'userinfo']) {
        expect(stage.metadata).toHaveProperty(`${name}_endpoint`);
      }
      await checkKeys(suite);
    },
  },
};
