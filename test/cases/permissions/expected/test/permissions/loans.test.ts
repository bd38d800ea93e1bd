/** The permissions of loans. */
import { makeCallers } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { testLoans } from '../support/items/loans.ts';
import { testMembers } from '../support/items/members.ts';
import { ownerPath } from '../support/owner-path.ts';
import { ownerPathTests } from '../support/owner-path-tests.ts';
import { permissionTests } from '../support/permission-tests.ts';
import { sharedService } from '../support/service.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                  no credential  no role  clerk  auditor  owner  admin
GET     /loans                    401            200      200    200      200    200
HEAD    /loans                    401            200      200    200      200    200
POST    /loans                    401            403      201    403      403    201
GET     /loans/{id}               401            403      200    403      200    200
HEAD    /loans/{id}               401            403      200    403      200    200
PUT     /loans/{id}               401            403      200    403      200    200
PATCH   /loans/{id}               401            403      200    403      200    200
DELETE  /loans/{id}               401            403      204    403      403    204
GET     /loans/{removed}          401            410      410    410      410    410
PUT     /loans/{removed}          401            410      410    410      410    410
PATCH   /loans/{removed}          401            410      410    410      410    410
DELETE  /loans/{removed}          401            403      410    403      403    410
GET     /loans/{missing}          401            404      404    404      404    404
PUT     /loans/{missing}          401            404      404    404      404    404
PATCH   /loans/{missing}          401            404      404    404      404    404
DELETE  /loans/{missing}          401            403      404    403      403    404
GET     /members/{id}/loans       401            403      200    403      403    200
HEAD    /members/{id}/loans       401            403      200    403      403    200
POST    /members/{id}/loans       401            403      201    403      403    201
GET     /members/{removed}/loans  401            410      410    410      410    410
POST    /members/{removed}/loans  401            410      410    410      410    410
GET     /members/{missing}/loans  401            404      404    404      404    404
POST    /members/{missing}/loans  401            404      404    404      404    404
`;

const service = await sharedService();
const callers = await makeCallers(service, TABLE);
const owners = ownerPath(service, [
  [testLoans, 'member_id'],
  [testMembers, 'user_id'],
]);

permissionTests(service, testLoans, {
  callers,
  table: TABLE,
  noId: NO_ID,
  owners,
  nested: [{ parents: testMembers, path: 'loans', member: 'member_id', noId: NO_ID }],
});

ownerPathTests(service, testLoans, {
  callers,
  owners,
  methods: ['GET', 'PUT', 'PATCH'],
  handOver: 'update "members" set "user_id" = $2 where "user_id" = $1',
  lists: { sorts: ['due_on', 'tool'], filters: ['tool', 'member_id'], searched: ['tool'] },
  pages: 1,
  created: 201,
  giver: 'admin',
});
