import type { VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';
import { Layout } from './layout.tsx';
import { pagePaths } from './page-paths.ts';
import { SafeLink } from './link.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

export type ErrorKind =
  | 'not-found'
  | 'stale-form'
  | 'no-cookies'
  | 'cross-site'
  | 'bad-form'
  | 'bad-authorization'
  | 'bad-sign-out'
  | 'ended-interaction'
  | 'playground-answer'
  | 'too-many-attempts'
  | 'forbidden'
  | 'unavailable'
  | 'internal';

interface FailedApplication {
  readonly name: string;
  /** For its owner: where the failed request is explained. */
  readonly explanation: string | undefined;
}

export interface ErrorPageProps {
  readonly frame: Frame;
  readonly kind: ErrorKind;
  /** For the application's developer: the OAuth error code and description. */
  readonly oauthError?: { readonly code: string; readonly description?: string | undefined } | undefined;
  /** The application that the request is of. */
  readonly application?: FailedApplication | undefined;
  /** The form's path on our origin. */
  readonly continueTo?: string | undefined;
  /** The application's redirect URI, if it is verified. */
  readonly returnTo?: { readonly href: string; readonly host: string } | undefined;
}

/** What went wrong, and what to do next. */
export function ErrorPage(props: ErrorPageProps): VNode {
  const { frame, kind, oauthError, application, continueTo, returnTo } = props;
  const { errors } = frame.messages;
  const { title, text } = errors[kind];
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      <p>{text}</p>
      {application === undefined ? null : <p>{errors.sentBy(<UserText strong text={application.name} />)}</p>}
      {oauthError === undefined ? null : (
        <p class="technical" lang="en">
          <code>
            <UserText text={oauthError.code} />
          </code>
          {oauthError.description === undefined ? null : (
            <>
              {' '}
              <UserText text={oauthError.description} />
            </>
          )}
        </p>
      )}
      <p class="actions">
        {application?.explanation === undefined ? null : (
          <a class="button" href={application.explanation}>
            {errors.explanation}
          </a>
        )}
        <WayOn frame={frame} continueTo={continueTo} returnTo={returnTo} />
      </p>
      {frame.requestId === undefined ? null : (
        <p class="quiet small">
          {errors.reference} <code>{frame.requestId}</code>
        </p>
      )}
    </Layout>
  );
}

function WayOn({ frame, continueTo, returnTo }: Pick<ErrorPageProps, 'frame' | 'continueTo' | 'returnTo'>): VNode {
  const { errors } = frame.messages;
  if (continueTo !== undefined) {
    return (
      <a class="button" href={continueTo}>
        {errors.startAgain}
      </a>
    );
  }
  if (returnTo !== undefined) {
    return (
      <SafeLink class="button" href={returnTo.href}>
        {errors.backTo(<UserText text={returnTo.host} />)}
      </SafeLink>
    );
  }
  return (
    <a class="button quiet-button" href={pagePaths.home}>
      {errors.toStart}
    </a>
  );
}
