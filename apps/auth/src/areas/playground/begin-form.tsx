import type { TestPerson } from '@linnet/accounts/test-people-store';
import { inertText } from '@linnet/ui/inert-text';
import type { VNode } from 'preact';

import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import { FieldError, Options, TextField, fieldId } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { scopeText } from '../../pages/views/scope-list.tsx';
import type { Authentication } from './begin.ts';

export type BeginField = 'flow' | 'person' | 'scope' | 'secret_source' | 'client_secret';

/** As typed. */
export interface BeginValues {
  readonly flow: string;
  readonly scopes: readonly string[];
  readonly secretSource: string;
  /** The id of a test person; empty for the owner. */
  readonly person: string;
}

interface BeginFormProps {
  readonly frame: Frame;
  readonly application: { readonly type: string; readonly scopes: readonly string[] };
  readonly authentication: Authentication;
  readonly testPeople: readonly Pick<TestPerson, 'id' | 'username'>[];
  readonly values: BeginValues;
  readonly errors: FieldErrors<BeginField>;
}

/** The defaults suit most applications. */
export function BeginForm(props: BeginFormProps): VNode {
  const { frame, application, values, errors, authentication } = props;
  const texts = frame.messages.developer.playground;
  return (
    <>
      {application.type === 'confidential' ? (
        <ChoiceGroup name="flow" legend={texts.flow} error={errors.flow}>
          {(['person', 'application'] as const).map((flow) => (
            <Choice
              key={flow}
              type="radio"
              name="flow"
              value={flow}
              label={texts.flows[flow].label}
              text={texts.flows[flow].text}
              checked={values.flow === flow}
            />
          ))}
        </ChoiceGroup>
      ) : (
        <input type="hidden" name="flow" value="person" />
      )}
      <PersonField {...props} />
      <ChoiceGroup name="scope" legend={texts.scope} error={errors.scope}>
        {application.scopes.map((scope) => (
          <Choice
            key={scope}
            type="checkbox"
            name="scope"
            value={scope}
            label={
              <>
                {scopeText(frame.messages, scope).label} <code>{scope}</code>
              </>
            }
            checked={values.scopes.includes(scope)}
          />
        ))}
      </ChoiceGroup>
      {authentication === 'secret' ? <SecretFields {...props} /> : <p class="hint">{texts.proofs[authentication]}</p>}
      <button class="button" data-testid="playground-begin">
        {texts.begin}
      </button>
    </>
  );
}

/** Whom the run signs in. */
function PersonField({ frame, testPeople, values, errors }: BeginFormProps): VNode {
  const { playground: texts, testPeople: pageTexts } = frame.messages.developer;
  const people = testPeople.map(({ id, username }) => [String(id), `@${inertText(username)}`] as const);
  return (
    <div class="field">
      <label for={fieldId('person')}>{texts.person}</label>
      <p class="hint">
        {texts.personText} <a href={pagePaths.testPeople}>{pageTexts.title}</a>
      </p>
      <Options id={fieldId('person')} name="person" chosen={values.person} options={[['', texts.you], ...people]} />
      <FieldError name="person" error={errors.person} />
    </div>
  );
}

function SecretFields({ frame, values, errors }: BeginFormProps): VNode {
  const texts = frame.messages.developer.playground;
  return (
    <>
      <ChoiceGroup name="secret_source" legend={texts.secret} error={errors.secret_source}>
        {(['make', 'paste'] as const).map((source) => (
          <Choice
            key={source}
            type="radio"
            name="secret_source"
            value={source}
            label={texts.secretSources[source].label}
            text={texts.secretSources[source].text}
            checked={values.secretSource === source}
          />
        ))}
      </ChoiceGroup>
      <div class="paste-only">
        <TextField
          name="client_secret"
          type="password"
          label={texts.clientSecret}
          error={errors.client_secret}
          autocomplete="off"
          optional={texts.clientSecretOptional}
        />
      </div>
    </>
  );
}
