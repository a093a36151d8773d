import type { ErrorCode } from '@linnet/contract/errors';

/** When the API responds with each problem, in English like the details of problems. */
export const whenProblemsHappen: Readonly<Record<ErrorCode, string>> = {
  'invalid-parameter':
    'A parameter is missing, has a value that is not allowed, or occurs twice. `errors` lists each of them with its name.',
  'malformed-body':
    'The body is not what its Content-Type says: broken JSON, a broken multipart body, or text that is not UTF-8.',
  'token-required': 'The request has no Authorization header.',
  invalid_token:
    'The token has expired, was revoked, is not from this service or not for its API, or its DPoP proof is missing or wrong.',
  insufficient_scope:
    'The application does not have permission for this request, or the person declined it. `scope` names what is missing.',
  'user-context-required':
    'The token came from client credentials and acts for the application, but the endpoint acts for a person.',
  'wrong-password': 'The request needs the current password of the account, and the one that was sent is wrong.',
  'prefetch-refused': 'A browser or a proxy requested the address in advance. Such a request must not change anything.',
  'media-not-usable': 'The media record belongs to another account.',
  'protected-account': 'The account shows its posts and lists to approved followers only.',
  'not-owner': 'The post, comment or media record belongs to someone else.',
  'comments-restricted':
    'The author of the post lets only followers or mentioned accounts comment, and the acting account is neither.',
  'not-found':
    'There is no such record, it was deleted, or the acting account may not see it. The response is the same for all three.',
  'unknown-endpoint': 'The path is misspelled, or belongs to another version of the API.',
  'unknown-version': 'The version in the path does not exist.',
  'method-not-allowed': 'The endpoint exists, but not with this method.',
  'accept-required': 'The request has no Accept header, or one that excludes application/json.',
  'email-taken': 'Another account uses the address, or has reserved it for a change.',
  'username-taken': 'Another account has the username, or it is reserved.',
  'idempotency-in-progress': 'A request with the same Idempotency-Key has not been answered yet.',
  'media-attached': 'Each media record belongs to at most one post.',
  'too-many-edits': 'The post has been edited 100 times already.',
  'body-too-large': 'The body is larger than the limit of the endpoint.',
  'unsupported-media-type': 'The Content-Type is missing, or is one that the API does not read.',
  'idempotency-key-reused': 'The key was used before, with another path or other parameters.',
  'image-refused': 'The file is damaged, too large, or not in the format that its name suggests.',
  'rate-limited':
    'The application or the account has used up its requests for now. The RateLimit headers say when you can send the next one.',
  overloaded: 'The service is handling too many requests at the moment. Nothing was changed.',
  'internal-error': 'Something went wrong in the service. It was logged with the request ID.',
  unavailable: 'The service cannot reach its database at the moment. Nothing was changed.',
  'storage-full': 'The service has no space left for files.',
};
