// Bare Hono answering the same JSON from a Map, with no checks at all. Throughput is compared to this.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const rows = new Map();
const inOrder = [];
const app = new Hono();
app.get('/customers/:id', (c) => c.json(rows.get(c.req.param('id'))));
app.get('/customers', (c) => {
  const limit = Number(c.req.query('limit'));
  const data = inOrder.slice(0, limit).map((row) => ({ ...row }));
  return c.json({ data, hasMore: inOrder.length > limit, totalCount: inOrder.length });
});
const keep = (row) => {
  rows.set(row.id, row);
  inOrder.push(row);
};
app.post('/customers', async (c) => {
  const row = { id: `Customer:${rows.size + 1}`, ...(await c.req.json()) };
  keep(row);
  return c.json(row, 201);
});
app.post('/seed', async (c) => {
  for (const row of await c.req.json()) keep(row);
  return c.json({});
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
