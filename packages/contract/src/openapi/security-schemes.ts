import type { oas31 } from 'zod-openapi';

import type { Scope } from '../scopes.ts';

const scopes: Readonly<Record<Scope, string>> = {
  users: 'Read and change accounts and follows',
  posts: 'Read and write posts, comments, likes and media',
  email: 'Read the e-mail address of the account',
  'users:read': 'Read accounts and follows; part of `users`',
  'posts:read': 'Read posts, comments, likes and media; part of `posts`',
};

/** Two ways to say one thing: with `oauth` a tool gets the token, with `bearer` one is pasted. */
export function securitySchemes(baseUrl: string): Record<'oauth' | 'bearer', oas31.SecuritySchemeObject> {
  const tokenUrl = `${baseUrl}/oauth/token`;
  return {
    oauth: {
      type: 'oauth2',
      description: 'An access token by OAuth 2.0. Public applications use the authorization code with PKCE (S256).',
      flows: {
        clientCredentials: { tokenUrl, scopes },
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes,
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token that is there already.',
    },
  };
}
