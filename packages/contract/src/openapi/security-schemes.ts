import type { oas31 } from 'zod-openapi';

import type { Scope } from '../scopes.ts';

const scopes: Readonly<Record<Scope, string>> = {
  users: 'Read and change accounts and follows',
  posts: 'Read and write posts, comments, likes and media',
  email: 'Read the e-mail address of the account',
  'users:read': 'Read accounts and follows; included in `users`',
  'posts:read': 'Read posts, comments, likes and media; included in `posts`',
  'posts:propose':
    'Propose posts, comments, likes, reposts and follows, for the person to publish; included in `posts`',
};

/** Both describe the same token: with `oauth` a tool requests it, with `bearer` a person pastes one. */
export function securitySchemes(baseUrl: string): Record<'bearer' | 'oauth', oas31.SecuritySchemeObject> {
  const tokenUrl = `${baseUrl}/oauth/token`;
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token that you already have.',
    },
    oauth: {
      type: 'oauth2',
      description: 'An OAuth 2.0 access token. Public applications use the authorization code flow with PKCE (S256).',
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
  };
}
