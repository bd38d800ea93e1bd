/** Elements of the page. A text is only ever text, so that nothing in a document acts on the page. */

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, Function | string | number | boolean | undefined>} attributes functions listen to the event of their name; what is
 * false or undefined is left out.
 * @param {...(Node | string | undefined | false)} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** The element of the page that has an id. */
export const byId = (id) => document.getElementById(id);

/** Copies a text, and says so on the button for a moment. */
export async function copy(button, text) {
  const before = button.textContent;
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = before), 1500);
}
