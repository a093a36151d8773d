import { Fragment } from 'preact';
import type { VNode } from 'preact';

import { parseOutsideScope } from '@linnet/applications/apis/api-scopes';
import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { Duration } from '@linnet/applications/grants/active-grant';
import type { EarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import type { Links } from '@linnet/applications/application/links';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import { ApplicationFactsRows, Logo } from '../../pages/views/application-facts.tsx';
import { ApplicationLinks } from '../../pages/views/link.tsx';
import { DurationChoice } from '../../pages/views/choice.tsx';
import type { Frame, Viewer } from '../../pages/frame/frame.ts';
import { inertText } from '@linnet/ui/inert-text';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { scopesField } from '../../pages/form/form.ts';
import { OutsideApis, ScopeChoice, ScopeList, scopeText } from '../../pages/views/scope-list.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import { Developer, Trust } from './consent-trust.tsx';
import type { Origin } from './consent-trust.tsx';

/** Form field: `allow`, `deny`, or `switch-account` (from a form of its own). */
export const decisionField = 'decision';

/** Value of the field `duration`: until the earlier consent expires. */
export const earlierDuration = 'earlier';

export interface ConsentPageProps {
  readonly frame: Frame;
  readonly application: Origin & {
    readonly name: string;
    /** The owner has not verified their e-mail address. */
    readonly isPublisherUnconfirmed?: boolean;
    readonly facts: ApplicationFacts;
    readonly links?: Links;
    /** File name of the logo. */
    readonly logo?: string | undefined;
  };
  readonly account: Viewer;
  /** In the order of the request. */
  readonly scopes: readonly RequestedScope[];
  /** What the account has granted the application before. */
  readonly earlier?: ShownEarlier | undefined;
  /** The request comes from an agent. */
  readonly isAgent: boolean;
  /** The request has `response_type=token`. */
  readonly isImplicit: boolean;
  /** A program on the device takes over, and the browser stays on this page. */
  readonly staysOpen?: boolean;
}

/** After the decision, says that the page may be closed. Contains no character that HTML escapes, like `returningScript`. */
export const stayingScript = `
const done = document.querySelector('[data-done]');
addEventListener('submit', ({ submitter }) => {
  if (submitter.name !== '${decisionField}') return;
  for (const other of done.parentElement.children) other.hidden = other !== done;
  document.title = done.innerText.split('\\n')[0];
  done.focus();
});
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
`;

/** An earlier consent, and whether the new one changes its expiry. */
export interface ShownEarlier extends Pick<EarlierConsent, 'scopes' | 'endsAt'> {
  readonly isShared: boolean;
}

/** If consent is remembered, the decision applies to earlier ones; otherwise it gets a grant of its own. */
export function toShownEarlier(earlier: EarlierConsent | undefined, isShared: boolean): ShownEarlier | undefined {
  return earlier === undefined ? undefined : { ...earlier, isShared };
}

/** Both buttons have the same weight (checklist UI5). */
export function ConsentPage(props: ConsentPageProps): VNode {
  const { frame, application, earlier, isImplicit, staysOpen = false } = props;
  const texts = frame.messages.consent;
  return (
    <Layout frame={frame} title={texts.title(inertText(application.name))} kind="card" isStep>
      <Logo name={application.logo} />
      <h1>{texts.heading(<UserText text={application.name} />)}</h1>
      <SignedInAs {...props} />
      <PostForm frame={frame} hidden={scopesField(earlier?.scopes ?? [])}>
        <Scopes {...props} />
        <ConsentDurationChoice {...props} />
        <Facts {...props} />
        {isImplicit ? <Notice kind="warning">{texts.implicit}</Notice> : null}
        <Trust {...props} />
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
      {staysOpen ? <Staying frame={frame} application={application} /> : null}
    </Layout>
  );
}

function Staying({ frame, application }: Pick<ConsentPageProps, 'frame' | 'application'>): VNode {
  const { returning } = frame.messages.consent;
  return (
    <>
      <div data-done tabindex={-1} hidden>
        <h2>{returning.heading(<UserText text={application.name} />)}</h2>
        <p>{returning.staying}</p>
      </div>
      <script>{stayingScript}</script>
    </>
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

type ScopesProps = Pick<ConsentPageProps, 'frame' | 'scopes' | 'isAgent'>;

/** The requested scopes; optional ones can be unticked. */
export function Scopes({ frame, scopes, isAgent }: ScopesProps): VNode {
  const { consent: texts } = frame.messages;
  const required = scopes.filter(({ isOptional }) => !isOptional);
  const optional = scopes.filter(({ isOptional }) => isOptional);
  return (
    <>
      {isAgent ? (
        <div data-testid="agent">
          <Notice kind="warning">{texts.agent.notice}</Notice>
        </div>
      ) : null}
      {scopes.length === 0 ? <p>{texts.nothing}</p> : null}
      {scopes.some(({ status }) => status === 'allowed') ? <p class="small">{texts.before}</p> : null}
      {required.length === 0 ? null : (
        <section>
          <h2>{texts.required}</h2>
          {groupScopes(frame, required, isAgent).map(({ title, members }) => (
            <Fragment key={title}>
              {title === undefined ? null : <h3>{title}</h3>}
              <ScopeList messages={frame.messages} scopes={members} />
            </Fragment>
          ))}
        </section>
      )}
      {optional.length === 0 ? null : (
        <fieldset class="choices">
          <legend>{texts.optional}</legend>
          {groupScopes(frame, optional, isAgent).map(({ title, members }) => (
            <Fragment key={title}>
              {title === undefined ? null : <h2>{title}</h2>}
              {members.map((requested) => (
                <ScopeChoice key={requested.scope} messages={frame.messages} asked={requested} />
              ))}
            </Fragment>
          ))}
        </fieldset>
      )}
      <OutsideApis frame={frame} scopes={scopes} />
    </>
  );
}

interface ScopeGroup {
  readonly title?: string;
  readonly members: readonly RequestedScope[];
}

/** Scopes of agents by what they touch; those of registered APIs have no group. Others are one list. */
function groupScopes(frame: Frame, scopes: readonly RequestedScope[], isAgent: boolean): readonly ScopeGroup[] {
  if (!isAgent) return [{ members: scopes }];
  const { reading, proposing, writing, account } = frame.messages.consent.agent.groups;
  const titleOf = ({ scope }: RequestedScope): string | undefined => {
    if (parseOutsideScope(scope) !== undefined) return undefined;
    if (scope.endsWith(':read')) return reading;
    if (scope === 'posts:propose') return proposing;
    return scope === 'posts' ? writing : account;
  };
  return [reading, proposing, writing, account, undefined].flatMap((title) => {
    const members = scopes.filter((asked) => titleOf(asked) === title);
    return members.length === 0 ? [] : [{ ...(title === undefined ? {} : { title }), members }];
  });
}

/** The access of an agent ends, unless the person chooses otherwise. */
export function defaultDuration(isAgent: boolean): Duration {
  return isAgent ? 'month' : 'until_stopped';
}

type DurationProps = Pick<ConsentPageProps, 'frame' | 'earlier' | 'isAgent'>;

/**
 * What the application may do already, and the choice of an expiry. The earlier choice is preselected, so that nobody
 * extends it without noticing.
 */
export function ConsentDurationChoice({ frame, earlier, isAgent }: DurationProps): VNode {
  const { messages } = frame;
  const keep =
    earlier?.endsAt === undefined
      ? undefined
      : { value: earlierDuration, label: messages.consent.earlier.keep(messages.formatMinute(earlier.endsAt)) };
  return (
    <>
      <EarlierScopes frame={frame} earlier={earlier} />
      {keep === undefined ? (
        <DurationChoice frame={frame} chosen={defaultDuration(isAgent && earlier === undefined)} />
      ) : (
        <DurationChoice frame={frame} chosen={undefined} keep={keep} />
      )}
    </>
  );
}

function EarlierScopes({ frame: { messages }, earlier }: Pick<ConsentPageProps, 'frame' | 'earlier'>): VNode | null {
  if (earlier === undefined || earlier.scopes.length === 0) return null;
  const texts = messages.consent.earlier;
  return (
    <section data-testid="earlier-consent">
      <h2>{texts.title}</h2>
      <ul class="scopes">
        {earlier.scopes.map(({ scope, endsAt }) => (
          <li key={scope} data-scope={scope}>
            {scopeText(messages, scope).label} –{' '}
            {endsAt === undefined ? (
              texts.endless
            ) : (
              <time datetime={endsAt.toISOString()}>{texts.until(messages.formatMinute(endsAt))}</time>
            )}
          </li>
        ))}
      </ul>
      <p class="small">{earlier.isShared ? texts.shared : texts.separate}</p>
    </section>
  );
}

function Facts({ frame, application }: ConsentPageProps): VNode {
  const texts = frame.messages.consent;
  return (
    <dl class="facts">
      <div>
        <dt>{texts.madeBy}</dt>
        <dd>
          <Developer frame={frame} application={application} />
          {application.isPublisherUnconfirmed === true ? (
            <>
              {' '}
              <span class="quiet">({texts.publisherUnconfirmed})</span>
            </>
          ) : null}
        </dd>
      </div>
      <ApplicationFactsRows frame={frame} facts={application.facts} />
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
