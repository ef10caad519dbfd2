// Bulk import of CSV through the real process: rows a second, and peak memory above idle.
import http from 'node:http';
import { AUTHORIZATION, BASE, child, done, emulator } from '../kit.mjs';
import { output } from '../processes.mjs';

const HEADER =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,businessLegalName\n';
const good = (n) =>
  `$u${n}@pay.example,u-${n},INDIVIDUAL,Ada Keller,1990-01-02,${n} North Elm Street Apartment ${n % 900},Tacoma,WA,98402,US,\n`;
const bad = (n) => good(n).replace('1990-01-02', '1990-02-31');

/** A form around a CSV of so many bytes, made up as it is sent. */
export function* form(bytes, row = good, boundary = 'bench-boundary') {
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

/** Import so many bytes of CSV into a build; `row` makes each line. */
export async function imported(build, bytes, row = good) {
  const server = await emulator([], { build });
  const base = `${server.url}${BASE}`;
  await done(`${base}/customers`);
  const idle = server.rss();
  const busy = server.cpuMs();
  let peak = idle;
  let slowest = 0;
  const watching = setInterval(() => (peak = Math.max(peak, server.rss())), 20);
  const began = performance.now();
  const { id } = await upload(`${base}/customers/bulk/csv`, bytes, row);
  let job;
  do {
    await new Promise((go) => setTimeout(go, 50));
    const asked = performance.now();
    job = await done(`${base}/customers/bulk/jobs/${id}`);
    slowest = Math.max(slowest, performance.now() - asked);
  } while (job.status !== 'COMPLETED');
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watching);
  const { processed: rows, failed } = job.progress;
  const cpuUs = ((server.cpuMs() - busy) * 1000) / rows;
  await server.stop();
  return { rows, failed, rate: rows / seconds, cpuUs, slowest, peak: peak - idle };
}

/**
 * `created`: every row becomes a customer, whose own memory stays. `refused`: every row fails, so what is left is
 * the cost of the file and of reading it.
 */
export async function csv(report) {
  const bytes = 100_000_000;
  const parsed = JSON.parse(await output(process.execPath, [child('csv'), String(bytes)]));
  const created = await imported(undefined, bytes);
  if (created.failed > 0) throw new Error(`${created.failed} rows were refused`);
  const note = `peak ${Math.round(created.peak)} MiB above idle`;
  report('csv', { value: created.rate, reference: parsed.rate, ratio: created.rate / parsed.rate, note });
  report('csv-slowest', { value: created.slowest });
  if (!report.wants('csv-peak')) return;
  const refused = await imported(undefined, bytes, bad);
  report('csv-peak', { value: refused.peak, note: `${Math.round(refused.rate)} rows/s` });
}
