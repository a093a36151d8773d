import type { VNode } from 'preact';

import type { Links } from '@linnet/applications/links';
import type { RequestedScope } from '@linnet/applications/requested-scope';
import { ApplicationLinks } from '../../pages/views/application-links.tsx';
import { DurationChoice } from '../../pages/views/duration-choice.tsx';
import type { Frame, Viewer } from '../../pages/views/frame.ts';
import { inertText } from '@linnet/ui/inert-text';
import { Layout } from '../../pages/views/layout.tsx';
import { Logo } from '../../pages/views/logo.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { PostForm } from '../../pages/views/post-form.tsx';
import { ScopeChoice, ScopeList } from '../../pages/views/scope-list.tsx';
import { UserText } from '@linnet/ui/user-text';

/** Form field: `allow`, `deny`, or `switch-account` (from a form of its own). */
export const decisionField = 'decision';

export interface ConsentPageProps {
  readonly frame: Frame;
  readonly application: {
    readonly name: string;
    readonly ownerUsername: string;
    /** The owner has not verified their e-mail address. */
    readonly isPublisherUnconfirmed?: boolean;
    /** Host of the redirect URI; its scheme if it has no host (native applications). */
    readonly redirectHost: string;
    readonly links?: Links;
    /** File name of the logo. */
    readonly logo?: string | undefined;
  };
  readonly account: Viewer;
  /** In the order of the request. */
  readonly scopes: readonly RequestedScope[];
  /** The request has `response_type=token`. */
  readonly isImplicit: boolean;
}

/** Both buttons have the same weight (checklist UI5). */
export function ConsentPage(props: ConsentPageProps): VNode {
  const { frame, application, isImplicit } = props;
  const texts = frame.messages.consent;
  const owner = <UserText strong text={`@${application.ownerUsername}`} />;
  return (
    <Layout frame={frame} title={texts.title(inertText(application.name))} kind="card" isStep>
      <Logo name={application.logo} />
      <h1>{texts.heading(<UserText text={application.name} />)}</h1>
      <SignedInAs {...props} />
      <PostForm frame={frame}>
        <Scopes {...props} />
        <DurationChoice frame={frame} chosen="until_stopped" />
        <Facts {...props} />
        {isImplicit ? <Notice kind="warning">{texts.implicit}</Notice> : null}
        <p class="small">{texts.unchecked(frame.serviceName, owner)}</p>
        <div class="decision">
          <button class="button even" name={decisionField} value="deny">
            {texts.deny}
          </button>
          <button class="button even" name={decisionField} value="allow">
            {texts.allow}
          </button>
        </div>
      </PostForm>
      <p class="quiet small">{texts.later}</p>
    </Layout>
  );
}

function SignedInAs({ frame, account }: ConsentPageProps): VNode {
  const texts = frame.messages.consent;
  return (
    <div class="identity">
      <p>
        {texts.signedInAs(
          <>
            <UserText strong text={`@${account.username}`} /> (<UserText text={account.displayName} />)
          </>,
        )}
      </p>
      <PostForm frame={frame} hidden={{ [decisionField]: 'switch-account' }}>
        <button class="link-button">{texts.notYou}</button>
      </PostForm>
    </div>
  );
}

/** The requested scopes; optional ones can be unticked. */
export function Scopes({ frame, scopes }: Pick<ConsentPageProps, 'frame' | 'scopes'>): VNode {
  const { consent: texts } = frame.messages;
  const required = scopes.filter(({ isOptional }) => !isOptional);
  const optional = scopes.filter(({ isOptional }) => isOptional);
  return (
    <>
      {scopes.length === 0 ? <p>{texts.nothing}</p> : null}
      {scopes.some(({ status }) => status === 'allowed') ? <p class="small">{texts.before}</p> : null}
      {required.length === 0 ? null : (
        <section>
          <h2>{texts.required}</h2>
          <ScopeList messages={frame.messages} scopes={required} />
        </section>
      )}
      {optional.length === 0 ? null : (
        <fieldset class="choices">
          <legend>{texts.optional}</legend>
          {optional.map((requested) => (
            <ScopeChoice key={requested.scope} messages={frame.messages} asked={requested} />
          ))}
        </fieldset>
      )}
    </>
  );
}

function Facts({ frame, application }: ConsentPageProps): VNode {
  const texts = frame.messages.consent;
  return (
    <dl class="facts">
      <div>
        <dt>{texts.madeBy}</dt>
        <dd>
          <UserText text={`@${application.ownerUsername}`} />
          {application.isPublisherUnconfirmed === true ? (
            <>
              {' '}
              <span class="quiet">({texts.publisherUnconfirmed})</span>
            </>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{texts.returnsTo}</dt>
        <dd>
          <UserText strong text={application.redirectHost} />
        </dd>
      </div>
      {application.links === undefined ? null : <ApplicationLinks frame={frame} links={application.links} />}
    </dl>
  );
}
