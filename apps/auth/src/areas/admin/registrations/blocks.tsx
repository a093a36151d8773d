import { parseBlock } from '@linnet/accounts/registrations/block';
import type { BlockField, WrittenBlock } from '@linnet/accounts/registrations/block';
import { findBlocks, removeBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import type { RegistrationBlock } from '@linnet/accounts/registrations/block-store';
import { blockActs, blockKinds } from '@linnet/contract/registration-block';
import type { Queryable } from '@linnet/db/statement/transaction';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { Choice } from '../../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextField, findTyped } from '../../../pages/views/field.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { Select, parseId, readNumber, readReason, readText, reasonField, withQuery } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { act } from '../operator-door.tsx';
import { SearchForm } from '../search-form.tsx';

const pageSize = 50;
const notices = ['added', 'removed'] as const;

/** `/admin/blocks?q=`: blocks of registrations, newest first. */
export function blocksRoute(db: Queryable): AreaPage {
  async function show({ ctx, frame }: Visit, state: Partial<BlocksPageProps>, status = 200): Promise<void> {
    const text = readText(ctx, 'q');
    const found = await findBlocks(db, { text, before: readNumber(ctx, 'before'), limit: pageSize + 1 });
    const blocks = found.slice(0, pageSize);
    const last = found.length > pageSize ? blocks.at(-1)?.id : undefined;
    const next = last === undefined ? undefined : withQuery(ctx.path, { q: text, before: String(last) });
    renderPage(ctx, <BlocksPage {...{ frame, text, blocks, next, ...state }} />, { status });
  }

  async function add(visit: Visit, form: Form): Promise<void> {
    const written = readBlock(form);
    const { block, wrong = [] } = parseBlock(written);
    const read = readReason(form, 'add');
    if (block === undefined || read.problem !== undefined) {
      await show(visit, { written, wrong, ...toRefused('add', read) }, 422);
      return;
    }
    const ids = await act(visit, read.reason, (within) => saveBlocks(within, [block]));
    if (ids !== undefined) redirectTo(visit.ctx, pagePaths.adminBlocks, 'added');
  }

  async function remove(visit: Visit, form: Form): Promise<void> {
    const ids = form.all('block').flatMap((text) => parseId(text) ?? []);
    const read = readReason(form, 'remove');
    if (ids.length === 0 || read.problem !== undefined) {
      const problem = ids.length === 0 ? 'noneChosen' : undefined;
      await show(visit, { checked: ids, problem, ...toRefused('remove', read) }, 422);
      return;
    }
    const gone = await act(visit, read.reason, (within) => removeBlocks(within, ids));
    if (gone?.length === 0) await show(visit, { problem: 'changedSince' }, 409);
    else if (gone !== undefined) redirectTo(visit.ctx, pagePaths.adminBlocks, 'removed');
  }

  return {
    path: pagePaths.adminBlocks,
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, notices) }),
    forms: { add: toForm(add), remove: toForm(remove) },
  };
}

function toForm(run: AreaForm['act']): AreaForm {
  return { stepUp: 'recent', act: run };
}

function readBlock(form: Form): WrittenBlock {
  const read = (field: BlockField) => form.text(field);
  return { kind: read('kind'), value: read('value'), act: read('act'), until: read('until'), note: read('note') };
}

function toRefused(action: string, { reason, problem }: ReturnType<typeof readReason>) {
  return problem === undefined ? { typed: { action, reason } } : { refused: { action, reason, problem } };
}

interface BlocksPageProps {
  readonly frame: Frame;
  /** What was searched. */
  readonly text: string;
  readonly blocks: readonly RegistrationBlock[];
  /** Address of the next page. */
  readonly next: string | undefined;
  readonly done?: (typeof notices)[number] | undefined;
  /** What was chosen and typed in a form that was refused. */
  readonly checked?: readonly number[];
  readonly written?: WrittenBlock;
  readonly wrong?: readonly BlockField[];
  readonly typed?: { readonly action: string; readonly reason: string };
  readonly refused?: RefusedReason;
  readonly problem?: 'noneChosen' | 'changedSince' | undefined;
}

export function BlocksPage(props: BlocksPageProps): VNode {
  const { frame, text, blocks, next, done, problem } = props;
  const { blocks: texts, changedSince } = frame.messages.admin;
  const problems = { noneChosen: texts.noneChosen, changedSince };
  const errors = errorsOf(props);
  return (
    <AdminLayout frame={frame} page="blocks" title={texts.title}>
      <ErrorSummary frame={frame} errors={errors} problem={problem === undefined ? undefined : problems[problem]} />
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      <p>{texts.intro}</p>
      <AddForm {...props} errors={errors} />
      <h2>{texts.listTitle}</h2>
      <SearchForm frame={frame} label={texts.find} hint={texts.findHint} value={text} />
      {blocks.length === 0 ? <p class="empty">{texts.none}</p> : <RemoveForm {...props} errors={errors} />}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

type Errors = FieldErrors<string>;

function errorsOf({ frame, wrong = [], refused }: BlocksPageProps): Errors {
  const { blocks: texts, reason } = frame.messages.admin;
  return {
    ...Object.fromEntries(wrong.map((field) => [field, texts.errors[field]])),
    ...(refused === undefined ? {} : { [reasonField(refused.action)]: reason.errors[refused.problem] }),
  };
}

type FormProps = BlocksPageProps & { readonly errors: Errors };

const addFields = { action: 'add' };

function isAddOpen({ frame, wrong = [], refused }: BlocksPageProps): boolean {
  return wrong.length > 0 || refused?.action === 'add' || findTyped(frame, addFields) !== undefined;
}

function AddForm(props: FormProps): VNode {
  const { frame, written, errors } = props;
  const { blocks: texts } = frame.messages.admin;
  const { optional } = frame.messages.form;
  return (
    <details open={isAddOpen(props)}>
      <summary>{texts.add}</summary>
      <PostForm frame={frame} hidden={addFields} testId="add-block">
        <Select name="kind" label={texts.fields.kind} chosen={written?.kind} options={blockKinds} texts={texts.kinds} />
        <TextField
          name="value"
          label={texts.fields.value}
          hint={texts.hints.value}
          value={written?.value}
          error={errors['value']}
          autocomplete="off"
        />
        <Select name="act" label={texts.fields.act} chosen={written?.act} options={blockActs} texts={texts.acts} />
        <TextField
          name="until"
          type="date"
          label={texts.fields.until}
          hint={texts.hints.until}
          value={written?.until}
          error={errors['until']}
          optional={optional}
          autocomplete="off"
        />
        <TextField
          name="note"
          label={texts.fields.note}
          hint={texts.hints.note}
          value={written?.note}
          error={errors['note']}
          optional={optional}
          autocomplete="off"
        />
        <Reason {...props} action="add" />
        <button class="button">{texts.add}</button>
      </PostForm>
    </details>
  );
}

function Reason({ frame, action, typed, refused, errors }: FormProps & { readonly action: string }): VNode {
  const { reason } = frame.messages.admin;
  const given = [refused, typed].find((one) => one?.action === action);
  const name = reasonField(action);
  return (
    <TextField
      name={name}
      label={reason.label}
      hint={reason.hint}
      value={given?.reason}
      error={errors[name]}
      autocomplete="off"
    />
  );
}

function RemoveForm(props: FormProps): VNode {
  const { frame, blocks, checked = [] } = props;
  return (
    <PostForm frame={frame} hidden={{ action: 'remove' }} testId="remove-blocks">
      <ul class="rows" data-testid="blocks">
        {blocks.map((one) => (
          <li key={one.id} class="row">
            <Choice
              type="checkbox"
              name="block"
              value={String(one.id)}
              label={<UserText text={one.value} />}
              text={describe(frame, one)}
              checked={checked.includes(one.id)}
            />
          </li>
        ))}
      </ul>
      <Reason {...props} action="remove" />
      <p class="actions">
        <button class="button danger-button">{frame.messages.admin.blocks.remove}</button>
      </p>
    </PostForm>
  );
}

function describe({ messages }: Frame, { kind, act: does, expiresAt, hasEnded, note }: RegistrationBlock): string {
  const { blocks: texts } = messages.admin;
  const toEnd = hasEnded ? texts.ended : texts.until;
  return [
    texts.kinds[kind],
    texts.acts[does],
    ...(expiresAt === null ? [] : [toEnd(messages.formatMinute(expiresAt))]),
    ...(note === '' ? [] : [inertText(note)]),
  ].join(' · ');
}
