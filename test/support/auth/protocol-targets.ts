import { ownRoutes, protocolRoutes } from '@linnet/auth/protocol/request/routes';

/** A request to an endpoint with every parameter that any of them has. */
interface ProtocolTarget {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const methods = ['GET', 'POST'] as const;

/** Both methods of every endpoint of the protocol, whether it accepts them or not. */
export function protocolTargets(client: { readonly id: string; readonly secret: string }): readonly ProtocolTarget[] {
  const parameters = {
    ...{ client_id: client.id, client_secret: client.secret, grant_type: 'client_credentials', scope: 'users posts' },
    ...{ response_type: 'code', redirect_uri: 'https://app.example.com/callback', state: 's', nonce: 'n' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', code_verifier: 'x'.repeat(43) },
    ...{ token: 'unknown', code: 'x'.repeat(43), refresh_token: 'x'.repeat(43), id_token_hint: '', prompt: '' },
  };
  const paths = [...protocolRoutes.keys(), ...ownRoutes.keys()];
  return paths.flatMap((path) => methods.map((method) => ({ method, path, parameters })));
}
