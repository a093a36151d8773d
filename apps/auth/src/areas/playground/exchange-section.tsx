import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { CopyableBlock, Notice } from '../../pages/views/notice.tsx';
import { asCurl, rawRequest, shownValue } from './format-request.ts';
import type { Exchange, PlaygroundAnswer } from './run.ts';

/** Query parameter: the number of the exchange that is shown in full. */
export const exchangeParameter = 'exchange';

interface ExchangeSectionProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly exchange: Exchange;
  /** The request in TypeScript. */
  readonly sample: string | undefined;
  /** Path of the list of failed requests. */
  readonly failuresPath: string;
}

/** One request with its response, and how to send it from a program. */
export function ExchangeSection({ frame, baseUrl, exchange, sample, failuresPath }: ExchangeSectionProps): VNode {
  const texts = frame.messages.developer.playground;
  const { kind, request, answer } = exchange;
  return (
    <section id="answer" data-testid="playground-exchange">
      <h2>
        {texts.kinds[kind]} <Outcome answer={answer} />
      </h2>
      <Explanation {...{ frame, answer, failuresPath }} />
      <h3>{texts.answer}</h3>
      <Answer frame={frame} answer={answer} />
      <h3>{texts.request}</h3>
      <CopyableBlock frame={frame}>{rawRequest(baseUrl, request)}</CopyableBlock>
      <p class="hint">{texts.variables}</p>
      {kind === 'authorize' ? null : <Code frame={frame} summary={texts.curl} code={asCurl(baseUrl, request)} />}
      {sample === undefined ? (
        <p class="hint">{texts.noSdk}</p>
      ) : (
        <Code frame={frame} summary={texts.typescript} code={sample} />
      )}
    </section>
  );
}

interface CodeProps {
  readonly frame: Frame;
  readonly summary: string;
  readonly code: string;
}

/** Collapsed. */
export function Code({ frame, summary, code }: CodeProps): VNode {
  return (
    <details>
      <summary>{summary}</summary>
      <CopyableBlock frame={frame}>{code}</CopyableBlock>
    </details>
  );
}

function Outcome({ answer }: { readonly answer: PlaygroundAnswer }): VNode | null {
  if (!('status' in answer)) return null;
  return <span class={answer.status < 400 ? 'tag' : 'tag warning'}>{answer.status}</span>;
}

function Answer({ frame, answer }: { readonly frame: Frame; readonly answer: PlaygroundAnswer }): VNode {
  const texts = frame.messages.developer.playground;
  if ('failure' in answer) return <p>{texts.noAnswer}</p>;
  if ('callback' in answer) {
    return <ParameterList parameters={answer.callback.map(([name, value]) => [name, shownValue(value)])} />;
  }
  const head = [
    `HTTP/1.1 ${String(answer.status)}`,
    ...answer.headers.map(([name, value]) => `${name}: ${inertText(value)}`),
  ];
  return (
    <>
      <CopyableBlock frame={frame}>{`${head.join('\n')}\n\n${answer.body}`}</CopyableBlock>
      {answer.isCut ? <p class="hint">{texts.cut}</p> : null}
    </>
  );
}

interface ExplanationProps {
  readonly frame: Frame;
  readonly answer: PlaygroundAnswer;
  readonly failuresPath: string;
}

/** Explains a failure, with a link to the list of failed requests. */
function Explanation({ frame, answer, failuresPath }: ExplanationProps): VNode | null {
  const text = explain(frame, answer);
  if (text === undefined) return null;
  return (
    <Notice kind="warning">
      {text} <a href={failuresPath}>{frame.messages.developer.playground.why}</a>
    </Notice>
  );
}

function explain(frame: Frame, answer: PlaygroundAnswer): ComponentChildren {
  const texts = frame.messages.developer.playground.explained;
  if ('failure' in answer) return texts[answer.failure];
  if ('callback' in answer) {
    const [, error] = answer.callback.find(([name]) => name === 'error') ?? [];
    if (error === undefined) return undefined;
    return error === 'access_denied' ? texts.denied : texts.refused;
  }
  return explainStatus(texts, answer.status);
}

function explainStatus(texts: Frame['messages']['developer']['playground']['explained'], status: number) {
  if (status < 400) return undefined;
  if (status === 401) return texts.unauthorized;
  if (status === 403) return texts.forbidden;
  return status === 429 ? texts.limited : texts.refused;
}

interface ExchangeListProps {
  readonly frame: Frame;
  readonly exchanges: readonly Exchange[];
  readonly selected: number;
}

/** Newest first; each links to its details. */
export function ExchangeList({ frame, exchanges, selected }: ExchangeListProps): VNode {
  const texts = frame.messages.developer.playground;
  return (
    <section>
      <h2>{texts.all}</h2>
      <ol class="rows">
        {exchanges.map(({ number, kind, at, request, answer }) => (
          <li key={number} class="row">
            <a
              href={`?${exchangeParameter}=${String(number)}#answer`}
              aria-current={number === selected ? 'true' : undefined}
            >
              {texts.kinds[kind]}
            </a>{' '}
            <code>
              {request.method} {request.path}
            </code>{' '}
            <Outcome answer={answer} />
            <p class="quiet small">
              <time datetime={new Date(at).toISOString()}>{frame.messages.formatMinute(new Date(at))}</time>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ParameterListProps {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Explanations by parameter name. */
  readonly meanings?: Readonly<Partial<Record<string, string>>>;
}

/** The query parameters of a URL. */
export function ParameterList({ parameters, meanings = {} }: ParameterListProps): VNode {
  return (
    <dl class="facts panel">
      {parameters.map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <code>
              <UserText text={value} />
            </code>
            {meanings[name] === undefined ? null : <p class="hint">{meanings[name]}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
