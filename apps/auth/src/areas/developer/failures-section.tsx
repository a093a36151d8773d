import { UserText } from '@linnet/ui/user-text';
import type { VNode } from 'preact';

import { findDifference } from '../../protocol/failures/difference.ts';
import { failureKinds } from '../../protocol/failures/failure.ts';
import type { FailureKind } from '../../protocol/failures/failure.ts';
import type { ListedFailure } from '../../protocol/failures/failure-store.ts';
import type { Frame } from '../../pages/views/frame.ts';

/** Query parameter that selects one kind of failure. */
export const failureKindParameter = 'failed';

export interface FailureList {
  /** Newest first. */
  readonly list: readonly ListedFailure[];
  /** The selected kind. */
  readonly kind: FailureKind | undefined;
}

/** Why requests of the application failed (checklist LG2). */
export function FailuresSection({ frame, failures }: { readonly frame: Frame; readonly failures: FailureList }): VNode {
  const { failures: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <nav aria-label={texts.choose}>
        <ul>
          <KindLink href="?" text={texts.all} isCurrent={failures.kind === undefined} />
          {failureKinds.map((kind) => (
            <KindLink
              key={kind}
              href={`?${failureKindParameter}=${kind}`}
              text={texts.kinds[kind]}
              isCurrent={failures.kind === kind}
            />
          ))}
        </ul>
      </nav>
      {failures.list.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="rows" data-testid="failures">
          {failures.list.map((failure) => (
            <FailureRow key={failure.id} frame={frame} failure={failure} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface KindLinkProps {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}

function KindLink({ href, text, isCurrent }: KindLinkProps): VNode {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'true' : undefined}>
        {text}
      </a>
    </li>
  );
}

function FailureRow({ frame, failure }: { readonly frame: Frame; readonly failure: ListedFailure }): VNode {
  const { messages } = frame;
  const { failures: texts } = messages.developer;
  const { at, kind, endpoint, error, reason, presented, registered } = failure;
  return (
    <li class="row">
      <div>
        <h3>{texts.causes[kind]}</h3>
        <p class="quiet small">
          <time datetime={at.toISOString()}>{messages.formatMinute(at)}</time> · <code>{endpoint}</code> ·{' '}
          <code>{error}</code>
        </p>
        <p class="small" lang="en">
          <UserText text={reason} />
        </p>
        {presented === null ? null : <Addresses texts={texts} {...{ presented, registered }} />}
      </div>
    </li>
  );
}

interface AddressesProps {
  readonly texts: Frame['messages']['developer']['failures'];
  readonly presented: string;
  readonly registered: string | null;
}

/** Both redirect URIs, then their differences by character. */
function Addresses({ texts, presented, registered }: AddressesProps): VNode {
  return (
    <dl class="facts small">
      <div>
        <dt>{texts.presented}</dt>
        <dd>
          <code>
            <UserText text={presented} />
          </code>
        </dd>
      </div>
      <div>
        <dt>{texts.registered}</dt>
        <dd>
          {registered === null ? (
            texts.noneRegistered
          ) : (
            <code>
              <UserText text={registered} />
            </code>
          )}
        </dd>
      </div>
      {registered === null ? null : <Difference {...{ texts, presented, registered }} />}
    </dl>
  );
}

/** Differences are also named in text, because not everyone sees colors and lines. */
function Difference({ texts, presented, registered }: AddressesProps & { readonly registered: string }): VNode {
  return (
    <div>
      <dt>{texts.difference}</dt>
      <dd data-testid="difference">
        {findDifference(registered, presented).map(({ kind, text }, index) => {
          const content = <UserText text={text} />;
          if (kind === 'same') return <code key={index}>{content}</code>;
          const isMissing = kind === 'missing';
          return (
            <span key={index}>
              {' '}
              {isMissing ? texts.missing : texts.extra} {isMissing ? <del>{content}</del> : <ins>{content}</ins>}{' '}
            </span>
          );
        })}
      </dd>
    </div>
  );
}
