import type { ErrorCode } from '@linnet/contract/errors';

const guideByProblem: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_token: 'tokens',
  insufficient_scope: 'scopes',
  'user-context-required': 'backend',
  'idempotency-in-progress': 'idempotency',
  'idempotency-key-reused': 'idempotency',
  'rate-limited': 'rate-limits',
  overloaded: 'rate-limits',
  'too-many-edits': 'posts',
  'media-not-usable': 'media',
  'media-attached': 'media',
  'image-refused': 'media',
  'body-too-large': 'media',
  'storage-full': 'media',
  'token-required': 'quickstart',
};

/** The guide that says how to avoid the problem, or how to handle any. */
export function guideOf(code: ErrorCode): string {
  return guideByProblem[code] ?? 'errors';
}
