// Bulk import of a 100 MB CSV through the real process: rows a second, and peak memory above idle.
import http from 'node:http';
import { AUTHORIZATION, call, emulator, round } from './kit.mjs';

const HEADER =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,businessLegalName\n';
const good = (n) =>
  `$u${n}@pay.example,u-${n},INDIVIDUAL,Ada Keller,1990-01-02,${n} North Elm Street Apartment ${n % 900},Tacoma,WA,98402,US,\n`;
const bad = (n) => good(n).replace('1990-01-02', '1990-02-31');

/** A form around a CSV of so many bytes, made up as it is sent. */
function* form(bytes, row, boundary) {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="customers.csv"\r\nContent-Type: text/csv\r\n\r\n${HEADER}`;
  let sent = HEADER.length;
  for (let n = 0; sent < bytes; ) {
    let chunk = '';
    while (chunk.length < 65_536 && sent + chunk.length < bytes) chunk += row((n += 1));
    sent += chunk.length;
    yield chunk;
  }
  yield `\r\n--${boundary}--\r\n`;
}

function upload(url, bytes, row) {
  const boundary = 'bench-boundary';
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: 'POST',
        headers: { authorization: AUTHORIZATION, 'content-type': `multipart/form-data; boundary=${boundary}` },
      },
      (response) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.on('end', () => resolve(JSON.parse(text)));
      },
    );
    request.on('error', reject);
    (async () => {
      for (const chunk of form(bytes, row, boundary))
        if (!request.write(chunk)) await new Promise((go) => request.once('drain', go));
      request.end();
    })();
  });
}

async function measure(bytes, row, flags) {
  const server = await emulator(flags);
  const base = `${server.url}/2025-10-13`;
  await call(`${base}/customers`);
  const idle = server.rss();
  let peak = idle;
  let slowest = 0;
  const watching = setInterval(() => (peak = Math.max(peak, server.rss())), 20);
  const started = performance.now();
  const { id } = await upload(`${base}/customers/bulk/csv`, bytes, row);
  const uploaded = performance.now();
  let job;
  do {
    await new Promise((go) => setTimeout(go, 50));
    const config = await call(`${base}/config`);
    slowest = Math.max(slowest, config.ms);
    const page = await call(`${base}/customers/bulk/jobs/${id}`);
    job = JSON.parse(page.text);
  } while (job.status !== 'COMPLETED');
  const done = performance.now();
  clearInterval(watching);
  await server.stop();
  const rows = job.progress.processed;
  return {
    rows,
    failed: job.progress.failed,
    uploadSeconds: round((uploaded - started) / 1000),
    importSeconds: round((done - uploaded) / 1000),
    rowsPerSecond: Math.round(rows / ((done - started) / 1000)),
    slowestRequestMs: round(slowest, 1),
    peakMiBAboveIdle: Math.round(peak - idle),
    kibPerRow: round(((peak - idle) * 1024) / rows),
  };
}

/**
 * `created`: every row becomes a customer, whose own memory stays. `refused`: every row fails, so what is left is
 * the cost of the file and of reading it.
 */
export async function bulk({ megabytes = 100 } = {}) {
  const bytes = megabytes * 1_000_000;
  return { created: await measure(bytes, good), refused: await measure(bytes, bad) };
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  console.log(JSON.stringify(await bulk({ megabytes: Number(process.argv[2] ?? 100) }), null, 2));
