/** The permissions of authors. */
import { makeCallers } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { testAuthors } from '../support/items/authors.ts';
import { permissionTests } from '../support/permission-tests.ts';
import { sharedService } from '../support/service.ts';

/** The status of the response to each caller. */
const TABLE = `
                            no credential  no role  editor  admin
GET     /authors            200            200      200     200
HEAD    /authors            200            200      200     200
POST    /authors            401            403      201     201
GET     /authors/{id}       200            200      200     200
HEAD    /authors/{id}       200            200      200     200
PUT     /authors/{id}       401            403      200     200
PATCH   /authors/{id}       401            403      200     200
DELETE  /authors/{id}       401            403      403     204
GET     /authors/{removed}  410            410      410     410
PUT     /authors/{removed}  401            403      410     410
PATCH   /authors/{removed}  401            403      410     410
DELETE  /authors/{removed}  401            403      403     410
GET     /authors/{missing}  404            404      404     404
PUT     /authors/{missing}  401            403      404     404
PATCH   /authors/{missing}  401            403      404     404
DELETE  /authors/{missing}  401            403      403     404
`;

const service = await sharedService();
const callers = await makeCallers(service, TABLE);

permissionTests(service, testAuthors, {
  callers,
  table: TABLE,
  noId: NO_ID,
});
