import type { ListedFailure } from '@linnet/applications/failures/failure-store';
import { errorTitle } from '@linnet/contract/error-titles';
import { languages } from '@linnet/contract/languages';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import { findDifference } from '../../../protocol/failures/difference.ts';
import { Copyable } from '../../../pages/views/notice.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { wholeOf } from './failure-filter.tsx';
import { findFix, isErrorCode } from './failure-fix.ts';

interface FailureRowProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly failure: ListedFailure;
  /** In a list, long texts are shortened: anyone can send them. */
  readonly isAlone: boolean;
}

/** One failed request: what happened, the facts, and how to fix it. */
export function FailureRow({ frame, clientId, failure, isAlone }: FailureRowProps): VNode {
  const { messages } = frame;
  const { failures: texts } = messages.developer;
  const { at, firstAt, times, endpoint, error, status, requestId, cause, details } = failure;
  const fix = findFix(frame, clientId, failure);
  return (
    <li class="row">
      <div>
        <h3>{titleOf(frame, failure)}</h3>
        <p class="quiet small">
          {times === 1 ? null : `${texts.repeats(times)} `}
          <time datetime={at.toISOString()}>{messages.formatSecond(at)}</time>
          {times === 1 ? null : texts.first(messages.formatSecond(firstAt))} ·{' '}
          <code>{[details.method, endpoint].filter((part) => part !== undefined).join(' ')}</code> ·{' '}
          <code>{[status, error].filter((part) => part !== null).join(' ')}</code>
        </p>
        <Facts frame={frame} failure={failure} lengths={isAlone ? wholeLengths : listLengths} />
        <p class="small">
          <strong>{texts.fix}</strong> {cause === undefined ? null : `${texts.causes[cause].fix} `}
          <a href={fix.href}>{fix.text}</a>
        </p>
        {requestId === null ? null : (
          <p class="quiet small">
            {texts.requestId} <Copyable frame={frame}>{requestId}</Copyable>
            {!isAlone && isLong(failure) ? (
              <>
                {' '}
                · <a href={wholeOf(requestId)}>{texts.whole}</a>
              </>
            ) : null}
          </p>
        )}
      </div>
    </li>
  );
}

function titleOf({ messages }: Frame, { cause, error, kind }: ListedFailure): string {
  const { failures: texts } = messages.developer;
  if (cause !== undefined) return texts.causes[cause].cause;
  const language = languages.find((one) => one === messages.language) ?? 'en';
  return kind === 'api' && isErrorCode(error) ? errorTitle(error, language) : texts.kinds[kind];
}

/** The most characters that a page shows of what was sent. */
interface Lengths {
  readonly address: number;
  readonly message: number;
  /** Of a run of characters that differs or not. */
  readonly segment: number;
  readonly segments: number;
}

const listLengths: Lengths = { address: 80, message: 100, segment: 50, segments: 9 };
/** Longer than what is stored of an address; of the difference, both addresses show the rest. */
const wholeLengths: Lengths = { address: 2048, message: 2048, segment: 200, segments: 60 };

/** The start and the end of a text that is longer. */
function shorten(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const end = Math.floor(length / 3);
  return `${characters.slice(0, length - end - 1).join('')}…${characters.slice(-end).join('')}`;
}

function isLong({ presented, registered, reason }: ListedFailure): boolean {
  const { address, message } = listLengths;
  return [presented ?? '', registered ?? ''].some((text) => text.length > address) || reason.length > message;
}

interface Fact {
  readonly label: string;
  readonly value: ComponentChildren;
}

const timeFacts = ['issuedAt', 'usedAt', 'expiresAt', 'endedAt'] as const;
const listFacts = ['scopes', 'parameters'] as const;
const textFacts = ['secret', 'grantType', 'limit'] as const;

interface FactsProps extends Pick<FailureRowProps, 'frame' | 'failure'> {
  readonly lengths: Lengths;
}

function Facts({ frame, failure, lengths }: FactsProps): VNode | null {
  const { messages } = frame;
  const { failures: texts } = messages.developer;
  const { details, reason } = failure;
  const times = timeFacts.flatMap((name): readonly Fact[] => {
    const time = details[name];
    return time === undefined ? [] : [{ label: texts.facts[name], value: messages.formatSecond(new Date(time)) }];
  });
  const values = [...listFacts, ...textFacts].flatMap((name): readonly Fact[] => {
    const value = details[name];
    return value === undefined
      ? []
      : [{ label: texts.facts[name], value: <Code text={shorten([value].flat().join(' '), lengths.message)} /> }];
  });
  const message: readonly Fact[] = hasMessage(failure)
    ? [{ label: texts.message, value: <Message reason={shorten(reason, lengths.message)} /> }]
    : [];
  const facts = [...times, ...values, ...message, ...addressesOf(frame, failure, lengths)];
  if (facts.length === 0) return null;
  return (
    <dl class="facts small">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Causes whose English explanation says more than the cause. */
const unclear: ReadonlySet<ListedFailure['cause']> = new Set([
  'assertion_rejected',
  'code_rejected',
  'refresh_token_rejected',
  'dpop_rejected',
  'logout_undelivered',
  'request_rejected',
]);

function hasMessage({ cause, kind, reason }: ListedFailure): boolean {
  return reason !== '' && (unclear.has(cause) || (cause === undefined && kind !== 'api'));
}

/** In English. */
function Message({ reason }: { readonly reason: string }): VNode {
  return (
    <span lang="en">
      <UserText text={reason} />
    </span>
  );
}

function Code({ text }: { readonly text: string }): VNode {
  return (
    <code>
      <UserText text={text} />
    </code>
  );
}

/** Both redirect URIs, then their differences by character. */
function addressesOf(
  { messages }: Frame,
  { presented, registered, cause }: ListedFailure,
  lengths: Lengths,
): readonly Fact[] {
  const { failures: texts } = messages.developer;
  if (presented === null) return [];
  const sent: Fact = { label: texts.presented, value: <Code text={shorten(presented, lengths.address)} /> };
  const label = cause === 'redirect_uri_changed' ? texts.authorized : texts.registered;
  if (registered === null) return [sent, { label, value: texts.noneRegistered }];
  return [
    sent,
    { label, value: <Code text={shorten(registered, lengths.address)} /> },
    { label: texts.difference, value: <Difference {...{ texts, presented, registered, lengths }} /> },
  ];
}

interface DifferenceProps {
  readonly texts: Frame['messages']['developer']['failures'];
  readonly presented: string;
  readonly registered: string;
  readonly lengths: Lengths;
}

/** Differences are also named in text, because not everyone sees colors and lines. */
function Difference({ texts, presented, registered, lengths }: DifferenceProps): VNode {
  const segments = findDifference(registered, presented);
  return (
    <span data-testid="difference">
      {segments.slice(0, lengths.segments).map(({ kind, text }, index) => {
        const content = <UserText text={shorten(text, lengths.segment)} />;
        if (kind === 'same') return <code key={index}>{content}</code>;
        const isMissing = kind === 'missing';
        return (
          <span key={index}>
            {' '}
            {isMissing ? texts.missing : texts.extra} {isMissing ? <del>{content}</del> : <ins>{content}</ins>}{' '}
          </span>
        );
      })}
      {segments.length > lengths.segments ? '…' : null}
    </span>
  );
}
