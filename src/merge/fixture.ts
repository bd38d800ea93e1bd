/**
 * Merges a fixture of tests: `mergeFixture` adds the members that are new in the definitions, takes away those that are
 * gone and renames those that were renamed. All values stay those of the team, also where other ones are generated now.
 */
import { ts } from 'ts-morph';

import type { MergeInput } from './index.ts';
import { parse } from './typescript/source.ts';
import type { MergeResult } from './types.ts';

/** The members of the object that a function returns, by their names. */
type Members = ReadonlyMap<string, ts.ObjectLiteralElementLike>;

/** The function that returns what makes the items of references. */
const MAKERS = 'references';

/** What a fixture declares at its top. */
interface Fixture {
  readonly text: string;
  /** By the name of the function. */
  readonly functions: ReadonlyMap<string, Members>;
  readonly constants: ReadonlyMap<string, ts.VariableStatement>;
}

/** A part of a text that is replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Merges a fixture that the team has edited.
 * @param renamed new names of fields, by their old ones.
 * @param merge the three-way merge, for what is no value: imports, comments, parameters.
 */
export async function mergeFixture(
  { path, base, ours, theirs, removedFiles }: MergeInput & { readonly base: string },
  renamed: ReadonlyMap<string, string>,
  merge: (input: MergeInput) => Promise<MergeResult>,
): Promise<MergeResult> {
  const generated = fixtureOf(path, theirs);
  const [known, own] = [base, ours].map((text) =>
    fixtureOf(path, withNewNames(fixtureOf(path, text), generated, renamed)),
  ) as [Fixture, Fixture];
  const removed = (fixture: Fixture): string =>
    edited(
      fixture.text,
      membersOf(fixture).flatMap(({ of, name, member }) =>
        known.functions.get(of)?.has(name) === true && !hasMember(generated, of, name)
          ? [removalOf(fixture.text, member)]
          : [],
      ),
    );
  const withKnownValues = edited(theirs, [
    ...membersOf(generated).flatMap(({ of, name, member }): readonly Edit[] => {
      const before = known.functions.get(of)?.get(name);
      // What makes an item is no value of the team's: it is called as its collection is.
      if (before !== undefined) return of === MAKERS ? [] : [replacement(member, before)];
      return hasMember(own, of, name) ? [removalOf(theirs, member)] : [];
    }),
    ...[...generated.constants].flatMap(([name, statement]) => {
      const before = known.constants.get(name);
      return before === undefined ? [] : [replacement(statement, before)];
    }),
  ]);
  return merge({
    path,
    base: removed(known),
    ours: removed(own),
    theirs: withKnownValues,
    removedFiles,
  });
}

/** Reads a fixture; of a text that does not parse, what the parser makes of it. */
function fixtureOf(path: string, text: string): Fixture {
  const parsed = parse(path, text);
  const functions = new Map<string, Members>();
  const constants = new Map<string, ts.VariableStatement>();
  for (const statement of parsed.ok ? parsed.file.statements : []) {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
      const returned = statement.body?.statements.findLast(ts.isReturnStatement)?.expression;
      if (returned === undefined || !ts.isObjectLiteralExpression(returned)) continue;
      functions.set(statement.name.text, namedMembers(returned));
    } else if (ts.isVariableStatement(statement)) {
      const [first] = statement.declarationList.declarations;
      if (first !== undefined && ts.isIdentifier(first.name)) {
        constants.set(first.name.text, statement);
      }
    }
  }
  return { text, functions, constants };
}

const namedMembers = ({ properties }: ts.ObjectLiteralExpression): Members =>
  new Map(
    properties.flatMap((member) => {
      const { name } = member;
      const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name));
      return isNamed ? [[name.text, member] as const] : [];
    }),
  );

const membersOf = ({ functions }: Fixture) =>
  [...functions].flatMap(([of, members]) =>
    [...members].map(([name, member]) => ({ of, name, member })),
  );

const hasMember = ({ functions }: Fixture, of: string, name: string): boolean =>
  functions.get(of)?.has(name) === true;

/** The text with the names that fields have now, where the generated fixture has these names alone. */
const withNewNames = (
  fixture: Fixture,
  generated: Fixture,
  renamed: ReadonlyMap<string, string>,
): string =>
  edited(
    fixture.text,
    membersOf(fixture).flatMap(({ of, name, member }): readonly Edit[] => {
      const now = renamed.get(name);
      const isRenamed =
        now !== undefined &&
        hasMember(generated, of, now) &&
        !hasMember(generated, of, name) &&
        !hasMember(fixture, of, now);
      if (!isRenamed || member.name === undefined) return [];
      const text = ts.isShorthandPropertyAssignment(member) ? `${now}: ${name}` : now;
      return [{ start: member.name.getStart(), end: member.name.end, text }];
    }),
  );

const replacement = (node: ts.Node, by: ts.Node): Edit => ({
  start: node.getStart(),
  end: node.end,
  text: by.getText(),
});

/** Removes a member with its comma and its comments. */
function removalOf(text: string, member: ts.Node): Edit {
  const afterRemarks = (position: number): number =>
    ts.getTrailingCommentRanges(text, position)?.at(-1)?.end ?? position;
  const comma = /^\s*,/.exec(text.slice(member.end))?.[0].length ?? 0;
  return {
    start: afterRemarks(member.pos),
    end: afterRemarks(member.end + comma),
    text: '',
  };
}

/** The text with edits that do not overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, text: by } of edits.toSorted((one, other) => other.start - one.start)) {
    result = result.slice(0, start) + by + result.slice(end);
  }
  return result;
}
