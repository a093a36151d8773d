import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import { expectedErrors } from '@linnet/contract/openapi/expected-errors';
import { routesByName, streamsByName } from '@linnet/contract/routes';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { WithCode } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

const operations = Object.values({ ...routesByName, ...streamsByName }).flatMap((route) =>
  route.methods.map((method) => ({
    call: `${method} ${route.path}`,
    codes: new Set([...expectedErrors(route, method).values()].flat()),
  })),
);

/** The calls that document the problem, such as `GET /post/show`. */
function listCalls(code: ErrorCode): 'every' | readonly string[] {
  const calls = operations.filter(({ codes }) => codes.has(code)).map(({ call }) => call);
  return calls.length === operations.length ? 'every' : calls;
}

const guideByProblem: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_token: 'tokens',
  insufficient_scope: 'scopes',
  'user-context-required': 'backend',
  'idempotency-in-progress': 'idempotency',
  'idempotency-key-reused': 'idempotency',
  'rate-limited': 'rate-limits',
  overloaded: 'rate-limits',
  'too-many-edits': 'posts',
  'draft-changed': 'posts',
  'too-many-drafts': 'posts',
  'media-not-usable': 'media',
  'media-attached': 'media',
  'image-refused': 'media',
  'body-too-large': 'media',
  'storage-full': 'media',
  'token-required': 'quickstart',
};

/** The guide that says how to avoid the problem, or how to handle any. */
function guideOf(code: ErrorCode): string {
  return guideByProblem[code] ?? 'errors';
}

/** When the API responds with each problem, in English like the details of problems. */
const whenProblemsHappen: Readonly<Record<ErrorCode, string>> = {
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
  'operator-required': 'The token acts for an account that is no operator, or lost the second factor that counts.',
  'wrong-password': 'The request needs the current password of the account, and the one that was sent is wrong.',
  'registration-closed': 'The operator has closed registration, or lets only people with an invitation register.',
  'registration-refused':
    'The operator does not accept registrations with this e-mail provider, from this network, or with such a name.',
  'prefetch-refused': 'A browser or a proxy requested the address in advance. Such a request must not change anything.',
  'media-not-usable': 'The media record belongs to another account.',
  'protected-account': 'The account shows its posts and lists to approved followers only.',
  'not-owner': 'The post, comment or media record belongs to someone else.',
  'test-people-apart':
    'A test person acts upon an account that is no test person of the same developer, or the opposite; or one of them reports something.',
  'quotes-restricted':
    'The author of the post lets nobody else quote it, or only followers, or has a protected account.',
  'comments-restricted':
    'The author of the post lets only followers or mentioned accounts comment, and the acting account is neither.',
  'not-found':
    'There is no such record, it was deleted, or the acting account may not see it. The response is the same for all three.',
  'unknown-endpoint': 'The path is misspelled, or belongs to another version of the API.',
  'unknown-version': 'The version in the path does not exist.',
  'method-not-allowed': 'The endpoint exists, but not with this method.',
  'accept-required': 'The request has no Accept header, or one that excludes application/json.',
  'act-not-possible': 'The account, case or application has changed since, or it belongs to an operator.',
  'email-taken': 'Another account uses the address, or has reserved it for a change.',
  'username-taken': 'Another account has the username, or it is reserved.',
  'idempotency-in-progress': 'A request with the same Idempotency-Key has not been answered yet.',
  'media-attached': 'Each media record belongs to at most one post.',
  'too-many-edits': 'The post has been edited 100 times already.',
  'draft-changed':
    'The draft has another version than the one sent, because somebody changed it in between, or it no longer waits.',
  'too-many-drafts': 'The account has 100 drafts that wait to be published.',
  'body-too-large': 'The body is larger than the limit of the endpoint.',
  'unsupported-media-type': 'The Content-Type is missing, or is one that the API does not read.',
  'idempotency-key-reused': 'The key was used before, with another path or other parameters.',
  'image-refused': 'The file is damaged, has too many pixels, or is not a PNG or JPEG. `errors` names the cause.',
  'rate-limited':
    'The application or the account has used up its requests for now. The RateLimit headers say when you can send the next one.',
  overloaded: 'The service is handling too many requests at the moment. Nothing was changed.',
  'internal-error': 'Something went wrong in the service. It was logged with the request ID.',
  unavailable: 'The service cannot reach its database at the moment. Nothing was changed.',
  'storage-full': 'The service has no space left for files.',
};

interface ProblemPageProps {
  readonly frame: Frame;
  readonly code: ErrorCode;
  /** In the language of the page. */
  readonly title: string;
  readonly baseUrl: string;
}

/** What the `type` of a problem leads to: what it means, and how to fix it. */
export function ProblemPage({ frame, code, title, baseUrl }: ProblemPageProps): VNode {
  const { problems: texts } = frame.messages;
  const { status, detail } = errorCatalogue[code];
  return (
    <Layout frame={frame} title={title} kind="area" section="guides" description={title}>
      <p>
        <a href={pagePaths.problems}>{texts.all}</a>
      </p>
      <h1>{title}</h1>
      <dl class="facts panel">
        <div>
          <dt>{texts.status}</dt>
          <dd>{status}</dd>
        </div>
        <div>
          <dt>{texts.code}</dt>
          <dd>
            <code>{code}</code>
          </dd>
        </div>
      </dl>
      <section>
        <h2>{texts.meaning}</h2>
        <p>
          <span lang="en">
            <WithCode text={whenProblemsHappen[code]} />
          </span>
        </p>
      </section>
      <section>
        <h2>{texts.remedy}</h2>
        <p>
          <span lang="en">
            <WithCode text={detail} />
          </span>
        </p>
        <p>
          <a href={pagePaths.guide(guideOf(code))}>{frame.messages.guides.read}</a>
        </p>
      </section>
      <section>
        <h2>{texts.example}</h2>
        <pre>
          <code>{exampleOf(code, title, baseUrl)}</code>
        </pre>
      </section>
      <Calls frame={frame} code={code} />
    </Layout>
  );
}

function Calls({ frame, code }: Pick<ProblemPageProps, 'frame' | 'code'>): VNode {
  const { problems: texts, layout } = frame.messages;
  const calls = listCalls(code);
  return (
    <section>
      <h2>{texts.calls}</h2>
      {calls === 'every' ? (
        <p>{texts.every}</p>
      ) : (
        <ul>
          {calls.map((call) => (
            <li key={call}>
              <code>{call}</code>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={pagePaths.reference}>{layout.reference}</a>
      </p>
    </section>
  );
}

function exampleOf(code: ErrorCode, title: string, baseUrl: string): string {
  const { status, detail } = errorCatalogue[code];
  const problem = {
    type: baseUrl + pagePaths.problem(code),
    title,
    status,
    detail,
    code,
    errors: code === 'invalid-parameter' ? [{ parameter: 'id', code: 'missing', detail: 'is required' }] : [],
    request_id: '0b6f3a52-7c1d-4f0e-9a68-2f4c5d1e8b37',
  };
  return `HTTP/1.1 ${String(status)}\nContent-Type: application/problem+json\n\n${JSON.stringify(problem, undefined, 2)}`;
}
