import { UserText } from '@linnet/ui/user-text.tsx';
import type { Context } from 'koa';
import type { VNode } from 'preact';

import { sendsNoCookies } from '../../pages/form/csrf.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import type { CreateFrame } from '../../pages/frame/page-frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { hashSource } from '../../pages/frame/security-headers.ts';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import type { ErrorKind } from '../../pages/views/error-page.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { SafeLink } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ProviderPages } from '../../protocol/failures/provider-pages.ts';
import { destinationOf, ResponseForm, ReturningPage, returningScript } from '../consent/returning-page.tsx';

interface ProviderPagesOptions {
  readonly createFrame: CreateFrame;
}

/** The pages that the protocol responds with itself: errors that go to no redirect URI, or not at once, and forms. */
export function createProviderPages({ createFrame }: ProviderPagesOptions): ProviderPages {
  return {
    showError: (ctx, { code, description, application, isInteractionEnded }) => {
      const frame = createFrame(ctx);
      renderPage(
        ctx,
        <ErrorPage
          frame={frame}
          kind={findKind(ctx, isInteractionEnded)}
          application={application && { name: application.name, explanation: findExplanation(frame, application) }}
          oauthError={{ code, ...(description === undefined ? {} : { description }) }}
        />,
        { status: ctx.status < 400 ? 400 : ctx.status },
      );
    },
    showErrorDestination: (ctx, { applicationName, destination, fields, ...error }) =>
      renderPage(
        ctx,
        <ErrorDestinationPage
          frame={createFrame(ctx)}
          application={{ name: applicationName }}
          host={destinationOf(destination)}
          href={destination}
          fields={fields}
          {...error}
        />,
        { status: 400, leadsOut: fields !== undefined },
      ),
    showResponse: (ctx, { applicationName, redirectUri, fields, uiLocales }) =>
      renderPage(
        ctx,
        <ReturningPage
          frame={createFrame(ctx, { uiLocales })}
          application={{ name: applicationName }}
          host={destinationOf(redirectUri)}
          redirectUri={redirectUri}
          fields={fields}
        />,
        { leadsOut: true, scriptHash: hashSource(returningScript) },
      ),
  };
}

/** The entry of this request in the list of failed requests, for the owner of the application. */
function findExplanation(
  { requestId = '' }: Frame,
  { clientId, isMine }: { readonly clientId: string; readonly isMine: boolean },
): string | undefined {
  return isMine ? `${pagePaths.applicationActivity(clientId)}?request=${requestId}` : undefined;
}

function findKind(ctx: Context, isInteractionEnded: boolean): ErrorKind {
  if (ctx.status === 429) return 'too-many-attempts';
  if (!isInteractionEnded) return 'bad-authorization';
  return sendsNoCookies(ctx) ? 'no-cookies' : 'ended-interaction';
}

interface ErrorDestinationPageProps {
  readonly frame: Frame;
  readonly application: { readonly name: string };
  /** The OAuth error, for the application's developer. */
  readonly code: string;
  readonly description: string | undefined;
  /** Host of the redirect URI; its scheme if it has no host (native applications). */
  readonly host: string;
  /** The redirect URI; without `fields`, it contains the error. */
  readonly href: string;
  /** The error, if a form posts it. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** Stands between an invalid authorization request and the application's site, while nobody is signed in. */
export function ErrorDestinationPage(props: ErrorDestinationPageProps): VNode {
  const { frame, application, code, description = '', host, href, fields } = props;
  const { errors } = frame.messages;
  const texts = errors.destination;
  return (
    <Layout frame={frame} title={errors['bad-authorization'].title} kind="card">
      <h1>{errors['bad-authorization'].title}</h1>
      <p>{texts.text(<UserText strong text={application.name} />, <UserText strong text={host} />)}</p>
      <p class="technical" lang="en">
        <code>{code}</code> <UserText text={description} />
      </p>
      <p>{texts.warning}</p>
      <div class="actions">
        {fields === undefined ? (
          <SafeLink class="button even" href={href} isRedirectUri testId="continue-to-application">
            {texts.continue(<UserText text={host} />)}
          </SafeLink>
        ) : (
          <ResponseForm redirectUri={href} fields={fields} isEven>
            {texts.continue(<UserText text={host} />)}
          </ResponseForm>
        )}
      </div>
    </Layout>
  );
}
