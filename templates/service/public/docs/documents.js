/** The OpenAPI documents: one for each version, read from the service itself. */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The versions that are served, the current one first. */
export async function loadVersions() {
  return (await fetch('/docs/versions.json')).json();
}

/** The document of a version. @throws where the service does not give it. */
export async function loadDocument({ href, accept }) {
  const answer = await fetch(href, { headers: { accept } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

/** A part of a document, or the one that it refers to. */
export function resolve(document, part) {
  if (part?.$ref === undefined) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** The operations of a document by their group, in the order in which it has them. */
export function groupsOf(document) {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const { operationId, tags, summary, description, security, requestBody, responses } =
        item[method];
      const parameters = [...(item[method].parameters ?? []), ...(item.parameters ?? [])];
      return {
        method: method.toUpperCase(),
        path,
        operationId,
        tags,
        summary,
        description,
        security,
        parameters: parameters.map((one) => resolve(document, one)),
        requestBody,
        responses,
      };
    }),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ tags }) => tags.includes(name)),
  }));
}

/** Whether an operation is refused without a credential. */
export const needsCredential = ({ security }) =>
  security.every((schemes) => Object.keys(schemes).length > 0);
