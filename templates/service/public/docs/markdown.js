/** The Markdown that documents hold: headings, paragraphs, lists, code and strong words. */
import { element } from './dom.js';

/** Markdown as elements. What is no such Markdown stands as it is. */
export function markdown(text, deepest = 2) {
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .map((block) => blockOf(block, deepest));
  return element('div', { class: 'prose' }, ...blocks);
}

function blockOf(block, deepest) {
  const heading = /^(#{1,6}) (.*)$/.exec(block);
  if (heading !== null) {
    const level = Math.max(heading[1].length, deepest);
    return element(`h${level}`, { id: anchor(heading[2]) }, ...inline(heading[2]));
  }
  if (/^[-*] /.test(block)) {
    const items = block.split(/\n[-*] /).map((item) => item.replace(/^[-*] /, ''));
    return element('ul', {}, ...items.map((item) => element('li', {}, ...inline(item))));
  }
  return element('p', {}, ...inline(block));
}

/** Text with its `code` and its **strong** words. */
export function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith('`')) return element('code', {}, part.slice(1, -1));
    if (part.startsWith('**') && part.length > 4) return element('strong', {}, part.slice(2, -2));
    return part.replaceAll('&lt;', '<');
  });
}

const anchor = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
