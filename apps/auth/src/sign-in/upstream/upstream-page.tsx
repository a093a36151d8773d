import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { ProviderProblem } from './upstream-client.ts';

/** Field of the buttons: the id of a provider. */
export const providerField = 'provider';

/** What a button needs. */
export interface ProviderChoice {
  readonly id: string;
  readonly name: string;
}

interface ProviderButtonsProps {
  readonly frame: Frame;
  readonly providers: readonly ProviderChoice[];
  readonly hidden?: Readonly<Record<string, string>>;
}

/** One for each provider. */
export function ProviderButtons({ frame, providers, hidden = {} }: ProviderButtonsProps): VNode | null {
  if (providers.length === 0) return null;
  return (
    <PostForm frame={frame} hidden={hidden}>
      {providers.map(({ id, name }) => (
        <button key={id} class="button quiet-button wide" name={providerField} value={id} data-testid={`with-${id}`}>
          {frame.messages.signIn.upstream.continueWith(<UserText text={name} />)}
        </button>
      ))}
    </PostForm>
  );
}

/** `unproven`: the provider has not proved the address. `taken`: the account or the person there is linked already. */
export type UpstreamProblem = ProviderProblem | 'unproven' | 'no-account' | 'taken';

export const problemStatus: Readonly<Record<UpstreamProblem, number>> = {
  denied: 403,
  ended: 400,
  refused: 400,
  unavailable: 503,
  unproven: 403,
  'no-account': 403,
  taken: 409,
};

interface UpstreamProblemPageProps {
  readonly frame: Frame;
  readonly problem: UpstreamProblem;
  readonly back?: string | undefined;
}

/** Why a sign-in with a provider ended, and what to do next. */
export function UpstreamProblemPage({ frame, problem, back = pagePaths.login }: UpstreamProblemPageProps): VNode {
  const { problems, back: label } = frame.messages.signIn.upstream;
  const { title, text } = problems[problem];
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="actions">
        <a class="button" href={back}>
          {label}
        </a>
      </p>
      {frame.requestId === undefined ? null : (
        <p class="quiet small">
          {frame.messages.errors.reference} <code>{frame.requestId}</code>
        </p>
      )}
    </Layout>
  );
}
