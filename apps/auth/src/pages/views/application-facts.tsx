import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { VNode } from 'preact';

import type { Frame } from '../frame/frame.ts';
import { pagePaths } from './page-paths.ts';

interface ApplicationFactsRowsProps {
  readonly frame: Frame;
  readonly facts: ApplicationFacts;
}

/** Rows of a list of facts: verification, age, and how many people use an application. */
export function ApplicationFactsRows({ frame, facts }: ApplicationFactsRowsProps): VNode {
  const { messages, serviceName } = frame;
  const { names: texts } = messages;
  const { isVerified, createdAt, isNew, minPeople } = facts;
  const day = <time datetime={createdAt.toISOString()}>{messages.formatDay(createdAt)}</time>;
  return (
    <>
      <div>
        <dt>{texts.verification}</dt>
        <dd>
          {isVerified ? <span class="tag">{texts.verifiedBy(serviceName)}</span> : texts.notVerifiedBy(serviceName)}
        </dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>
          {isNew ? (
            <>
              <strong>{texts.createdRecently}</strong> ({day})
            </>
          ) : (
            day
          )}
        </dd>
      </div>
      <div>
        <dt>{texts.usedBy}</dt>
        <dd>{minPeople === 0 ? texts.fewPeople : texts.minPeople(minPeople)}</dd>
      </div>
    </>
  );
}

const size = 56;

/** An application's logo, decorative because its name is next to it. Null without one. */
export function Logo({ name }: { readonly name: string | undefined }): VNode | null {
  if (name === undefined) return null;
  return <img class="logo" src={pagePaths.logo(name)} alt="" width={size} height={size} />;
}
