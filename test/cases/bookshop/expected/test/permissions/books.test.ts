/** The permissions of books. */
import { makeCallers } from '../support/callers.ts';
import { NO_ID } from '../support/expected.ts';
import { testAuthors } from '../support/items/authors.ts';
import { testBooks } from '../support/items/books.ts';
import { permissionTests } from '../support/permission-tests.ts';
import { sharedService } from '../support/service.ts';

/** The status of the response to each caller. */
const TABLE = `
                                  no credential  no role  editor  admin
GET     /books                    200            200      200     200
HEAD    /books                    200            200      200     200
POST    /books                    401            403      201     201
GET     /books/{id}               200            200      200     200
HEAD    /books/{id}               200            200      200     200
PUT     /books/{id}               401            403      200     200
PATCH   /books/{id}               401            403      200     200
DELETE  /books/{id}               401            403      403     204
GET     /books/{removed}          410            410      410     410
PUT     /books/{removed}          401            403      410     410
PATCH   /books/{removed}          401            403      410     410
DELETE  /books/{removed}          401            403      403     410
GET     /books/{missing}          404            404      404     404
PUT     /books/{missing}          401            403      404     404
PATCH   /books/{missing}          401            403      404     404
DELETE  /books/{missing}          401            403      403     404
GET     /authors/{id}/books       200            200      200     200
HEAD    /authors/{id}/books       200            200      200     200
POST    /authors/{id}/books       401            403      201     201
GET     /authors/{removed}/books  410            410      410     410
POST    /authors/{removed}/books  401            403      410     410
GET     /authors/{missing}/books  404            404      404     404
POST    /authors/{missing}/books  401            403      404     404
`;

const service = await sharedService();
const callers = await makeCallers(service, TABLE);

permissionTests(service, testBooks, {
  callers,
  table: TABLE,
  noId: NO_ID,
  nested: [{ parents: testAuthors, path: 'books', member: 'author_id', noId: NO_ID }],
});
