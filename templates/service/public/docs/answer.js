/** What the service answered, for people: the status in words, the way on, the body in colours. */
import { resolve } from './documents.js';
import { copy, element } from './dom.js';
import { inline } from './markdown.js';
import { linksOf } from './request.js';

/** What to do about an error, by its status. */
const ADVICE = {
  400: 'The request is not well-formed: see Formats.',
  403: 'You are known, but this is for others: see who may, above.',
  404: 'Nothing is there. An id that never was is 404; one that was removed is 410.',
  406: 'Ask for a media type that is served, in Accept.',
  409: 'It clashes with what is there already.',
  410: 'It was removed for good.',
  412: 'Somebody changed it since you read it: read it again, and use its new ETag.',
  422: 'The values are not acceptable: the message names each of them.',
  428: 'Send If-Match with the ETag of the item that you read.',
  429: 'Too many requests: wait as long as Retry-After says.',
};

const PAGES = { first: '⇤ First page', prev: '← Previous page', next: 'Next page →' };

/**
 * @param answer as `send` gives it.
 * @param follow sends a GET to another address.
 */
export function answerView(answer, { request, operation, document: api, signIn, follow }) {
  const { status, reason, headers, header, text, milliseconds } = answer;
  const links = linksOf(header('link')).filter(({ relation }) => relation in PAGES);
  const location = header('location');
  const documented = resolve(api, operation.responses[status]);
  return element(
    'div',
    { class: 'result' },
    element(
      'p',
      { class: 'outcome' },
      element('strong', { class: `status s${String(status)[0]}` }, `${status} ${reason}`),
      element('span', { class: 'note' }, `${milliseconds} ms`),
      element('code', { class: 'asked' }, `${request.method} ${request.url}`),
    ),
    documented !== undefined && element('p', { class: 'note' }, ...inline(documented.description)),
    status === 401 &&
      element('p', {}, element('button', { class: 'primary', click: signIn }, 'Sign in')),
    ADVICE[status] !== undefined && element('p', { class: 'callout' }, ADVICE[status]),
    (links.length > 0 || location !== undefined) &&
      element(
        'p',
        { class: 'row' },
        ...links.map(({ url, relation }) =>
          element('button', { class: 'quiet', click: () => follow(url) }, PAGES[relation]),
        ),
        location !== undefined &&
          element('button', { class: 'quiet', click: () => follow(location) }, 'Open it →'),
      ),
    text !== '' &&
      element(
        'div',
        { class: 'code' },
        element(
          'button',
          { class: 'link copy', click: (event) => void copy(event.currentTarget, text) },
          'Copy',
        ),
        element('pre', { tabindex: '0', 'aria-label': 'Body of the answer' }, coloured(text)),
      ),
    element(
      'details',
      {},
      element('summary', {}, `Headers (${headers.length})`),
      element(
        'dl',
        { class: 'headers' },
        ...headers.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
      ),
    ),
  );
}

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** JSON, laid out and coloured; another text as it is. */
function coloured(text) {
  const shown = element('code');
  const laidOut = layOut(text);
  let at = 0;
  for (const match of laidOut.matchAll(TOKEN)) {
    const [all, string, colon, word] = match;
    shown.append(laidOut.slice(at, match.index));
    const kind = string === undefined ? (word === undefined ? 'number' : 'word') : 'string';
    const name = colon === undefined ? kind : 'name';
    shown.append(element('span', { class: name }, string ?? all), colon ?? '');
    at = match.index + all.length;
  }
  shown.append(laidOut.slice(at));
  return shown;
}

function layOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
