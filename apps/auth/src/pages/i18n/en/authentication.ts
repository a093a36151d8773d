/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Use keys instead of secrets',
  otherKeysTitle: 'Use other keys',
  keysText:
    'The application then signs its requests with its own keys (private_key_jwt). All its secrets stop working immediately, and its access tokens are revoked.',
  otherKeysText: 'The current keys stop working immediately, and the application’s access tokens are revoked.',
  keys: 'Public keys',
  keysHint:
    'An https URL that serves them, such as https://app.example.com/jwks.json, or a JWK Set as JSON. ES256, PS256 or EdDSA.',
  setKeys: 'Use these keys',
  keysUsed: 'The application now authenticates with these keys only.',
  secretTitle: 'Use a secret instead of keys',
  secretText:
    'The keys stop working immediately, and the application’s access tokens are revoked. The secret is shown only once.',
  setSecret: 'Create a secret',
  hasSecret: 'The application already has a secret.',
};
