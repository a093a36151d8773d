import * as oauth from 'openid-client';

/** What an application has of the service: its one public origin, and the credentials it was given there. */
export interface Credentials {
  readonly issuer: string;
  readonly clientId: string;
  /** Public applications have none: PKCE alone proves that a code is theirs. */
  readonly clientSecret?: string | undefined;
}

export interface Connection {
  /** For openid-client. */
  readonly service: oauth.Configuration;
  /**
   * Calls the API: `callApi(token, 'POST /post/create', { message })`.
   * @throws Error with the problem's status and detail; openid-client's when the token is refused.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- clients read into the answer freely
  readonly callApi: (token: string, target: string, body?: object) => Promise<any>;
}

/** Reads the metadata of the service, which tell where everything is. */
export async function connect({ issuer, clientId, clientSecret }: Credentials): Promise<Connection> {
  const proof = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the service on one's own machine has no TLS
  const insecure = issuer.startsWith('http:') ? { execute: [oauth.allowInsecureRequests] } : {};
  const service = await oauth.discovery(new URL(issuer), clientId, undefined, proof, insecure);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return {
    service,
    callApi: async (token, target, body) => {
      const [method = 'GET', path = '/'] = target.split(' ');
      const url = new URL(`/api/v2.0${path}`, issuer);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const answer = await oauth.fetchProtectedResource(service, token, url, method, sent, new Headers(headers));
      const json = await answer.json();
      if (!answer.ok) throw new Error(`${String(answer.status)} ${String(json.detail ?? json.title)}`);
      return json;
    },
  };
}
