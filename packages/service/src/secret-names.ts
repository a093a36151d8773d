/** Names of fields whose values are never logged, in lower case without `-` and `_`. */
const secretNames = new Set([
  'accesstoken',
  'assertion',
  'authorization',
  'clientassertion',
  'clientsecret',
  'code',
  'codeverifier',
  'cookie',
  'idtoken',
  'password',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretkeys',
  'setcookie',
  'token',
  'xapikey',
]);
const knownNames = new Map<string, boolean>();
/** Most names of fields are in the code. Others, such as those of a request, must not take memory for ever. */
const maxKnownNames = 1000;

/** Whether the values of fields with this name are never logged. */
export function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
  if (knownNames.size < maxKnownNames) knownNames.set(name, isSecret);
  return isSecret;
}
