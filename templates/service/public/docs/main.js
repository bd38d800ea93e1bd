/** The page: contents on the left, the conventions or one operation beside it, and who is signed in. */
import { groupsOf, loadDocument, loadVersions } from './documents.js';
import { byId, element } from './dom.js';
import { inline, markdown } from './markdown.js';
import { badge, operationView } from './operation.js';
import { current, onChange, signInWithPassword, signInWithToken, signOut } from './session.js';

const versions = await loadVersions();
let version = versions[0];
let api;
let groups = [];

const base = () => version.href.replace(/\/openapi\.json$/, '');

async function choose(next) {
  version = next;
  api = await loadDocument(version);
  groups = groupsOf(api);
  document.title = `${api.info.title} API`;
  byId('title').textContent = api.info.title;
  showContents();
  show();
}

/** The list of operations; what does not hold the words that are looked for is left out. */
function showContents() {
  const words = byId('find').value.toLowerCase().split(/\s+/);
  const isFound = ({ summary, path, method }) =>
    words.every((word) => `${summary} ${path} ${method}`.toLowerCase().includes(word));
  const shown = groups
    .map((group) => ({ ...group, operations: group.operations.filter(isFound) }))
    .filter(({ operations }) => operations.length > 0);
  byId('groups').replaceChildren(
    entry('', 'Conventions'),
    ...shown.map(({ name, operations }) =>
      element(
        'section',
        {},
        element('h2', {}, name),
        ...operations.map(({ method, summary, operationId, path }) =>
          entry(operationId, summary, badge(method), path),
        ),
      ),
    ),
  );
  if (shown.length === 0) {
    byId('groups').append(element('p', { class: 'note' }, 'No operation has these words.'));
  }
}

const entry = (id, words, mark, path) =>
  element(
    'a',
    {
      href: `#${id}`,
      title: path,
      'aria-current': id === chosen() ? 'page' : undefined,
      click: closeContents,
    },
    mark,
    element('span', {}, words),
  );

const chosen = () => decodeURIComponent(location.hash.slice(1));

/** Shows what the address names. */
function show() {
  const id = chosen();
  const operation = groups
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId === id);
  byId('main').replaceChildren(
    operation === undefined
      ? overview()
      : operationView({ document: api, accept: version.accept, operation, signIn: openSigning }),
  );
  for (const link of byId('groups').querySelectorAll('a')) {
    if (link.getAttribute('href') === `#${id}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** What holds for every operation, and what there is. */
function overview() {
  // What the service is comes before what there is, and the conventions after it.
  const [, about, conventions] = /^([^]*?)(## [^]*)$/.exec(api.info.description) ?? ['', '', ''];
  return element(
    'article',
    {},
    element('h1', {}, api.info.title),
    about !== '' && markdown(about),
    element(
      'p',
      { class: 'row' },
      element(
        'a',
        { class: 'button quiet', href: version.href, download: 'openapi.json' },
        'OpenAPI document',
      ),
    ),
    element(
      'div',
      { class: 'cards' },
      ...groups
        .filter(({ operations }) => operations.length > 0)
        .map(({ name, description, operations }) =>
          element(
            'a',
            { class: 'card', href: `#${operations[0].operationId}` },
            element('strong', {}, name),
            element('span', { class: 'note' }, ...inline(description.split('\n')[0])),
            element('span', { class: 'count' }, `${operations.length} operations`),
          ),
        ),
    ),
    markdown(conventions),
  );
}

function showWho() {
  const session = current();
  byId('who').textContent = session === undefined ? '' : session.name;
  byId('sign').textContent = session === undefined ? 'Sign in' : 'Sign out';
  byId('sign').className = session === undefined ? 'primary' : 'quiet';
}

function openSigning() {
  const kept =
    'A password is exchanged for a token at once, which ends after eight hours or when you sign out.';
  byId('signing-note').textContent = kept;
  byId('signing-problem').textContent = '';
  byId('signing').showModal();
}

/** Signs in with what the dialog holds; it closes when that is done. */
async function sign(event) {
  event.preventDefault();
  const form = byId('form');
  const { kind, username, password, token, keep } = form.elements;
  const at = { base: base(), accept: version.accept };
  try {
    if (kind.value === 'password') {
      const given = { username: username.value, password: password.value, keep: keep.checked };
      await signInWithPassword(at, given);
    } else {
      await signInWithToken(at, { token: token.value.trim(), keep: keep.checked });
    }
    form.reset();
    showKind();
    byId('signing').close();
  } catch (error) {
    byId('signing-problem').textContent = error.message;
  }
}

function showKind() {
  for (const part of byId('form').querySelectorAll('[data-kind]')) {
    part.hidden = part.dataset.kind !== byId('form').elements.kind.value;
  }
}

function closeContents() {
  byId('contents').classList.remove('open');
  byId('menu').setAttribute('aria-expanded', 'false');
}

byId('menu').addEventListener('click', () => {
  const isOpen = byId('contents').classList.toggle('open');
  byId('menu').setAttribute('aria-expanded', String(isOpen));
});
byId('find').addEventListener('input', showContents);
byId('sign').addEventListener('click', () => {
  if (current() === undefined) openSigning();
  else void signOut({ base: base(), accept: version.accept });
});
byId('form').addEventListener('submit', (event) => void sign(event));
byId('form').addEventListener('change', showKind);
byId('cancel').addEventListener('click', () => byId('signing').close());
byId('version').append(...versions.map(({ name }, at) => element('option', { value: at }, name)));
byId('version').addEventListener('change', (event) => void choose(versions[event.target.value]));
byId('versions').hidden = versions.length < 2;
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key !== '/' || isTyping) return;
  event.preventDefault();
  byId('contents').classList.add('open');
  byId('find').focus();
});
addEventListener('hashchange', () => {
  show();
  byId('main').focus();
  scrollTo(0, 0);
});
onChange(() => {
  showWho();
  show();
});

showWho();
await choose(version);
