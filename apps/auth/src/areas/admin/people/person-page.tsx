import type { AccountSession } from '@linnet/accounts/account-sessions-store';
import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import type { ConnectedApplication } from '@linnet/applications/grants/connected-applications-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { pagePaths } from '../../../pages/views/page-paths.ts';
import { describeBrowser } from '../../../pages/throttle/known-browser.ts';
import { CopyScript, Notice } from '../../../pages/views/notice.tsx';
import { ErrorSummary } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import type { AccessActName } from './access-acts.ts';
import { AdminLayout } from '../admin-layout.tsx';
import { EventList } from '../audit/event-list.tsx';
import { possibleActs } from './person-acts.ts';
import type { PersonActName } from './person-acts.ts';
import { PersonFactList } from './person-facts.tsx';
import { ReasonForm, reasonErrors, TargetForm } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';

export interface PersonPageProps {
  readonly frame: Frame;
  readonly person: PersonFacts;
  /** Last used first, the first ones. */
  readonly sessions: readonly AccountSession[];
  readonly grants: readonly ConnectedApplication[];
  readonly events: readonly AuditEvent[];
  /** What was done just now. */
  readonly done?: PersonActName | AccessActName | undefined;
  readonly refused?: RefusedReason | undefined;
  /** The account changed before the act, which was not done. */
  readonly isChangedSince?: boolean;
}

export function PersonPage(props: PersonPageProps): VNode {
  const { frame, person, sessions, grants, events, done, refused, isChangedSince = false } = props;
  const { messages } = frame;
  const { person: texts, changedSince, events: eventTexts } = messages.admin;
  const heading = <UserText text={person.displayName} />;
  return (
    <AdminLayout frame={frame} page="people" title={`@${person.username}`} heading={heading}>
      <ErrorSummary
        frame={frame}
        errors={reasonErrors(frame, refused)}
        problem={isChangedSince ? changedSince : undefined}
      />
      {done === undefined ? null : (
        <Notice kind="done">{{ ...texts.actTexts, ...texts.accessTexts }[done].done}</Notice>
      )}
      <PersonFactList frame={frame} person={person} />
      <Acts frame={frame} person={person} refused={refused} />
      <Sessions {...props} sessions={sessions} />
      <Grants {...props} grants={grants} />
      <section>
        <h2>{eventTexts.title}</h2>
        <EventList frame={frame} events={events} />
      </section>
      <CopyScript frame={frame} />
    </AdminLayout>
  );
}

function Acts({ frame, person, refused }: Pick<PersonPageProps, 'frame' | 'person' | 'refused'>): VNode {
  const { person: texts } = frame.messages.admin;
  const names = possibleActs({
    ...person,
    isSuspended: person.suspendedAt !== null,
    isLimited: person.limitedAt !== null,
    isDeleted: person.deletedAt !== null,
    isOperator: person.operatorSince !== null,
    hasFactors: person.passkeys > 0 || person.hasAuthenticatorApp,
  });
  const command = <code>{inertText(`linnet user revoke-operator ${person.username}`)}</code>;
  return (
    <section>
      <h2>{texts.acts}</h2>
      {person.operatorSince === null ? null : <p>{texts.isOperator(command)}</p>}
      {names.length === 0 ? null : (
        <div class="panel">
          {names.map((name) => (
            <ReasonForm
              key={name}
              {...{ frame, refused }}
              action={name}
              texts={texts.actTexts[name]}
              isShown={name === 'suspend'}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Sessions({ frame, person, sessions, refused }: PersonPageProps): VNode {
  const { messages } = frame;
  const { person: texts } = messages.admin;
  const { signedIn, lastSeen } = messages.account.sessions;
  return (
    <section>
      <h2>{texts.sessions}</h2>
      {sessions.length === 0 ? <p class="empty">{texts.noSessions}</p> : null}
      <ul class={sessions.length === 0 ? undefined : 'rows'} data-testid="sessions">
        {sessions.map(({ uid, userAgent, address, signedInAt, lastSeenAt }) => (
          <li key={uid} class="row">
            <h3>{describeBrowser(messages, userAgent)}</h3>
            <p class="quiet small">
              <UserText text={address} /> · {signedIn(messages.formatMinute(signedInAt))} ·{' '}
              {lastSeen(messages.formatMinute(lastSeenAt))}
            </p>
            {person.operatorSince === null ? (
              <TargetForm
                {...{ frame, refused }}
                action="end-session"
                target={uid}
                texts={texts.accessTexts['end-session']}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Grants({ frame, person, grants, refused }: PersonPageProps): VNode {
  const { messages } = frame;
  const { person: texts } = messages.admin;
  return (
    <section>
      <h2>{texts.grants}</h2>
      {grants.length === 0 ? <p class="empty">{texts.noGrants}</p> : null}
      <ul class={grants.length === 0 ? undefined : 'rows'} data-testid="grants">
        {grants.map(({ clientId, name, connectedAt, scopes }) => (
          <li key={clientId} class="row">
            <h3>
              <a href={pagePaths.adminApplication(clientId)}>
                <UserText text={name} />
              </a>
            </h3>
            <p class="quiet small">
              <code>
                <UserText text={clientId} />
              </code>{' '}
              · <time datetime={connectedAt.toISOString()}>{messages.formatDay(connectedAt)}</time> ·{' '}
              <code>
                <UserText text={scopes.map(({ scope }) => scope).join(' ')} />
              </code>
            </p>
            {person.operatorSince === null ? (
              <TargetForm
                {...{ frame, refused }}
                action="end-grant"
                target={clientId}
                texts={texts.accessTexts['end-grant']}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
