// A PDF for tests, made here: each page has the given lines, those that begin with "# " larger.

/** Returns the bytes of a PDF of so many pages; `lines` gives the lines of a page, counted from 1, in plain ASCII. */
export function pdf(title, pages, lines) {
  const objects = [];
  const put = (id, body) => (objects[id] = `${id} 0 obj\n${body}\nendobj\n`);
  const first = 5;
  const kids = Array.from({ length: pages }, (_, i) => `${first + 2 * i} 0 R`).join(' ');
  put(1, '<< /Type /Catalog /Pages 2 0 R >>');
  put(2, `<< /Type /Pages /Kids [ ${kids} ] /Count ${pages} >>`);
  put(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  put(4, `<< /Title (${title}) /CreationDate (D:20240131120000Z) >>`);
  for (let page = 1; page <= pages; page++) {
    let y = 780;
    const drawn = lines(page).map((line) => {
      const size = line.startsWith('# ') ? 18 : 11;
      y -= size + 5;
      const text = line.replace(/^# /, '').replace(/[\\()]/g, (c) => `\\${c}`);
      return `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET`;
    });
    const content = drawn.join('\n');
    const id = first + 2 * (page - 1);
    put(
      id,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${id + 1} 0 R >>`,
    );
    put(id + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object) => {
    const at = file.length;
    file += object;
    return at;
  });
  const table = offsets.slice(1).map((at) => `${String(at).padStart(10, '0')} 00000 n \n`);
  return Buffer.from(
    `${file}xref\n0 ${objects.length}\n0000000000 65535 f \n${table.join('')}trailer\n<< /Size ${objects.length} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
