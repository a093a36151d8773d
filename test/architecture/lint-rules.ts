import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
type Context = Parameters<NonNullable<Rule['create']>>[0];
type Comment = ReturnType<Context['sourceCode']['getAllComments']>[number];
type Visitor = ReturnType<NonNullable<Rule['create']>>;
type Assertion = Parameters<NonNullable<Visitor['TSAsExpression']>>[0];
type Location = Comment['loc'];

/** `-next-line rule, rule -- reason` after `oxlint-disable` */
const wellFormed = /^-(?:next-)?line\s+[@\w/-]+(?:,\s*[@\w/-]+)*\s+--\s+\S.{9}/;
const fileStart: Location = { start: { line: 1, column: 0 }, end: { line: 1, column: 1 } };

/** A suppression covers one line, names its rules, and gives a reason after `--`. */
export const suppression: Rule = {
  create: (context) => ({
    Program(program) {
      for (const comment of context.sourceCode.getAllComments()) {
        const form = /^\s*oxlint-(?:disable|enable)(.*)/s.exec(comment.value)?.[1];
        if (form === undefined || wellFormed.test(form)) continue;
        const line = String(comment.loc.start.line);
        const message = `Line ${line}: write "oxlint-disable-next-line <rule> -- <reason>".`;
        context.report({ loc: locationOutside(comment, form, program.loc), message });
      }
    },
  }),
};

/** A location that the reported suppression does not suppress itself. */
function locationOutside(comment: Comment, form: string, file: Location): Location {
  if (form.startsWith('-next-line')) return comment.loc;
  return form.startsWith('-line') ? { start: file.end, end: file.end } : fileStart;
}

/** `as` overrules the compiler, so a comment next to it, or above its line or statement, must justify it. */
export const assertionReason: Rule = {
  create: (context) => ({
    TSAsExpression(node) {
      if (isHarmless(node) || hasReason(node, context.sourceCode.getAllComments())) return;
      context.report({ node, message: 'Parse the value, or justify the assertion in a comment.' });
    },
  }),
};

/** `as const`, and the inner half of `as unknown as X`, whose outer half is reported. */
function isHarmless({ typeAnnotation }: Assertion): boolean {
  if (typeAnnotation.type === 'TSUnknownKeyword') return true;
  return (
    typeAnnotation.type === 'TSTypeReference' &&
    typeAnnotation.typeName.type === 'Identifier' &&
    typeAnnotation.typeName.name === 'const'
  );
}

function hasReason(node: Assertion, comments: readonly Comment[]): boolean {
  const { start, end } = node.loc;
  const lines = new Set([start.line - 1, start.line, end.line, statementOf(node).loc.start.line - 1]);
  return comments.some(({ loc }) => lines.has(loc.end.line));
}

function statementOf(node: Assertion): Pick<Assertion, 'loc'> {
  let statement: Assertion['parent'] = node.parent;
  while (statement.parent !== null && !/Statement$|Declaration$/.test(statement.type)) statement = statement.parent;
  return statement;
}

/** A comment about unfinished work gives the number of its issue, as in `@TODO(#12)`. */
export const todoFormat: Rule = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (!/\b(?:TODO|FIXME|XXX|HACK)\b/.test(comment.value.replaceAll(/@TODO\(#\d+\)/g, ''))) continue;
        context.report({ loc: comment.loc, message: 'Write @TODO(#<issue>).' });
      }
    },
  }),
};

const waits = new Set(['vi.waitFor', 'vi.waitUntil']);
const patienceMs = 50_000;

/** A test waits for what happens however busy the machine is. By default, Vitest waits for one second. */
export const patientWait: Rule = {
  create: ({ report, sourceCode }) => ({
    CallExpression(node) {
      const [, limit] = node.arguments;
      const [, milliseconds = ''] =
        /^(?:\{\s*timeout: )?([\d_]+)/.exec(limit === undefined ? '' : sourceCode.getText(limit)) ?? [];
      if (!waits.has(sourceCode.getText(node.callee)) || Number(milliseconds.replaceAll('_', '')) >= patienceMs) return;
      report({ node, message: `Wait for at least ${String(patienceMs)} ms, or use expect.poll.` });
    },
  }),
};

export default {
  meta: { name: 'linnet' },
  rules: { suppression, 'assertion-reason': assertionReason, 'todo-format': todoFormat, 'patient-wait': patientWait },
};
