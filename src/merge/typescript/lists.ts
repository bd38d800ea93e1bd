/** Lists of source (statements, members, elements, specifiers) as elements with their comments. */
import { ts } from 'ts-morph';

import { keyOf } from './keys.ts';
import type { ElementKey } from './keys.ts';
import { commentsIn, tokensOf } from './tokens.ts';

/** How the elements of a list stand side by side. */
type Form = 'lines' | 'commas' | 'union' | 'intersection' | 'words';

export interface Element {
  readonly node: ts.Node;
  readonly key: ElementKey | undefined;
  /** Equal for the same element in every version. */
  readonly id: string;
  /** What stands before it: blanks, comments, in a union the bar. */
  readonly lead: string;
  /** Comments between it and its comma. */
  readonly aside: string;
  /** Comments at the end of its line. */
  readonly trailing: string;
  /** All of its comments, whatever their layout. */
  readonly remarks: string;
  /** The block that it stands in, where that block is not in the base and the element is. */
  readonly frame?: Frame;
}

/** A statement around a list of statements: `if (condition) { … }`. */
export interface Frame {
  readonly element: Element;
  readonly list: List;
}

export interface List {
  readonly file: ts.SourceFile;
  readonly form: Form;
  readonly elements: readonly Element[];
  /** What stands after the last element, before the bracket that closes the list. */
  readonly rest: string;
  /** Whether a comma stands after the last element. */
  readonly isClosed: boolean;
  readonly start: number;
  readonly end: number;
  /**
   * Whether an element means something by its place, so that two sides cannot both add one there:
   * arguments, parameters.
   */
  readonly isPositional: boolean;
  /** Whether the order and the place of elements mean nothing: what both sides add is there once. */
  readonly isSet: boolean;
}

/** The list of a node that has this name among its properties; `start` where not at its beginning. */
export function readList(
  parent: ts.Node,
  name: string,
  nodes: ts.NodeArray<ts.Node>,
  start: number = Math.max(nodes.pos, parent.getStart()),
): List {
  const file = parent.getSourceFile();
  const form = formOf(parent, name);
  const end = endOf(parent, nodes, form);
  const elements: Element[] = [];
  let from = start;
  for (const node of nodes) {
    const element = readElement(node, file, form, from, end);
    elements.push(element.element);
    from = element.end;
  }
  return {
    file,
    form,
    elements,
    rest: file.text.slice(from, end),
    isClosed: nodes.hasTrailingComma,
    start,
    end,
    isPositional:
      /^(arguments|parameters|typeArguments|typeParameters)$/.test(name) ||
      ts.isTupleTypeNode(parent) ||
      ts.isArrayBindingPattern(parent),
    isSet:
      form === 'union' ||
      form === 'intersection' ||
      form === 'words' ||
      ts.isNamedImports(parent) ||
      ts.isObjectBindingPattern(parent) ||
      ts.isNamedExports(parent),
  };
}

/** A node as a list of which it is the one element. */
export function listOfOne(node: ts.Node, form: Form): List {
  const file = node.getSourceFile();
  const [start, end] = [node.getStart(file), node.end];
  return {
    file,
    form,
    elements: [readElement(node, file, form, start, end).element],
    rest: '',
    isClosed: false,
    start,
    end,
    isPositional: false,
    isSet: true,
  };
}

function readElement(
  node: ts.Node,
  file: ts.SourceFile,
  form: Form,
  from: number,
  limit: number,
): { element: Element; end: number } {
  const { text } = file;
  const lead = text.slice(from, node.getStart(file));
  let [aside, end] = ['', node.end];
  if (form === 'commas') {
    const comma = nextToken(text, node.end);
    if (text[comma] === ',' && comma < limit) {
      aside = text.slice(node.end, comma);
      end = comma + 1;
    }
  }
  const trailing = text.slice(end, endOfRemarks(text, end));
  const key = keyOf(node);
  const element: Element = {
    node,
    key,
    id: key?.id ?? tokensOf(node),
    lead,
    aside,
    trailing,
    remarks: [lead.replace(/^\s*[|&]/, ''), aside, trailing].flatMap(commentsIn).join('\n'),
  };
  return { element, end: end + trailing.length };
}

/** The end of the comments that end a line, or the position itself. */
function endOfRemarks(text: string, position: number): number {
  const last = ts.getTrailingCommentRanges(text, position)?.at(-1);
  if (last === undefined) return position;
  return /^[ \t]*(\r?\n|$)/.test(text.slice(last.end)) ? last.end : position;
}

function formOf(parent: ts.Node, name: string): Form {
  if (name === 'statements' || name === 'clauses') return 'lines';
  if (name === 'members') return ts.isEnumDeclaration(parent) ? 'commas' : 'lines';
  if (name === 'modifiers' || name === 'heritageClauses') return 'words';
  if (name === 'types' && ts.isUnionTypeNode(parent)) return 'union';
  if (name === 'types' && ts.isIntersectionTypeNode(parent)) return 'intersection';
  return 'commas';
}

/** Where a list ends: at the bracket that closes it, where it has one. */
function endOf(parent: ts.Node, nodes: ts.NodeArray<ts.Node>, form: Form): number {
  const { text } = parent.getSourceFile();
  if (ts.isSourceFile(parent)) return text.length;
  const isOpen =
    form === 'union' ||
    form === 'intersection' ||
    form === 'words' ||
    ts.isCaseOrDefaultClause(parent) ||
    ts.isVariableDeclarationList(parent) ||
    ts.isHeritageClause(parent);
  return isOpen ? nodes.end : nextToken(text, nodes.end);
}

/** Where the next token begins. */
function nextToken(text: string, position: number): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true);
  scanner.setText(text, position);
  scanner.scan();
  return scanner.getTokenStart();
}

/** An element as it is to be written. */
export interface Written {
  readonly lead: string;
  readonly body: string;
  readonly aside: string;
  readonly trailing: string;
}

const MARKS = { union: '|', intersection: '&' } as const;

/** Writes the elements of a list as one text, in place of those of the model. */
export function writeList(model: List, elements: readonly Written[], rest: string): string {
  const { form } = model;
  let text = '';
  for (const [index, { lead, body, aside, trailing }] of elements.entries()) {
    const isLast = index === elements.length - 1;
    const comma = form === 'commas' && (!isLast || model.isClosed) ? ',' : '';
    text += separated(text, leadOf(form, lead, index === 0)) + body + aside + comma + trailing;
  }
  return text + separated(text, rest);
}

function leadOf(form: Form, lead: string, isFirst: boolean): string {
  if (form === 'union' || form === 'intersection') {
    const mark = MARKS[form];
    return isFirst || lead.trim().startsWith(mark) ? lead : `${lead} ${mark} `;
  }
  if (isFirst) return lead;
  if (form === 'lines') return lead.includes('\n') ? lead : `\n${lead}`;
  return lead === '' ? ' ' : lead;
}

/** A text to stand after another: on a new line, where that ends with a comment to the end of the line. */
function separated(before: string, text: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.includes('//') && !/^[ \t]*\r?\n/.test(text) ? `\n${text}` : text;
}
