/** One act on several rows of a list: shows what it would be about, asks, and does it. */
import type { Transactional } from '@linnet/db/statement/transaction';
import type { VNode } from 'preact';

import { FormRefused } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { Choice } from '../../pages/views/choice.tsx';
import { ErrorSummary, PostForm } from '../../pages/views/field.tsx';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { ReasonFields, isGentle, readReason, readText, reasonErrors } from './act-form.tsx';
import type { RefusedReason } from './act-form.tsx';
import { AdminLayout } from './admin-layout.tsx';
import { act } from './operator-door.tsx';

/** What the form of the list sends to the page that asks for confirmation. */
const chosenFields = { row: 'id', act: 'act' } as const;

interface BulkTexts<Name extends string> {
  readonly intro: string;
  readonly all: string;
  readonly none: string;
  readonly chosen: (count: number) => string;
  readonly leftOut: (count: number) => string;
  readonly leftOutText: string;
  readonly changedSince: string;
  readonly back: string;
  readonly done: Readonly<Record<Name, string>>;
}

/** A list with acts on several of its rows. */
export interface BulkList<Row, Name extends string> {
  readonly page: 'people' | 'applications';
  /** Of the list. */
  readonly listPath: string;
  /** Of the page that asks for confirmation. */
  readonly path: string;
  /** In the order of the page. */
  readonly names: readonly Name[];
  readonly textsOf: (messages: Frame['messages']) => {
    readonly bulk: BulkTexts<Name>;
    readonly acts: Readonly<Record<Name, { readonly label: string; readonly text: string }>>;
  };
  readonly idOf: (row: Row) => string;
  readonly Name: (props: RowProps<Row>) => VNode;
  readonly Facts: (props: RowProps<Row>) => VNode;
}

export interface RowProps<Row> {
  readonly frame: Frame;
  readonly row: Row;
}

interface ChoiceFormProps<Row, Name extends string> {
  readonly frame: Frame;
  readonly list: BulkList<Row, Name>;
  readonly rows: readonly Row[];
  /** Address of this page with every row chosen. */
  readonly all: string;
  readonly isAllChosen: boolean;
}

/** It only leads to the page that asks for confirmation, so it is sent with GET. */
export function ChoiceForm<Row, Name extends string>(props: ChoiceFormProps<Row, Name>): VNode {
  const { frame, list, rows, all, isAllChosen } = props;
  const { bulk, acts } = list.textsOf(frame.messages);
  return (
    <form action={list.path} data-testid="choose">
      <p>
        {bulk.intro}{' '}
        <a href={all} rel="nofollow">
          {bulk.all}
        </a>
      </p>
      <ul class="rows" data-testid={list.page}>
        {rows.map((row) => (
          <li key={list.idOf(row)} class="row">
            <Choice
              type="checkbox"
              name={chosenFields.row}
              value={list.idOf(row)}
              label={<list.Name frame={frame} row={row} />}
              text={<list.Facts frame={frame} row={row} />}
              checked={isAllChosen}
            />
          </li>
        ))}
      </ul>
      <p class="actions">
        {list.names.map((name) => (
          <button
            key={name}
            class={isGentle(name) ? 'button' : 'button danger-button'}
            name={chosenFields.act}
            value={name}
          >
            {acts[name].label}
          </button>
        ))}
      </p>
    </form>
  );
}

interface ChosenRouteOptions<Row, Name extends string> {
  readonly list: BulkList<Row, Name>;
  readonly isPossible: (row: Row, name: Name) => boolean;
  /** The most that one act is about. */
  readonly most: number;
  /** Undefined if the text is no id. */
  readonly toId: (text: string) => string | undefined;
  readonly find: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** Returns false if the row has changed, so that the act is impossible. */
  readonly run: (within: Transactional, name: Name, input: RunInput) => Promise<boolean>;
  /** After the transactions, also if the role ended or one failed: with the ids of the rows that are done. */
  readonly afterwards?: (ids: readonly string[]) => Promise<unknown>;
}

interface RunInput {
  readonly id: string;
  /** What the person is shown. */
  readonly shownReason: string | undefined;
}

/** `?act=&id=&id=` */
export function chosenRoute<Row, Name extends string>(options: ChosenRouteOptions<Row, Name>): AreaPage {
  const { list, isPossible, most, toId, find, run, afterwards } = options;

  /** Each once, in one order, so that two operators never wait for each other. @throws FormRefused */
  function toIds(texts: readonly string[]): readonly string[] {
    const ids = [...new Set(texts.flatMap((text) => toId(text) ?? []))].toSorted();
    if (ids.length > most) throw new FormRefused(400, `At most ${String(most)} can be changed at once.`);
    return ids;
  }

  async function show({ ctx, frame }: Visit, state: ShownState<Name>, status = 200): Promise<void> {
    const { name, ids, ...rest } = state;
    const rows = await find(ids);
    const chosen = rows.filter((row) => isPossible(row, name));
    const leftOut = rows.filter((row) => !chosen.includes(row));
    renderPage(ctx, <ChosenPage {...{ frame, list, name, chosen, leftOut }} {...rest} />, { status });
  }

  async function change(visit: Visit, name: Name, form: Form): Promise<void> {
    const ids = toIds(form.all(chosenFields.row));
    const { problem, reason, shownReason } = readReason(form, name);
    if (ids.length === 0 || problem !== undefined) {
      const refused = problem === undefined ? undefined : { action: name, reason, shownReason, problem };
      await show(visit, { name, ids, refused }, 422);
      return;
    }
    const done = new Set<string>();
    try {
      // One transaction per row: each is short, and an interrupted request can be repeated.
      for (const id of ids) {
        const isDone = await act(visit, reason, (within) => run(within, name, { id, shownReason }));
        if (isDone === undefined) return;
        if (isDone) done.add(id);
      }
    } finally {
      await afterwards?.([...done]);
    }
    const changed = ids.filter((id) => !done.has(id));
    if (changed.length === 0) redirectTo(visit.ctx, list.listPath, name);
    else await show(visit, { name, ids: changed, isChangedSince: true }, 409);
  }

  const toForm = (name: Name): AreaForm => ({ stepUp: 'recent', act: (visit, form) => change(visit, name, form) });

  return {
    path: list.path,
    show: async (visit) => {
      const name = list.names.find((one) => one === readText(visit.ctx, chosenFields.act));
      if (name === undefined) return;
      const ids = toIds([visit.ctx.query[chosenFields.row] ?? []].flat());
      await show(visit, { name, ids }, ids.length === 0 ? 422 : 200);
    },
    forms: Object.fromEntries(list.names.map((name) => [name, toForm(name)])),
  };
}

interface PageState {
  readonly refused?: RefusedReason | undefined;
  /** Some rows, which are shown, changed before the act; the others are done. */
  readonly isChangedSince?: boolean;
}

interface ShownState<Name extends string> extends PageState {
  readonly name: Name;
  readonly ids: readonly string[];
}

interface ChosenPageProps<Row, Name extends string> extends PageState {
  readonly frame: Frame;
  readonly list: BulkList<Row, Name>;
  readonly name: Name;
  readonly chosen: readonly Row[];
  /** Those for which the act is impossible. */
  readonly leftOut: readonly Row[];
}

export function ChosenPage<Row, Name extends string>(props: ChosenPageProps<Row, Name>): VNode {
  const { frame, list, name, chosen, leftOut, refused, isChangedSince = false } = props;
  const { bulk, acts } = list.textsOf(frame.messages);
  const none = chosen.length + leftOut.length === 0 ? bulk.none : undefined;
  return (
    <AdminLayout frame={frame} page={list.page} title={acts[name].label}>
      <ErrorSummary
        frame={frame}
        errors={reasonErrors(frame, refused)}
        problem={isChangedSince ? bulk.changedSince : none}
      />
      {chosen.length === 0 ? null : <ConfirmForm {...props} />}
      {leftOut.length === 0 ? null : (
        <section>
          <h2>{bulk.leftOut(leftOut.length)}</h2>
          <p>{bulk.leftOutText}</p>
          <Rows {...{ frame, list }} rows={leftOut} testId="left-out" />
        </section>
      )}
      <p>
        <a href={list.listPath}>{bulk.back}</a>
      </p>
    </AdminLayout>
  );
}

function ConfirmForm<Row, Name extends string>(props: ChosenPageProps<Row, Name>): VNode {
  const { frame, list, name, chosen, refused } = props;
  const { bulk, acts } = list.textsOf(frame.messages);
  const { text, label } = acts[name];
  return (
    <PostForm frame={frame} hidden={{ action: name }} testId={`act-${name}`}>
      {chosen.map((row) => (
        <input key={list.idOf(row)} type="hidden" name={chosenFields.row} value={list.idOf(row)} />
      ))}
      <p>{text}</p>
      <h2>{bulk.chosen(chosen.length)}</h2>
      <Rows {...{ frame, list }} rows={chosen} testId="chosen" />
      <ReasonFields {...{ frame, refused }} field={name} isShown={list.page === 'people' && name === 'suspend'} />
      <button class={isGentle(name) ? 'button' : 'button danger-button'}>{label}</button>
    </PostForm>
  );
}

interface RowsProps<Row, Name extends string> {
  readonly frame: Frame;
  readonly list: BulkList<Row, Name>;
  readonly rows: readonly Row[];
  readonly testId: string;
}

function Rows<Row, Name extends string>({ frame, list, rows, testId }: RowsProps<Row, Name>): VNode {
  return (
    <ul class="rows" data-testid={testId}>
      {rows.map((row) => (
        <li key={list.idOf(row)} class="row">
          <h3>
            <list.Name frame={frame} row={row} />
          </h3>
          <p class="quiet small">
            <list.Facts frame={frame} row={row} />
          </p>
        </li>
      ))}
    </ul>
  );
}
