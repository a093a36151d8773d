import type { TestPerson } from '@linnet/accounts/test-people-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { ErrorSummary, PostForm, TextArea, findTyped } from '../../pages/views/field.tsx';
import { CopyScript, Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';
import { asTypeScript } from './as-typescript.ts';
import type { SampleOf } from './as-typescript.ts';
import { BeginForm } from './begin-form.tsx';
import type { BeginField, BeginValues } from './begin-form.tsx';
import type { Authentication } from './begin.ts';
import { CallForm, playgroundActions } from './call-form.tsx';
import type { CallFormProps } from './call-form.tsx';
import { Code, ExchangeList, ExchangeSection, ParameterList } from './exchange-section.tsx';
import { authorizationRequest, targetOf } from './requests.ts';
import type { Exchange, RunContent } from './run.ts';
import { TokenSection } from './token-section.tsx';

interface PlaygroundApplication extends ApplicationHeader {
  readonly type: 'confidential' | 'public' | 'native';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

export interface PlaygroundPageProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly application: PlaygroundApplication;
  readonly authentication: Authentication;
  readonly testPeople: readonly Pick<TestPerson, 'id' | 'username'>[];
  readonly begin: BeginValues;
  readonly errors?: FieldErrors<BeginField | 'client_assertion' | 'refresh_assertion' | 'revoke_assertion'>;
  /** An error that belongs to no field. */
  readonly problem?: ComponentChildren;
  readonly run?: { readonly endsAt: Date; readonly content: RunContent } | undefined;
  /** Shown in full. */
  readonly selected?: Exchange | undefined;
  readonly call?: Omit<CallFormProps, 'frame' | 'hidden' | 'granted'> | undefined;
  /** Hidden fields of every form: the submission id. */
  readonly hidden: Readonly<Record<string, string>>;
}

export function PlaygroundPage(props: PlaygroundPageProps): VNode {
  const { frame, application, errors = {}, problem, run, call } = props;
  const texts = frame.messages.developer.playground;
  return (
    <ApplicationLayout frame={frame} application={application} page="playground">
      <section>
        <h2>{texts.title}</h2>
        <p>
          {texts.intro} <a href={pagePaths.guide('sign-in')}>{frame.messages.guides.read}</a>
        </p>
        <ErrorSummary frame={frame} errors={{ ...errors, ...call?.errors }} problem={problem} />
        {run === undefined ? <Begin {...props} /> : null}
      </section>
      {run === undefined ? null : <Run {...props} run={run} />}
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}

type RunProps = PlaygroundPageProps & { readonly run: NonNullable<PlaygroundPageProps['run']> };

function Begin({
  frame,
  application,
  authentication,
  testPeople,
  begin,
  errors = {},
  hidden,
}: PlaygroundPageProps): VNode {
  return (
    <PostForm frame={frame} hidden={{ ...hidden, action: playgroundActions.begin }} class="panel">
      <BeginForm {...{ frame, application, authentication, testPeople, errors }} values={begin} />
    </PostForm>
  );
}

function Run(props: RunProps): VNode {
  const { frame, run, hidden } = props;
  const { content } = run;
  const { tokens } = content;
  const texts = frame.messages.developer.playground;
  const isTyped = findTyped(frame, { ...hidden, action: playgroundActions.begin }) !== undefined;
  return (
    <>
      {content.testPerson === undefined ? null : (
        <p data-testid="test-person">{texts.actsAs(<UserText strong text={`@${content.testPerson}`} />)}</p>
      )}
      <Stage {...props} />
      <Exchanges {...props} />
      {tokens === undefined ? null : (
        <TokenSection {...{ frame, tokens, content, hidden }} errors={props.errors ?? {}} />
      )}
      <section>
        <details open={hasBeginErrors(props) || isStopped(content) || isTyped}>
          <summary>{texts.again}</summary>
          <Begin {...props} />
        </details>
        <p class="quiet small">{texts.endsAt(frame.messages.formatMinute(run.endsAt))}</p>
      </section>
    </>
  );
}

const beginFields = ['flow', 'person', 'scope', 'secret_source', 'client_secret'] as const;

function hasBeginErrors({ errors = {}, problem }: PlaygroundPageProps): boolean {
  return problem !== undefined || beginFields.some((field) => errors[field] !== undefined);
}

/** Whether a token can be requested. */
function canRequestToken({ flow, code, tokens }: RunContent): boolean {
  return tokens === undefined && (flow === 'application' || code !== undefined);
}

function isStopped(content: RunContent): boolean {
  return content.tokens === undefined && content.state === undefined && !canRequestToken(content);
}

/** The next step. */
function Stage(props: RunProps): VNode | null {
  const { frame, run, call, hidden } = props;
  const { state, tokens } = run.content;
  if (tokens !== undefined) {
    return call === undefined ? null : <CallForm frame={frame} hidden={hidden} granted={tokens.scope} {...call} />;
  }
  if (state !== undefined) return <AuthorizeLink {...props} />;
  if (canRequestToken(run.content)) return <TokenRequest {...props} />;
  return (
    <section>
      <Notice kind="warning">{frame.messages.developer.playground.stopped}</Notice>
    </section>
  );
}

function AuthorizeLink({ frame, baseUrl, application, run }: RunProps): VNode | null {
  const texts = frame.messages.developer.playground;
  const request = authorizationRequest({ baseUrl, clientId: application.clientId }, run.content);
  if (request === undefined) return null;
  const target = targetOf(request);
  const sample = asTypeScript(sampleOf({ baseUrl, application, run }), { kind: 'authorize' });
  return (
    <section>
      <h2>{texts.sendTitle}</h2>
      <p>{texts.sendText}</p>
      <p class="actions">
        <a class="button" href={target} data-testid="playground-authorize">
          {texts.send}
        </a>
      </p>
      <ParameterList parameters={request.query} meanings={texts.parameters} />
      <Code frame={frame} summary={texts.address} code={`${baseUrl}${target}`} />
      {sample === undefined ? null : <Code frame={frame} summary={texts.typescript} code={sample} />}
    </section>
  );
}

function TokenRequest({ frame, authentication, errors = {}, run, hidden }: RunProps): VNode {
  const texts = frame.messages.developer.playground;
  return (
    <section>
      <h2>{texts.tokenTitle}</h2>
      <p>{run.content.flow === 'person' ? texts.tokenText : texts.tokenTextItself}</p>
      <PostForm frame={frame} hidden={{ ...hidden, action: playgroundActions.token }} class="panel">
        {authentication === 'keys' ? (
          <TextArea
            name="client_assertion"
            label={texts.assertion}
            hint={texts.assertionHint}
            error={errors.client_assertion}
            rows={3}
          />
        ) : null}
        <button class="button">{texts.askForToken}</button>
      </PostForm>
    </section>
  );
}

function sampleOf({ baseUrl, application, run }: Pick<RunProps, 'baseUrl' | 'application' | 'run'>): SampleOf {
  const { clientId, redirectUris } = application;
  const redirectUri = redirectUris[0] ?? 'https://app.example.com/callback';
  return { baseUrl, clientId, redirectUri, run: run.content };
}

function Exchanges({ frame, baseUrl, application, run, selected }: RunProps): VNode | null {
  const { exchanges } = run.content;
  if (selected === undefined) return null;
  const sample = asTypeScript(sampleOf({ baseUrl, application, run }), selected);
  return (
    <>
      <ExchangeSection
        {...{ frame, baseUrl, sample }}
        exchange={selected}
        failuresPath={pagePaths.applicationActivity(application.clientId)}
      />
      {exchanges.length > 1 ? <ExchangeList frame={frame} exchanges={exchanges} selected={selected.number} /> : null}
    </>
  );
}
