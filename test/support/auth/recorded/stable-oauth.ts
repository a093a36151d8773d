/** What differs between two runs of the same OAuth requests. The forms are those of the service. */
const stable: Readonly<Record<string, unknown>> = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl',
  id_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMTQ1ODI3NjE5NDcxMzYifQ.c2lnbmF0dXJl',
  refresh_token: 'rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE',
  token: 'rvvVvw4MHXuY3vYtqnPvLbGq0qkz8yYJ3mD1fS7nQhE',
  code: 'TR3FrlC4zJjsXkP0qvNdWm2yBhGe7uLaOi5cKt9DsVx',
  client_id: 'app_8Jr2tqkVZ0mXwL5yNcD3bQ',
  app_id: 'app_8Jr2tqkVZ0mXwL5yNcD3bQ',
  client_secret: 'LsSxWcsCk2OPtbsLudPIvEV71EVR841Q2Rhs-HV5wgk',
  registration_access_token: 'q0mDkT6HvYtqnPvLbGq0qkz8yYJ3mD1fS7nQhErvvVw',
  registration_client_uri: 'https://linnet.example/oauth/register/app_8Jr2tqkVZ0mXwL5yNcD3bQ',
  error_uri:
    'https://linnet.example/developer/applications/app_8Jr2tqkVZ0mXwL5yNcD3bQ/activity?request=0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11',
  device_code: 'Gq0qkz8yYJ3mD1fS7nQhErvvVvw4MHXuY3vYtqnPvLb',
  user_code: 'WDJB-MJHT',
  verification_uri_complete: 'https://linnet.example/oauth/device?user_code=WDJB-MJHT',
  request_uri: 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c',
  jti: 'kTIPfycfyHBiIsFNK4YJBOfcKmrEI3toHGgL7vVz_nh',
  picture: 'https://linnet.example/media/avatars/5f0c1d2e3a4b5c6d.png',
  sub: '114582761947136',
  iat: 1_795_186_800,
  exp: 1_795_190_400,
  client_id_issued_at: 1_795_186_800,
  updated_at: 1_795_186_800,
  email: 'ada@example.org',
  kid: 'hd6uIxeMWTpsBqdzmj1oTSjKysIpt2ksbpwzrXmcdbY',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
};

/** The recorded value in its stable form. */
export function stabilizeOAuth(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stabilizeOAuth).toSorted(byKind);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([name, value]) => {
    const isReplaced =
      name in stable && (typeof value === 'string' || typeof value === 'number') && value !== 'unknown';
    return [name, isReplaced ? stable[name] : stabilizeOAuth(value)];
  });
  return Object.fromEntries(members);
}

/** Keys have no fixed order; everything else stays as it is. */
function byKind(a: unknown, b: unknown): number {
  return kindOf(a).localeCompare(kindOf(b));
}

function kindOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? String(Reflect.get(value, 'kty')) : '';
}
