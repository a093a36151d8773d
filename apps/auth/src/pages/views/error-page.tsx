import type { VNode } from 'preact';

import type { Frame } from './frame.ts';
import { Layout } from './layout.tsx';
import { pagePaths } from './page-paths.ts';
import { SafeLink } from './safe-link.tsx';
import { UserText } from '@linnet/ui/user-text';

export type ErrorKind =
  | 'not-found'
  | 'stale-form'
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

export interface ErrorPageProps {
  readonly frame: Frame;
  readonly kind: ErrorKind;
  /** For the application's developer: the OAuth error code and description. */
  readonly oauthError?: { readonly code: string; readonly description?: string | undefined } | undefined;
  /** The request id, to quote to the administrator. */
  readonly reference?: string | undefined;
  /** The form's path on our origin. */
  readonly continueTo?: string | undefined;
  /** The application's redirect URI, if it is verified. */
  readonly returnTo?: { readonly href: string; readonly host: string } | undefined;
}

/** What went wrong, and what to do next. */
export function ErrorPage({ frame, kind, oauthError, reference, continueTo, returnTo }: ErrorPageProps): VNode {
  const { errors } = frame.messages;
  const { title, text } = errors[kind];
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      <p>{text}</p>
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
        <WayOn frame={frame} continueTo={continueTo} returnTo={returnTo} />
      </p>
      {reference === undefined ? null : (
        <p class="quiet small">
          {errors.reference} <code>{reference}</code>
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
