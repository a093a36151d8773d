import { scopes } from '@linnet/contract/scopes';
import type { Scope } from '@linnet/contract/scopes';

/** What clients request tokens for (RFC 9728). All of them accept the same tokens. */
export interface ProtectedResource {
  /** Path of its URL. */
  readonly path: string;
  /** Scopes that its metadata names. */
  readonly scopes: readonly Scope[];
  /** Whether a challenge for a missing scope names those that the token has as well, because clients request what it names. */
  readonly namesHeldScopes: boolean;
}

export const apiResource: ProtectedResource = { path: '/api/v2.0', scopes, namesHeldScopes: false };

/** Agents request every scope of the metadata, so it has what the tools need: not `email`, and nothing that another implies. */
export const mcpResource: ProtectedResource = { path: '/mcp', scopes: ['users', 'posts'], namesHeldScopes: true };
