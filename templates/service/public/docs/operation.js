/** One operation: what it does, a form to try it, and what it answered. */
import { answerView } from './answer.js';
import { needsCredential, resolve } from './documents.js';
import { copy, element } from './dom.js';
import { inline, markdown } from './markdown.js';
import { curlOf, requestOf, send } from './request.js';
import { schemaView, typeOf } from './schema.js';
import { current } from './session.js';

/** Ids that answers have shown, by the path of their items: the next request begins with them. */
const seen = new Map();

/** What was typed, by operation: it is there again when one comes back. */
const drafts = new Map();

/**
 * @param {{ document: object, accept: string, operation: object, signIn: () => void }} shown
 */
export function operationView({ document: api, accept, operation, signIn }) {
  const { method, path, summary, description, operationId, parameters, requestBody } = operation;
  const draft = drafts.get(operationId) ?? {
    values: prefilled(path),
    body: exampleBody(operation),
  };
  drafts.set(operationId, draft);
  if ((draft.values.id ?? '') === '') Object.assign(draft.values, prefilled(path));

  const output = element('div', { class: 'output', 'aria-live': 'polite' });
  const request = () =>
    requestOf(operation, draft.values, draft.body, { accept, token: current()?.token });

  /** Sends what is in the form, or another request in its place: the next page, the new item. */
  const run = async (other) => {
    const made = other ?? request();
    output.replaceChildren(element('p', { class: 'note' }, 'Waiting for the answer…'));
    try {
      const answer = await send(made);
      remember(made, answer);
      output.replaceChildren(
        answerView(answer, {
          request: made,
          operation,
          document: api,
          signIn,
          follow: (url) => run({ ...made, method: 'GET', url, body: undefined }),
        }),
      );
    } catch (error) {
      output.replaceChildren(
        element('p', { class: 'problem' }, `No answer came: ${error.message}.`),
      );
    }
  };

  const form = element(
    'form',
    {
      class: 'try',
      submit: (event) => {
        event.preventDefault();
        void run();
      },
      keydown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void run();
        }
      },
    },
    ...fieldsOf(api, parameters, draft),
    requestBody !== undefined && bodyField(operation, draft),
    element(
      'div',
      { class: 'row' },
      element('button', { class: 'primary', type: 'submit' }, 'Send'),
      element(
        'button',
        {
          class: 'quiet',
          type: 'button',
          click: (event) => void copy(event.currentTarget, curlOf(request())),
        },
        'Copy as curl',
      ),
      element('span', { class: 'note hint' }, 'Ctrl + Enter sends'),
    ),
  );

  return element(
    'article',
    { class: 'operation' },
    element('h1', {}, summary),
    element('p', { class: 'address' }, badge(method), element('code', {}, path)),
    description !== undefined && markdown(description),
    needsCredential(operation) &&
      current() === undefined &&
      element(
        'p',
        { class: 'callout' },
        'This needs a credential. ',
        element('button', { class: 'link', click: signIn }, 'Sign in'),
        ' to try it.',
      ),
    element('section', { 'aria-label': 'Try it' }, element('h2', {}, 'Try it'), form, output),
    requestBody !== undefined && bodyDocumentation(api, requestBody),
    answersDocumentation(api, operation),
  );
}

/** The coloured name of a method. */
export const badge = (method) =>
  element('span', { class: `badge ${method.toLowerCase()}` }, method === 'DELETE' ? 'DEL' : method);

/** Whether a parameter only narrows a list. */
const isFilter = ({ in: place, description = '' }) =>
  place === 'query' && description.startsWith('Only items whose');

const isHeader = ({ in: place }) => place === 'header';

/** Parameters: those of the path open, those of a filter folded away until they are wanted. */
function fieldsOf(api, parameters, draft) {
  const plain = parameters.filter((one) => !isFilter(one) && !isHeader(one));
  const folded = (title, some) => {
    const isWanted = some.some(
      ({ name, required }) => required || (draft.values[name] ?? '') !== '',
    );
    return (
      some.length > 0 &&
      element(
        'details',
        { open: isWanted },
        element('summary', {}, `${title} (${some.length})`),
        element('div', { class: 'fields' }, ...some.map((one) => field(api, one, draft))),
      )
    );
  };
  return [
    element('div', { class: 'fields' }, ...plain.map((one) => field(api, one, draft))),
    folded('Filters', parameters.filter(isFilter)),
    folded('Headers', parameters.filter(isHeader)),
  ];
}

function field(api, { name, required, description, schema: given }, draft) {
  const schema = resolve(api, given);
  const change = (event) => (draft.values[name] = event.target.value);
  const value = draft.values[name] ?? '';
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum;
  const input =
    choices === undefined
      ? element('input', {
          value,
          required,
          input: change,
          placeholder: schema.default ?? typeOf(api, schema),
          inputmode: schema.type === 'integer' ? 'numeric' : undefined,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: 'false',
        })
      : element(
          'select',
          { change },
          ...['', ...choices].map((choice) =>
            element('option', { value: choice, selected: choice === value }, choice),
          ),
        );
  return element(
    'label',
    { class: 'field' },
    element(
      'span',
      {},
      element('code', {}, name),
      required && element('span', { class: 'required' }, 'required'),
    ),
    input,
    description !== undefined && element('span', { class: 'note' }, ...inline(description)),
  );
}

function bodyField(operation, draft) {
  const problem = element('span', { class: 'problem' });
  const area = element('textarea', {
    id: 'body',
    spellcheck: 'false',
    autocapitalize: 'none',
    rows: Math.min(16, Math.max(4, draft.body.split('\n').length + 1)),
    input: (event) => {
      draft.body = event.target.value;
      problem.textContent = problemOf(draft.body);
    },
  });
  area.value = draft.body;
  return element(
    'div',
    { class: 'field body' },
    element(
      'span',
      {},
      element('label', { for: 'body' }, 'Body'),
      element(
        'button',
        {
          class: 'link',
          type: 'button',
          click: () => {
            draft.body = exampleBody(operation);
            area.value = draft.body;
            problem.textContent = '';
          },
        },
        'Example',
      ),
    ),
    area,
    problem,
  );
}

/** What keeps a text from being JSON; nothing where it is. */
function problemOf(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON yet: ${error.message}`;
  }
}

function exampleBody({ requestBody }) {
  if (requestBody === undefined) return undefined;
  const [{ example = {} } = {}] = Object.values(requestBody.content);
  return JSON.stringify(example, undefined, 2);
}

function bodyDocumentation(api, { content }) {
  const [{ schema }] = Object.values(content);
  return element(
    'section',
    {},
    element('h2', {}, 'Body'),
    element('p', { class: 'note' }, ...inline(codes(Object.keys(content)))),
    schemaView(api, schema),
  );
}

function answersDocumentation(api, { responses }) {
  return element(
    'section',
    {},
    element('h2', {}, 'Answers'),
    ...Object.entries(responses).map(([status, given]) => {
      const response = resolve(api, given);
      const [media] = Object.values(response.content ?? {});
      const headers = Object.keys(response.headers ?? {});
      return element(
        'details',
        { class: 'answer' },
        element(
          'summary',
          {},
          element('span', { class: `status s${status[0]}` }, status),
          ' ',
          ...inline(response.description),
        ),
        headers.length > 0 &&
          element('p', { class: 'note' }, 'Headers: ', ...inline(codes(headers))),
        media !== undefined && schemaView(api, media.schema),
      );
    }),
  );
}

const codes = (names) => names.map((name) => `\`${name}\``).join(', ');

/** The id that an item of this path was last seen with. */
function prefilled(path) {
  const id = seen.get(path.split('/{id}')[0]);
  return path.includes('{id}') && id !== undefined ? { id } : {};
}

/** Keeps the id of what was made or listed, so that nobody has to copy it. */
function remember({ method, url }, { status, text, header }) {
  if (status >= 300 || method === 'DELETE') return;
  try {
    const body = JSON.parse(text);
    const id = (Array.isArray(body) ? body[0] : body)?.id;
    if (id === undefined) return;
    const made = header('location')?.replace(/^https?:\/\/[^/]+/, '');
    const path = (made ?? url).split('?')[0];
    seen.set(path.endsWith(`/${id}`) ? path.slice(0, -id.length - 1) : path, id);
  } catch {
    // What is no JSON has no id.
  }
}
