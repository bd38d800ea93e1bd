/** Prints a request and its answer as a person likes to read them. */
import { STATUS_CODES } from 'node:http';

const colored = process.stdout.isTTY && !process.env.NO_COLOR;
const code = (on, off) => (text) => (colored ? `\u001b[${on}m${text}\u001b[${off}m` : text);

export const style = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  cyan: code(36, 39),
};

/** Prints one step; answers whether its status is the expected one, and its headers are there. */
export function show(number, { caption, expected, method, path, headers, body, shown, ...step }) {
  const { status, headers: answered } = step.answer;
  const missing = shown.filter((name) => !answered.has(name)).map(titled);
  const isRight = status === expected && missing.length === 0;
  const mark = isRight ? style.green : style.red;
  const lines = [
    `${style.cyan(method)} ${path}`,
    ...Object.entries(headers).map(([name, value]) => style.dim(`${name}: ${value}`)),
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    '',
    mark(`${status} ${STATUS_CODES[status] ?? ''}`),
    ...shown.map((name) => style.dim(`${titled(name)}: ${answered.get(name)}`)),
    ...(step.text === '' || step.isBrief ? [] : [pretty(step.text)]),
    ...(isRight ? [] : [style.red(['expected', expected, ...missing].join(' '))]),
  ];
  console.log(`\n${style.bold(`${number}. ${caption}`)}\n${lines.map(indent).join('\n')}`);
  return isRight;
}

const indent = (lines) => lines.replace(/^(?=.)/gm, '   ');

const titled = (name) => name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase());

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
