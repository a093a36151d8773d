import type { Fields } from '../modules/module.ts';

/**
 * A popular client whose language is not on every machine. Its requests are copied from its source, with its default
 * settings, and sent by `raw-flow.ts`.
 */
export interface RawClient {
  readonly language: string;
  readonly name: string;
  /** The kind of application that its quickstart registers. */
  readonly application: 'confidential' | 'native';
  readonly scope: string;
  /** Parameters besides `client_id`, `redirect_uri`, `response_type`, `scope`, `state` and those of PKCE. */
  readonly authorization: Fields;
  readonly state: string;
  readonly hasPkce: boolean;
  /** Pushes the authorization request if the metadata names the endpoint (RFC 9126), with the secret in the body. */
  readonly isPushed?: boolean;
  readonly token: TokenRequest;
  /** Where it reads the name of the person. */
  readonly person: 'ID token' | 'userinfo';
}

interface TokenRequest {
  /** How it authenticates: `encoded` form-encodes client_id and secret before Base64 (RFC 6749 §2.3.1). */
  readonly authentication: 'basic' | 'basic, encoded' | 'body' | 'none';
  readonly headers?: Readonly<Record<string, string>>;
  /** Besides the parameters of RFC 6749 §4.1.3, PKCE and `client_id`. */
  readonly more?: Fields;
}
