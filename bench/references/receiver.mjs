// A webhook receiver that answers at once and counts; GET / says how many came.
import { createServer } from 'node:http';

let count = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(count));
  request.resume();
  request.on('end', () => {
    count += 1;
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
