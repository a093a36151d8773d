import { reportReasons } from '@linnet/contract/report';
import type { ReportSubject } from '@linnet/contract/report';
import type { ShownSubject } from '@linnet/social/report/report-store';
import { inertText, printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { ErrorSummary, TextArea, PostForm } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';

/** Names of the fields. */
export const reportFields = { reason: 'reason', text: 'text' } as const;

export interface ReportPageProps {
  readonly frame: Frame;
  readonly type: ReportSubject;
  readonly subject: Omit<ShownSubject, 'isOwn'>;
  readonly isSent?: boolean;
  /** As typed. */
  readonly typed?: { readonly reason: string; readonly text: string };
  readonly errors?: { readonly reason?: string; readonly text?: string };
  readonly problem?: string | undefined;
}

/** What a person is about to report, with a form for the reason. */
export function ReportPage({ frame, type, subject, isSent = false, ...form }: ReportPageProps): VNode {
  const { form: texts } = frame.messages.reports;
  const title = `${texts.pageTitle} · ${inertText(`@${subject.username}`)}`;
  return (
    <Layout frame={frame} title={title} kind="area" extraStyle="posts.css">
      <h1>{texts.titles[type](<UserText text={`@${subject.username}`} />)}</h1>
      {isSent ? <Notice kind="done">{texts.done}</Notice> : null}
      <ErrorSummary frame={frame} errors={form.errors ?? {}} problem={form.problem} />
      <p class="panel text" dir="auto">
        {printableLines(subject.content)}
      </p>
      {isSent ? <Back frame={frame} subject={subject} /> : <Form frame={frame} {...form} />}
    </Layout>
  );
}

function Back({ frame, subject }: Pick<ReportPageProps, 'frame' | 'subject'>): VNode {
  return (
    <p class="actions">
      <a class="button quiet-button" href={`/@${subject.username}`}>
        {frame.messages.people.publicProfile}
      </a>
    </p>
  );
}

type FormProps = Pick<ReportPageProps, 'frame' | 'typed' | 'errors'>;

function Form({ frame, typed, errors = {} }: FormProps): VNode {
  const { form: texts, reasons } = frame.messages.reports;
  return (
    <PostForm frame={frame} class="panel">
      <p>{texts.danger}</p>
      <ChoiceGroup name={reportFields.reason} legend={texts.reason} hint={texts.reasonHint} error={errors.reason}>
        {reportReasons.map((reason) => (
          <Choice
            key={reason}
            type="radio"
            name={reportFields.reason}
            value={reason}
            {...reasons[reason]}
            checked={typed?.reason === reason}
          />
        ))}
      </ChoiceGroup>
      <TextArea
        name={reportFields.text}
        label={texts.text}
        hint={texts.textHint}
        value={typed?.text}
        error={errors.text}
        optional={frame.messages.form.optional}
        rows={4}
        isProse
      />
      <p class="quiet small">{texts.privacy}</p>
      <button class="button" data-testid="send-report">
        {texts.submit}
      </button>
    </PostForm>
  );
}
