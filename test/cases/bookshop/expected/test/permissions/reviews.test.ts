/** The permissions of reviews. */
import { makeCallers } from '../support/callers.ts';
import { creators, creatorTests } from '../support/creator-tests.ts';
import { NO_ID } from '../support/expected.ts';
import { testBooks } from '../support/items/books.ts';
import { testReviews } from '../support/items/reviews.ts';
import { permissionTests } from '../support/permission-tests.ts';
import { sharedService } from '../support/service.ts';

/** The status of the response to each caller. `owner` owns the item at `{id}`. */
const TABLE = `
                                  no credential  no role  editor  owner  admin
GET     /reviews                  200            200      200     200    200
HEAD    /reviews                  200            200      200     200    200
POST    /reviews                  401            201      201     201    201
GET     /reviews/{id}             200            200      200     200    200
HEAD    /reviews/{id}             200            200      200     200    200
PUT     /reviews/{id}             401            403      403     200    200
PATCH   /reviews/{id}             401            403      403     200    200
DELETE  /reviews/{id}             401            403      204     204    204
GET     /reviews/{removed}        410            410      410     410    410
PUT     /reviews/{removed}        401            410      410     410    410
PATCH   /reviews/{removed}        401            410      410     410    410
DELETE  /reviews/{removed}        401            410      410     410    410
GET     /reviews/{missing}        404            404      404     404    404
PUT     /reviews/{missing}        401            404      404     404    404
PATCH   /reviews/{missing}        401            404      404     404    404
DELETE  /reviews/{missing}        401            404      404     404    404
GET     /books/{id}/reviews       200            200      200     200    200
HEAD    /books/{id}/reviews       200            200      200     200    200
POST    /books/{id}/reviews       401            201      201     201    201
GET     /books/{removed}/reviews  410            410      410     410    410
POST    /books/{removed}/reviews  401            410      410     410    410
GET     /books/{missing}/reviews  404            404      404     404    404
POST    /books/{missing}/reviews  401            404      404     404    404
`;

const service = await sharedService();
const callers = await makeCallers(service, TABLE);
const owners = creators(testReviews);

permissionTests(service, testReviews, {
  callers,
  table: TABLE,
  noId: NO_ID,
  owners,
  nested: [{ parents: testBooks, path: 'reviews', member: 'book_id', noId: NO_ID }],
});

creatorTests(service, testReviews, {
  callers,
  owners,
  methods: ['PUT', 'PATCH', 'DELETE'],
  handOver: 'update "reviews" set "_owner_id" = $2 where "_owner_id" = $1',
  unknownMembers: ['_owner_id', 'owner_id', 'owner'],
  canLeave: true,
});
