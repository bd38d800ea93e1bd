/** The endpoints of teams. */
import type { FastifyInstance } from 'fastify';

import {
  ownItemsFilter,
  requireOwnCreation,
  requireOwnItem,
} from '../../platform/auth/ownership.ts';
import { allow } from '../../platform/auth/permissions.ts';
import { createOnce } from '../../platform/http/idempotency.ts';
import { createdAnswer, idOf, sendItem, sendUpdated } from '../../platform/http/item.ts';
import { readList } from '../../platform/http/list.ts';
import { sendPage } from '../../platform/http/page.ts';
import { checkPreconditions, expectedRevision } from '../../platform/http/preconditions.ts';
import { refuseParameters } from '../../platform/http/query.ts';
import {
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  listQuery,
} from '../../platform/openapi/parameters.ts';
import { noContent, pageOf, refusal } from '../../platform/openapi/responses.ts';
import type { Services } from '../../platform/services.ts';
import {
  createTeam,
  deleteTeam,
  findTeam,
  listTeams,
  TEAM_RESOURCE,
  updateTeam,
} from './repository.ts';
import { teamBodies, TeamBody, teamLists, teamPermissions, TeamShape } from './schema.ts';

/** Registers the endpoints, below the path of a version. */
export function teamsRoutes(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const tags = ['Teams'];
  const updateHooks = [
    allow(teamPermissions.update),
    requireOwnItem(database, TEAM_RESOURCE, teamPermissions.update),
    checkPreconditions,
  ];

  app.get(
    '/teams',
    {
      schema: {
        operationId: 'listTeams',
        tags,
        summary: 'List teams',
        querystring: listQuery(teamLists),
        response: { 200: pageOf(TeamShape, teamLists) },
      },
      onRequest: allow(teamPermissions.read),
    },
    async (request, reply) => {
      const list = readList(request, teamLists, services, 'teams');
      const page = await listTeams(
        database,
        list,
        ownItemsFilter(request, TEAM_RESOURCE, teamPermissions.read),
      );
      return sendPage(request, reply, list, page, services);
    },
  );

  app.post(
    '/teams',
    {
      schema: {
        operationId: 'createTeam',
        tags,
        summary: 'Create a team',
        headers: idempotencyKey,
        body: TeamBody,
        response: {
          201: TeamShape,
          403: refusal(
            'You do not have the permission, or the team would not belong to you, and you may create only your own.',
          ),
        },
      },
    },
    async (request, reply) => {
      refuseParameters(request);
      return createOnce(request, reply, services, async (inside) => {
        const values = teamBodies.create(request);
        await requireOwnCreation(inside, request, TEAM_RESOURCE, null, teamPermissions.read);
        const item = await createTeam(inside, values, { principal: request.principal });
        return createdAnswer(request, 'teams', item);
      });
    },
  );

  app.get(
    '/teams/:id',
    {
      schema: {
        operationId: 'getTeam',
        tags,
        summary: 'Get a team',
        headers: ifNoneMatch,
        response: { 200: TeamShape },
      },
      onRequest: [
        allow(teamPermissions.read),
        requireOwnItem(database, TEAM_RESOURCE, teamPermissions.read),
      ],
    },
    async (request, reply) => {
      const item = await findTeam(database, idOf(request, TEAM_RESOURCE));
      refuseParameters(request);
      return sendItem(request, reply, item);
    },
  );

  app.put(
    '/teams/:id',
    {
      schema: {
        operationId: 'replaceTeam',
        tags,
        summary: 'Replace a team',
        headers: ifMatch,
        body: TeamBody,
        response: { 200: TeamShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TEAM_RESOURCE);
      const item = await updateTeam(
        database,
        id,
        expectedRevision(request),
        (stored) => teamBodies.replace(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.patch(
    '/teams/:id',
    {
      schema: {
        operationId: 'updateTeam',
        tags,
        summary: 'Update a team',
        headers: ifMatch,
        body: TeamBody,
        response: { 200: TeamShape },
      },
      onRequest: updateHooks,
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TEAM_RESOURCE);
      const item = await updateTeam(
        database,
        id,
        expectedRevision(request),
        (stored) => teamBodies.patch(request, stored),
        { principal: request.principal },
      );
      return sendUpdated(request, reply, item);
    },
  );

  app.delete(
    '/teams/:id',
    {
      schema: {
        operationId: 'deleteTeam',
        tags,
        summary: 'Delete a team',
        headers: ifMatch,
        response: { 204: noContent },
      },
      onRequest: [
        allow(teamPermissions.delete),
        requireOwnItem(database, TEAM_RESOURCE, teamPermissions.delete),
        checkPreconditions,
      ],
    },
    async (request, reply) => {
      refuseParameters(request);
      const id = idOf(request, TEAM_RESOURCE);
      await deleteTeam(database, id, expectedRevision(request), { principal: request.principal });
      return reply.code(204).send();
    },
  );
}
