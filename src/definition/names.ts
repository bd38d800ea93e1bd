/** Names: how they are formed, and the other cases in which the emitted code writes them. */
import type { Issues } from '../reading/issues.ts';
import { LONGEST_NAME } from '../reading/common-keys.ts';
import { quote } from '../reading/quote.ts';
import type { Position } from '../reading/position.ts';

const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** `order_items` → `orderItems`. */
export function camelCase(name: string): string {
  return name.replace(/[_-]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** `order_items` → `OrderItems`. */
export function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** `order-items` → `Order items`. */
export function inWords(name: string): string {
  const words = name.replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Any text as lower-case words with a joint between; empty where it has no letter. */
export function caseOf(text: string, joint: '_' | '-'): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[ßẞ]/g, 'ss')
      // `IPv4Address` has the words `ipv4` and `address`.
      .replace(/(?<![A-Z])IPv(?=[46])/g, 'Ipv')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .replace(/^[ 0-9]+/, '')
      .trim()
      .replaceAll(' ', joint)
      .slice(0, LONGEST_NAME)
      .replace(/[_-]+$/, '')
  );
}

/** Whether the name is snake_case and short enough; adds an issue where it is not. */
export function checkSnakeCase(name: string, what: string, at: Position, issues: Issues): boolean {
  return checkForm(name, what, at, issues, SNAKE, 'snake_case', '_');
}

/** Whether the name is kebab-case and short enough; adds an issue where it is not. */
export function checkKebabCase(name: string, what: string, at: Position, issues: Issues): boolean {
  return checkForm(name, what, at, issues, KEBAB, 'kebab-case', '-');
}

function checkForm(
  name: string,
  what: string,
  at: Position,
  issues: Issues,
  form: RegExp,
  formName: string,
  joint: '_' | '-',
): boolean {
  if (name.length > LONGEST_NAME && form.test(name)) {
    const message = `${what} ${quote(name)} has ${name.length} characters: names have at most ${LONGEST_NAME}. Shorten it.`;
    issues.add(at, 'bad-name', message);
    return false;
  }
  if (form.test(name)) return true;
  const better = caseOf(name, joint);
  const hint = better === '' ? 'lower-case letters and digits' : quote(better);
  const start = name === '' ? `${what} is empty` : `${what} ${quote(name)} is not ${formName}`;
  issues.add(at, 'bad-name', `${start}. Write ${hint}.`);
  return false;
}
